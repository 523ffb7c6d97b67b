/** Verbs on a memory of their own: real engines, a real journal, and a table of handles that is not on disk. */
import { strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import type { Handles, SentexKey } from "../../src/authority/handles.ts";
import { limits } from "../../src/base/limits.ts";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { assertAll } from "../../src/verbs/assert_all.ts";
import { verbs } from "../../src/verbs/registry.ts";
import { invokeVerb, type Syntax, type VerbCall, verbSchemas } from "../../src/verbs/verb.ts";

export interface VerbsRig {
  /** Calls a verb as the principal; what it answers is held against its schema. */
  call(verb: string, input: Record<string, unknown>, as?: Caller): Promise<Called>;
  /** The batch of `/op`. */
  assertAll(sentences: [string, string][]): ReturnType<typeof assertAll>;
  /** An operation of the usual tools on the same memory. */
  commit(request: Record<string, string | boolean> & { op: string }): Promise<unknown>;
  /** Ends all engines, and starts them on what is on disk. */
  restart(): Promise<void>;
  /** The journal as it is on disk. */
  journal(): Promise<string>;
  handles: MemoryHandles;
}

export interface Caller {
  principal?: string;
  syntax?: Syntax;
}

export interface Called {
  structure: Record<string, unknown>;
  texts: string[];
  isError: boolean;
}

/** The same key has the same number. */
export class MemoryHandles implements Handles {
  readonly keys: SentexKey[] = [];

  handlesOf(keys: readonly SentexKey[]): Promise<number[]> {
    return Promise.resolve(keys.map((key) => this.#numberOf(key)));
  }

  keyOf(handle: number): Promise<SentexKey | undefined> {
    return Promise.resolve(this.keys[handle - 1]);
  }

  #numberOf({ context, sentence }: SentexKey): number {
    const known = this.keys.findIndex((key) =>
      key.context === context && key.sentence === sentence
    );
    return known >= 0 ? known + 1 : this.keys.push({ context, sentence });
  }
}

const AT = "2026-12-01T12:00:00.000Z";

/** Runs a test with these files in `kb`, and takes everything away. */
export async function withVerbs(
  files: Record<string, string>,
  test: (rig: VerbsRig) => Promise<void>,
): Promise<void> {
  const project = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-verbs-" }));
  const rig = new Rig(project);
  try {
    await Deno.mkdir(join(project, ".zpm/kb"), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(project, ".zpm/kb", name), text);
    }
    await rig.start();
    await test(rig);
  } finally {
    await rig.stop();
    await Deno.remove(project, { recursive: true });
  }
}

class Rig implements VerbsRig {
  readonly handles = new MemoryHandles();
  readonly #project: string;
  #memories: ProjectMemories | undefined;

  constructor(project: string) {
    this.#project = project;
  }

  async start(): Promise<void> {
    this.#memories = await openMemories({
      folder: join(this.#project, ".zpm"),
      global: join(this.#project, "global"),
      engines: 1,
      longLived: true,
      report: (line) => strictEqual(line, "", "nothing is reported"),
    });
  }

  async stop(): Promise<void> {
    await this.#memories?.close();
    this.#memories = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async call(name: string, input: Record<string, unknown>, as: Caller = {}): Promise<Called> {
    const verb = verbs.find((each) => each.name === name)!;
    const result = await invokeVerb(verb, input, await this.#verbCall(name, as));
    const { output } = verbSchemas(verb);
    const { valid, errors } = new Validator(output, "2020-12", false).validate(result.structure);
    strictEqual(valid, true, `${name}: ${JSON.stringify(errors.at(-1))}`);
    return result;
  }

  async assertAll(sentences: [string, string][]): ReturnType<typeof assertAll> {
    return await assertAll(await this.#verbCall("assert", {}), sentences);
  }

  async commit(request: Record<string, string | boolean> & { op: string }): Promise<unknown> {
    return await (await this.#memory(request.op)).commit(request);
  }

  async journal(): Promise<string> {
    return await Deno.readTextFile(join(this.#project, ".zpm/data/journal-000001.wal"));
  }

  #memory(by: string) {
    return this.#memories!.memory("default", {
      by,
      client: "test",
      deadline_ms: limits.deadline_ms,
    });
  }

  async #verbCall(by: string, { principal, syntax }: Caller): Promise<VerbCall> {
    return {
      memory: await this.#memory(by),
      handles: this.handles,
      principal: principal ?? "alice",
      at: AT,
      syntax: syntax ?? "edn",
      base_context: "CxUniverse",
    };
  }
}

/** What the principal "alice" of the rig leaves on a sentence. */
export const BY_ALICE = { creator: "alice", asserted_at: AT };

/** What stands in files. */
export const BY_BASE = { creator: "base", asserted_at: null };
