/** The orientation that a person picks at the beginning: what the file is about, and what it offers (SPEC 2.3). */
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { OperationService } from "../../operations/service.ts";
import { modeText, summary } from "../../operations/words.ts";
import { collectionsOf, uriOf } from "./resources.ts";
import { toolOperations } from "../operation_tools.ts";

const OVERVIEW = "knowledge_base_overview";

export const prompts: Prompt[] = [{
  name: OVERVIEW,
  title: "What the knowledge base holds",
  description: "Shows what the knowledge base is about, its tools and its collections",
}];

export function getPrompt(name: string, service: OperationService): GetPromptResult {
  if (name !== OVERVIEW) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  }
  const { source, set } = service;
  const title = set.title || source.name;
  return {
    description: title,
    messages: [{ role: "user", content: { type: "text", text: overview(title, service) } }],
  };
}

function overview(title: string, service: OperationService): string {
  const { set } = service;
  const tools = toolOperations(service).map((operation) =>
    line(modeText(operation), operation.description)
  );
  const collections = collectionsOf(set).map((operation) =>
    line(`${uriOf(operation)}: ${modeText(operation)}`, operation.description)
  );
  return [
    `# ${title}`,
    set.description,
    tools.length > 0 && ["Tools, with the modes of their arguments:", ...tools].join("\n"),
    collections.length > 0 && ["Collections, to be read as resources:", ...collections].join("\n"),
    "The rules behind them are at charon://source. An answer holds by these rules alone: ask a tool, " +
    "and do not guess what it would say.",
  ].filter(Boolean).join("\n\n");
}

function line(head: string, description: string): string {
  const said = summary(description);
  return `- ${head}${said === "" ? "" : `\n    ${said}`}`;
}
