/** Many principals over HTTP: who is told apart how, what each can reach, and what the audit has of it. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { makeJudge } from "../../src/base/comers.ts";
import { handshake } from "../support/mcp_session.ts";
import { answer, post, postModern } from "../support/http_server.ts";
import { sentBy, tokenOf, withPrincipals } from "../support/principals.ts";

const json = { "Content-Type": "application/json" };
const edit = (...add: [string, string][]) => JSON.stringify({ op: "edit", args: [{ add }] });

Deno.test("a bad token is answered alike, whatever is wrong with it", () =>
  withPrincipals({}, async ({ request, opened, audit }) => {
    await opened.server.authority.revoke("bob");
    const bad: Record<string, string>[] = [
      {},
      { Authorization: "Bearer" },
      { Authorization: "Basic YW5uOmFubg==" },
      { Authorization: `Bearer ${tokenOf("nobody")}` },
      { Authorization: `Bearer ${tokenOf("ann")} ${tokenOf("ann")}` },
      { Authorization: `Bearer ${tokenOf("bob")}` },
    ];
    const answers = new Set<string>();
    for (const path of ["/mcp", "/op"]) {
      for (const headers of bad) {
        const response = await request(undefined, path, {
          method: "POST",
          headers: { ...json, ...headers },
          body: edit(["(human ann)", "CxUniverse"]),
        });
        const { status, headers: said } = response;
        answers.add(JSON.stringify([status, said.get("www-authenticate"), await response.text()]));
      }
    }
    strictEqual(answers.size, 1, [...answers].join("\n"));
    ok([...answers][0].startsWith("[401,"));
    await opened.close().catch(() => {});
    const text = JSON.stringify(await audit());
    ok(text.includes('"denial"') && !text.includes("token-of"), text);
  }));

Deno.test("what is no request is refused with a status of its own, and stores nothing", () =>
  withPrincipals({ config: { body_limit_bytes: 2_000 } }, async ({ request, call }) => {
    const sent = async (path: string, init: RequestInit) =>
      (await request("ann", path, { method: "POST", ...init })).status;
    const body = edit(["(human ann)", "CxUniverse"]);
    const foreign = { ...json, Origin: "http://elsewhere.example" };
    strictEqual(await sent("/op", { headers: foreign, body }), 403);
    strictEqual(await sent("/nothing", { headers: json, body }), 404);
    strictEqual(await sent("/op", { headers: json, body: "x".repeat(3_000) }), 413);
    strictEqual(await sent("/mcp", { headers: json, body: "x".repeat(3_000) }), 413);
    strictEqual(await sent("/op", { headers: { "Content-Type": "text/plain" }, body }), 415);
    strictEqual(await sent("/mcp", { headers: { "Content-Type": "text/plain" }, body }), 415);
    for (const bad of ["{", "[]", "{}", '{"op":"edit","args":[{"add":[["(human ann)"]]}]}']) {
      strictEqual(await sent("/op", { headers: json, body: bad }), 422, bad);
    }
    strictEqual(
      await sent("/op", { headers: json, body: edit(["(humann ann)", "CxUniverse"]) }),
      422,
    );
    const { structuredContent } = await call("ann", "query", {
      goal: "(human ?x)",
      context: "CxUniverse",
    });
    deepStrictEqual(structuredContent.answers, [{ "?x": "socrates" }, { "?x": "plato" }]);
  }));

Deno.test("what nests without end is a call as any other: recorded, and refused", () =>
  withPrincipals({}, async ({ request, audit }) => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = `{"op": "edit", "args": ${deep}}`;
    strictEqual((await request("ann", "/op", { method: "POST", headers: json, body })).status, 422);
    const [attempt, completion] = await audit();
    deepStrictEqual([attempt.kind, attempt.principal], ["attempt", "ann"]);
    deepStrictEqual([completion.operation, completion.code], [attempt.operation, "malformed"]);
  }));

Deno.test("pages of the config's origins may call, and a proxy may stand before the server", () =>
  withPrincipals({ config: { origins: ["https://app.example"] } }, async ({ request }) => {
    const status = async (headers: Record<string, string>) => {
      const init = { method: "POST", headers: { ...json, ...headers }, body: edit() };
      return (await request("ann", "/op", init)).status;
    };
    strictEqual(await status({ Origin: "https://app.example" }), 200);
    strictEqual(await status({ Origin: "https://other.example" }), 403);
    strictEqual(await status({ Origin: "http://localhost" }), 403);
    const page = { Origin: "https://app.example" };
    const asks = {
      ...page,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization",
    };
    const may = await request(undefined, "/mcp", { method: "OPTIONS", headers: asks });
    strictEqual(may.status, 204);
    strictEqual(may.headers.get("access-control-allow-headers"), "authorization");
    const stranger = await request(undefined, "/op", { method: "POST", headers: page });
    for (const { headers } of [may, stranger]) {
      strictEqual(headers.get("access-control-allow-origin"), page.Origin);
    }
    const other = { ...asks, Origin: "https://other.example" };
    const refused = await request(undefined, "/mcp", { method: "OPTIONS", headers: other });
    strictEqual(refused.headers.get("access-control-allow-origin"), null);
    strictEqual(refused.status, 403);
    const judge = makeJudge({
      hostname: "127.0.0.1",
      localPages: false,
      origins: ["https://app.example"],
    });
    strictEqual(judge(new Headers({ Host: "app.example" })), undefined);
    ok(judge(new Headers({ Host: "other.example" })));
  }));

Deno.test("each writes to its own fork, and no name of another's is of any use", () =>
  withPrincipals({ config: { tools: "all" } }, async ({ call }) => {
    const stored = await call("ann", "assert", { sentence: "(human zeno)", context: "CxUniverse" });
    const { handle } = stored.structuredContent;
    const absent = await call("bob", "unassert_handle", { handle: 999 });
    const foreign = await call("bob", "unassert_handle", { handle });
    strictEqual(foreign.isError, true);
    strictEqual(foreign.structuredContent.code, absent.structuredContent.code);
    const { structuredContent } = await call("bob", "query_logic", { goal: "human(X)" });
    deepStrictEqual(structuredContent.answers, [{ X: "socrates" }, { X: "plato" }]);
    await call("ann", "create_memory", { name: "notes" });
    const listed = await call("bob", "list_memories", {});
    ok(!JSON.stringify(listed).includes("notes"));
    const globally = await call("bob", "create_memory", { name: "shared", scope: "global" });
    strictEqual(globally.isError, true);
  }));

Deno.test("two who name one fork share it, and each write has its own author", () => {
  const principals = Object.fromEntries(
    ["cleo", "dan"].map((name) => [name, { fork_id: "team", lifecycle: "durable" }]),
  );
  return withPrincipals({ principals }, async ({ call }) => {
    for (const name of ["cleo", "dan"]) {
      await call(name, "assert", { sentence: `(human ${name})`, context: "CxUniverse" });
    }
    const { structuredContent } = await call("cleo", "matching", { pattern: "(human ?x)" });
    const creators = structuredContent.matches
      .filter((match: { sentence: string }) => /cleo|dan/.test(match.sentence))
      .map((match: { provenance: { creator: string } }) => match.provenance.creator);
    deepStrictEqual(creators, ["cleo", "dan"]);
  });
});

Deno.test("a session belongs to its principal: to another it is as unknown as one that never was", () =>
  withPrincipals({}, async ({ base }) => {
    const [initialize] = handshake();
    const begun = await post(`${base}/mcp`, initialize, sentBy("ann"));
    const id = begun.headers.get("mcp-session-id")!;
    await begun.text();
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const asked = async (who: string, session: string) => {
      const headers = { ...sentBy(who).headers, "Mcp-Session-Id": session };
      const response = await post(`${base}/mcp`, list, { headers });
      return [response.status, await response.text()];
    };
    strictEqual((await asked("ann", id))[0], 200);
    deepStrictEqual(await asked("bob", id), await asked("bob", crypto.randomUUID()));
    strictEqual((await asked("bob", id))[0], 404);
  }));

Deno.test("the config decides whether the tools are there beside the verbs", async () => {
  for (const [tools, more] of [["verbs", false], ["all", true]] as const) {
    await withPrincipals({ config: { tools } }, async ({ base, call, audit }) => {
      const { result } = await answer(
        await postModern(`${base}/mcp`, "tools/list", {}, sentBy("ann")),
      );
      const names = result.tools.map(({ name }: { name: string }) => name);
      ok(names.includes("assert"));
      strictEqual(names.includes("remember_fact"), more);
      const called = await call("ann", "remember_fact", { fact: "human(zeno)" });
      strictEqual(called.isError, more ? false : undefined);
      const denials = (await audit()).filter(({ kind }) => kind === "denial");
      const denied = { principal: "ann", reason: "unknown_tool" };
      deepStrictEqual(
        denials.map(({ principal, reason }) => ({ principal, reason })),
        more ? [] : [denied],
      );
    });
  }
});

Deno.test("a revocation takes effect at once, and a restoration, too", () =>
  withPrincipals({}, async ({ call, opened, request }) => {
    const post = () => request("ann", "/op", { method: "POST", headers: json, body: edit() });
    await call("ann", "assert", { sentence: "(human zeno)", context: "CxUniverse" });
    await opened.server.authority.revoke("ann");
    strictEqual((await post()).status, 401);
    await opened.server.authority.restore("ann");
    strictEqual((await post()).status, 200);
    const goal = { goal: "(human zeno)", context: "CxUniverse" };
    deepStrictEqual((await call("ann", "query", goal)).structuredContent.answers, [{}]);
  }));

Deno.test("many sentences are one commit, all or nothing, with what is wrong by index", () =>
  withPrincipals({}, async ({ request, call }) => {
    const send = async (body: string) => {
      const response = await request("ann", "/op", { method: "POST", headers: json, body });
      return [response.status, await response.json()];
    };
    const [status, bad] = await send(
      edit(["(human a)", "CxUniverse"], ["(humann b)", "CxUniverse"]),
    );
    strictEqual(status, 422);
    deepStrictEqual(bad.errors.map(({ index }: { index: number }) => index), [1]);
    const [fine, good] = await send(edit(["(human a)", "CxUniverse"], ["(human b)", "CxUniverse"]));
    strictEqual(fine, 200);
    deepStrictEqual(good.results.length, 2);
    strictEqual(good.receipt.commit, 1);
    const { structuredContent } = await call("ann", "matching", { pattern: "(human a)" });
    strictEqual(structuredContent.matches.length, 1);
  }));

Deno.test("health and metrics are for this machine, or for a principal", () =>
  withPrincipals({}, async ({ request, call }) => {
    await call("ann", "query", { goal: "(human ?x)", context: "CxUniverse" });
    const text = await (await request(undefined, "/metrics")).text();
    ok(text.includes('zpm_calls_total{verb="query",outcome="ok"} 1'), text);
    for (const name of ["sessions", "forks_open", "engines_running", "engine_restarts_total"]) {
      ok(text.includes(`\nzpm_${name} `), name);
    }
    deepStrictEqual(await (await request(undefined, "/healthz")).json(), { status: "ok" });
    const proxied = { headers: { "X-Forwarded-For": "203.0.113.7" } };
    strictEqual((await request(undefined, "/metrics", proxied)).status, 401);
    strictEqual((await request("ann", "/metrics", proxied)).status, 200);
  }));

Deno.test("what was acknowledged is there after a restart, with its handles", () =>
  withPrincipals({}, async ({ call, restart }) => {
    const args = { sentence: "(human zeno)", context: "CxUniverse" };
    const first = (await call("ann", "assert", args)).structuredContent;
    await restart();
    const again = (await call("ann", "assert", args)).structuredContent;
    deepStrictEqual([again.status, again.handle], ["already_there", first.handle]);
  }));

Deno.test("every call has an attempt and a completion, and no text of it", () =>
  withPrincipals({}, async ({ call, audit }) => {
    const { _meta } = await call("ann", "assert", {
      sentence: "(human zeno)",
      context: "CxUniverse",
    });
    await call("ann", "assert", { sentence: "(secretword zeno)", context: "CxUniverse" });
    const records = await audit();
    deepStrictEqual(records.map(({ kind, outcome, code }) => [kind, outcome, code]), [
      ["attempt", undefined, undefined],
      ["completion", "ok", undefined],
      ["attempt", undefined, undefined],
      ["completion", "failed", "undeclared-predicate"],
    ]);
    strictEqual(records[1].operation, _meta["zpm/receipt"].operation);
    ok(!JSON.stringify(records).includes("secretword"));
  }));

Deno.test("when the audit is gone nothing runs, and health says so", () =>
  withPrincipals({}, async ({ call, request, folder }) => {
    const goal = { goal: "(human ?x)", context: "CxUniverse" };
    strictEqual((await call("ann", "query", goal)).isError, false);
    await Deno.rename(`${folder}/audit/audit.jsonl`, `${folder}/elsewhere`);
    const args = { sentence: "(human zeno)", context: "CxUniverse" };
    const refused = await call("ann", "assert", args);
    deepStrictEqual(refused.structuredContent.code, "audit-unavailable");
    strictEqual((await request(undefined, "/healthz")).status, 503);
    const posted = { method: "POST", headers: json, body: edit(["(human zeno)", "CxUniverse"]) };
    strictEqual((await request("ann", "/op", posted)).status, 503);
    const journal = await Deno.readTextFile(`${folder}/forks/ann/data/journal-000001.wal`);
    strictEqual(journal, "");
  }));

Deno.test("when it cannot be told who is revoked nobody is let in, and health says so", () =>
  withPrincipals({}, async ({ request, folder }) => {
    const log = `${folder}/state/authority.jsonl`;
    const post = () => request("ann", "/op", { method: "POST", headers: json, body: edit() });
    await Deno.rename(log, `${folder}/elsewhere`);
    strictEqual((await post()).status, 503);
    const sick = await request(undefined, "/healthz");
    strictEqual(sick.status, 503);
    ok((await sick.json()).problem.includes("is gone"));
    await Deno.rename(`${folder}/elsewhere`, log);
    strictEqual((await post()).status, 200);
    strictEqual((await request(undefined, "/healthz")).status, 200);
  }));

Deno.test("a goal that does not end, and one that nests without end, disturb nobody else", () =>
  withPrincipals({ config: { tools: "all", engines: 2 } }, async ({ call, request }) => {
    const goal = { goal: "(human ?x)", context: "CxUniverse" };
    const endless = call("ann", "query_logic", { goal: "repeat, fail", timeout_ms: 3_000 });
    for (let n = 0; n < 10; n++) strictEqual((await call("bob", "query", goal)).isError, false);
    strictEqual((await endless).structuredContent.error.code, "limit");
    const deep = "length(L, 100000), foldl([X, A, f(A)]>>(X = 1), L, 0, T), copy_term(T, _)";
    const ended = call("ann", "query_logic", { goal: deep });
    for (let n = 0; n < 10; n++) strictEqual((await call("bob", "query", goal)).isError, false);
    await ended;
    strictEqual((await call("ann", "query", goal)).isError, false);
    const metrics = await (await request(undefined, "/metrics")).text();
    ok(Number(/^zpm_engine_restarts_total (\d+)$/m.exec(metrics)?.[1]) >= 1);
  }));

Deno.test("a leased fork ends after its last use, and the next call begins another", () => {
  const guest = { fork_id: "guest", lifecycle: "leased", lease_ttl_ms: 1_000 };
  return withPrincipals({ principals: { guest } }, async ({ call, opened, folder }) => {
    const args = { sentence: "(human zeno)", context: "CxUniverse" };
    const first = await call("guest", "assert", args);
    strictEqual(first.structuredContent.status, "asserted");
    const { authority } = opened.server;
    while (authority.leaseOf("guest") !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await authority.sweep();
    }
    deepStrictEqual([...Deno.readDirSync(`${folder}/state/leased`)], []);
    const second = await call("guest", "assert", args);
    strictEqual(second.structuredContent.status, "asserted");
    strictEqual(second.structuredContent.handle, first.structuredContent.handle);
  });
});
