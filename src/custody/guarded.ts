/**
 * Memories for one call: whatever changes something runs while the call's permit holds, and the journal says who
 * changed it for which call.
 */
import { AuthorityError } from "../base/authority_errors.ts";
import type { CallContext, Memories, Memory, Request } from "../memory/memory.ts";
import type { Effects } from "./effects.ts";

export interface Guard {
  who: string;
  /** The id of the operation. */
  call: string;
  effects: Effects;
  /** Does a write while the permit holds; throws an `AuthorityError` before it when it does not. */
  during<T>(write: () => Promise<T>): Promise<T>;
}

export function guarded(memories: Memories, guard: Guard): Memories {
  const { who, call } = guard;
  return {
    async memory(name: string, context: CallContext): Promise<Memory> {
      return guardedMemory(await memories.memory(name, { ...context, who, call }), guard);
    },
  };
}

function guardedMemory(memory: Memory, guard: Guard): Memory {
  const { effects } = guard;
  const files = async <T>(write: () => Promise<T>): Promise<T> => {
    const done = await guardedWrite(guard, write);
    effects.wrote();
    return done;
  };
  return {
    name: memory.name,
    ask: (request) => memory.ask(request),
    health: () => memory.health(),
    list: () => memory.list(),
    async commit<Body>(request: Request) {
      const reply = await guardedWrite(guard, () => memory.commit<Body>(request));
      effects.done(reply.commit);
      return reply;
    },
    other: async (name) => guardedMemory(await memory.other(name), guard),
    create: (name, scope) => files(() => memory.create(name, scope)),
    delete: (name, scope) => files(() => memory.delete(name, scope)),
    snapshots: {
      list: () => memory.snapshots.list(),
      read: (name) => memory.snapshots.read(name),
      save: (name) => files(() => memory.snapshots.save(name)),
      remove: (name) => files(() => memory.snapshots.remove(name)),
    },
  };
}

async function guardedWrite<T>({ effects, during }: Guard, write: () => Promise<T>): Promise<T> {
  try {
    return await during(write);
  } catch (error) {
    if (error instanceof AuthorityError) effects.refusal = error;
    else effects.failed(error);
    throw error;
  }
}
