/** The config of a server with principals: what is read, and what is refused with the key named. */
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { readConfig } from "../../src/authority/config.ts";

const [A, B] = ["a".repeat(64), "b".repeat(64)];

const ana = { token_sha256: A, fork_id: "ana", lifecycle: "durable" };
const ben = { token_sha256: B, fork_id: "ben", lifecycle: "leased", lease_ttl_ms: 60_000 };

const config = { state_dir: "state", forks_dir: "forks", audit_dir: "/srv/audit" };

function read(value: unknown, env: Record<string, string> = {}) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return readConfig(text, "/etc/zpm/server.json", (name) => env[name]);
}

Deno.test("paths start from the file, what is left out has a default", () => {
  deepStrictEqual(read({ ...config, principals: { ana, ben } }), {
    path: "/etc/zpm/server.json",
    state_dir: "/etc/zpm/state",
    forks_dir: "/etc/zpm/forks",
    audit_dir: "/srv/audit",
    principals: new Map([["ana", { name: "ana", ...ana }], ["ben", { name: "ben", ...ben }]]),
    origins: [],
    syntax: "edn",
    body_limit_bytes: 1024 * 1024,
    overlay_dir: undefined,
    base_context: "CxUniverse",
    tools: "verbs",
    engines: undefined,
  });
});

Deno.test("all that can be said is read", () => {
  const said = {
    state_dir: "/srv/state",
    origins: ["https://app.example:8080", "http://localhost:3000"],
    syntax: "prolog",
    body_limit_bytes: 4096,
    overlay_dir: "overlay",
    base_context: "CxBase",
    tools: "all",
    engines: 12,
  };
  const { principals, path: _, ...read_back } = read(said, { ZPM_AUDIT_DIR: "/srv/audit" });
  strictEqual(principals.size, 0);
  deepStrictEqual(read_back, {
    ...said,
    overlay_dir: "/etc/zpm/overlay",
    forks_dir: undefined,
    audit_dir: "/srv/audit",
  });
  strictEqual(read({ state_dir: "s" }).audit_dir, undefined);
});

Deno.test("two principals may share a fork of one shape, and fingerprints may be in capitals", () => {
  const eve = { ...ben, token_sha256: A.toUpperCase() };
  const { principals } = read({ ...config, principals: { ben, eve } });
  strictEqual(principals.get("eve")!.token_sha256, A);
  strictEqual(principals.get("eve")!.fork_id, "ben");
});

