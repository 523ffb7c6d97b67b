/**
 * The page at `/`: what the file is about, and a form to try each operation. It needs nothing from elsewhere; the
 * one script fills keys of members into an address, and asks for changes.
 */
import { createHash } from "node:crypto";
import { type Argument, inputs, keyColumns, type Operation } from "../operations/operation.ts";
import { fixedValues } from "../operations/openapi.ts";
import { type DomainValues, memberColumns } from "../operations/schemas.ts";
import type { OperationService } from "../operations/service.ts";
import { addresses, modeText, typeText } from "../operations/words.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }
section { border-top: 1px solid #ccc; padding: 0.5rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 0.5rem 0; }
code { font-family: ui-monospace, monospace; }
label { display: block; margin: 0.4rem 0; }
input, select { font: inherit; width: 100%; box-sizing: border-box; padding: 0.3rem; }
button { font: inherit; padding: 0.3rem 1rem; }
.text { white-space: pre-line; }
output { display: block; white-space: pre-wrap; }
.note { color: #555; font-size: 0.9rem; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #111; } .note { color: #aaa; } }
`;

/** A method other than GET is on the button; fields of a key are marked. What a change answers is shown in place. */
const SCRIPT = `
for (const form of document.querySelectorAll("form[data-script]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const method = event.submitter?.dataset.method ?? "GET";
    const fields = [...form.querySelectorAll("input, select")];
    const isKey = ({ dataset }) => dataset.key !== undefined;
    const keys = fields.filter(isKey).map(({ value }) => encodeURIComponent(value));
    const others = fields.filter((field) => !isKey(field)).map(({ name, value }) => [name, value]);
    const query = keys.length > 0 && method !== "PUT" ? "" : String(new URLSearchParams(others));
    const address = [form.getAttribute("action"), ...keys].join("/") + (query && "?" + query);
    if (method === "GET") return location.assign(address);
    const shown = form.querySelector("output");
    try {
      const response = await fetch(address, { method });
      shown.textContent = response.status + " " + await response.text();
    } catch (error) {
      shown.textContent = String(error);
    }
  });
}
`;

function hashed(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src ${hashed(STYLE)}; ` +
    `script-src ${
      hashed(SCRIPT)
    }; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
};

export async function page(file: string, service: OperationService): Promise<string> {
  const { title, description } = service.set;
  const exposed = service.offered;
  const values = await Promise.all(exposed.map((operation) => fixedValues(operation, service)));
  const name = title || file;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(name)}</h1>
<p class="text">${escaped(description)}</p>
<p class="note">The same as a document for programs: <a href="/openapi.json">/openapi.json</a></p>
${
    exposed.map((operation, at) => section(operation, values[at], service.memberMethods(operation)))
      .join("\n")
  }
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function section(operation: Operation, values: DomainValues, members: string[]): string {
  const { description, collection, path, changing, method } = operation;
  const action = `/${encodeURIComponent(path)}`;
  const button = changing
    ? `<button data-method="${method}">${method}</button><output></output>`
    : `<button>${collection ? "List" : "Ask"}</button>`;
  return `<section>
<h2><code>${addresses(operation, members).map(escaped).join("<br>")}</code></h2>
<p class="text">${escaped(description)}</p>
<form action="${escaped(action)}"${changing ? " data-script" : ""}>
${
    inputs(operation).map((argument) => field(argument, { values: values.get(argument.name) }))
      .join("\n")
  }
${button}
</form>
${collection ? memberForm(operation, action, members) : ""}
<p class="note"><code>${escaped(modeText(operation))}</code></p>
</section>`;
}

const MEMBER_BUTTONS: Record<string, string> = {
  GET: "<button>Look up</button>",
  PUT: '<button data-method="PUT">Put</button>',
  DELETE: '<button data-method="DELETE">Delete</button>',
};

function memberForm(operation: Operation, action: string, methods: string[]): string {
  const keys = keyColumns(operation).map((key) => field(key, { mark: " data-key" }));
  const others = methods.includes("PUT") ? memberColumns(operation) : [];
  return `<form action="${escaped(action)}" data-script>
${[...keys, ...others.map((other) => field(other))].join("\n")}
${methods.map((method) => MEMBER_BUTTONS[method]).join(" ")}<output></output>
</form>`;
}

function field(
  { name, type, description }: Argument,
  { values, mark = "" }: { values?: unknown[]; mark?: string } = {},
): string {
  const label = `${escaped(name)} <span class="note">${escaped(typeText(type))} ${
    escaped(description)
  }</span>`;
  const choices = values ?? choicesOf(type);
  const control = choices
    ? `<select name="${escaped(name)}"${mark}>${
      choices.map((value) => `<option>${escaped(sent(value, type))}</option>`).join("")
    }</select>`
    : `<input name="${escaped(name)}"${mark}${placeholder(type)}>`;
  return `<label>${label}${control}</label>`;
}

/** As a query string has it: what is read as JSON there is JSON. */
function sent(value: unknown, { kind }: Argument["type"]): string {
  return kind === "list" || kind === "any" ? JSON.stringify(value) : String(value);
}

function choicesOf(type: Argument["type"]): unknown[] | undefined {
  if (type.kind === "bool") return [true, false];
  return type.kind === "oneof" ? type.values : undefined;
}

function placeholder({ kind }: Argument["type"]): string {
  if (kind === "list") return ` placeholder="${escaped('["a", "b"]')}"`;
  return kind === "any"
    ? ` placeholder="${escaped('"a", 5 or {"functor": "f", "args": [1]}')}"`
    : "";
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
}
