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
 * Applies initial values and channels to the viewer of a stage, unless another scene is opened
 * meanwhile. Shows an error for a channel that cannot be filled, and fills the others.
 */
export async function fill(stage: Stage, { values, pictures }: Contents): Promise<void> {
  const { viewer, opening } = stage;
  if (!viewer) return;
  for (const { name, components } of stage.loaded?.parameters ?? []) {
    const value = values?.[name];
    // An edited scene may have other parameters.
    if (value?.length === components) viewer.setValue(name, value);
  }
  for (const [name, shown] of Object.entries(pictures ?? {})) {
    try {
      await fillChannel(stage, name, shown);
    } catch (error) {
      if (stage.opening === opening) reportChannel(name, error);
    }
    if (stage.opening !== opening) return;
    stage.wake();
  }
}

async function fillChannel(stage: Stage, name: string, shown: string | Texels): Promise<void> {
  if (typeof shown === "string") return showPicture(stage, name, fileOf(shown));
  const { opening } = stage;
  const texels = await unpack(shown.data);
  if (stage.opening !== opening) return;
  stage.viewer?.setTexels(name, texels, shown.format, ...shown.size);
  stage.media?.stop(name);
  if (!shown.media) return;
  const media = await stage.openMedia();
  if (stage.opening === opening) await media.play(name, fileOf(shown.media));
}

/** Shows a picture in a channel, unless another scene is opened meanwhile. */
export async function showPicture(stage: Stage, name: string, file: Blob): Promise<void> {
  const { opening } = stage;
  const { data, width, height } = await pixels(file, MAX_TEXTURE_SIDE);
  if (stage.opening !== opening) return;
  stage.viewer?.setChannel(name, data, width, height);
  stage.media?.stop(name);
}

/** Shows why a channel cannot be filled. */
export function reportChannel(name: string, error: unknown): void {
  toastError(`cannot fill channel \`${name}\`: ${reason(error)}`);
}

/** Decodes the file in a data URL, without fetching anything. */
function fileOf(address: string): Blob {
  const [head = "", text = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).replace(";base64", "") });
}
