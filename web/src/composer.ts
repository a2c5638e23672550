// How a page gets composed scenes: the built-in ones are files of the site, all others
// are composed here.

import type { Composed, Studio } from "./studio";
import type { Files } from "./viewer";

export type Compose = (files: Files, lens: string | undefined) => Promise<Composed>;

/** Fetches built-in scenes from `folder`, and asks `studio` for the others. */
export function composer(studio: Studio, folder: string): Compose {
  return async (files, lens) => {
    const isPlain = Object.keys(files.files).length === 0 && !lens;
    if (!isPlain) return studio.compose(files, lens);
    return { ok: true, diagnostics: [], text: await fetchText(`${folder}/${files.main}.json`) };
  };
}

/** Texts of the site that were asked for. */
const texts = new Map<string, Promise<string>>();

/** Fetches a text of the site, once. */
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

/** Begins to fetch what showing a built-in scene needs; its failure is told when it is asked for. */
export function expect(folder: string, scene: string): void {
  for (const ending of ["json", "wgsl"]) void fetchText(`${folder}/${scene}.${ending}`).catch(() => undefined);
}
