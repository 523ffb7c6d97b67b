/** What the story is told with: a project in a temporary directory, the command line, MCP sessions, and a printer. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));
const PERMISSIONS = ["read", "write", "env", "sys", "net"].map((name) => `--allow-${name}`);

/** A step of the story went another way than it is told. */
export class StoryFailed extends Error {
  override readonly name = "StoryFailed";
}

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new StoryFailed(what);
}

/** The executable that ZPM_BIN names, else the source. */
function program(): string[] {
  const binary = Deno.env.get("ZPM_BIN");
  if (binary) return [Deno.realPathSync(binary)];
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-prompt",
    "--config",
    CONFIG,
    ...PERMISSIONS,
    MAIN,
  ];
}

const bold = paint(1), dim = paint(2), red = paint(31), cyan = paint(36);

function paint(code: number): (text: string) => string {
  const colours = Deno.stdout.isTerminal() && !Deno.noColor;
  return (text) => colours ? `\x1b[${code}m${text}\x1b[0m` : text;
}

export const say = {
  title: (text: string) => console.log(`\n${bold(text)}`),
  prose: (text: string) => console.log(text),
  command: (text: string) => console.log(`  ${cyan(`$ ${text}`)}`),
  call: (who: string, text: string) => console.log(`  ${cyan(`${who}> ${text}`)}`),
  answer: (text: string) => lines(text, (line) => line),
  refusal: (text: string) => lines(text, red),
  note: (text: string) => lines(text, dim),
};

function lines(text: string, paint: (line: string) => string): void {
  for (const line of text.trimEnd().split("\n")) console.log(`    ${paint(line)}`);
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** One call of one tool, as the client sees it. */
export interface Called {
  text: string;
  structure: Record<string, unknown>;
  isError: boolean;
}

/** The project, and what can be done in it. */
export class Stage {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs a command line and prints it with what it says. */
  async zpm(...words: string[]): Promise<Ran> {
    say.command(["zpm", ...words.map(quoted)].join(" "));
    const [command, ...args] = program();
    const child = new Deno.Command(command, { args: [...args, ...words], cwd: this.#directory });
    const { code, stdout, stderr } = await child.output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (out) say.answer(out);
    if (err) say.refusal(err);
    return { code, out, err };
  }

  /** Starts `zpm serve` for an agent. */
  async agent(name: string): Promise<Agent> {
    const [command, ...args] = program();
    const transport = new StdioClientTransport({
      command,
      args: [...args, "serve", "--project", this.#directory],
      env: Deno.env.toObject(),
    });
    const client = new Client({ name, version: "1.0.0" });
    await client.connect(transport);
    return new Agent(name, client, transport);
  }

  async write(path: string, text: string): Promise<void> {
    await Deno.writeTextFile(join(this.#directory, path), text);
    say.note(`${path}\n${text}`);
  }

  async read(path: string): Promise<string> {
    return await Deno.readTextFile(join(this.#directory, path));
  }
}

/** An MCP session with a server process of its own. */
export class Agent {
  readonly name: string;
  readonly #client: Client;
  readonly #transport: StdioClientTransport;

  constructor(name: string, client: Client, transport: StdioClientTransport) {
    this.name = name;
    this.#client = client;
    this.#transport = transport;
  }

  /** Calls a tool and prints the call with its answer. */
  async call(tool: string, input: Record<string, unknown>): Promise<Called> {
    say.call(this.name, `${tool} ${JSON.stringify(input)}`);
    const called = await this.quietly(tool, input);
    (called.isError ? say.refusal : say.answer)(called.text);
    return called;
  }

  async quietly(tool: string, input: Record<string, unknown>): Promise<Called> {
    const result = await this.#client.callTool({ name: tool, arguments: input });
    const content = result.content as { text?: string }[];
    return {
      text: content.map(({ text }) => text ?? "").join("\n"),
      structure: (result.structuredContent ?? {}) as Record<string, unknown>,
      isError: result.isError === true,
    };
  }

  async tools(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  /** kill -9: the server has no chance to finish anything. */
  async kill(): Promise<void> {
    const { pid } = this.#transport;
    expect(pid !== null, "the server has a process");
    say.command(`kill -9 ${this.name}'s server`);
    Deno.kill(pid, "SIGKILL");
    await this.#client.close().catch(() => {});
  }

  async leave(): Promise<void> {
    await this.#client.close();
  }
}

function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
