/**
 * The calls that change files, in order, as a page to read: fixtures/store/calls.md. kill -9 does not show a sync that
 * is missing, since the machine goes on; a diff of this page does. `deno task test:update` writes it anew.
 */
import assert from "node:assert/strict";
import { Journal } from "../../src/store/journal.ts";
import { createMemory } from "../../src/store/places.ts";
import type { FileSystem } from "../../src/store/file_system.ts";
import { commit, commits } from "../support/commits.ts";
import { ForgetfulFileSystem } from "../support/forgetful_fs.ts";
import { recordedFileSystem } from "../support/hooked_fs.ts";
import { diffLines } from "../support/transcript_diff.ts";

const PAGE = new URL("../../fixtures/store/calls.md", import.meta.url);
const ROOT = "/zpm";

/** A journal, and everything that a step on it may need. */
interface Stage {
  disk: ForgetfulFileSystem;
  fs: FileSystem;
  journal: Journal;
  /** Another process on the same memory. */
  other: Journal;
}

interface Scene {
  title: string;
  why: string;
  run(stage: Stage): Promise<void>;
}

const SCENES: Scene[] = [
  {
    title: "A memory is opened for the first time",
    why: "The folder and the names in it are durable before anything is written into them.",
    run: async ({ journal }) => void await journal.open(),
  },
  {
    title: "A commit",
    why:
      "The lock is left when the line is durable, and the caller is answered after that. The names in the lock files " +
      "are a courtesy to those who wait and need no sync.",
    run: ({ journal }) => add(journal, [commit(1)]),
  },
  {
    title: "A hundred commits that wait together",
    why: "One write, one sync. Whoever had the lock last need not queue for it when nobody waits.",
    run: ({ journal }) => add(journal, commits(2, 101)),
  },
  {
    title: "A question when nothing is new",
    why: "No call that changes anything, no lock.",
    run: async ({ journal }) => void await journal.since(101),
  },
  {
    title: "Another process opens the memory",
    why: "What it reads may come from a process that died before it could sync.",
    run: async ({ other }) => void await other.open(),
  },
  {
    title: "A question when the other process has written",
    why: "The lock is shared; what was read is synced before it is shown.",
    async run({ journal, other }) {
      await add(other, [commit(102)]);
      await anotherMoment();
      await journal.since(101);
    },
  },
  {
    title: "A commit behind a torn tail",
    why: "What a process that died left of its line is cut off first, durably.",
    async run({ disk, journal }) {
      const file = disk.open(`${ROOT}/data/journal-000001.wal`, { write: true });
      file.write(file.identify().size, new TextEncoder().encode('{"v":1,"seq":103'));
      await add(journal, [commit(103)]);
    },
  },
  {
    title: "The journal goes on in a new segment",
    why: "The new segment and its name are durable before the old one points to it.",
    async run({ journal }) {
      await journal.begin(103, 1000);
      journal.rotate([commit(50), commit(103)]);
      journal.abandon();
    },
  },
  {
    title: "A snapshot is written",
    why: "Whole or not at all: under another name first.",
    run: ({ journal }) =>
      Promise.resolve(journal.kb.write("before.pl", new TextEncoder().encode("p(1).\n"))),
  },
  {
    title: "A snapshot is deleted",
    why: "",
    run: ({ journal }) => Promise.resolve(journal.kb.remove("before.pl")),
  },
  {
    title: "Somebody removes the data folder, and a commit follows",
    why:
      "The segment is written again from the file that is still open, then the commit is added to it.",
    async run({ disk, journal }) {
      disk.removeTree(`${ROOT}/data`);
      await add(journal, [commit(104)]);
    },
  },
  {
    title: "A damaged journal is repaired",
    why: "The damaged file is durable under its new name before the journal is cut.",
    async run({ disk, fs, journal }) {
      await add(journal, [commit(105)]);
      const path = `${ROOT}/data/journal-000002.wal`;
      disk.put(path, disk.text(path).replace("p(104)", "p(401)"));
      await new Journal(ROOT, { fs }).repair();
    },
  },
  {
    title: "A memory is created",
    why: "Its folder is made under another name and is whole and durable before it gets its own.",
    run: ({ fs }) => Promise.resolve(createMemory({ project: ROOT }, "team", "project", fs)),
  },
];

Deno.test("the store's calls are those on the page, in that order", async () => {
  const page = await play();
  if (Deno.env.get("ZPM_UPDATE")) await Deno.writeTextFile(PAGE, page);
  const expected = await Deno.readTextFile(PAGE);
  const diff = diffLines(expected.split("\n"), page.split("\n"));
  assert.ok(diff === undefined, `\n${diff}\n`);
});

async function play(): Promise<string> {
  const disk = new ForgetfulFileSystem();
  disk.makeDirectory(ROOT);
  const { fs, calls } = recordedFileSystem(disk, ROOT);
  const stage = {
    disk,
    fs,
    journal: new Journal(ROOT, { fs }),
    other: new Journal(ROOT, { fs }),
  };
  let page =
    "# What the store does to files\n\nThe calls in order, one page for all that the store does. " +
    "Names are below the memory's folder.\n";
  for (const { title, why, run } of SCENES) {
    const before = calls.length;
    await anotherMoment();
    await run(stage);
    const made = calls.slice(before);
    const lines = made.length > 0 ? made.join("\n") : "(none)";
    page += `\n## ${title}\n\n${why && `${why}\n\n`}\`\`\`text\n${lines}\n\`\`\`\n`;
  }
  return page;
}

/** Two holders of one process are told apart by the millisecond in which they took the lock. */
async function anotherMoment(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function add(journal: Journal, all: ReturnType<typeof commits>): Promise<void> {
  await journal.begin(all[0].seq - 1, 1000);
  journal.append(all);
}
