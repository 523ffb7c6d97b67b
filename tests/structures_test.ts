/**
 * Every structure that stands in a transcript is what the tool's schema promises: clients that hold results
 * against the schema throw away what does not fit.
 */
import { ok } from "node:assert/strict";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { tools } from "../src/tools/registry.ts";
import { outputSchema } from "../src/tools/schema.ts";
import { parseFences, parseSteps, type Step } from "./support/transcript_parse.ts";
import { ROOT } from "./support/transcript_program.ts";

const DIRECTORY = join(ROOT, "fixtures/transcripts");

for (const tool of tools) {
  Deno.test(`${tool.name}: structures in transcripts fit the schema`, () => {
    const validator = new Validator(outputSchema(tool), "2020-12", false);
    for (const { place, structure } of structures(tool.name)) {
      const { valid, errors } = validator.validate(structure);
      ok(valid, `${place}: ${JSON.stringify(errors.at(-1))}`);
    }
  });
}

/** The structures of a tool's successful calls. */
function structures(name: string): { place: string; structure: unknown }[] {
  return [...Deno.readDirSync(DIRECTORY)].flatMap((file) =>
    stepsOf(file.name)
      .filter(({ command }) => command.startsWith(`${name} `))
      .map((step) => ({ place: `${file.name}:${step.line}`, structure: structureOf(step) }))
      .filter(({ structure }) => structure !== undefined)
  );
}

function stepsOf(file: string): Step[] {
  return parseFences(Deno.readTextFileSync(join(DIRECTORY, file)))
    .filter(({ kind, name }) => kind === "mcp" && name === undefined)
    .flatMap((fence) => parseSteps(fence, "> "));
}

function structureOf({ expected }: Step): unknown {
  if (expected.some((line) => line.startsWith("x "))) return undefined;
  const line = expected.find((line) => line.startsWith("= "));
  return line && JSON.parse(line.slice(2));
}
