// @ts-check
/**
 * The inside of an engine worker: SWI-Prolog, one request at a time, and nothing else.
 *
 * This file is a plain script without imports, because a worker must still be startable after the main
 * thread gave its permissions away: `engine.ts` puts the emscripten glue in front of this text and posts both
 * together to an empty worker. It runs with no permissions.
 *
 * What it promises (DESIGN section 3, ENGINE-NOTES 0.1, 5.6, 5.7, 7.3):
 * - it boots from a memory image when it is given one, otherwise cold from the Prolog texts;
 * - after every request it looks at the canary below the C stack and at the number in the reply: anything
 *   unexpected is answered with `dead`, and nothing is ever asked of this engine again;
 * - Prolog cannot reach `postMessage`, `eval` or the worker's life cycle, cannot read input, and cannot
 *   print anywhere but into the reply;
 * - time is UTC and the language fixed, so that the same question has the same answer on every machine.
 */

/** The emscripten factory, which the glue in front of this text leaves behind. */
const factory = Reflect.get(globalThis, "SWIPL");

const CANARY_BYTES = 4096;
const CANARY = 0xa7;
const CANARY_WORD = 0xa7a7a7a7 | 0;
/** Names that the glue of swipl-wasm 8.0.5 gives to `emscripten_stack_get_end`; a test pins it. */
const STACK_END_EXPORT = "ne";
/** Characters of a reason that are told. */
const SENTENCE = 300;
const PL_ATOM = 2;
const PL_Q_NODEBUG_CATCH = 4 | 8;
const CVT_STRING_UTF8 = 2 | 0x10000 | 0x100000;

/**
 * @typedef {{ bytes: Uint8Array, gzip: boolean, size: number }} EngineFile
 * @typedef {object} Start
 * @property {MessagePort} port  the compiled module comes through it, then requests
 * @property {EngineFile & { pages: number }} [image]
 * @property {EngineFile} [data]  the library files, for a cold boot
 * @property {Record<string, string>} [files]  our Prolog texts, for a cold boot
 * @property {Int32Array} progress  shared: answers found by the request, after how many ms the last one, whether the
 *   engine is to end, and the number of the request that it has begun with
 * @property {number} memory_bytes  cap on the engine's memory
 * @property {number} output_bytes  cap on the text that goals print in one call
 */

/** @type {any} the emscripten module */
let emscripten;
/** @type {WebAssembly.Memory} */
let memory;
/** @type {() => number} */
let stackEnd;
/** @type {number} the predicate zpm_call/2 */
let entry = 0;
/** @type {Start} */
let start;
let output = "";
let outputCut = false;
/** The place that the loader announced last, and whether the stack was damaged after it. */
let announced = "";
let culprit = "";
/** When the request under way began. */
let asked = 0;

const postToPort = MessagePort.prototype.postMessage;
const decoder = new TextDecoder();

globalThis.onmessage = (/** @type {MessageEvent<Start>} */ event) => {
  start = event.data;
  /** @type {Promise<WebAssembly.Module>} the first thing that comes through the port */
  const compiled = new Promise((resolve) => {
    start.port.onmessage = (event) => resolve(event.data);
  });
  const files = unpackFiles();
  isolate();
  Promise.all([compiled, files]).then(([module, files]) => boot(module, files)).then(
    () => reply({ ready: true, bytes: memory.buffer.byteLength }),
    (error) => reply({ dead: `boot: ${oneLine(error)}` }),
  );
};

/** @typedef {{ data: Uint8Array | undefined, image: Uint8Array | undefined }} Files */

/** Here and not in the main thread, which has the module to compile and the store to start. @returns {Promise<Files>} */
async function unpackFiles() {
  const { data, image } = start;
  const { gunzipSync } = await import("node:zlib");
  /** @param {EngineFile} file */
  const unpacked = ({ bytes, gzip, size }) =>
    // In one piece: with its usual chunks of 16 KB, gunzip takes twice as long.
    gzip ? gunzipSync(bytes.slice(), { chunkSize: size + 64 }) : bytes;
  return { data: data && unpacked(data).slice(), image: image && unpacked(image) };
}

/** Nothing is handed over: a message with a list for that takes ten times as long. @param {unknown} message */
function reply(message) {
  postToPort.call(start.port, message);
}

/** What went wrong, for a sentence: whoever cannot start an engine has no use for our stack. @param {any} error */
function oneLine(error) {
  const text = String(error?.message ?? error).split(/\s+/).filter((word) => word !== "").join(" ");
  return text.length > SENTENCE ? `${text.slice(0, SENTENCE)}...` : text;
}

