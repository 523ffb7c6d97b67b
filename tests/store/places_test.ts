/** Making and deleting the folders of memories, and what a process leaves that ends in the middle of it. */
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { denoFileSystem } from "../../src/store/file_system.ts";
import { createMemory, deleteMemory, findMemories, memoryFolder } from "../../src/store/places.ts";
import { crashingFileSystem } from "../support/hooked_fs.ts";

const HEADER = "% The memory team. Clauses here are under version control.\n:- module(team, []).\n";

for (const moment of ["before", "within", "after"] as const) {
  Deno.test(`a memory whose making ends ${moment} any call is whole or not found`, async () => {
    let over = false;
    for (let call = 1; !over; call++) {
      await inFolder((project) => {
        const { fs, state } = crashingFileSystem(denoFileSystem, project, { call, moment });
        try {
          createMemory({ project }, "team", "project", fs);
        } catch (fault) {
          if (state.crashed === undefined) throw fault;
        }
        over = state.crashed === undefined;
        const found = findMemories({ project });
        if (found.length === 0) createMemory({ project }, "team", "project");
        deepStrictEqual(findMemories({ project }), [{ name: "team", scope: "project" }]);
        const folder = memoryFolder({ project }, "team", "project");
        strictEqual(Deno.readTextFileSync(`${folder}/kb/knowledge.pl`), HEADER);
        strictEqual(Deno.statSync(`${folder}/data`).isDirectory, true);
      });
    }
  });
}

Deno.test("a memory that was deleted may come back and be deleted again, whatever was left", async () => {
  await inFolder((project) => {
    const left = `${project}/memories/.team.deleted/kb`;
    Deno.mkdirSync(left, { recursive: true });
    Deno.writeTextFileSync(`${left}/knowledge.pl`, HEADER);
    createMemory({ project }, "team", "project");
    throws(() => createMemory({ project }, "team", "project"), /team/);
    deleteMemory({ project }, "team", "project");
    deepStrictEqual(findMemories({ project }), []);
    deepStrictEqual([...Deno.readDirSync(`${project}/memories`)], []);
  });
});

async function inFolder(body: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
