// What a page carries of a scene besides its texts: values, and the pictures of its
// channels. `tarsus serve` and `tarsus export` write them there.

import { pixels } from "./drop";
import type { Files, Viewer } from "./viewer";

/** Longest side of a picture of a channel, in pixels. */
export const LARGEST_TEXTURE = 2048;

/** What a scene begins with. */
export interface Contents {
  /** Components of parameters by their names. */
  values?: Record<string, number[]>;
  /** Addresses that hold the pictures, by the names of their channels. */
  pictures?: Record<string, string> | null;
}

/** The scene of a page. */
export type Carried = Files & Contents;

/** Gives a viewer what its scene begins with. */
export async function fill(viewer: Viewer, { values, pictures }: Contents): Promise<void> {
  for (const [name, components] of Object.entries(values ?? {})) viewer.setValue(name, JSON.stringify(components));
  for (const [name, address] of Object.entries(pictures ?? {})) {
    const { data, width, height } = await pixels(pictureOf(address), LARGEST_TEXTURE);
    viewer.setChannel(name, data, width, height);
  }
}

/** The picture in an address that holds it: nothing is fetched. */
function pictureOf(address: string): Blob {
  const [head = "", text = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).replace(";base64", "") });
}
