/** Threads that touch files: each may touch what it is given and nothing else. */

/** A module of a thread, relative to `here`: as it is in the source, as one file in a bundle. */
export interface ThreadModule {
  /** The `import.meta.url` of who starts it. */
  here: string;
  source: string;
  bundle: string;
}

/** Files and folders. */
export interface Reach {
  read: string[];
  write: string[];
}

export function startThread(name: string, module: ThreadModule, { read, write }: Reach): Worker {
  const { here, source, bundle } = module;
  return new Worker(new URL(here.endsWith(".ts") ? source : bundle, here), {
    type: "module",
    name,
    deno: {
      permissions: {
        read,
        write,
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
