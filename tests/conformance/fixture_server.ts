/** A server with nothing but the fixtures of the conformance suite, to be mounted on zpm's own transport. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import { limits } from "../../src/base/limits.ts";
import { answered, ask, askFor, inputTools, states } from "./fixture_inputs.ts";
import { png, tools as plainTools } from "./fixture_tools.ts";

const tools = { ...plainTools, ...inputTools };
const hint = { ttlMs: limits.list_ttl_ms, cacheScope: "public" } as const;

const description = "A fixture of the conformance suite";

/** Keywords that a server must hand on as they are. */
const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const resources = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched-resource", mimeType: "text/plain" },
];

export function makeFixtureServer(): Server {
  const server = new Server({ name: "zpm-conformance", version: "1.0.0" }, {
    capabilities: {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
    },
    cacheHints: {
      "tools/list": hint,
      "prompts/list": hint,
      "resources/list": hint,
      "resources/templates/list": hint,
      "resources/read": hint,
      "server/discover": hint,
    },
    requestState: { verify: states.verify },
  });
  offerTools(server);
  offerResources(server);
  offerPrompts(server);
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [] } }));
  return server;
}

function offerTools(server: Server): void {
  server.setRequestHandler("tools/list", () => ({
    tools: [
      ...Object.entries(tools).map(([name, { properties = {} }]) => ({
        name,
        description,
        inputSchema: { type: "object" as const, properties, required: Object.keys(properties) },
      })),
      {
        name: "json_schema_2020_12_tool",
        description,
        inputSchema: schema2020 as { type: "object" },
      },
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    if (!Object.hasOwn(tools, params.name)) throw invalid(`Unknown tool: ${params.name}`);
    return await tools[params.name].run(ctx, (params.arguments ?? {}) as Record<string, string>);
  });
}

function offerResources(server: Server): void {
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({ contents: [read(uri)] }));
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, () => ({}));
  }
}

function read(uri: string) {
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: "application/json", text };
  }
  if (!resources.some((resource) => resource.uri === uri)) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
}

function offerPrompts(server: Server): void {
  const argument = (name: string) => ({ name, required: true });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [
      { name: "test_simple_prompt" },
      { name: "test_prompt_with_arguments", arguments: [argument("arg1"), argument("arg2")] },
      { name: "test_prompt_with_embedded_resource", arguments: [argument("resourceUri")] },
      { name: "test_prompt_with_image" },
      { name: "test_input_required_result_prompt" },
    ].map((prompt) => ({ ...prompt, description })),
  }));
  server.setRequestHandler(
    "prompts/get",
    ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
      switch (name) {
        case "test_simple_prompt":
          return messages(text("This is a simple prompt for testing."));
        case "test_prompt_with_arguments":
          return messages(
            text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`),
          );
        case "test_prompt_with_embedded_resource": {
          const held = "Embedded resource content for testing.";
          const resource = { uri: given.resourceUri, mimeType: "text/plain", text: held };
          return messages(
            { type: "resource", resource },
            text("Please process the embedded resource above."),
          );
        }
        case "test_prompt_with_image":
          return messages(
            { type: "image", data: png, mimeType: "image/png" },
            text("Please analyze the image above."),
          );
        case "test_input_required_result_prompt": {
          const context = answered(mcpReq, "user_context", "context");
          if (context !== undefined) return messages(text(`In the context of ${context}`));
          const message = "What context should the prompt use?";
          return ask({ user_context: askFor(message, "context", "string") });
        }
      }
      throw invalid(`Unknown prompt: ${name}`);
    },
  );
}

type Content =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

function messages(...contents: Content[]) {
  return { messages: contents.map((content) => ({ role: "user" as const, content })) };
}

function text(text: string): Content {
  return { type: "text", text };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
