/**
 * The Prolog texts as the engine gets them: name in the engine's file system -> source. They stay real files,
 * so that an editor and a native `swipl` can load them.
 */
import absence from "./absence.pl" with { type: "text" };
import answer_tables from "./answer_tables.pl" with { type: "text" };
import arguing from "./arguing.pl" with { type: "text" };
import argumentsOf from "./arguments.pl" with { type: "text" };
import asserting from "./asserting.pl" with { type: "text" };
import batches from "./batches.pl" with { type: "text" };
import beliefs from "./beliefs.pl" with { type: "text" };
import believing from "./believing.pl" with { type: "text" };
import bounded from "./bounded.pl" with { type: "text" };
import brackets from "./brackets.pl" with { type: "text" };
import catalog from "./catalog.pl" with { type: "text" };
import changes from "./changes.pl" with { type: "text" };
import changing from "./changing.pl" with { type: "text" };
import checkpoints from "./checkpoints.pl" with { type: "text" };
import checks from "./checks.pl" with { type: "text" };
import closeness from "./closeness.pl" with { type: "text" };
import commits from "./commits.pl" with { type: "text" };
import contexts from "./contexts.pl" with { type: "text" };
import declared from "./declared.pl" with { type: "text" };
import directives from "./directives.pl" with { type: "text" };
import documents from "./documents.pl" with { type: "text" };
import edn from "./edn.pl" with { type: "text" };
import effects from "./effects.pl" with { type: "text" };
import environments from "./environments.pl" with { type: "text" };
import exposure from "./exposure.pl" with { type: "text" };
import facts from "./facts.pl" with { type: "text" };
import failures from "./failures.pl" with { type: "text" };
import fates from "./fates.pl" with { type: "text" };
import faults from "./faults.pl" with { type: "text" };
import guards from "./guards.pl" with { type: "text" };
import heads from "./heads.pl" with { type: "text" };
import heartbeat from "./heartbeat.pl" with { type: "text" };
import history from "./history.pl" with { type: "text" };
import hypotheses from "./hypotheses.pl" with { type: "text" };
import imports from "./imports.pl" with { type: "text" };
import interpreter from "./interpreter.pl" with { type: "text" };
import journaling from "./journaling.pl" with { type: "text" };
import json_texts from "./json_texts.pl" with { type: "text" };
import justifications from "./justifications.pl" with { type: "text" };
import leftovers from "./leftovers.pl" with { type: "text" };
import libraries from "./libraries.pl" with { type: "text" };
import loader from "./loader.pl" with { type: "text" };
import memories from "./memories.pl" with { type: "text" };
import mirror from "./mirror.pl" with { type: "text" };
import misprints from "./misprints.pl" with { type: "text" };
import modes from "./modes.pl" with { type: "text" };
import mounts from "./mounts.pl" with { type: "text" };
import near from "./near.pl" with { type: "text" };
import operate from "./operate.pl" with { type: "text" };
import operations from "./operations.pl" with { type: "text" };
import overlays from "./overlays.pl" with { type: "text" };
import overview from "./overview.pl" with { type: "text" };
import pages from "./pages.pl" with { type: "text" };
import places from "./places.pl" with { type: "text" };
import plans from "./plans.pl" with { type: "text" };
import prepared from "./prepared.pl" with { type: "text" };
import proofs from "./proofs.pl" with { type: "text" };
import queries from "./queries.pl" with { type: "text" };
import reading from "./reading.pl" with { type: "text" };
import references from "./references.pl" with { type: "text" };
import rename from "./rename.pl" with { type: "text" };
import restores from "./restores.pl" with { type: "text" };
import sentences from "./sentences.pl" with { type: "text" };
import sentexes from "./sentexes.pl" with { type: "text" };
import skipping from "./skipping.pl" with { type: "text" };
import snapshots from "./snapshots.pl" with { type: "text" };
import solutions from "./solutions.pl" with { type: "text" };
import source from "./source.pl" with { type: "text" };
import supports from "./supports.pl" with { type: "text" };
import texts from "./texts.pl" with { type: "text" };
import types from "./types.pl" with { type: "text" };
import usages from "./usages.pl" with { type: "text" };
import warnings from "./warnings.pl" with { type: "text" };
import ways from "./ways.pl" with { type: "text" };
import wire from "./wire.pl" with { type: "text" };
import zpm from "./zpm.pl" with { type: "text" };

export const prologTexts: Record<string, string> = {
  "absence.pl": absence,
  "answer_tables.pl": answer_tables,
  "arguing.pl": arguing,
  "arguments.pl": argumentsOf,
  "asserting.pl": asserting,
  "batches.pl": batches,
  "beliefs.pl": beliefs,
  "believing.pl": believing,
  "bounded.pl": bounded,
  "brackets.pl": brackets,
  "catalog.pl": catalog,
  "changes.pl": changes,
  "changing.pl": changing,
  "checkpoints.pl": checkpoints,
  "checks.pl": checks,
  "closeness.pl": closeness,
  "commits.pl": commits,
  "contexts.pl": contexts,
  "declared.pl": declared,
  "directives.pl": directives,
  "documents.pl": documents,
  "edn.pl": edn,
  "effects.pl": effects,
  "environments.pl": environments,
  "exposure.pl": exposure,
  "facts.pl": facts,
  "failures.pl": failures,
  "fates.pl": fates,
  "faults.pl": faults,
  "guards.pl": guards,
  "heads.pl": heads,
  "heartbeat.pl": heartbeat,
  "history.pl": history,
  "hypotheses.pl": hypotheses,
  "imports.pl": imports,
  "interpreter.pl": interpreter,
  "journaling.pl": journaling,
  "json_texts.pl": json_texts,
  "justifications.pl": justifications,
  "leftovers.pl": leftovers,
  "libraries.pl": libraries,
  "loader.pl": loader,
  "memories.pl": memories,
  "mirror.pl": mirror,
  "misprints.pl": misprints,
  "modes.pl": modes,
  "mounts.pl": mounts,
  "near.pl": near,
  "operate.pl": operate,
  "operations.pl": operations,
  "overlays.pl": overlays,
  "overview.pl": overview,
  "pages.pl": pages,
  "places.pl": places,
  "plans.pl": plans,
  "prepared.pl": prepared,
  "proofs.pl": proofs,
  "queries.pl": queries,
  "reading.pl": reading,
  "references.pl": references,
  "rename.pl": rename,
  "restores.pl": restores,
  "sentences.pl": sentences,
  "sentexes.pl": sentexes,
  "skipping.pl": skipping,
  "snapshots.pl": snapshots,
  "solutions.pl": solutions,
  "source.pl": source,
  "supports.pl": supports,
  "texts.pl": texts,
  "types.pl": types,
  "usages.pl": usages,
  "warnings.pl": warnings,
  "ways.pl": ways,
  "wire.pl": wire,
  "zpm.pl": zpm,
};
