// Sources of scenes: built-in names, links, drafts and files.

import { scenes } from "tarsus.catalog";
import type { EmbeddedScene, Contents } from "./embedded";
import { fetchText } from "./composer";
import { digest, find, isOwn } from "./drafts";
import { decode, type Route, type Shared } from "./link";
import type { Files } from "./viewer";

/** A scene to open. */
export interface Source {
  /** URL fragment that opens the scene again. */
  fragment: string;
  title: string;
  /** Name of the built-in scene that it is or is based on. */
  builtin: string | null;
  /** The sources before the user edited them. */
  original: Files;
  /** The sources to show: the draft, if there is one. */
  files: Files;
  snapshot?: unknown;
  /** Initial values and channels. */
  contents?: Contents;
  paused?: boolean;
}

/** Source of a new scene. */
const NEW_SOURCE = `// A target goes round, and an arm of two bones reaches for it.

#import tarsus::frame
#import tarsus::ik
#import tarsus::sdf

fn main_image(frag_coord: vec2f) -> vec4f {
    // Narrow pictures show the whole arm, too.
    let zoom = frame::narrow_view_factor(1.2);
    let p = zoom * frame::centred(frag_coord);
    let t = frame::frame.time;
    let target_point = vec2f(0.9 * cos(t), 0.6 * sin(1.7 * t));
    let arm = ik::solve2_clamp(target_point, 0.6, 0.5, 1.0);
    let upper = sdf::capsule(vec3f(p, 0.0), vec3f(0.0), vec3f(arm.mid, 0.0), 0.06);
    let lower = sdf::capsule(vec3f(p, 0.0), vec3f(arm.mid, 0.0), vec3f(arm.end, 0.0), 0.04);
    let edge = smoothstep(0.0, zoom * frame::pixel_size(), min(upper, lower));
    return vec4f(mix(vec3f(0.95, 0.6, 0.2), vec3f(0.08, 0.09, 0.12), edge), 1.0);
}
`;
const NEW: Files = { main: "scene.wgsl", files: { "scene.wgsl": NEW_SOURCE } };

/**
 * Returns the scene for a URL, or null for the gallery. Throws a one-sentence error if there is no
 * such scene.
 */
export async function sourceOf(asked: Route, fragment: string): Promise<Source | null> {
  switch (asked.kind) {
    case "home":
    case "gallery":
      return null;
    case "new":
      return fromFiles("new", NEW, "untitled");
    case "draft":
      return own(fragment);
    case "scene":
      return builtin(asked.name, asked.name);
    case "shared":
      return shared(fragment, await decode(asked.data));
  }
}

/** Creates a scene from files. The title defaults to the name of the main file. */
function fromFiles(fragment: string, files: Files, title = titleOf(files)): Source {
  return drafted({ fragment, title, builtin: null, original: files, files });
}

/** Returns the title of a scene without its own: the name of its main file. */
export function titleOf({ main }: Files): string {
  return main.replace(/\.[a-z]+$/i, "").replaceAll("_", " ");
}

/** Returns a scene of the user. */
function own(fragment: string): Source {
  const draft = find(fragment);
  if (!draft) throw new Error("cannot open this scene: it is not stored in this browser");
  const source = fromFiles(fragment, draft.files, draft.title);
  return draft.snapshot === undefined ? source : { ...source, snapshot: draft.snapshot, paused: true };
}

/** Returns the scene embedded in the page. */
export async function fromEmbedded({ main, files, ...contents }: EmbeddedScene): Promise<Source> {
  const isBuiltin = Object.keys(files).length === 0;
  const source = isBuiltin ? await builtin("", main) : fromFiles("", { main, files });
  return { ...source, contents };
}

/** Returns a built-in scene as files to edit. */
export async function builtin(fragment: string, name: string): Promise<Source> {
  if (!scenes.some((scene) => scene.name === name)) throw new Error(`cannot open “${name}”: there is no such scene`);
  const file = `${name}.wgsl`;
  const files = { main: file, files: { [file]: await fetchText(`scenes/${file}`) } };
  return drafted({ fragment, title: name.replaceAll("_", " "), builtin: name, original: files, files });
}

/** Returns the name of the built-in scene with these sources, or null. */
export async function builtinOf(files: Files): Promise<string | null> {
  const name = files.main.replace(/\.wgsl$/, "");
  if (!scenes.some((scene) => scene.name === name)) return null;
  const isPlain = Object.keys(files.files).length === 0;
  return isPlain || isSame(files, (await builtin("", name)).original) ? name : null;
}

async function shared(fragment: string, value: Shared): Promise<Source> {
  const source = value.files ? fromFiles(fragment, value.files, value.title) : await builtin(fragment, value.scene ?? "");
  if (value.files && value.scene && scenes.some(({ name }) => name === value.scene)) source.builtin = value.scene;
  return { ...source, snapshot: value.moment, paused: value.paused ?? false };
}

function drafted(source: Source): Source {
  const draft = find(source.fragment);
  // Without a fragment, the scene is the one currently embedded in the page. Drafts of
  // other scenes or older sources do not apply to it.
  const isOfThis = source.fragment !== "" || draft?.began === digest(source.original);
  if (!draft || !isOfThis || isOwn(source.fragment)) return source;
  return { ...source, title: draft.title, files: draft.files };
}

/** Returns true for the sources of the page itself: a built-in scene by its name, or the new scene. */
export function isShipped(files: Files): boolean {
  return Object.keys(files.files).length === 0 || isSame(files, NEW);
}

/** Returns true if two scenes have the same sources. */
export function isSame(a: Files, b: Files): boolean {
  const names = Object.keys(a.files);
  return a.main === b.main && names.length === Object.keys(b.files).length && names.every((name) => a.files[name] === b.files[name]);
}
