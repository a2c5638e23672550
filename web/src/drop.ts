// Files dropped on the page or selected in a file dialog.

import { isFiles } from "./link";
import type { Files } from "./viewer";

/** Classification of dropped files. */
export type Dropped =
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
 * Reads and classifies dropped files, those of `folder` if there is one. Throws a one-sentence error if
 * they are not supported.
 */
export async function understand(list: File[], folder?: string): Promise<Dropped> {
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
  const main = names.find((name) => /\bfn\s+main_image\b|\bvoid\s+mainImage\b/.test(texts[name] ?? ""));
  if (main && folder) return { kind: "scene", files: { main, files: texts }, title: folder };
  return main ? { kind: "scene", files: { main, files: texts } } : { kind: "modules", files: texts };
}

function json(name: string, text: string): Dropped {
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

/** Returns the files of a drop event. */
export function filesOf(event: DragEvent): File[] {
  return [...(event.dataTransfer?.files ?? [])];
}

/**
 * Returns the files of a drop event and those in its folders, without deeper ones, and the name of the
 * first folder.
 */
export async function filesAndFoldersOf(event: DragEvent): Promise<{ files: File[]; folder?: string }> {
  // The event is empty after the first pause.
  const files = filesOf(event);
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.());
  const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[];
  if (!folders[0]) return { files };
  const inFolders = await Promise.all(folders.map(filesIn));
  const outside = files.filter(({ name }) => !folders.some((folder) => folder.name === name));
  return { files: [...outside, ...inFolders.flat()], folder: folders[0].name };
}

/** Lists the files in a folder. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    // A browser returns a part of a large folder at a time.
    const entries = await new Promise<FileSystemEntry[]>((read, fail) => reader.readEntries(read, fail));
    if (entries.length === 0) return files;
    const found = entries.filter((entry) => entry.isFile) as FileSystemFileEntry[];
    files.push(...(await Promise.all(found.map((entry) => new Promise<File>((read, fail) => entry.file(read, fail))))));
  }
}

/** Decodes a picture to RGBA, top row first, scaled down to at most `side` pixels per side. */
export async function pixels(file: Blob, side: number): Promise<{ data: Uint8Array; width: number; height: number }> {
  const whole = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const scale = Math.min(1, side / Math.max(whole.width, whole.height));
  const width = Math.max(1, Math.round(whole.width * scale));
  const height = Math.max(1, Math.round(whole.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error(`cannot read ${file instanceof File ? file.name : "the picture"}: this browser provides no 2D canvas`);
  context.drawImage(whole, 0, 0, width, height);
  whole.close();
  return { data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer), width, height };
}
