import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import { findProject, globalDirectory, initProject } from "../../src/store/project.ts";

Deno.test("the project is the nearest one from the working directory upwards", () => {
  inFolder((folder) => {
    initProject(folder);
    const deep = join(folder, "a", "b");
    Deno.mkdirSync(deep, { recursive: true });
    const expected = { root: folder, folder: join(folder, ".zpm") };
    deepStrictEqual(findProject({ cwd: deep }), expected);
    initProject(deep);
    strictEqual(findProject({ cwd: deep })?.root, deep);
    deepStrictEqual(findProject({ cwd: join(folder, "a") }), expected);
  });
});

Deno.test("the flag counts more than the environment, and both more than the place", () => {
  inFolder((folder) => {
    for (const name of ["here", "flag", "env"]) initProject(makeIn(folder, name));
    const cwd = join(folder, "here");
    const found = (flag?: string, env?: string) => findProject({ flag, env, cwd })?.root;
    strictEqual(found("../flag", join(folder, "env")), join(folder, "flag"));
    strictEqual(found(undefined, join(folder, "env")), join(folder, "env"));
    strictEqual(found("", ""), cwd);
  });
});

Deno.test("a named directory that is no project is an error that names it", () => {
  inFolder((folder) => {
    const empty = makeIn(folder, "empty");
    initProject(folder);
    throws(() => findProject({ flag: empty, cwd: folder }), {
      code: "no_project",
      message: `No zpm project in "${empty}"`,
      hint: /run 'zpm init'/,
    });
    throws(() => findProject({ env: join(folder, "missing"), cwd: folder }), /missing/);
  });
});

Deno.test("without any project there is none", () => {
  inFolder((folder) => {
    strictEqual(findProject({ cwd: folder }), undefined);
    Deno.writeTextFileSync(join(folder, ".zpm"), "a file is no project");
    strictEqual(findProject({ cwd: folder }), undefined);
  });
});

Deno.test("a .zpm behind a link is known by its real path", () => {
  inFolder((folder) => {
    const [real, project] = [makeIn(folder, "real"), makeIn(folder, "project")];
    initProject(real);
    Deno.symlinkSync(join(real, ".zpm"), join(project, ".zpm"));
    deepStrictEqual(findProject({ cwd: project }), { root: project, folder: join(real, ".zpm") });
  });
});

Deno.test("init makes what is missing, and says what that was", () => {
  inFolder((folder) => {
    const zpm = join(folder, ".zpm");
    const all = [zpm, join(zpm, "kb"), join(zpm, "data"), join(zpm, ".gitignore")];
    deepStrictEqual(initProject(folder), all);
    strictEqual(Deno.readTextFileSync(join(zpm, ".gitignore")), "data/\n");
    if (Deno.build.os !== "windows") {
      strictEqual(Deno.statSync(join(zpm, "data")).mode! & 0o777, 0o700);
    }
    deepStrictEqual(initProject(folder), []);
    Deno.writeTextFileSync(join(zpm, ".gitignore"), "mine\n");
    Deno.removeSync(join(zpm, "data"));
    deepStrictEqual(initProject(folder), [join(zpm, "data")]);
    strictEqual(Deno.readTextFileSync(join(zpm, ".gitignore")), "mine\n");
  });
});

Deno.test("init where a file is in the way is an error", () => {
  inFolder((folder) => {
    Deno.writeTextFileSync(join(folder, ".zpm"), "");
    throws(() => initProject(folder), {
      code: "no_project",
      message: /^Cannot make a zpm project/,
    });
  });
});

Deno.test("the global directory is the named one, else the platform's", () => {
  const at = (platform: typeof Deno.build.os, variables: Record<string, string>, flag?: string) =>
    globalDirectory({ flag, env: (name) => variables[name], platform });
  const home = { HOME: "/home/ann" };
  strictEqual(at("linux", { ...home, ZPM_GLOBAL_DIR: "/g" }, "/flag"), "/flag");
  strictEqual(at("linux", { ...home, ZPM_GLOBAL_DIR: "/g" }), "/g");
  strictEqual(at("linux", home), "/home/ann/.local/share/zpm");
  strictEqual(at("linux", { ...home, XDG_DATA_HOME: "/data" }), "/data/zpm");
  strictEqual(at("darwin", home), "/home/ann/Library/Application Support/zpm");
  strictEqual(at("linux", {}), undefined);
  strictEqual(at("windows", {}), undefined);
});

function makeIn(folder: string, name: string): string {
  const path = join(folder, name);
  Deno.mkdirSync(path);
  return path;
}

function inFolder(body: (folder: string) => void): void {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    body(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
