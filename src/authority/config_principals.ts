/** The principals of a config: each with its own token, and forks whose shape is the same for all who share them. */
import { configRefused } from "../base/authority_errors.ts";
import { limits } from "../base/limits.ts";
import { Members } from "./config_reader.ts";
import type { Principal } from "./principal.ts";

const KEYS = ["token_sha256", "fork_id", "lifecycle", "lease_ttl_ms"];

/** Names of principals and forks are names of folders, on every system. */
const NAME = /^[A-Za-z](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_-])?$/;
const NAME_RULE =
  "must be at most 64 letters, digits, - _ and ., a letter first and no . at the end";
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** Who wrote what stands in the base, and what the tools remember in a fork (SPEC 3.2, provenance). */
const AUTHORS = ["base", "fork"];

/** Why a name cannot be that of a principal or a fork; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return NAME_RULE;
  return DEVICE.test(name) ? "must not be the name of a device" : undefined;
}

export function readPrincipals(config: Members, file: string): Map<string, Principal> {
  const declared = new Members(config.has("principals") ? config.raw("principals") : {}, {
    file,
    at: "principals",
  });
  const principals = new Map<string, Principal>();
  for (const name of declared.names()) {
    const problem = nameProblem(name);
    if (problem) throw configRefused(file, `the name ${declared.key(name)} ${problem}`);
    if (AUTHORS.includes(name.toLowerCase())) {
      const why = `must be another one: provenance names by it what no principal asserted`;
      throw configRefused(file, `the name ${declared.key(name)} ${why}`);
    }
    const principal = readPrincipal(declared, name, file);
    for (const other of principals.values()) refuseClash(principal, other, file);
    principals.set(name, principal);
  }
  return principals;
}

function readPrincipal(declared: Members, name: string, file: string): Principal {
  const members = new Members(declared.raw(name), { file, at: declared.key(name), known: KEYS });
  const token = members.required(
    "token_sha256",
    members.matching("token_sha256", /^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits"),
  );
  const fork_id = members.required("fork_id", members.text("fork_id"));
  const problem = nameProblem(fork_id);
  if (problem) throw members.refusal("fork_id", problem);
  const lifecycle = members.required("lifecycle", members.oneOf("lifecycle", LIFECYCLES));
  const lease_ttl_ms = members.integer("lease_ttl_ms", { maximum: limits.lease_max_ms });
  if (lifecycle === "leased") members.required("lease_ttl_ms", lease_ttl_ms);
  else if (lease_ttl_ms !== undefined) {
    throw configRefused(file, `${members.key("lease_ttl_ms")} is only for a leased fork`);
  }
  return {
    name,
    token_sha256: token.toLowerCase(),
    fork_id,
    lifecycle,
    ...(lease_ttl_ms !== undefined && { lease_ttl_ms }),
  };
}

const LIFECYCLES = ["durable", "leased"] as const;

/** What two principals must not have in common, and what they must. */
function refuseClash(one: Principal, other: Principal, file: string): void {
  const [key, with_] = [`principals.${one.name}`, `principals.${other.name}`];
  if (one.name.toLowerCase() === other.name.toLowerCase()) {
    throw configRefused(file, `the names ${key} and ${with_} differ in case only`);
  }
  if (one.token_sha256 === other.token_sha256) {
    throw configRefused(file, `${key}.token_sha256 is that of ${with_}, too`);
  }
  if (one.fork_id.toLowerCase() !== other.fork_id.toLowerCase()) return;
  if (one.fork_id !== other.fork_id) {
    throw configRefused(file, `${key}.fork_id differs from that of ${with_} in case only`);
  }
  for (const name of ["lifecycle", "lease_ttl_ms"] as const) {
    if (one[name] === other[name]) continue;
    const why = `${key}.${name} is ${one[name] ?? "absent"}, but ${with_} has the same fork, ${
      JSON.stringify(one.fork_id)
    }, with ${other[name] ?? "none"}`;
    throw configRefused(file, why);
  }
}
