// Loading of the WebAssembly module from bytes in memory, in pages that contain it.

import init, * as module from "tarsus";
import type { Tarsus } from "./viewer";

/** Starts the module from bytes in memory. */
export async function startFrom(bytes: Uint8Array<ArrayBuffer>): Promise<Tarsus> {
  await init({ module_or_path: bytes });
  return module;
}
