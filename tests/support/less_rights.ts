/** Words in front of a command that take rights or room away from it, for disks that refuse. */

/**
 * What root may do in spite of the permission bits is taken away, so that they count as for anybody else. The
 * process keeps its user, who alone may be able to read the runtime and its packages.
 */
export function ordinaryRights(): string[] {
  if (Deno.build.os !== "linux" || !passesOverPermissions()) return [];
  return ["setpriv", "--inh-caps=-all", "--bounding-set=-all"];
}

/** Whether this process has CAP_DAC_OVERRIDE or CAP_DAC_READ_SEARCH. */
function passesOverPermissions(): boolean {
  const [, mask] = /^CapEff:\s*([0-9a-f]+)$/m.exec(Deno.readTextFileSync("/proc/self/status"))!;
  return (BigInt(`0x${mask}`) & 0b110n) !== 0n;
}

/** No file grows beyond so many bytes: a write says "File too large", as one on a full disk says "No space left". */
export function fileSizeLimit(bytes: number): string[] {
  // The signal that comes with it would end the process.
  return ["sh", "-c", `trap "" XFSZ; exec prlimit --fsize=${bytes}: "$@"`, "sh"];
}

/** Sets that limit anew for a process that runs. */
export async function limitFileSize(pid: number, bytes: number | "unlimited"): Promise<void> {
  const args = ["--pid", String(pid), `--fsize=${bytes}:`];
  const { success, stderr } = await new Deno.Command("prlimit", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
