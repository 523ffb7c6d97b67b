/**
 * POST /op: a narrow way in for programs that only add facts (SPEC 3.3). The same assert as over MCP, many in one
 * commit, all or nothing; the session is its own.
 */
import { malformedOperation, type VerbCode } from "../../base/verb_errors.ts";
import type { Principal } from "../../authority/principal.ts";
import { assertAll } from "../../verbs/assert_all.ts";
import type { ToolResult } from "../../tools/invoke.ts";
import { verbFailure } from "../../verbs/verb.ts";
import { judgeVerb } from "./results.ts";
import type { PrincipalServer } from "./server.ts";

type Sentences = [sentence: string, context: string][];

/** What a code means over HTTP; 422 for the others: what was sent cannot be done. */
const STATUS: Partial<Record<VerbCode, number>> = {
  fenced: 409,
  "audit-unavailable": 503,
  "not-saved": 503,
  "read-only": 503,
  "engine-lost": 503,
  "limit-exceeded": 503,
  cancelled: 503,
  "outcome-indeterminate": 500,
  internal: 500,
};

export async function runOperation(
  server: PrincipalServer,
  body: unknown,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
): Promise<Response> {
  const session = `op ${crypto.randomUUID()}`;
  const caller = { principal, asking: { by: "assert", client: session, signal } };
  try {
    const { result, receipt } = await server.custody.run(
      { principal, session, verb: "assert", args: body },
      async (memories) => {
        try {
          const sentences = sentencesIn(body);
          const call = await server.verbCall(memories, caller);
          return { isError: false, structure: { ...await assertAll(call, sentences) } };
        } catch (error) {
          return verbFailure(error);
        }
      },
      (result) => judgeVerb("write", result),
    );
    return result.isError ? refused(result) : Response.json({ ...result.structure, receipt });
  } catch (error) {
    return refused(verbFailure(error));
  }
}

function refused({ structure }: Pick<ToolResult, "structure">): Response {
  const status = STATUS[structure.code as VerbCode] ?? 422;
  const retryable = structure.code === "fenced";
  return Response.json({ ...structure, ...(retryable && { retryable }) }, { status });
}

/** The sentences of `{"op": "edit", "args": [{"add": [[SENTENCE, CONTEXT], ...]}]}`; anything else is refused. */
function sentencesIn(body: unknown): Sentences {
  const [op, edits, more] = membersOf(body, ["op", "args"]);
  if (op !== "edit" || !Array.isArray(edits) || edits.length === 0 || more) {
    throw malformedOperation('the body must be {"op": "edit", "args": [...]}');
  }
  return edits.flatMap((edit, index) => {
    const [add, none] = membersOf(edit, ["add"]);
    if (!Array.isArray(add) || none || !add.every(isSentence)) {
      throw malformedOperation(`args[${index}] must be {"add": [[SENTENCE, CONTEXT], ...]}`);
    }
    return add as Sentences;
  });
}

/** The values of these members, and whether there are others. */
function membersOf(value: unknown, names: string[]): unknown[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const others = Object.keys(value).filter((name) => !names.includes(name));
  return [...names.map((name) => (value as Record<string, unknown>)[name]), others.length > 0];
}

function isSentence(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 &&
    value.every((text) => typeof text === "string");
}
