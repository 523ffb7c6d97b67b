/**
 * The parts of README.md that are made from declarations: the tables of tools, verbs and variables. They stand
 * between two comments each; `deno task docs` writes them, and a test fails when they are not current.
 */
import { audit } from "../src/cli/commands/audit.ts";
import { serve } from "../src/cli/commands/serve.ts";
import { globalOptions } from "../src/cli/settings.ts";
import { kebab } from "../src/cli/tool_command.ts";
import { listedTools } from "../src/mcp/memories/tools.ts";
import { tools } from "../src/tools/registry.ts";
import type { Argument, Tool } from "../src/tools/tool.ts";
import { verbs } from "../src/verbs/registry.ts";

const README = new URL("../README.md", import.meta.url);

if (import.meta.main) {
  const text = await Deno.readTextFile(README);
  const current = withSections(text);
  if (current !== text) await Deno.writeTextFile(README, current);
}

/** The text with its generated parts as they should be. */
export function withSections(text: string): string {
  const sections = {
    tools: toolTable(),
    verbs: verbTable(),
    variables: variableTable(),
    size: listSize(),
  };
  return Object.entries(sections).reduce((text, [name, body]) => replaced(text, name, body), text);
}

function replaced(text: string, name: string, body: string): string {
  const [begin, end] = [`<!-- ${name}: made by 'deno task docs' -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no part between ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${body}\n${text.slice(to)}`;
}

function toolTable(): string {
  return table(["Tool", "On the command line", "What it does", "Effect"], tools.map(toolRow));
}

function toolRow(tool: Tool): string[] {
  const words = Object.entries<Argument>(tool.input).map(([name, { required, type, file }]) => {
    const more = type === "array" ? "..." : "";
    if (required) return `${file ? "FILE" : name.toUpperCase()}${more}`;
    return type === "boolean"
      ? `[--${kebab(name)}]`
      : `[--${kebab(name)} ${placeholder(type)}${more}]`;
  });
  return [
    `\`${tool.name}\``,
    `\`${[kebab(tool.name), ...words].join(" ")}\``,
    tool.summary,
    effectOf(tool),
  ];
}

function verbTable(): string {
  const rows = verbs.map(({ name, summary, input, tool }) => {
    const words = Object.entries<Argument>(input).map(([name, { required }]) =>
      required ? `\`${name}\`` : `\`${name}\`?`
    );
    return [`\`${name}\``, words.join(", "), summary, effectOf(tool)];
  });
  return table(["Verb", "Arguments", "What it does", "Effect"], rows);
}

function placeholder(type: Argument["type"]): string {
  return type === "integer" ? "N" : "TEXT";
}

/** As the file of the tool declares it; whether it is destructive is in the annotations, which clients read. */
function effectOf({ effect }: Tool): string {
  return effect === "read" ? "reads" : "writes";
}

function variableTable(): string {
  const rows = [...globalOptions, ...serve.options, ...audit.options].filter(({ env }) => env)
    .map(({ name, env, description }) => [`\`${env}\``, `\`--${name}\``, description]);
  return table(["Variable", "Option", "What it says"], rows);
}

/** What a model pays for having the tools before it uses one. */
function listSize(): string {
  const bytes = new TextEncoder().encode(JSON.stringify(listedTools(tools))).length;
  // Rounded up, so that not every word changes the README.
  return `A client is told of all ${tools.length} tools in less than ${
    Math.ceil(bytes / 5_000) * 5
  } kB.`;
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
