// Parameter values and channel contents embedded in a page along with its scene, as
// written by `tarsus serve` and `tarsus export`.

import { pixels } from "./drop";
import { unpack } from "./link";
import type { Stage } from "./stage";
import type { Files, Values } from "./viewer";

/** Maximum side of a channel's picture, in pixels. */
export const MAX_TEXTURE_SIDE = 2048;

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

/** Applies initial values and channels to the viewer of a stage. */
export async function fill(stage: Stage, { values, pictures }: Contents): Promise<void> {
  const { viewer } = stage;
  if (!viewer) return;
  for (const [name, components] of Object.entries(values ?? {})) viewer.setValue(name, components);
  for (const [name, shown] of Object.entries(pictures ?? {})) {
    if (typeof shown === "string") {
      const { data, width, height } = await pixels(fileOf(shown), MAX_TEXTURE_SIDE);
      viewer.setChannel(name, data, width, height);
    } else {
      viewer.setTexels(name, await unpack(shown.data), shown.format, ...shown.size);
      if (shown.media) await (await stage.openMedia()).play(name, fileOf(shown.media));
    }
  }
}

/** Decodes the file in a data URL, without fetching anything. */
function fileOf(address: string): Blob {
  const [head = "", text = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).replace(";base64", "") });
}
