/**
 * Words of a command line, sorted into options and positionals.
 *
 * `parseArgs` of node:util does the sorting. Compared with commander 15, cac 7 and citty 0.2: it is the only
 * one whose tokens tell where each word stood, which a Prolog goal needs (`-X = 3` is a value, only what
 * looks like `--name` is an option), it is part of Node's stable interface, and it costs nothing at start.
 */
import { parseArgs } from "node:util";
import { ZpmError } from "../base/errors.ts";
import { closest } from "../base/text.ts";

/** An option as a command declares it; `name` in kebab-case, `_` is accepted for `-`. */
export interface Option {
  name: string;
  /** A list is an option that may be repeated. */
  type: "string" | "integer" | "boolean" | "list";
  /** What stands for the value in the help. */
  placeholder?: string;
  description: string;
  /** The environment variable that says the same. */
  env?: string;
  /** The variable wins over the option. */
  envWins?: boolean;
}

export interface Sorted {
  /** By kebab-case name. */
  options: Map<string, string | boolean>;
  /** The values of options that may be repeated. */
  lists: Map<string, string[]>;
  positionals: string[];
}

const optionShape = /^(--[A-Za-z][A-Za-z0-9_-]*(=[^]*)?|-h)$/;

/** Splits off the command: the first word that is neither an option nor the value of one. */
export function splitCommand(
  words: string[],
  globals: Option[],
): { command?: string; rest: string[] } {
  for (const token of tokensOf(words, globals)) {
    if (token.kind === "option") knownOption(token.name, globals);
    if (token.kind !== "positional") continue;
    return { command: words[token.index], rest: words.toSpliced(token.index, 1) };
  }
  return { rest: words };
}

export function sortWords(words: string[], known: Option[]): Sorted {
  const sorted: Sorted = { options: new Map(), lists: new Map(), positionals: [] };
  const tokens = tokensOf(words, known);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.kind === "positional") sorted.positionals.push(words[token.index]);
    if (token.kind !== "option") continue;
    const option = knownOption(token.name, known);
    if (sorted.options.has(option.name)) throw usage(`Option "--${option.name}" is given twice`);
    if (option.type === "list") {
      const values = sorted.lists.get(option.name) ?? [];
      sorted.lists.set(option.name, [...values, valueOf(token, words)]);
    } else if (option.type !== "boolean") {
      sorted.options.set(option.name, valueOf(token, words));
    } else if (token.value !== undefined) {
      sorted.options.set(option.name, truth(option, token.value));
    } else {
      // `--tabled true`: the word right behind a flag is its value when it can be nothing else.
      const next = tokens[at + 1];
      const word = next?.kind === "positional" ? words[next.index] : undefined;
      const said = word === "true" || word === "false";
      if (said) at++;
      sorted.options.set(option.name, said ? word === "true" : true);
    }
  }
  return sorted;
}

/** A command line that says nothing that can be done. */
export function usage(message: string, hint = "Run 'zpm --help' to see what there is"): ZpmError {
  return new ZpmError("input", message, hint);
}

interface OptionToken {
  kind: "option";
  index: number;
  name: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

type Token = OptionToken | { kind: "positional" | "option-terminator"; index: number };

function tokensOf(words: string[], known: Option[]): Token[] {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
  for (const { name, type } of known) {
    const kind = type === "boolean" ? "boolean" : "string";
    for (const spelling of [name, name.replaceAll("-", "_")]) options[spelling] = { type: kind };
  }
  if (options.help) options.help.short = "h";
  // What does not look like an option is hidden behind a plain word and found again by its place.
  const masked = words.map((word) => word === "--" || optionShape.test(word) ? word : "value");
  const { tokens } = parseArgs({ args: masked, options, strict: false, tokens: true });
  return tokens as Token[];
}

function knownOption(name: string, known: Option[]): Option {
  const kebab = name.replaceAll("_", "-");
  const option = known.find((option) => option.name === kebab);
  if (option) return option;
  const nearest = closest(kebab, known.map((option) => option.name));
  throw usage(`Unknown option "--${name}"${nearest ? `, perhaps "--${nearest}" is meant` : ""}`);
}

function valueOf(token: OptionToken, words: string[]): string {
  if (token.inlineValue) return token.value!;
  const word = token.value === undefined ? undefined : words[token.index + 1];
  if (word !== undefined && word !== "--" && !optionShape.test(word)) return word;
  throw usage(
    `Option "--${token.name}" needs a value`,
    word === undefined ? undefined : `If the value is "${word}", write --${token.name}=${word}`,
  );
}

function truth(option: Option, value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw usage(`Option "--${option.name}" is true or false, not ${JSON.stringify(value)}`);
}
