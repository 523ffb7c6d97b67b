/**
 * Reads one EDN form and hands it on as data: nothing here can execute, and nothing here makes a term (SPEC 3.1).
 *
 * A reader of our own and a strict one: the published ones turn numbers into doubles, recurse as deep as the input
 * wants, and let keywords, tags and broken numbers pass. This one keeps numbers as exact text, is a loop, and
 * refuses by name what has no meaning in a sentence.
 *
 * The result is a list of texts in prefix notation, a character for the kind and then the content, so that no deep
 * structure crosses to Prolog (`src/prolog/edn.pl`): `(p ?x [1 "a"])` is `["(3", "sp", "vx", "[2", "i1", "ta"]`.
 */
import { limits } from "../base/limits.ts";
import { positionAt } from "../base/text.ts";
import { formTooLarge, malformedForm } from "../base/verb_errors.ts";

/** One form in prefix notation. */
export type Form = string[];

/** Reads a text that is exactly one form; `what` names it in errors. */
export function readForm(text: string, what: string): Form {
  const forms = readForms(text, what, 1);
  if (forms.length === 0) throw malformedForm(what, "there is no form", positionAt(text, 0));
  return forms[0];
}

/** Reads a text of forms, as a file has them. */
export function readForms(text: string, what: string, most = Infinity): Form[] {
  return new Reader(text, what, most).read().map(({ form }) => form);
}

/** The same, each form with the line on which it begins, from 1. */
export function readPlacedForms(text: string, what: string): { line: number; form: Form }[] {
  let line = 1;
  let counted = 0;
  return new Reader(text, what, Infinity).read().map(({ form, offset }) => {
    line += text.slice(counted, offset).split("\n").length - 1;
    counted = offset;
    return { line, form };
  });
}

/** An open list or vector, or the text itself. */
interface Frame {
  closes: ")" | "]" | "";
  /** Where its own item stands in the output. */
  at: number;
  /** Where it was opened, in the text. */
  offset: number;
  count: number;
  /** Forms that `#_` still takes away. */
  discards: number;
  /** The form that follows is the name of an atom (`#zpm/atom`). */
  tagged: boolean;
}

/** What ends a symbol or a number. */
const DELIMITER = /[\s,()[\]{}";]/;

const INTEGER = /^[+-]?(?:0|[1-9]\d*)N?$/;
const FLOAT = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)$/;
const RATIO = /^[+-]?(?:0|[1-9]\d*)\/[1-9]\d*$/;
const NUMBER_START = /^[+-]?\d/;