/** Takes away what JavaScript reached from Prolog could use to forge a reply or to end the worker. */
function isolate() {
  const refuse = () => {
    throw new Error("not available inside an engine");
  };
  const constructors = [
    function () {},
    async function () {},
    function* () {},
    async function* () {},
  ];
  for (const example of constructors) {
    Object.defineProperty(Object.getPrototypeOf(example), "constructor", { value: refuse });
  }
  const names = [
    "eval",
    "Function",
    "postMessage",
    "close",
    "fetch",
    "Worker",
    "WebSocket",
    "Deno",
  ];
  for (const name of names) {
    Object.defineProperty(globalThis, name, {
      value: refuse,
      configurable: false,
      writable: false,
    });
  }
  Object.defineProperty(globalThis, "onmessage", { value: null, writable: false });
  Object.defineProperty(globalThis, "process", { value: undefined });
  Object.defineProperty(globalThis, "navigator", { value: { language: "en-US" } });
  fixTimeZone();
}

/** Prolog reads local time through these getters; the image must not carry the builder's time zone. */
function fixTimeZone() {
  const parts = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"];
  /** @type {any} */
  const date = Date.prototype;
  for (const part of parts) date[`get${part}`] = date[`getUTC${part}`];
  date.getTimezoneOffset = () => 0;
}

/** @param {WebAssembly.Module} module @param {Files} files */
async function boot(module, files) {
  emscripten = await factory(moduleOptions(module, files));
  growthCapped();
  canary().fill(CANARY);
  if (!start.image) coldBoot();
  entry = emscripten.prolog.predicate("zpm_call", 2, "zpm");
  const greeting = JSON.parse(
    ask({ op: "hello", n: 0, seed: crypto.getRandomValues(new Uint32Array(1))[0] }),
  );
  if (greeting.ok?.hello !== "zpm") throw new Error(`strange greeting ${JSON.stringify(greeting)}`);
  start.port.onmessage = (event) => serve(event.data);
}

/** @param {WebAssembly.Module} module @param {Files} files */
function moduleOptions(module, files) {
  /** @type {Record<string, unknown>} */
  const options = {
    arguments: ["-q"],
    getPreloadedPackage: () => files.data?.buffer ?? new ArrayBuffer(1),
    locateFile: (/** @type {string} */ name) => name,
    stdin: () => null,
    stdout: (/** @type {number} */ code) => print(code),
    printErr: (/** @type {string} */ line) => printError(line),
    print: () => {},
    instantiateWasm: instantiating(module),
  };
  if (start.image) {
    // What makes the library files is not run: the image holds what it needs of them.
    options.preRun = Object.assign([], { push: () => 0 });
    // The restored memory is a Prolog that is already initialised and bound to its streams.
    skipped(options, "_PL_initialise", () => {
      new Uint8Array(memory.buffer).set(/** @type {Uint8Array} */ (files.image));
      return 1;
    });
    skipped(options, "_WASM_bind_standard_streams", () => 0);
  }
  return options;
}

/** @param {Record<string, unknown>} options @param {string} name @param {() => number} instead */
function skipped(options, name, instead) {
  Object.defineProperty(options, name, { configurable: true, set() {}, get: () => instead });
}

/**
 * @param {WebAssembly.Module} module
 * @returns {(
 *   imports: WebAssembly.Imports,
 *   done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
 * ) => object}
 */
function instantiating(module) {
  return (imports, done) => {
    WebAssembly.instantiate(module, imports).then((instance) => {
      for (const value of Object.values(instance.exports)) {
        if (value instanceof WebAssembly.Memory) memory = value;
      }
      stackEnd = /** @type {() => number} */ (instance.exports[STACK_END_EXPORT]);
      const pages = memory.buffer.byteLength / 65536;
      if (start.image && start.image.pages > pages) memory.grow(start.image.pages - pages);
      done(instance, module);
    });
    return {};
  };
}

/** Growing beyond the cap fails: Prolog sees a clean resource error where it can, else it aborts. */
function growthCapped() {
  const grow = WebAssembly.Memory.prototype.grow;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65536 > start.memory_bytes) {
      throw new RangeError("an engine's memory is limited");
    }
    return grow.call(memory, pages);
  };
}

function coldBoot() {
  emscripten.FS.mkdir("/zpm");
  for (const [name, text] of Object.entries(start.files ?? {})) {
    emscripten.FS.writeFile(`/zpm/${name}`, text);
  }
  if (!emscripten.prolog.call("load_files('/zpm/zpm.pl', [silent(true)])")) {
    throw new Error(`zpm.pl does not load: ${output}`);
  }
  if (output !== "") throw new Error(`zpm.pl loads with messages: ${output}`);
}

/** The lowest bytes of the C stack, above the cookie that emscripten keeps there itself. */
function canary() {
  return new Uint8Array(memory.buffer, stackEnd() + 16, CANARY_BYTES);
}

/** Looked at after every request: in words, and without a function call for each. */
function canaryAlive() {
  const { buffer, byteOffset, byteLength } = canary();
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  for (let at = 0, { length } = words; at < length; at++) {
    if (words[at] !== CANARY_WORD) return false;
  }
  return true;
}

/** @param {number} code a byte of UTF-8; pieces are put together when the call ends */
function print(code) {
  if (output.length < start.output_bytes) output += String.fromCharCode(code);
  else outputCut = true;
}

