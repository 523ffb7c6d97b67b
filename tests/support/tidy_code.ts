/**
 * A reading of TypeScript that is just good enough to measure it: which characters are code, and from
 * where to where a function goes. A parser would be exact; this has no dependency and is 100 lines.
 */

/** A file of the project: path from its top directory with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** A function and the lines it takes, from its name or parameters to its closing brace. */
export interface FunctionSpan {
  name: string;
  line: number;
  length: number;
}

const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=(?:^|[=(,:;!&|?{}[\n]|=>|return|case)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/g;

/** The text with comments, and unless `keepStrings` also strings, blanked out; offsets and lines stay. */
export function codeOnly(text: string, keepStrings = false): string {
  return text.replace(TOKENS, (token) => {
    const comment = /^\/[/*]/.test(token);
    return comment || !keepStrings ? token.replace(/[^\n]/g, " ") : token;
  });
}

/** The functions, methods and arrow functions with a body, nested ones included. */
export function functionSpans(text: string): FunctionSpan[] {
  const code = codeOnly(text);
  const spans: FunctionSpan[] = [];
  for (let open = code.indexOf("("); open >= 0; open = code.indexOf("(", open + 1)) {
    const name =
      /([\w$#]*)\s*(?:<[^()]*>)?\s*$/.exec(code.slice(Math.max(0, open - 200), open))![1];
    if (/^(if|for|while|switch|catch|with)$/.test(name)) continue;
    const body = bodyAfter(code, closing(code, open) + 1);
    if (body === undefined) continue;
    const [first, last] = [lineOf(code, open), lineOf(code, closing(code, body))];
    const called = /^(|async|function)$/.test(name) ? "(anonymous)" : name;
    spans.push({ name: called, line: first, length: last - first + 1 });
  }
  return spans;
}

/** Where the body of a function with a parameter list that ends before `at` opens, if it is one. */
function bodyAfter(code: string, at: number): number | undefined {
  const next = () => at += /^\s*/.exec(code.slice(at, at + 500))![0].length;
  next();
  if (code[at] === ":") {
    at = typeEnd(code, at + 1);
    next();
  }
  if (code.startsWith("=>", at)) {
    at += 2;
    next();
  }
  return code[at] === "{" ? at : undefined;
}

/** The end of a type: a brace right after one of `: | & < ,` and the like belongs to the type. */
function typeEnd(code: string, at: number): number {
  let before = ":";
  while (at < code.length) {
    const char = code[at];
    if (code.startsWith("=>", at) || /[;)}\]=]/.test(char)) return at;
    if (char === "{" && !/([:|&<,([]|\bis)$/.test(before)) return at;
    if (/[{([]/.test(char)) at = closing(code, at);
    if (/\S/.test(char)) before = code.slice(at - 2, at + 1);
    at++;
  }
  return at;
}

/** The bracket that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if ("({[".includes(code[at])) depth++;
    if (")}]".includes(code[at]) && --depth === 0) return at;
  }
  return code.length;
}

/** The number of the line (from 1) an offset is in. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
