/**
 * A project with a session of its own, in this process: everything between a line of a client and the disk is
 * the real thing. Every structure it answers is held against its tool's schema.
 */
import { ok, strictEqual } from "node:assert/strict";
import { dirname, join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { openMemories, type ProjectMemories } from "../../src/memory/service.ts";
import { tools } from "../../src/tools/registry.ts";
import { outputSchema } from "../../src/tools/schema.ts";
import { type Answer, handshake, type Session, startSession } from "./mcp_session.ts";

/** What a call came to; a refusal of the protocol counts as a failure with its code. */
export interface Result {
  /** All texts; the first is what the tool says, or the error. */
  texts: string[];
  structure: Record<string, unknown>;
  isError: boolean;
  code?: number;
}

export interface World {
  /** The project's directory. */
  readonly project: string;
  /** The session that runs, for what is no call of a tool. */
  readonly session: Session;
  /** What recovery and the loader said since the start, a line each. */
  readonly reports: readonly string[];
  call(name: string, input?: Record<string, unknown>): Promise<Result>;
  /** Ends session and engines, and starts them on what is on disk. */
  restart(): Promise<void>;
  /** The same in two halves, for what happens to the disk in between. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Writes a file of the project, as `.zpm/kb/team.pl`. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** The journals of all memories, as they are on disk. */
  journals(): Promise<string>;
  /** Whether it is still as it was when it started: nothing journaled, nothing written, nothing ended. */
  untouched(): Promise<boolean>;
  /** Ends it and takes its project away. */
  remove(): Promise<void>;
}

/** Runs a test in a project with these files, and takes it away. */
export async function inWorld(
  files: Record<string, string>,
  test: (world: World) => Promise<void>,
): Promise<void> {
  const world = await openWorld(files);
  try {
    await test(world);
  } finally {
    await world.remove();
  }
}

/** A project with these files, which the caller takes away. */
export async function openWorld(files: Record<string, string>): Promise<World> {
  const project = await Deno.realPath(await Deno.makeTempDir({ prefix: "zpm-world-" }));
  const world = new RealWorld(project);
  await Deno.mkdir(join(project, ".zpm/kb"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await world.write(path, text);
  await world.start();
  return world;
}

class RealWorld implements World {
  readonly project: string;
  session!: Session;
  reports: string[] = [];
  #memories: ProjectMemories | undefined;
  #touched = true;

  constructor(project: string) {
    this.project = project;
  }

  async start(): Promise<void> {
    this.reports = [];
    this.#memories = await openMemories({
      folder: join(this.project, ".zpm"),
      global: join(this.project, "global"),
      engines: 2,
      longLived: true,
      report: (line) => this.reports.push(line),
    });
    this.session = startSession({ memories: this.#memories });
    this.session.send(...handshake());
    this.#touched = false;
  }

  async stop(): Promise<void> {
    this.#touched = true;
    if (!this.#memories) return;
    await this.session.end();
    await this.#memories.close();
    this.#memories = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
    this.#touched = true;
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Result> {
    return readAnswer(name, await this.session.call(name, input));
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    this.#touched = true;
    const file = join(this.project, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(file, bytes);
  }

  async journals(): Promise<string> {
    const folder = join(this.project, ".zpm");
    const names = [...filesBelow(folder)].filter((path) => path.endsWith(".wal")).sort();
    return (await Promise.all(names.map((path) => Deno.readTextFile(path)))).join("");
  }

  async untouched(): Promise<boolean> {
    return !this.#touched && await this.journals() === "";
  }

  async remove(): Promise<void> {
    await this.stop();
    await Deno.remove(this.project, { recursive: true });
  }
}

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* filesBelow(join(folder, name));
    else yield join(folder, name);
  }
}

const validators = new Map(
  tools.map((tool) => [tool.name, new Validator(outputSchema(tool), "2020-12", false)]),
);

/** The result of an answer, which is one that a client accepts. */
export function readAnswer(tool: string, { result, error }: Answer): Result {
  if (error) return { texts: [error.message], structure: {}, isError: true, code: error.code };
  ok(result?.content && result.structuredContent, `${tool}: no content or no structure`);
  const { valid, errors } = validators.get(tool)!.validate(result.structuredContent);
  const found = () => JSON.stringify(result.structuredContent).slice(0, 500);
  ok(valid, `${tool}: ${JSON.stringify(errors.at(-1))} in ${valid || found()}`);
  strictEqual("error" in result.structuredContent, result.isError, `${tool}: isError`);
  return {
    texts: result.content.map(({ text }) => text),
    structure: result.structuredContent,
    isError: result.isError === true,
  };
}
