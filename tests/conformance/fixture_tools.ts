/** The tools that the conformance suite calls: what each must do is said in the suite's scenarios. */
import {
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";

export interface FixtureTool {
  /** Of its arguments. */
  properties?: Record<string, object>;
  run(
    ctx: ServerContext,
    input: Record<string, string>,
  ): CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}

/** A red pixel, and a sample of silence. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
const wav = "UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA";

const image = { type: "image", data: png, mimeType: "image/png" } as const;

export const tools: Record<string, FixtureTool> = {
  test_simple_text: { run: () => said("This is a simple text response for testing.") },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: {
    run: () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    run: () => ({
      content: [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
      ],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        image,
        embedded(
          "test://mixed-content-resource",
          "application/json",
          '{"test":"data","value":123}',
        ),
      ],
    }),
  },
  test_tool_with_logging: { run: withLogging },
  test_logging_tool: { run: withLogging },
  test_error_handling: {
    run: () => ({ ...said("This tool intentionally returns an error for testing"), isError: true }),
  },
  test_tool_with_progress: { run: withProgress },
  test_sampling: { properties: { prompt: { type: "string" } }, run: withSampling },
  test_elicitation: { properties: { message: { type: "string" } }, run: withElicitation },
  test_streaming_elicitation: { run: withProgress },
  test_elicitation_sep1034_defaults: {
    run: (ctx) =>
      elicited(ctx, {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  },
  test_elicitation_sep1330_enums: { run: (ctx) => elicited(ctx, enums) },
  test_missing_capability: {
    run() {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
};

/** In which ways a choice can be asked for. */
const enums = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: {
    type: "string",
    oneOf: [
      { const: "value1", title: "First Option" },
      { const: "value2", title: "Second Option" },
      { const: "value3", title: "Third Option" },
    ],
  },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: {
    type: "array",
    items: {
      anyOf: [
        { const: "value1", title: "First Choice" },
        { const: "value2", title: "Second Choice" },
        { const: "value3", title: "Third Choice" },
      ],
    },
  },
};

async function withLogging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const log = async (text: string) => await mcpReq.log("info", text, "conformance");
  await log("Tool execution started");
  await pause();
  await log("Tool processing data");
  await pause();
  await log("Tool execution completed");
  return said("Tool with logging executed successfully");
}

async function withProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    if (progress < 100) await pause();
  }
  return said("Tool with progress executed successfully");
}

async function withSampling(
  { mcpReq }: ServerContext,
  { prompt }: Record<string, string>,
): Promise<CallToolResult> {
  const { content } = await mcpReq.requestSampling({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
  return said(`LLM response: ${"text" in content ? content.text : content}`);
}

async function withElicitation(
  { mcpReq }: ServerContext,
  { message }: Record<string, string>,
): Promise<CallToolResult> {
  const { action, content } = await mcpReq.elicitInput({
    message,
    requestedSchema: {
      type: "object",
      properties: {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      },
      required: ["username", "email"],
    },
  });
  return said(`User response: action=${action}, content=${JSON.stringify(content)}`);
}

async function elicited({ mcpReq }: ServerContext, properties: object): Promise<CallToolResult> {
  const requestedSchema = { type: "object", properties };
  const params = { message: "Please fill in the form", requestedSchema };
  const { action, content } = await mcpReq.elicitInput(
    params as Parameters<typeof mcpReq.elicitInput>[0],
  );
  return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}

export function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function embedded(uri: string, mimeType: string, text: string) {
  return { type: "resource", resource: { uri, mimeType, text } } as const;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
