/** The threads that touch files: each may touch its folders and nothing else. */

/** The modules lie beside this one: as they are in the source, as one file each in a bundle. */
const MODULES = {
  store: { source: "./worker.ts", bundle: "./store_worker.js" },
  source: { source: "./source_worker.ts", bundle: "./source_worker.js" },
};

/** Starts a thread that may read and write in these folders. */
export function startThread(name: keyof typeof MODULES, folders: string[]): Worker {
  const here = import.meta.url;
  const { source, bundle } = MODULES[name];
  return new Worker(new URL(here.endsWith(".ts") ? source : bundle, here), {
    type: "module",
    name,
    deno: {
      permissions: {
        read: folders,
        write: folders,
        env: false,
        ffi: false,
        import: false,
        net: false,
        run: false,
        sys: false,
      },
    },
  });
}
