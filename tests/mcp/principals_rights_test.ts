/** Rights that change while a principal is served over MCP: another token, another config, and what was open before. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { handshake } from "../support/mcp_session.ts";
import { answer, post, postModern, type Sent } from "../support/http_server.ts";
import { sumOf } from "../support/authority_rig.ts";
import { type PrincipalsRig, sentBy, withPrincipals } from "../support/principals.ts";

const FRESH = "another-token-of-ann";
const fresh: Sent = { headers: { Authorization: `Bearer ${FRESH}` } };

Deno.test("with another token a principal goes on where it was; what the old one opened ends", () =>
  withPrincipals({}, async (rig) => {
    await rig.call("ann", "assert", { sentence: "(human zeno)", context: "CxUniverse" });
    const stream = await opened(rig);
    await changed(rig, async (ann) => ann.token_sha256 = await sumOf(FRESH));
    await stream.text();
    strictEqual((await asked(rig, sentBy("ann"))).status, 401);
    deepStrictEqual(await zeno(rig, fresh), [{}]);
  }));

Deno.test("with another fork a principal finds what that one has", () =>
  withPrincipals({}, async (rig) => {
    await rig.call("bob", "assert", { sentence: "(human zeno)", context: "CxUniverse" });
    deepStrictEqual(await zeno(rig, sentBy("ann")), []);
    await changed(rig, (ann) => ann.fork_id = "bob");
    deepStrictEqual(await zeno(rig, sentBy("ann")), [{}]);
  }));

Deno.test("a stream that is open ends with the revocation, though nobody calls after it", () =>
  withPrincipals({}, async (rig) => {
    const [ann, bob] = [await opened(rig), await opened(rig, "bob")];
    await rig.opened.server.authority.revoke("ann");
    await ann.text();
    strictEqual(rig.opened.metrics.text().match(/^zpm_sessions (\d+)$/m)?.[1], "1");
    await bob.body!.cancel();
  }));

Deno.test("a write that is committed when its principal is revoked is answered, with a receipt that says so", () =>
  withPrincipals({}, async ({ call, opened, base }) => {
    const { authority } = opened.server;
    const standing = authority.standing.bind(authority);
    authority.standing = async (permit) => {
      await authority.revoke("ann");
      return await standing(permit);
    };
    const [initialize] = handshake();
    const begun = await post(`${base}/mcp`, initialize, sentBy("ann"));
    await begun.text();
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
    const args = { sentence: "(human zeno)", context: "CxUniverse" };
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "assert", arguments: args },
    };
    const headers = { ...sentBy("ann").headers, ...session };
    const { result } = await answer(await post(`${base}/mcp`, message, { headers }));
    deepStrictEqual(result._meta["zpm/receipt"].revoked, { generation: 1 });
    await authority.restore("ann");
    const again = await call("ann", "assert", { ...args, sentence: "(human zoe)" });
    deepStrictEqual(again._meta["zpm/receipt"].revoked, { generation: 3 });
  }));

Deno.test("a principal that the config no longer has is let in no more, and its streams end", () =>
  withPrincipals({}, async (rig) => {
    const stream = await opened(rig);
    await changed(rig, (_, all) => delete all.ann);
    await stream.text();
    strictEqual((await asked(rig, sentBy("ann"))).status, 401);
  }));

/** The stream of a session, which stays open until the session ends. */
async function opened({ base, request }: PrincipalsRig, who = "ann"): Promise<Response> {
  const [initialize] = handshake();
  const begun = await post(`${base}/mcp`, initialize, sentBy(who));
  await begun.text();
  const id = begun.headers.get("mcp-session-id")!;
  const headers = { "Mcp-Session-Id": id, Accept: "text/event-stream" };
  const stream = await request(who, "/mcp", { headers });
  ok(stream.ok);
  return stream;
}

type Declared = Record<string, Record<string, unknown>>;

/** Changes the config by hand, and has it read again. */
async function changed(
  { folder, opened }: PrincipalsRig,
  change: (ann: Record<string, unknown>, all: Declared) => unknown,
): Promise<void> {
  const path = `${folder}/server.json`;
  const config = JSON.parse(await Deno.readTextFile(path));
  await change(config.principals.ann, config.principals);
  await Deno.writeTextFile(path, JSON.stringify(config));
  await opened.reload();
}

function asked({ base }: PrincipalsRig, sent: Sent): Promise<Response> {
  const args = { goal: "(human zeno)", context: "CxUniverse" };
  return postModern(`${base}/mcp`, "tools/call", { name: "query", arguments: args }, sent);
}

async function zeno(rig: PrincipalsRig, sent: Sent): Promise<unknown> {
  const { result } = await answer(await asked(rig, sent));
  return result.structuredContent.answers;
}
