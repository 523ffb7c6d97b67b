/** What clients send that the SDK would refuse, although what they mean is plain. */

type Params = Record<string, unknown>;

/** The parameters of a request as the SDK takes them. */
export function lenient(method: string, params: Params): Params {
  switch (method) {
    case "tools/call":
      return withoutNulls(params);
    case "completion/complete":
      return toolAsPrompt(params);
    default:
      return params;
  }
}

/** `arguments: null` says the same as none (SPEC 1.1). */
function withoutNulls(params: Params): Params {
  if (params.arguments !== null) return params;
  const { arguments: _, ...rest } = params;
  return rest;
}

/** The protocol completes arguments of prompts only; those of a tool are asked for in either way (SPEC 2.3). */
function toolAsPrompt(params: Params): Params {
  const ref = params.ref as { type?: unknown } | undefined | null;
  if (ref?.type !== "ref/tool") return params;
  return { ...params, ref: { ...ref, type: "ref/prompt" } };
}
