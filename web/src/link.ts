// Links that contain an entire scene in their fragment: JSON, deflated, in base64url. The
// fragment is never sent to a server.

import type { Files } from "./viewer";

/** Contents of a link. */
export interface Shared {
  /** Name of a built-in scene whose sources are unchanged. */
  scene?: string;
  /** Title of the scene, unless its main file has the same name. */
  title?: string;
  /** The scene's sources, unless they are those of a built-in scene. */
  files?: Files;
  /** Snapshot with time, input, values and debug view, as in pictures by tarsus. */
  moment?: unknown;
  /** True if the scene was paused. */
  paused?: boolean;
}

/** Destination of a URL. */
export type Route =
  | { kind: "home" }
  | { kind: "gallery" }
  | { kind: "scene"; name: string }
  | { kind: "new" }
  | { kind: "draft" }
  | { kind: "shared"; data: string };

/** Maximum size of a decompressed link, in bytes. */
const LIMIT = 4 << 20;

/** Parses the fragment of a URL. */
export function route(hash: string): Route {
  const text = hash.replace(/^#/, "");
  if (text.startsWith("s=")) return { kind: "shared", data: text.slice(2) };
  if (text.startsWith("d=")) return { kind: "draft" };
  if (text === "") return { kind: "home" };
  if (text === "gallery" || text === "new") return { kind: text };
  // Built-in scenes have lowercase names.
  return { kind: "scene", name: text.toLowerCase() };
}

/** Returns the fragment, without `#`, that opens this scene. */
export async function encode(shared: Shared): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"), Infinity);
  return `s=${toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Decodes a fragment created by `encode`. Throws a one-sentence error for any other input. */
export async function decode(data: string): Promise<Shared> {
  let value: unknown;
  try {
    const bytes = fromBase64(data.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), LIMIT));
    value = JSON.parse(text);
  } catch {
    throw new Error("cannot open this link: it is incomplete or damaged");
  }
  return checked(value);
}

/** Keeps only well-formed fields of untrusted JSON. */
function checked(value: unknown): Shared {
  const wrong = new Error("cannot open this link: it contains no scene");
  if (typeof value !== "object" || value === null) throw wrong;
  const { scene, title, files, moment, paused } = value as Record<string, unknown>;
  const shared: Shared = { moment, paused: paused === true };
  if (typeof scene === "string") shared.scene = scene;
  if (typeof title === "string") shared.title = title;
  if (isFiles(files)) shared.files = files;
  if (!shared.scene && !shared.files) throw wrong;
  return shared;
}

/** Returns true if a value has the shape of a scene's sources. */
export function isFiles(value: unknown): value is Files {
  if (typeof value !== "object" || value === null) return false;
  const { main, files } = value as Record<string, unknown>;
  if (typeof main !== "string" || typeof files !== "object" || files === null) return false;
  return Object.values(files).every((text) => typeof text === "string");
}

/** Pipes bytes through a transformation. Throws if the result exceeds `limit` bytes. */
export async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader();
  const parts: BlobPart[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > limit) throw new Error("too long");
    parts.push(value);
  }
}

/** Decompresses gzip in base64, the form in which the single-file player embeds its module. */
export async function unpack(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  return through(fromBase64(base64), new DecompressionStream("gzip"), Infinity);
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