/** What is wrong, the config, the words that say so, and the environment. */
const REFUSED: [string, unknown, RegExp, Record<string, string>?][] = [
  ["no JSON", "{", /it is no JSON: /],
  ["no object", [], /it must be an object, not \[\]/],
  ["an unknown key", { ...config, state_dri: "x" }, /key state_dri is unknown, .*"state_dir"/],
  ["an unknown key far from all", { ...config, zzz: 1 }, /key zzz is unknown, there are state_dir/],
  [
    "a key twice",
    '{"state_dir": "a", "principals": {"ana": {}, "ana": {}}}',
    /the key "ana" stands twice/,
  ],
  ["no state_dir", {}, /state_dir is required/],
  ["an empty path", { ...config, state_dir: "" }, /state_dir must be a text that is not empty/],
  ["a path that is a number", { ...config, forks_dir: 7 }, /forks_dir must be a text.*, not 7/],
  ["a relative audit_dir", { ...config, audit_dir: "audit" }, /audit_dir must be an absolute path/],
  [
    "a relative ZPM_AUDIT_DIR",
    { state_dir: "state" },
    /ZPM_AUDIT_DIR must be an absolute path/,
    { ZPM_AUDIT_DIR: "audit" },
  ],
  [
    "two audit folders",
    config,
    /audit_dir is "\/srv\/audit", ZPM_AUDIT_DIR is "\/x"/,
    { ZPM_AUDIT_DIR: "/x" },
  ],
  [
    "an audit in the state",
    { ...config, audit_dir: "/etc/zpm/state/audit" },
    /audit_dir and state_dir must not lie in one another/,
  ],
  [
    "a state in the audit",
    { ...config, state_dir: "/srv/audit/state" },
    /audit_dir and state_dir must not lie in one another/,
  ],
  [
    "an audit that is the forks",
    { ...config, audit_dir: "/etc/zpm/x/../forks" },
    /audit_dir and forks_dir must not lie in one another/,
  ],
  ["forks in the state", { ...config, forks_dir: "state/forks" }, /state_dir and forks_dir must/],
  ["an overlay in the forks", { ...config, overlay_dir: "forks/o" }, /forks_dir and overlay_dir/],
  [
    "a durable fork without a place",
    { ...config, forks_dir: undefined, principals: { ana } },
    /forks_dir is required: the fork of principals.ana is durable/,
  ],
  ["principals in a list", { ...config, principals: [ana] }, /principals must be an object/],
  ["a principal that is a text", with_("ana", "x"), /principals.ana must be an object, not "x"/],
  [
    "an unknown key of one",
    with_("ana", { ...ana, token: "x" }),
    /principals.ana.token is unknown/,
  ],
  ["no token", with_("ana", { ...ana, token_sha256: undefined }), /ana.token_sha256 is required/],
  ["a token", with_("ana", { ...ana, token_sha256: "secret" }), /must be 64 hexadecimal digits/],
  ["no fork", with_("ana", { ...ana, fork_id: undefined }), /principals.ana.fork_id is required/],
  ["a fork outside", with_("ana", { ...ana, fork_id: "../x" }), /ana.fork_id must be at most 64/],
  ["a fork that ends in a dot", with_("ana", { ...ana, fork_id: "x." }), /fork_id must be at most/],
  ["a device", with_("ana", { ...ana, fork_id: "Com1.x" }), /must not be the name of a device/],
  ["a name with a blank", with_("ana b", ana), /the name principals.ana b must be at most 64/],
  ["a name that is a device", with_("nul", ana), /the name principals.nul must not be the name/],
  ["no lifecycle", with_("ana", { ...ana, lifecycle: undefined }), /ana.lifecycle is required/],
  ["another lifecycle", with_("ana", { ...ana, lifecycle: "x" }), /"durable" or "leased", not "x"/],
  [
    "a lease without a time",
    with_("ben", { ...ben, lease_ttl_ms: undefined }),
    /principals.ben.lease_ttl_ms is required/,
  ],
  ["a lease of no time", with_("ben", { ...ben, lease_ttl_ms: 0 }), /lease_ttl_ms must be an int/],
  [
    "half a millisecond",
    with_("ben", { ...ben, lease_ttl_ms: 1.5 }),
    /lease_ttl_ms must be an int/,
  ],
  [
    "a lease of a durable fork",
    with_("ana", { ...ana, lease_ttl_ms: 5 }),
    /principals.ana.lease_ttl_ms is only for a leased fork/,
  ],
  [
    "one token for two",
    { ...config, principals: { ana, eve: { ...ana, token_sha256: A.toUpperCase() } } },
    /principals.eve.token_sha256 is that of principals.ana, too/,
  ],
  [
    "one fork, two lifecycles",
    { ...config, principals: { ana, eve: { ...ben, fork_id: "ana" } } },
    /principals.eve.lifecycle is leased, but principals.ana has the same fork, "ana", with durable/,
  ],
  [
    "one fork, two leases",
    { ...config, principals: { ben, eve: { ...ben, token_sha256: A, lease_ttl_ms: 5 } } },
    /principals.eve.lease_ttl_ms is 5, but principals.ben has the same fork, "ben", with 60000/,
  ],
  [
    "names that a file system takes for one",
    { ...config, principals: { ben, Ben: { ...ben, token_sha256: A } } },
    /principals.Ben and principals.ben differ in case only/,
  ],
  [
    "forks that a file system takes for one",
    { ...config, principals: { ben, eve: { ...ben, token_sha256: A, fork_id: "BEN" } } },
    /principals.eve.fork_id differs from that of principals.ben in case only/,
  ],
  [
    "the name that provenance has for the base",
    with_("Base", ana),
    /the name principals.Base must be another one/,
  ],
  ["origins in a text", { ...config, origins: "*" }, /origins must be a list of texts/],
  ["an origin that is none", { ...config, origins: ["https://a/b"] }, /origins must be origins/],
  ["an unknown syntax", { ...config, syntax: "lisp" }, /syntax must be "edn" or "prolog"/],
  ["no room for a body", { ...config, body_limit_bytes: 0 }, /body_limit_bytes must be an integer/],
  ["a context that is a term", { ...config, base_context: "f(x)" }, /base_context must be letters/],
  ["some tools", { ...config, tools: ["query"] }, /tools must be "verbs" or "all"/],
  ["too many engines", { ...config, engines: 1000 }, /engines must be an integer from 1 to 64/],
];

function with_(name: string, principal: unknown): unknown {
  return { ...config, principals: { [name]: principal } };
}

for (const [what, value, words, env] of REFUSED) {
  Deno.test(`refused: ${what}`, () => {
    throws(() => read(value, env), (error) => {
      const { code, message } = error as { code: string; message: string };
      strictEqual(code, "input");
      strictEqual(words.test(message), true, message);
      return message.startsWith('Cannot use the config "/etc/zpm/server.json": ');
    });
  });
}
