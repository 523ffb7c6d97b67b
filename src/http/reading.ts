/**
 * What a request says, as texts. Bytes that are not UTF-8 and escapes that are none are refused: nobody would
 * notice a value that was mended. What the texts mean is Prolog's business.
 */
import { readBody } from "../base/bytes.ts";
import { unreadableRequest } from "../base/operation_errors.ts";
import { limits } from "../base/limits.ts";
import type { Given } from "../operations/service.ts";

/** The segments of a request's path, decoded, and the arguments that it gives, wherever it has them. */
export async function readRequest(
  request: Request,
): Promise<{ segments: string[]; given: Given }> {
  const { pathname, search } = new URL(request.url);
  const segments = pathname.split("/").slice(1).map((part) => decoded(part, "path"));
  const query = queryOf(search);
  refuseHiddenBody(request);
  const body = request.body ? await bodyOf(request) : undefined;
  return { segments, given: body === undefined ? { query } : { query, body } };
}

/** The server keeps the body of a GET to itself: what stands in it is refused, and not passed over. */
function refuseHiddenBody({ method, headers }: Request): void {
  if (!["GET", "HEAD"].includes(method)) return;
  if (!headers.has("transfer-encoding") && !Number(headers.get("content-length"))) return;
  throw unreadableRequest(`the body of a ${method} cannot be read`);
}

function queryOf(search: string): Given["query"] {
  return search.slice(1).split("&").filter((part) => part !== "").map((part) => {
    const at = part.indexOf("=");
    const [name, text] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    const plain = (words: string) => decoded(words.replaceAll("+", " "), "query string");
    return [plain(name), plain(text)];
  });
}

function decoded(text: string, where: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadableRequest(`the ${where} is not UTF-8 in percent-encoding`);
  }
}

/** The text of a body that is there; an empty one is none. */
async function bodyOf(request: Request): Promise<string | undefined> {
  // At most as many bytes as an argument may have.
  const bytes = await readBody(request, limits.text_bytes);
  if (!bytes) throw unreadableRequest(`the body is longer than ${limits.text_bytes} bytes`);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) {
    throw unreadableRequest(`the content type ${JSON.stringify(type)} is not application/json`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadableRequest("the body is not UTF-8");
  }
}

function isJson(type: string): boolean {
  const [essence] = type.split(";");
  return /^application\/([\w.!#$&^-]+\+)?json$/i.test(essence.trim());
}
