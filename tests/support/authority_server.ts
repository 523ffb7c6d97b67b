/**
 * A process that has authority, audit and handles open as a server has, with its permissions given away, and does what
 * each line of its input says. It answers with a line for each.
 */
import { openAuthority } from "../../src/authority/open.ts";
import { prepareFolders } from "../../src/authority/folders.ts";
import { readConfig } from "../../src/authority/config.ts";
import { giveUpPermissions } from "../../src/base/permissions.ts";
import { ZpmError } from "../../src/base/errors.ts";
import { linesOf } from "./lines.ts";

export type Order =
  | { do: "attempt" | "completion"; operation: string }
  | { do: "handles"; sentences: string[] }
  | { do: "key"; handle: number }
  | { do: "who"; token: string }
  | { do: "revoke" | "restore"; name: string }
  | { do: "list" }
  | { do: "unresolved" }
  | { do: "probe"; path: string }
  /** Stands still within a write until the next line, whatever it is. */
  | { do: "write"; token: string };

const [path] = Deno.args;
const env = (name: string) => Deno.env.get(name);
const config = readConfig(Deno.readTextFileSync(path), path, env);
const warn = (text: string) => {
  Deno.stderr.writeSync(new TextEncoder().encode(`warning: ${text}\n`));
};
const { authority, audit, handles, close } = await opened();
giveUpPermissions();
say("open");
const next = linesOf(Deno.stdin.readable);
for (;;) {
  const line = await next().catch(() => undefined);
  if (line === undefined) break;
  say(await answer(JSON.parse(line)));
}
await close();

async function opened() {
  try {
    return await openAuthority({ config, folders: prepareFolders(config), env, warn });
  } catch (error) {
    say(failed(error));
    Deno.exit(1);
  }
}

async function answer(order: Order): Promise<unknown> {
  try {
    return await done(order);
  } catch (error) {
    return failed(error);
  }
}

async function done(order: Order): Promise<unknown> {
  switch (order.do) {
    case "attempt": {
      const call = { principal: "ana", fork: "ana", verb: "assert", digest: "0".repeat(64) };
      return await audit.attempt({ operation: order.operation, ...call }) ?? "done";
    }
    case "completion":
      return await audit.completion({ operation: order.operation, outcome: "ok" }) ?? "done";
    case "handles":
      return await handles.handlesOf(
        order.sentences.map((sentence) => ({ context: "Cx", sentence })),
      );
    case "key":
      return await handles.keyOf(order.handle) ?? null;
    case "who":
      return (await authority.authenticate(order.token))?.name ?? null;
    case "revoke":
    case "restore":
      return await authority[order.do](order.name);
    case "list":
      return await authority.list();
    case "unresolved":
      return audit.unresolved.map(({ operation }) => operation);
    case "probe":
      Deno.writeTextFileSync(order.path, "");
      return "written";
    case "write":
      return await write(order.token);
  }
}

async function write(token: string): Promise<unknown> {
  const principal = await authority.authenticate(token);
  const permit = await authority.admit(principal!);
  say("admitted");
  await next();
  await authority.during(permit, async () => {
    say("inside");
    await next();
  });
  return await authority.standing(permit);
}

function failed(error: unknown): unknown {
  if (error instanceof ZpmError) return { error: error.body(), ...error };
  return { error: { message: String(error) } };
}

function say(value: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}
