// Where a scene comes from: a built-in name, a link, a draft, files.

import { scenes } from "tarsus.catalog";
import type { Carried, Contents } from "./carried";
import { fetchText } from "./composer";
import { digest, find } from "./drafts";
import { decode, type Route, type Shared } from "./link";
import type { Files } from "./viewer";

/** A scene to open. */
export interface Source {
  /** The fragment that opens it again. */
  fragment: string;
  title: string;
  /** The built-in scene it is, or began as. */
  builtin: string | null;
  /** The texts as they were before the user edited them. */
  original: Files;
  /** The texts to show: the draft, if there is one. */
  files: Files;
  moment?: unknown;
  /** What it begins with. */
  contents?: Contents;
  paused?: boolean;
}

/** What a new scene begins with. */
const NEW = `// A target goes round, and an arm of two bones reaches for it.

#import tarsus::frame
#import tarsus::ik
#import tarsus::sdf

fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frame::centred(frag_coord);
    let t = frame::frame.time;
    let target_point = vec2f(0.9 * cos(t), 0.6 * sin(1.7 * t));
    let arm = ik::solve2_clamp(target_point, 0.6, 0.5, 1.0);
    let upper = sdf::capsule(vec3f(p, 0.0), vec3f(0.0), vec3f(arm.mid, 0.0), 0.06);
    let lower = sdf::capsule(vec3f(p, 0.0), vec3f(arm.mid, 0.0), vec3f(arm.end, 0.0), 0.04);
    let edge = smoothstep(0.0, frame::pixel_size(), min(upper, lower));
    return vec4f(mix(vec3f(0.95, 0.6, 0.2), vec3f(0.08, 0.09, 0.12), edge), 1.0);
}
`;

/** What an address opens; null for the gallery. Fails with one sentence where there is no such scene. */
export async function sourceOf(asked: Route): Promise<Source | null> {
  switch (asked.kind) {
    case "gallery":
      return null;
    case "new":
      return fromFiles("new", { main: "scene.wgsl", files: { "scene.wgsl": NEW } });
    case "scene":
      return builtin(asked.name, asked.name);
    case "shared":
      return shared(`s=${asked.data}`, await decode(asked.data));
  }
}

/** A scene of these files. */
export function fromFiles(fragment: string, files: Files): Source {
  const title = files.main.replace(/\.[a-z]+$/i, "").replaceAll("_", " ");
  return drafted({ fragment, title, builtin: null, original: files, files });
}

/** The scene that the page itself carries. */
export async function carried({ main, files, ...contents }: Carried): Promise<Source> {
  const isBuiltin = Object.keys(files).length === 0;
  const source = isBuiltin ? await builtin("", main) : fromFiles("", { main, files });
  return { ...source, contents };
}

/** The texts of a built-in scene, as files to edit. */
export async function builtin(fragment: string, name: string): Promise<Source> {
  if (!scenes.some((scene) => scene.name === name)) throw new Error(`cannot open \`${name}\`: there is no such scene; there are ${scenes.map(({ name }) => name).join(", ")}`);
  const file = `${name}.wgsl`;
  const files = { main: file, files: { [file]: await fetchText(`scenes/${file}`) } };
  return drafted({ fragment, title: name.replaceAll("_", " "), builtin: name, original: files, files });
}

async function shared(fragment: string, value: Shared): Promise<Source> {
  const source = value.files ? fromFiles(fragment, value.files) : await builtin(fragment, value.scene ?? "");
  if (value.files && value.scene && scenes.some(({ name }) => name === value.scene)) source.builtin = value.scene;
  return { ...source, moment: value.moment, paused: value.paused ?? false };
}

function drafted(source: Source): Source {
  const draft = find(source.fragment);
  // Without a fragment it is whatever the page carries now: a draft of something else, or of
  // an older text, is none of it.
  const isOfThis = source.fragment !== "" || draft?.began === digest(source.original);
  return draft && isOfThis ? { ...source, files: draft.files } : source;
}

/** True if two scenes have the same texts. */
export function isSame(a: Files, b: Files): boolean {
  const names = Object.keys(a.files);
  return a.main === b.main && names.length === Object.keys(b.files).length && names.every((name) => a.files[name] === b.files[name]);
}
