// Access to composed scenes. Built-in scenes are files of the site; all others are
// composed in the page.

import type { Composed, Studio } from "./studio";
import type { Files } from "./viewer";

export type Compose = (files: Files, debugView: string | undefined) => Promise<Composed>;

/**
 * Returns a function that fetches built-in scenes from `folder` and composes others with `studio`.
 */
export function composer(studio: Studio, folder: string): Compose {
  return async (files, debugView) => {
    const isPlain = Object.keys(files.files).length === 0 && !debugView;
    if (!isPlain) return studio.compose(files, debugView);
    return { ok: true, diagnostics: [], text: await fetchText(`${folder}/${files.main}.json`) };
  };
}

/** Files of the site that were requested. */
const texts = new Map<string, Promise<string>>();

/** Fetches a text file of the site, once. */
export function fetchText(url: string): Promise<string> {
  let text = texts.get(url);
  if (!text) {
    text = fetched(url);
    texts.set(url, text);
    text.catch(() => texts.delete(url));
  }
  return text;
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot fetch ${url}: the server answered ${answer.status}`);
  return answer.text();
}

/** Prefetches the files of a built-in scene. Errors are reported when the files are used. */
export function expect(folder: string, scene: string): void {
  for (const ending of ["json", "wgsl"]) void fetchText(`${folder}/${scene}.${ending}`).catch(() => undefined);
}
