/** Changes beside each other, beside somebody's editor, and when disks or engines give up (SPEC 2.3). */
import assert from "node:assert/strict";
import { cannotReplaceSource } from "../../src/base/operation_errors.ts";
import { withPersisted } from "../support/kept_source.ts";
import { call, context, put, refused, remove, rows } from "../support/operation_calls.ts";

const options = { sanitizeOps: false, sanitizeResources: false };

const TEXT = `
%! item(-Key:int, -Value:int) is nondet.
%  @collection items key(Key)

%! post_count(-N:int) is det.
post_count(N) :- retract(count(N0)), N is N0 + 1, assertz(count(N)).
%! post_loop is det.
post_loop :- assertz(count(7)), loop.
loop :- loop.
%! get_count(-N:int) is det.
get_count(N) :- count(N).
:- dynamic item/2, count/1.
count(0).
`;

Deno.test("changes that come at once are made one after the other", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    const counts = Array.from({ length: 10 }, () => call(service, "post_count"));
    const puts = Array.from({ length: 10 }, (_, n) => put(service, "item", [String(n)], n));
    const reloads = Array.from({ length: 3 }, () => service.reread(() => source.read()));
    const again = Array.from({ length: 10 }, (_, n) => put(service, "item", [String(n)], -n));
    assert.deepEqual(await Promise.all(counts), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(new Set(await Promise.all(puts)), new Set([true]));
    assert.deepEqual(new Set(await Promise.all(again)), new Set([false]));
    await Promise.all(reloads);
    const items = Array.from({ length: 10 }, (_, n) => `item(${n}, ${-n || 0}).\n`).join("");
    assert.equal(source.text, TEXT.replace("count(0).\n", `count(10).\n${items}`));
    assert.deepEqual(await rows(service, "item"), [
      ...Array.from({ length: 10 }, (_, n) => ({ Key: n, Value: -n || 0 })),
    ]);
  });
});

Deno.test(
  "a row is put into its place, and the engine has the order of the file",
  options,
  async () => {
    await withPersisted(TEXT, async ({ service, source }) => {
      for (const key of ["1", "2", "3"]) await put(service, "item", [key], 0);
      await put(service, "item", ["2"], 5);
      assert.equal(await remove(service, "item", ["1"]), true);
      await put(service, "item", ["1"], 6);
      const live = await rows(service, "item");
      assert.match(source.text, /\nitem\(2, 5\)\.\nitem\(3, 0\)\.\nitem\(1, 6\)\.\n$/);
      await service.reload({ name: "t.pl", bytes: source.bytes });
      assert.deepEqual(await rows(service, "item"), live);
    });
  },
);

Deno.test("a file that was edited is read again before it is changed", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    const told: string[] = [];
    service.watch((what) => told.push(what));
    source.text = TEXT.replace("count(0)", "count(41)  ") + "% mine\n";
    assert.equal(await call(service, "post_count"), 42);
    assert.equal(source.text, TEXT.replace("count(0)", "count(42)") + "% mine\n");
    assert.deepEqual(told, ["operations", "facts"]);
  });
});

Deno.test("an editor that is quick is followed, one that never stops is not", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    let edits = 0;
    source.onreplace = () => {
      if (edits++ < 2) source.text += `% ${edits}\n`;
    };
    assert.equal(await call(service, "post_count"), 1);
    assert.equal(source.text, TEXT.replace("count(0)", "count(1)") + "% 1\n% 2\n");
    source.onreplace = () => {
      source.text += `% ${edits++}\n`;
    };
    const [problem, said] = await refused(call(service, "post_count"));
    assert.equal(problem, "persist-failed");
    assert.match(said, /edited faster than it can be read/);
    assert.equal(await call(service, "get_count"), 1);
  });
});

Deno.test(
  "an edited file that does not load, or lost the operation, is told",
  options,
  async () => {
    await withPersisted(TEXT, async ({ service, source }) => {
      source.text = TEXT + "broken(\n";
      const [problem, said] = await refused(call(service, "post_count"));
      assert.equal(problem, "persist-failed");
      assert.match(said, /the file was edited, and does not load any more/);
      assert.deepEqual([source.text, await call(service, "get_count")], [TEXT + "broken(\n", 0]);
      source.text = TEXT.replaceAll("post_count", "post_other");
      const [gone] = await refused(call(service, "post_count"));
      assert.equal(gone, "not-found");
      assert.equal(await call(service, "post_other"), 1);
    });
  },
);

Deno.test("a disk that refuses changes nothing, and the next change is made", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    source.onreplace = () => {
      throw cannotReplaceSource("t.pl", "No space left on device");
    };
    const [problem, said] = await refused(call(service, "post_count"));
    assert.deepEqual(
      [problem, said],
      ["persist-failed", "t.pl: the change cannot be saved: No space left on device"],
    );
    assert.deepEqual([await call(service, "get_count"), source.text], [0, TEXT]);
    // Written in spite of what was said: what is served is what is there.
    source.onreplace = (bytes) => {
      source.bytes = bytes.slice();
      throw cannotReplaceSource("t.pl", "Input/output error");
    };
    await refused(call(service, "post_count"));
    assert.equal(await call(service, "get_count"), 1);
    source.onreplace = () => {};
    assert.equal(await call(service, "post_count"), 2);
  });
});

Deno.test("an operation that has no end changes nothing, and others go on", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    await call(service, "post_count");
    const [problem] = await refused(call(service, "post_loop"));
    assert.equal(problem, "limit-exceeded");
    assert.equal(await call(service, "get_count"), 1);
    assert.equal(await call(service, "post_count"), 2);
    assert.equal(source.text, TEXT.replace("count(0)", "count(2)"));
  }, { deadline_ms: 2_000 });
});

Deno.test("who gives up before it is his turn changes nothing", options, async () => {
  await withPersisted(TEXT, async ({ service, source }) => {
    const gone = new AbortController();
    const operation = service.set.operations.find(({ name }) => name === "post_count")!;
    const first = call(service, "post_count");
    const second = service.call(operation, { query: [] }, { ...context, signal: gone.signal });
    gone.abort();
    assert.deepEqual([await refused(second).then(([problem]) => problem), await first], [
      "limit-exceeded",
      1,
    ]);
    assert.equal(source.text, TEXT.replace("count(0)", "count(1)"));
  });
});

Deno.test(
  "without a keeper nothing is changed, and what is withheld is told",
  options,
  async () => {
    await withPersisted(TEXT, async ({ service, source }) => {
      assert.deepEqual(service.offered.map(({ name }) => name), ["item", "get_count"]);
      for (const work of [call(service, "post_count"), put(service, "item", ["1"], 1)]) {
        const [problem, said] = await refused(work);
        assert.equal(problem, "persistence-required");
        assert.match(said, /without --persist/);
      }
      assert.equal(source.writes, 0);
    }, { persist: false, keeper: undefined });
  },
);
