// Parameter values and channel contents embedded in a page along with its scene, as
// written by `tarsus serve` and `tarsus export`.

import { reason, toastError } from "./dom";
import { pixels } from "./drop";
import { unpack } from "./link";
import type { Stage } from "./stage";
import type { Files, Values } from "./viewer";

/** Maximum side of a channel's picture, in pixels. */
const MAX_TEXTURE_SIDE = 2048;

/** Texels decoded by the native program: gzipped bytes in base64. */
interface Texels {
  /** Data URL of the video or recording whose first texels these are. */
  media?: string;
  /** Width, height and layers. */
  size: [number, number, number];
  format: string;
  data: string;
}

/** Initial values and channels of a scene. */
export interface Contents {
  /** Parameter components, by name. */
  values?: Values;
  /** Channel contents, by name: data URLs of pictures, or texels. */
  pictures?: Record<string, string | Texels> | null;
}

/** The scene embedded in a page. */
export type EmbeddedScene = Files & Contents;

/**
 * Applies initial values and channels to the viewer of a stage. Shows an error for a channel that
 * cannot be filled, and fills the others.
 */
export async function fill(stage: Stage, { values, pictures }: Contents): Promise<void> {
  const { viewer } = stage;
  if (!viewer) return;
  for (const { name, components } of stage.loaded?.parameters ?? []) {
    const value = values?.[name];
    // An edited scene may have other parameters.
    if (value?.length === components) viewer.setValue(name, value);
  }
  // A file that the user puts in a channel meanwhile is the later request.
  const requests = Object.entries(pictures ?? {}).map(([name, shown]) => ({ name, shown, isWanted: stage.request(name) }));
  for (const { name, shown, isWanted } of requests) {
    if (isWanted()) await reporting(name, isWanted, fillChannel(stage, name, shown, isWanted));
  }
}

async function fillChannel(stage: Stage, name: string, shown: string | Texels, isWanted: () => boolean): Promise<void> {
  if (typeof shown === "string") return showPicture(stage, name, fileOf(shown), isWanted);
  const texels = await unpack(shown.data);
  if (!isWanted()) return;
  stage.viewer?.setTexels(name, texels, shown.format, ...shown.size);
  stage.media?.stop(name);
  stage.wake();
  if (!shown.media) return;
  const media = await stage.openMedia();
  await media.play(name, fileOf(shown.media), isWanted);
}

/** Shows a picture in a channel if it still `isWanted` once it is decoded. */
export async function showPicture(stage: Stage, name: string, file: Blob, isWanted: () => boolean): Promise<void> {
  const { data, width, height } = await pixels(file, MAX_TEXTURE_SIDE);
  if (!isWanted()) return;
  stage.viewer?.setChannel(name, data, width, height);
  stage.media?.stop(name);
  stage.wake();
}

/** Shows why a channel cannot be filled, if that is still wanted. */
export function reporting(name: string, isWanted: () => boolean, filled: Promise<void>): Promise<void> {
  return filled.catch((error: unknown) => {
    if (isWanted()) toastError(`cannot fill channel \`${name}\`: ${reason(error)}`);
  });
}

/** Decodes the file in a data URL, without fetching anything. */
function fileOf(address: string): Blob {
  const [head = "", text = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).replace(";base64", "") });
}
