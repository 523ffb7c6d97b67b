/**
 * Every tool, in the order of the reference, new ones after (SPEC 1.4). A written list, not a directory
 * scan: a compiled program has no directory, and a diff of this file shows intent.
 *
 * Run in this order in an empty memory, the examples of all tools tell one story; the tests run them.
 */
import assumeFact from "./beliefs/assume_fact.ts";
import getBeliefStatus from "./beliefs/get_belief_status.ts";
import getJustification from "./beliefs/get_justification.ts";
import listAssumptions from "./beliefs/list_assumptions.ts";
import retractAssumption from "./beliefs/retract_assumption.ts";
import retractAssumptions from "./beliefs/retract_assumptions.ts";
import clearContext from "./facts/clear_context.ts";
import forgetFact from "./facts/forget_fact.ts";
import rememberFact from "./facts/remember_fact.ts";
import rememberFacts from "./facts/remember_facts.ts";
import updateFact from "./facts/update_fact.ts";
import upsertFact from "./facts/upsert_fact.ts";
import history from "./history/history.ts";
import undo from "./history/undo.ts";
import createMemory from "./memories/create_memory.ts";
import listMemories from "./memories/list_memories.ts";
import mountMemory from "./memories/mount_memory.ts";
import unmountMemory from "./memories/unmount_memory.ts";
import explainWhy from "./proofs/explain_why.ts";
import whyNot from "./proofs/why_not.ts";
import queryLogic from "./queries/query_logic.ts";
import traceDependency from "./queries/trace_dependency.ts";
import verifyConsistency from "./queries/verify_consistency.ts";
import whatIf from "./queries/what_if.ts";
import defineRule from "./rules/define_rule.ts";
import findPredicateReferences from "./rules/find_predicate_references.ts";
import loadKnowledge from "./rules/load_knowledge.ts";
import renamePredicate from "./rules/rename_predicate.ts";
import getKbOverview from "./schema/get_kb_overview.ts";
import getKnowledgeSchema from "./schema/get_knowledge_schema.ts";
import echo from "./server/echo.ts";
import getPersistenceStatus from "./server/get_persistence_status.ts";
import listSnapshots from "./snapshots/list_snapshots.ts";
import restoreSnapshot from "./snapshots/restore_snapshot.ts";
import saveSnapshot from "./snapshots/save_snapshot.ts";
import type { Tool } from "./tool.ts";

export const tools: readonly Tool[] = [
  echo,
  rememberFact,
  defineRule,
  queryLogic,
  traceDependency,
  verifyConsistency,
  explainWhy,
  findPredicateReferences,
  renamePredicate,
  getKbOverview,
  getKnowledgeSchema,
  forgetFact,
  clearContext,
  updateFact,
  upsertFact,
  assumeFact,
  getBeliefStatus,
  getJustification,
  listAssumptions,
  retractAssumption,
  retractAssumptions,
  saveSnapshot,
  restoreSnapshot,
  listSnapshots,
  getPersistenceStatus,
  createMemory,
  mountMemory,
  unmountMemory,
  listMemories,
  rememberFacts,
  loadKnowledge,
  undo,
  history,
  whatIf,
  whyNot,
];

/** The tools an agent needs in nearly every session; clients that load tools on demand keep these. */
export const coreTools: ReadonlySet<string> = new Set([
  "remember_fact",
  "define_rule",
  "query_logic",
  "explain_why",
]);

export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
