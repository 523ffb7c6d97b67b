/** Every verb, in the order in which a client should meet them (SPEC 3.2). A written list, so that a diff shows intent. */
import argue from "./argue.ts";
import assert from "./assert.ts";
import matching from "./matching.ts";
import query from "./query.ts";
import unassert from "./unassert.ts";
import unassertHandle from "./unassert_handle.ts";
import type { Verb } from "./verb.ts";

export const verbs: readonly Verb[] = [assert, unassert, unassertHandle, query, argue, matching];