/** Symbols as EDN has them; a colon or a hash inside of one is none of ours. */
const SYMBOL = /^(?!\.\d)[^\d:#'"\\^`~@{}][^:#"\\^`~@{}]*$/u;

const SYMBOLIC: Record<string, string> = { "##Inf": "inf", "##-Inf": "-inf", "##NaN": "nan" };

const ESCAPES: Record<string, string> = { t: "\t", r: "\r", n: "\n", "\\": "\\", '"': '"' };

class Reader {
  readonly #text: string;
  readonly #what: string;
  readonly #most: number;
  #offset = 0;
  #output: Form = [];
  #forms: { form: Form; offset: number }[] = [];
  /** Where the outermost form began. */
  #began = 0;
  #frames: Frame[] = [frame("", 0, 0)];

  constructor(text: string, what: string, most: number) {
    this.#text = text;
    this.#what = what;
    this.#most = most;
  }

  read(): { form: Form; offset: number }[] {
    while (this.#skipBlank()) {
      if (this.#frames.length === 1) this.#began = this.#offset;
      this.#next();
    }
    const open = this.#top;
    if (open.closes !== "") this.#fail(`the ${open.closes} that closes it is missing`, open.offset);
    if (open.discards > 0 || open.tagged) this.#fail("a form is missing", this.#offset);
    return this.#forms;
  }

  get #top(): Frame {
    return this.#frames[this.#frames.length - 1];
  }

  /** Moves to the next character that counts; false at the end. */
  #skipBlank(): boolean {
    const blank = /(?:[\s,]|;[^\n]*)*/y;
    blank.lastIndex = this.#offset;
    this.#offset += blank.exec(this.#text)![0].length;
    return this.#offset < this.#text.length;
  }

  #next(): void {
    const character = this.#text[this.#offset];
    switch (character) {
      case "(":
        return this.#open(")");
      case "[":
        return this.#open("]");
      case ")":
      case "]":
        return this.#close(character);
      case '"':
        return this.#string();
      case "#":
        return this.#dispatch();
      case "{":
      case "}":
        return this.#fail("maps have no meaning in a sentence", this.#offset);
      case "\\":
        return this.#fail("characters have no meaning in a sentence, write a string", this.#offset);
      default:
        return this.#word();
    }
  }

  #open(closes: ")" | "]"): void {
    this.#beforeForm(false);
    if (this.#frames.length > limits.term_depth) {
      throw formTooLarge(this.#what, `it is nested deeper than ${limits.term_depth}`);
    }
    this.#frames.push(frame(closes, this.#output.length, this.#offset++));
    this.#output.push("");
  }

  #close(character: ")" | "]"): void {
    const { closes, at, count, discards, tagged } = this.#top;
    if (closes !== character) {
      this.#fail(closes === "" ? `a ${character} too many` : `${closes} expected`, this.#offset);
    }
    if (discards > 0 || tagged) this.#fail("a form is missing", this.#offset);
    this.#output[at] = `${character === ")" ? "(" : "["}${count}`;
    this.#frames.pop();
    this.#offset++;
    this.#done(at);
  }

  #string(): void {
    const start = this.#offset;
    const piece = /[^"\\]*/y;
    let content = "";
    for (this.#offset++;; this.#offset++) {
      piece.lastIndex = this.#offset;
      const plain = piece.exec(this.#text)![0];
      content += plain;
      this.#offset += plain.length;
      const character = this.#text[this.#offset];
      if (character === undefined) this.#fail("the string does not end", start);
      if (character === '"') break;
      content += this.#escape();
    }
    this.#offset++;
    const tagged = this.#top.tagged;
    this.#beforeForm(true);
    this.#item(tagged ? "s" : "t", content);
  }

  /** At a backslash; leaves the offset at the last character of the escape. */
  #escape(): string {
    const start = this.#offset++;
    const letter = this.#text[this.#offset];
    if (letter !== undefined && Object.hasOwn(ESCAPES, letter)) return ESCAPES[letter];
    const digits = this.#text.slice(this.#offset + 1, this.#offset + 5);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.#fail('a string has the escapes \\t \\r \\n \\\\ \\" and \\uXXXX', start);
    }
    this.#offset += 4;
    const unit = Number.parseInt(digits, 16);
    if (unit === 0) this.#fail("the character NUL cannot be stored", start);
    return String.fromCharCode(unit);
  }

  #dispatch(): void {
    const word = this.#take();
    const start = this.#offset;
    if (word.startsWith("#_")) {
      this.#offset += 2;
      this.#top.discards++;
    } else if (Object.hasOwn(SYMBOLIC, word)) {
      this.#beforeForm(false);
      this.#offset += word.length;
      this.#item("f", SYMBOLIC[word]);
    } else if (word === "#zpm/atom") {
      this.#beforeForm(false);
      this.#offset += word.length;
      this.#top.tagged = true;
    } else if (word === "#" && this.#text[start + 1] === "{") {
      this.#fail("sets have no meaning in a sentence", start);
    } else {
      this.#fail(`the tag ${shown(word)} has no meaning in a sentence`, start);
    }
  }

  #word(): void {
    const word = this.#take();
    const [kind, content] = this.#classified(word);
    this.#beforeForm(false);
    this.#offset += word.length;
    this.#item(kind, content);
  }

  #classified(word: string): [kind: string, content: string] {
    if (NUMBER_START.test(word)) {
      if (word.length > limits.number_characters) {
        throw formTooLarge(
          this.#what,
          `a number has more than ${limits.number_characters} characters`,
        );
      }
      if (INTEGER.test(word)) return ["i", word.replace("N", "")];
      if (FLOAT.test(word)) return ["f", word];
      if (RATIO.test(word)) return ["r", word];
      this.#fail(`${shown(word)} is not a number`, this.#offset);
    }
    if (word.startsWith(":")) {
      this.#fail(`the keyword ${shown(word)} has no meaning in a sentence`, this.#offset);
    }
    if (!SYMBOL.test(word)) this.#fail(`${shown(word)} is not a symbol`, this.#offset);
    return word.startsWith("?") ? ["v", word.slice(1)] : ["s", word];
  }

  /** The word that begins here. */
  #take(): string {
    let end = this.#offset;
    while (end < this.#text.length && !DELIMITER.test(this.#text[end])) end++;
    return this.#text.slice(this.#offset, end);
  }

  /** Only a string may follow `#zpm/atom`. */
  #beforeForm(isString: boolean): void {
    if (!this.#top.tagged) return;
    if (!isString) this.#fail("#zpm/atom takes a string", this.#offset);
    this.#top.tagged = false;
  }

  #item(kind: string, content: string): void {
    if (!content.isWellFormed() || content.includes("\0")) {
      this.#fail("an unpaired surrogate or NUL, which cannot be stored", this.#offset);
    }
    this.#output.push(kind + content);
    this.#done(this.#output.length - 1);
  }

  /** A form is complete that begins at this place of the output. */
  #done(at: number): void {
    const top = this.#top;
    if (top.discards > 0) {
      top.discards--;
      this.#output.length = at;
      return;
    }
    top.count++;
    if (top.closes !== "") return;
    if (top.count > this.#most) {
      this.#fail("there must be exactly one form, but more follows", this.#offset);
    }
    this.#forms.push({ form: this.#output, offset: this.#began });
    this.#output = [];
  }

  #fail(why: string, offset: number): never {
    throw malformedForm(this.#what, why, positionAt(this.#text, offset));
  }
}

function frame(closes: Frame["closes"], at: number, offset: number): Frame {
  return { closes, at, offset, count: 0, discards: 0, tagged: false };
}

function shown(word: string): string {
  return word.length > 40 ? `${word.slice(0, 37)}...` : word;
}
