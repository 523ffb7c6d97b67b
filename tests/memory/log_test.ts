/** What a process knows of a log, when the log is read again while somebody writes. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { MemoryLog } from "../../src/memory/log.ts";
import type { Opened } from "../../src/store/protocol.ts";
import { commits } from "../support/commits.ts";

const opened = (last: number): Opened => ({
  files: [],
  commits: commits(1, last),
  health: {
    status: "active",
    dir: "/zpm/data",
    journal_bytes: 0,
    commits: last,
    unread: 0,
    problems: [],
  },
});

Deno.test("what came while the same log was being read again is kept, of another log it is not", () => {
  const log = new MemoryLog("default", { scope: "project", mode: "rw" }, opened(2));
  log.append(commits(3, 4));
  log.reset(opened(2), true);
  strictEqual(log.head, 4);
  deepStrictEqual(log.after(2).map(({ seq }) => seq), [3, 4]);
  log.reset(opened(2));
  strictEqual(log.head, 2);
});
