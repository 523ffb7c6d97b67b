/** Reading the members of a config one by one: each refusal names the key, what it must be, and what it is. */
import { configRefused } from "../base/authority_errors.ts";
import { closest, listed } from "../base/text.ts";

/** An object of the config, and where it stands. */
export class Members {
  readonly #values: Record<string, unknown>;
  readonly #file: string;
  readonly #at: string;

  /** `at` is the key that leads here, empty for the whole; refuses what is no object and what is not `known`. */
  constructor(
    value: unknown,
    { file, at, known }: { file: string; at: string; known?: readonly string[] },
  ) {
    this.#file = file;
    this.#at = at;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw configRefused(file, `${at || "it"} must be an object, not ${shown(value)}`);
    }
    this.#values = value as Record<string, unknown>;
    for (const name of known ? this.names() : []) {
      if (!known!.includes(name)) throw this.#unknown(name, known!);
    }
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  raw(name: string): unknown {
    return this.has(name) ? this.#values[name] : undefined;
  }

  /** A text with something in it. */
  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === "string" && value !== "") return value;
    throw this.refusal(name, "must be a text that is not empty");
  }

  /** A text of that shape. */
  matching(name: string, pattern: RegExp, rule: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || pattern.test(value)) return value;
    throw this.refusal(name, rule);
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.raw(name);
    if (value === undefined || values.includes(value as Value)) return value as Value | undefined;
    throw this.refusal(name, `must be ${values.map((each) => JSON.stringify(each)).join(" or ")}`);
  }

  integer(name: string, { maximum }: { maximum: number }): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maximum) {
      return value as number;
    }
    throw this.refusal(name, `must be an integer from 1 to ${maximum}`);
  }

  texts(name: string): string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw this.refusal(name, "must be a list of texts");
  }

  required<Value>(name: string, value: Value | undefined): Value {
    if (value !== undefined) return value;
    throw configRefused(this.#file, `${this.key(name)} is required`);
  }

  /** An error about a member: what is wrong, and what stands there. */
  refusal(name: string, rule: string) {
    return configRefused(this.#file, `${this.key(name)} ${rule}, not ${shown(this.raw(name))}`);
  }

  /** `principals.ana.fork_id` */
  key(name: string): string {
    return this.#at ? `${this.#at}.${name}` : name;
  }

  #unknown(name: string, known: readonly string[]) {
    const nearest = closest(name, known);
    const hint = nearest
      ? `perhaps ${JSON.stringify(nearest)} is meant`
      : `there are ${listed(known)}`;
    return configRefused(this.#file, `the key ${this.key(name)} is unknown, ${hint}`);
  }
}

/** A value for a sentence; what is long is cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
