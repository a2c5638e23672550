// Loading of the WebAssembly module from bytes in memory, in pages that contain it.

import init, * as functions from "tarsus";
import type { Tarsus } from "./viewer";

const module = functions as unknown as Omit<Tarsus, "default">;

/** Starts the module from bytes in memory. */
export async function startFrom(bytes: Uint8Array<ArrayBuffer>): Promise<Tarsus> {
  await init({ module_or_path: bytes });
  return { ...module, default: init };
}