/** @param {string} line */
function printError(line) {
  if (line.charCodeAt(0) === 2) {
    Atomics.add(start.progress, 0, 1);
    Atomics.store(start.progress, 1, performance.now() - asked);
    return;
  }
  if (line.charCodeAt(0) === 3) {
    // Thrown through Prolog, past whatever it would catch; nothing is asked of this engine again.
    if (Atomics.load(start.progress, 2)) throw new Error("stopped");
    return;
  }
  if (line.charCodeAt(0) === 1) {
    if (culprit === "" && !canaryAlive()) culprit = announced;
    announced = line.slice(1);
    return;
  }
  for (const byte of new TextEncoder().encode(line + "\n")) print(byte);
}

/** What goals printed, decoded; seldom anything. */
function takeOutput() {
  if (output === "") return undefined;
  const bytes = Uint8Array.from(output, (char) => char.charCodeAt(0));
  const text = decoder.decode(bytes);
  const taken = { text, cut: outputCut };
  [output, outputCut] = ["", false];
  return taken;
}

/** What the shared memory says of the request that was begun last, as this side left it. */
let begun = 0;

/**
 * Begins with a request, unless the supervisor took it back: then the shared memory has another number than was left
 * there, up to which all are taken back.
 * @param {number} n @returns {boolean}
 */
function begins(n) {
  if (n <= begun) return false;
  const seen = Atomics.compareExchange(start.progress, 3, begun, n);
  if (seen === begun) {
    begun = n;
    return true;
  }
  begun = seen;
  return begins(n);
}

/** One request from the supervisor. @param {any} message */
function serve(message) {
  const { n } = message;
  if (!begins(n)) return;
  announced = culprit = "";
  asked = performance.now();
  try {
    if (message.image) return replyWithImage(n);
    for (const file of message.files ?? []) emscripten.FS.writeFile(file.path, file.bytes);
    const text = ask({ ...message.request, n });
    for (const file of message.files ?? []) emscripten.FS.unlink(file.path);
    if (!canaryAlive()) return died(n, "the C stack overflowed");
    if (!text.startsWith(`{"n":${n},`)) {
      return died(n, "the reply does not carry the request's number");
    }
    reply({ n, text, bytes: memory.buffer.byteLength, output: takeOutput() });
  } catch (error) {
    died(n, String(error));
  }
}

/** @param {number} n @param {string} why */
function died(n, why) {
  start.port.onmessage = null;
  reply({ n, dead: why, announced: culprit || announced });
}

/** Calls zpm_call(+Request, -Reply) and returns the reply's text. @param {Record<string, unknown>} request */
function ask(request) {
  const frame = emscripten._PL_open_foreign_frame();
  try {
    enterKernelMode();
    const terms = emscripten._PL_new_term_refs(2);
    emscripten.prolog.toProlog(request, terms, { string: "string" });
    if (!emscripten._PL_call_predicate(0, PL_Q_NODEBUG_CATCH, entry, terms)) {
      throw new Error("zpm_call/2 failed or threw");
    }
    return textOf(terms + 1);
  } finally {
    emscripten._PL_discard_foreign_frame(frame);
  }
}

/** @type {{ flag: number, value: number, length: number, text: number } | undefined} */
let scratch;

function scratchPad() {
  if (scratch) return scratch;
  const value = emscripten._malloc(8);
  emscripten.setValue(value, emscripten.stringToNewUTF8("kernel"), "*");
  scratch = {
    flag: emscripten.stringToNewUTF8("zpm_mode"),
    value,
    length: emscripten._malloc(8),
    text: emscripten._malloc(8),
  };
  return scratch;
}

/**
 * Prolog leaves the kernel mode before it runs a user's goal and cannot come back by itself: the guards
 * refuse `set_prolog_flag/2` there. Only this call from outside, before each request, restores it.
 */
function enterKernelMode() {
  const { flag, value } = scratchPad();
  emscripten._PL_set_prolog_flag(flag, PL_ATOM, value);
}

/** @param {number} term */
function textOf(term) {
  const { length, text } = scratchPad();
  if (!emscripten._PL_get_nchars(term, length, text, CVT_STRING_UTF8)) {
    throw new Error("the reply is not text");
  }
  const at = emscripten.getValue(text, "*");
  return decoder.decode(new Uint8Array(memory.buffer, at, emscripten.getValue(length, "i32")));
}

/** The memory without its trailing zeros; the supervisor asks only engines that never ran a user's goal. */
/** @param {number} n */
function replyWithImage(n) {
  const text = ask({ op: "rest", n });
  if (!canaryAlive() || !text.startsWith(`{"n":${n},`)) {
    return died(n, "no image of a damaged engine");
  }
  const all = new Uint8Array(memory.buffer);
  let end = all.length;
  while (end > 0 && all[end - 1] === 0) end--;
  const bytes = new Uint8Array(new SharedArrayBuffer(end));
  bytes.set(all.subarray(0, end));
  reply({ n, image: { pages: all.length / 65536, bytes, gzip: false, size: end } });
}
