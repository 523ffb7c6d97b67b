/** Handles: one number for a key, on disk before it is shown, never used twice. */
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { custodianOn, freshDisk } from "../support/custodians.ts";

const key = (sentence: string, context = "CxPets") => ({ context, sentence });

Deno.test("a key has one number, in whatever order and however often it is asked for", async () => {
  const disk = freshDisk();
  const custodian = custodianOn(disk);
  await custodian.open();
  const all = [key("dog(fido)"), key("dog(rex)"), key("dog(fido)"), key("dog(fido)", "CxZoo")];
  deepStrictEqual(await custodian.handlesOf(all), [1, 2, 1, 3]);
  deepStrictEqual(await custodian.handlesOf([key("cat(tom)"), key("dog(rex)")]), [4, 2]);
  deepStrictEqual(await custodian.handlesOf([]), []);
  deepStrictEqual(await custodian.keyOf(3), key("dog(fido)", "CxZoo"));
  for (const none of [0, -1, 1.5, 5, NaN]) strictEqual(await custodian.keyOf(none), undefined);
  disk.processDies();
  const later = custodianOn(disk.powerFails());
  await later.open();
  deepStrictEqual(await later.handlesOf([...all, key("owl(ed)")]), [1, 2, 1, 3, 5]);
});

Deno.test("keys that look alike are told apart", async () => {
  const custodian = custodianOn(freshDisk());
  await custodian.open();
  const alike = [key("b", "a"), key("", "ab"), key('"b"', "a"), key("a,b", ""), key("b", "a,")];
  deepStrictEqual(await custodian.handlesOf(alike), [1, 2, 3, 4, 5]);
  for (const [index, each] of alike.entries()) {
    deepStrictEqual(await custodian.keyOf(index + 1), each);
  }
});

Deno.test("no number is given that the disk did not take, and none is left out for it", async () => {
  const disk = freshDisk();
  const custodian = custodianOn(disk);
  await custodian.open();
  await custodian.handlesOf([key("dog(fido)")]);
  disk.space = 20;
  await rejects(custodian.handlesOf([key("dog(fido)"), key("dog(rex)")]), {
    code: "not_saved",
    message: /table of handles cannot be written: No space left/,
  });
  strictEqual(await custodian.keyOf(2), undefined);
  deepStrictEqual(await custodian.handlesOf([key("dog(fido)")]), [1]);
  disk.space = Infinity;
  deepStrictEqual(await custodian.handlesOf([key("cat(tom)")]), [2]);
});

Deno.test("a table that is not what was written is not begun anew", async () => {
  const disk = freshDisk();
  const custodian = custodianOn(disk);
  await custodian.open();
  await custodian.handlesOf([key("dog(fido)"), key("dog(rex)")]);
  await custodian.close();
  disk.put("/state/handles.jsonl", disk.text("/state/handles.jsonl").replace("rex", "max"));
  await rejects(custodianOn(disk).open(), { code: "corrupt", message: /handle 2 is not what was/ });
});
