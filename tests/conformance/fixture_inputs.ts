/** The tools that ask their caller for more before they answer (2026-07-28, multi round-trip requests). */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type FixtureTool, said } from "./fixture_tools.ts";

/** What is handed out to be brought back is signed. */
export const states = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });

export const inputTools: Record<string, FixtureTool> = {
  test_input_required_result_elicitation: {
    run({ mcpReq }) {
      const name = answered(mcpReq, "user_name", "name");
      return name === undefined
        ? ask({ user_name: askName("What is your name?") })
        : said(`Hello, ${name}!`);
    },
  },
  test_input_required_result_sampling: {
    run({ mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, "capital_question");
      if (answer.kind === "sampling") return said(JSON.stringify(answer.result.content));
      return ask({ capital_question: sample("What is the capital of France?", 100) });
    },
  },
  test_input_required_result_list_roots: {
    run({ mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, "client_roots");
      if (answer.kind === "roots") return said(JSON.stringify(answer.roots));
      return ask({ client_roots: inputRequired.listRoots() });
    },
  },
  test_input_required_result_request_state: {
    async run({ mcpReq }) {
      const ok = answered(mcpReq, "confirm", "ok");
      if (ok !== undefined && mcpReq.requestState<string>() === "confirming") {
        return said("state-ok");
      }
      return await askWithState({ confirm: askConfirmation() }, "confirming");
    },
  },
  test_input_required_result_tampered_state: {
    async run({ mcpReq }) {
      if (mcpReq.requestState<string>() === "guarded") return said("state-ok");
      return await askWithState({ confirm: askConfirmation() }, "guarded");
    },
  },
  test_input_required_result_multiple_inputs: {
    async run({ mcpReq }) {
      const keys = ["user_name", "greeting", "client_roots"];
      const kinds = keys.map((key) => inputResponse(mcpReq.inputResponses, key).kind);
      if (!kinds.includes("missing")) return said(`Received ${kinds.join(", ")}`);
      return await askWithState({
        user_name: askName("What is your name?"),
        greeting: sample("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      }, "several");
    },
  },
  test_input_required_result_multi_round: { run: severalRounds },
  test_input_required_result_capabilities: {
    run({ mcpReq }) {
      const envelope = mcpReq.envelope as Record<string, Record<string, object>> | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
      return ask({
        ...(declared.elicitation && { user_name: askName("What is your name?") }),
        ...(declared.sampling && { greeting: sample("Generate a greeting", 50) }),
      });
    },
  },
};

async function severalRounds(
  { mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const name = answered(mcpReq, "step1", "name");
  const state = mcpReq.requestState<{ name?: string }>();
  const color = answered(mcpReq, "step2", "color");
  if (state?.name !== undefined && color !== undefined) return said(`${state.name} likes ${color}`);
  if (name !== undefined) {
    const step2 = askFor("Step 2: What is your favorite color?", "color", "string");
    return await askWithState({ step2 }, { name });
  }
  return await askWithState({ step1: askName("Step 1: What is your name?") }, {});
}

/** What a form field was filled in with, if it was. */
export function answered(mcpReq: ServerContext["mcpReq"], key: string, field: string): unknown {
  return acceptedContent(mcpReq.inputResponses, key)?.[field];
}

export function ask(inputRequests: Parameters<typeof inputRequired>[0]["inputRequests"]) {
  return inputRequired({ inputRequests });
}

async function askWithState(
  inputRequests: Parameters<typeof inputRequired>[0]["inputRequests"],
  state: unknown,
): Promise<InputRequiredResult> {
  return inputRequired({ inputRequests, requestState: await states.mint(state) });
}

export function askFor(message: string, field: string, type: "string" | "boolean") {
  const kind = type === "string" ? { type: "string" as const } : { type: "boolean" as const };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: kind }, required: [field] },
  });
}

function askName(message: string) {
  return askFor(message, "name", "string");
}

function askConfirmation() {
  return askFor("Please confirm", "ok", "boolean");
}

function sample(text: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens,
  });
}
