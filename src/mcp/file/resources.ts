/** A file as resources: its text, and its collections with their members (SPEC 2.3). */
import {
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from "@modelcontextprotocol/server";
import type { Operation, OperationSet } from "../../operations/operation.ts";
import type { CallContext, OperationService } from "../../operations/service.ts";

const SOURCE = "charon://source";
const COLLECTION = "charon://collection/";
const JSON_TYPE = "application/json";

/** What a URI names: the source, or a collection with the key of a member; `undefined` when it is none of ours. */
type Named = { collection?: string; key: string[] };

export function listedResources({ source, set }: OperationService): Resource[] {
  const collections = collectionsOf(set).map((operation) => ({
    uri: uriOf(operation),
    name: operation.collection!.name,
    title: `Collection ${operation.collection!.name}`,
    ...described(operation),
    mimeType: JSON_TYPE,
    annotations: { audience: ["user" as const, "assistant" as const], priority: 0.8 },
  }));
  return [{
    uri: SOURCE,
    name: "source",
    title: source.name,
    description: "The knowledge base itself: the rules behind the tools, as Prolog text",
    mimeType: "text/x-prolog",
    size: source.bytes.length,
    annotations: { audience: ["user", "assistant"], priority: 0.5 },
  }, ...collections];
}

export function listedTemplates({ set }: OperationService): ResourceTemplateType[] {
  return collectionsOf(set).map((operation) => {
    const { name, keys } = operation.collection!;
    return {
      uriTemplate: uriOf(operation) + keys.map((key) => `/{${key}}`).join(""),
      name: `${name} member`,
      title: `Member of ${name}`,
      ...described(operation),
      mimeType: JSON_TYPE,
    };
  });
}

export async function readResource(
  uri: string,
  service: OperationService,
  context: CallContext,
): Promise<TextResourceContents> {
  const named = namedBy(uri);
  if (!named) throw new ResourceNotFoundError(uri);
  if (named.collection === undefined) {
    const text = new TextDecoder().decode(service.source.bytes);
    return { uri, mimeType: "text/x-prolog", text };
  }
  const operation = collectionNamed(service.set, named.collection);
  if (!operation) throw new ResourceNotFoundError(uri);
  const { key } = named;
  if (key.length === 0) {
    const { text, truncated } = await service.rows(operation, { query: [] }, context);
    const cut = truncated && { _meta: { "charon/truncated": true } };
    return { uri, mimeType: JSON_TYPE, text, ...cut };
  }
  if (key.length !== operation.collection!.keys.length) throw new ResourceNotFoundError(uri);
  const member = await service.member(operation, { query: [], key }, context);
  if (!member) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: JSON_TYPE, text: member.text };
}

/** What a template's URI is about; its variables are left as they stand. */
export function collectionOf(uri: string, set: OperationSet): Operation | undefined {
  const named = namedBy(uri);
  return named?.collection === undefined ? undefined : collectionNamed(set, named.collection);
}

export function isResource(uri: string): boolean {
  return namedBy(uri) !== undefined;
}

export function collectionsOf({ operations }: OperationSet): Operation[] {
  return operations.filter(({ collection }) => collection);
}

export function uriOf({ collection }: Operation): string {
  return COLLECTION + encodeURIComponent(collection!.name);
}

function collectionNamed(set: OperationSet, name: string): Operation | undefined {
  return collectionsOf(set).find(({ collection }) => collection!.name === name);
}

function described({ description }: Operation) {
  return description && { description };
}

function namedBy(uri: string): Named | undefined {
  if (uri === SOURCE) return { key: [] };
  if (!uri.startsWith(COLLECTION)) return undefined;
  try {
    const [collection, ...key] = uri.slice(COLLECTION.length).split("/").map(decodeURIComponent);
    return { collection, key };
  } catch {
    return undefined;
  }
}
