/** At which call of the store a server stands still; an import map puts another one in the place of this file. */
import type { Moment } from "./hooked_fs.ts";

export const point: { call: number; moment: Moment } = { call: Infinity, moment: "before" };
