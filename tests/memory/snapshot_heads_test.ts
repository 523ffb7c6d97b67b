/** A snapshot is read once for as long as its bytes are the same. */
import { deepStrictEqual } from "node:assert/strict";
import { SnapshotHeads } from "../../src/memory/snapshot_heads.ts";

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const head = (name: string, clauses: number) => ({ name, at: "2026-01-01", clauses, file: name });

Deno.test("what a snapshot says is asked for once, and again when it is another one", async () => {
  const heads = new SnapshotHeads();
  const asked: string[][] = [];
  const list = (...files: ReturnType<typeof file>[]) =>
    heads.of(files, (fresh) => {
      asked.push(fresh.map(({ name }) => name));
      // A file that only mentions the mark is no snapshot.
      const found = fresh.filter(({ text }) => text.startsWith("'$zpm_snapshot'"));
      return Promise.resolve(found.map(({ name, text }) => head(name, text.length)));
    });
  const [b, a] = [file("b.pl", "'$zpm_snapshot'(b)."), file("a.pl", "'$zpm_snapshot'(a).\np.")];
  const mention = file("c.pl", "% $zpm_snapshot");
  const plain = file("d.pl", "p.");
  deepStrictEqual(await list(b, a, mention, plain), [head("a.pl", 22), head("b.pl", 19)]);
  deepStrictEqual(await list(b, a, mention, plain), [head("a.pl", 22), head("b.pl", 19)]);
  deepStrictEqual(asked, [["b.pl", "a.pl", "c.pl"]]);
  const edited = file("a.pl", "'$zpm_snapshot'(a).\np. q.");
  deepStrictEqual(await list(b, edited), [head("a.pl", 25), head("b.pl", 19)]);
  // The same bytes under another name are another snapshot; what is gone is not told.
  deepStrictEqual(await list({ ...b, name: "e.pl" }), [head("e.pl", 19)]);
  deepStrictEqual(asked.slice(1), [["a.pl"], ["e.pl"]]);
  deepStrictEqual(await list(plain), []);
});
