/** Imports point down: what each folder of src may import. */
import { posix } from "node:path";
import { codeOnly, lineOf, type SourceFile } from "./tidy_code.ts";

/** From the ground up. Folders on one level do not know each other. */
export const LAYERS: string[][] = [
  ["base"],
  ["store", "engine"],
  ["memory"],
  ["authority", "forks"],
  ["tools"],
  ["operations", "verbs"],
  ["custody"],
  ["mcp", "http"],
  ["cli"],
  ["main.ts"],
];

/** Folders that are a part of another layer. */
const PART_OF: Record<string, string> = { prolog: "engine" };

const IMPORT =
  /(?:\bfrom|\bimport|\bimport\s*\(|\bnew URL\(|\bimport\.meta\.resolve\()\s*(["'])([^"']+)\1/g;

/** What is wrong with the imports of a file of src, or of main.ts. */
export function checkImports(file: SourceFile): string[] {
  const layer = layerOf(file.path);
  if (level(layer) < 0) {
    return [
      `${file.path}: no layer. Give '${layer}' its place in LAYERS, tests/support/tidy_layers.ts`,
    ];
  }
  const code = codeOnly(file.text, true);
  return [...code.matchAll(IMPORT)].flatMap((match) => {
    const problem = judge(file.path, layer, match[2]);
    return problem ? [`${file.path}:${lineOf(code, match.index)}: ${problem}`] : [];
  });
}

function judge(path: string, layer: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  // What is data or made by the build lies outside of the layers.
  if (target === "deno.json" || target.startsWith("dist/")) return undefined;
  if (!/^(src\/|main\.ts)/.test(target)) {
    return `imports ${specifier}: what ships lives in src. Move the code that is shared to src`;
  }
  const other = layerOf(target);
  if (other === layer || level(other) < level(layer)) return undefined;
  const how = level(other) === level(layer)
    ? `'${layer}' and '${other}' do not know each other. Let the layer above connect them`
    : `'${layer}' lies below '${other}'. Move the code down, or pass it in as an argument`;
  return `imports ${specifier}: ${how}`;
}

/** The layer a path belongs to: the folder in src, or main.ts. */
function layerOf(path: string): string {
  const [top, folder] = path.split("/");
  if (top !== "src") return top;
  return PART_OF[folder] ?? folder;
}

function level(layer: string): number {
  return LAYERS.findIndex((names) => names.includes(layer));
}
