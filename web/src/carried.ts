// What a page carries of a scene besides its texts: values, and what its channels show.
// `tarsus serve` and `tarsus export` write them there.

import { pixels } from "./drop";
import { unpack } from "./link";
import type { Files, Viewer } from "./viewer";

/** Longest side of a picture of a channel, in pixels. */
export const LARGEST_TEXTURE = 2048;

/** What the program has decoded for a channel: bytes, gzipped and in base64. */
interface Texels {
  /** Width, height and layers. */
  size: [number, number, number];
  format: string;
  data: string;
}

/** What a scene begins with. */
export interface Contents {
  /** Components of parameters by their names. */
  values?: Record<string, number[]>;
  /** What channels show, by their names: addresses that hold pictures, or texels. */
  pictures?: Record<string, string | Texels> | null;
}

/** The scene of a page. */
export type Carried = Files & Contents;

/** Gives a viewer what its scene begins with. */
export async function fill(viewer: Viewer, { values, pictures }: Contents): Promise<void> {
  for (const [name, components] of Object.entries(values ?? {})) viewer.setValue(name, JSON.stringify(components));
  for (const [name, shown] of Object.entries(pictures ?? {})) {
    if (typeof shown === "string") {
      const { data, width, height } = await pixels(pictureOf(shown), LARGEST_TEXTURE);
      viewer.setChannel(name, data, width, height);
    } else {
      viewer.setTexels(name, await unpack(shown.data), shown.format, ...shown.size);
    }
  }
}

/** The picture in an address that holds it: nothing is fetched. */
function pictureOf(address: string): Blob {
  const [head = "", text = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).replace(";base64", "") });
}
