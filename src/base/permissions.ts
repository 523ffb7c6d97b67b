/** Least privilege by construction: what a thread no longer needs, it gives away for good. */

const NAMES = ["read", "write", "env", "sys", "run", "ffi", "net", "import"] as const;

/** After this the thread can neither read nor write nor reach anything; workers that run keep theirs. */
export function giveUpPermissions(): void {
  for (const name of NAMES) Deno.permissions.revokeSync({ name });
}
