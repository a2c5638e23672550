// Files dropped on the page or selected in a file dialog.

import { isFiles } from "./link";
import type { Files } from "./viewer";

/** Classification of dropped files. */
export type Dropped =
  | { kind: "scene"; files: Files; title?: string }
  | { kind: "modules"; files: Record<string, string> }
  | { kind: "picture"; bytes: Uint8Array; file: File }
  | { kind: "timeline"; text: string };

const GLSL = /\.(glsl|frag|fs|fsh)$/i;
const WGSL = /\.wgsl$/i;

/** Maximum size of a file, in bytes. */
const LIMIT = 64 << 20;

/** Reads and classifies dropped files. Throws a one-sentence error if they are not supported. */
export async function understand(list: File[]): Promise<Dropped> {
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
  const image = names.find((name) => /^image\.(glsl|frag)$/i.test(name));
  if (image) return { kind: "scene", files: { main: image, files: texts } };
  const main = names.find((name) => /\bfn\s+main_image\b|\bvoid\s+mainImage\b/.test(texts[name] ?? ""));
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
  if (!hasPasses(value)) throw new Error(`cannot open ${name}: expected Shadertoy's .json or a recording of tarsus`);
  const files = { main: name, files: { [name]: text } };
  const title = shadertoyTitle(value);
  return title ? { kind: "scene", files, title } : { kind: "scene", files };
}

/** Returns true if the value, or a nested one down to `depth`, has the passes of a Shadertoy shader. */
function hasPasses(value: unknown, depth = 6): boolean {
  if (depth === 0 || typeof value !== "object" || value === null) return false;
  const { renderpass } = value as { renderpass?: unknown };
  return (Array.isArray(renderpass) && renderpass.length > 0) || Object.values(value).some((nested) => hasPasses(nested, depth - 1));
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

/** Returns the files of a drop event and those in its folders, without deeper ones. */
export async function filesAndFoldersOf(event: DragEvent): Promise<File[]> {
  // The event is empty after the first pause.
  const files = filesOf(event);
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.());
  const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[];
  if (folders.length === 0) return files;
  const inFolders = await Promise.all(folders.map(filesIn));
  return [...files.filter(({ name }) => !folders.some((folder) => folder.name === name)), ...inFolders.flat()];
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
