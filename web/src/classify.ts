// Classification of files that the user opens. Fetched when there are any.

import { isFiles } from "./link";
import type { Files } from "./viewer";

/** Kind and contents of opened files. */
export type Classified =
  | { kind: "scene"; files: Files; title?: string }
  | { kind: "modules"; files: Record<string, string> }
  | { kind: "picture"; bytes: Uint8Array; file: File }
  | { kind: "timeline"; text: string };

/** Main file of a scene whose files are passes: none of them. */
const PASSES = "passes";
const GLSL = /\.(glsl|frag|fs|fsh)$/i;
const WGSL = /\.wgsl$/i;

/** Maximum size of a file, in bytes. */
const LIMIT = 64 << 20;

/**
 * Reads and classifies files, those of `folder` if there is one. Throws a one-sentence error if
 * they are not supported.
 */
export async function classify(list: File[], folder?: string): Promise<Classified> {
  const large = list.find((file) => file.size > LIMIT);
  if (large) throw new Error(`cannot open ${large.name}: it is larger than ${LIMIT >> 20} MB`);
  const sources = list.filter(({ name }) => WGSL.test(name) || GLSL.test(name));
  const texts = Object.fromEntries(await Promise.all(sources.map(async (file) => [file.name, await file.text()] as const)));
  if (sources.length === 0) {
    const picture = list.find(({ type }) => type.startsWith("image/"));
    if (picture) return { kind: "picture", bytes: new Uint8Array(await picture.arrayBuffer()), file: picture };
    const exported = list.find(({ name }) => /\.json$/i.test(name));
    if (exported) return json(exported.name, await exported.text());
  }
  const names = Object.keys(texts);
  if (names.length === 0) {
    throw new Error(`cannot open ${list[0]?.name ?? "this"}: expected .wgsl, .glsl, Shadertoy's .json, a picture of tarsus or a recording`);
  }
  if (names.some((name) => /^image\.(glsl|frag)$/i.test(name))) return { kind: "scene", files: { main: PASSES, files: texts }, title: folder ?? "untitled" };
  const main = names.find((name) => /\bfn\s+main_image\b|\bvoid\s+mainImage\b|\bvec2\s+mainSound\b/.test(texts[name] ?? ""));
  if (main && folder) return { kind: "scene", files: { main, files: texts }, title: folder };
  return main ? { kind: "scene", files: { main, files: texts } } : { kind: "modules", files: texts };
}

function json(name: string, text: string): Classified {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`cannot open ${name}: it is not valid JSON`);
  }
  if (isFiles(value)) return { kind: "scene", files: value };
  if (typeof value === "object" && value !== null && ("events" in value || "keyframes" in value)) return { kind: "timeline", text };
  const passes = findPasses(value);
  if (!passes) throw new Error(`cannot open ${name}: expected Shadertoy's .json or a recording of tarsus`);
  const tabs = tabsOf(passes);
  const title = shadertoyTitle(value) || name.replace(/\.json$/i, "");
  // The compiler reports errors in other JSON.
  return { kind: "scene", files: tabs ? { main: PASSES, files: tabs } : { main: name, files: { [name]: text } }, title };
}

/** A pass in Shadertoy's JSON. */
type Pass = Partial<Record<"name" | "type" | "code" | "inputs", unknown>>;

/** Returns the passes of a Shadertoy shader in a value, or in a nested one down to `depth`. */
function findPasses(value: unknown, depth = 6): Pass[] | null {
  if (depth === 0 || typeof value !== "object" || value === null) return null;
  const { renderpass } = value as { renderpass?: unknown };
  if (Array.isArray(renderpass) && renderpass.length > 0) return renderpass as Pass[];
  for (const nested of Object.values(value)) {
    const found = findPasses(nested, depth - 1);
    if (found) return found;
  }
  return null;
}

/**
 * Returns the passes as a folder has them: a file each, and their inputs as JSON without code. Returns
 * null for passes of unknown types.
 */
function tabsOf(passes: Pass[]): Record<string, string> | null {
  const tabs: Record<string, string> = {};
  const order = ["image", "common", "buffer", "cubemap", "sound"];
  for (const pass of passes.toSorted((a, b) => order.indexOf(String(a.type)) - order.indexOf(String(b.type)))) {
    const tab = tabOf(pass, tabs);
    if (tab === null || tab in tabs) return null;
    tabs[tab] = String(pass.code ?? "");
  }
  const inputs = passes.map(({ code: _, ...rest }) => rest);
  const hasInputs = inputs.some(({ inputs }) => Array.isArray(inputs) && inputs.length > 0);
  if (hasInputs) tabs["inputs.json"] = `${JSON.stringify({ renderpass: inputs }, null, 2)}\n`;
  return "Image.glsl" in tabs ? tabs : null;
}

/** Returns the name of a pass's file. Buffers without a letter get the next free one. */
function tabOf({ name, type }: Pass, taken: Record<string, string>): string | null {
  const letters = ["A", "B", "C", "D"];
  const letter = /^buf.*([a-d])\s*$/i.exec(String(name))?.[1]?.toUpperCase() ?? letters.find((letter) => !(`Buffer ${letter}.glsl` in taken));
  switch (type) {
    case "image":
      return "Image.glsl";
    case "common":
      return "Common.glsl";
    case "buffer":
      return letter === undefined ? null : `Buffer ${letter}.glsl`;
    case "cubemap":
      return "Cube A.glsl";
    case "sound":
      return "Sound.glsl";
    default:
      return null;
  }
}

/** Returns the title in Shadertoy's JSON: that of the website's API, or a list of exported shaders. */
function shadertoyTitle(value: unknown): string | undefined {
  const shader = (Array.isArray(value) ? value[0] : (value as { Shader?: unknown } | null)?.Shader ?? value) as { info?: { name?: unknown } } | null;
  const title = shader?.info?.name;
  return typeof title === "string" ? title.trim() : undefined;
}
