// Loading of the WebAssembly module.

import init, * as functions from "tarsus";
import type { Tarsus } from "./viewer";

const module = functions as unknown as Omit<Tarsus, "default">;

/** Starts the module from bytes in memory. */
export async function startFrom(bytes: Uint8Array<ArrayBuffer>): Promise<Tarsus> {
  await init({ module_or_path: bytes });
  return { ...module, default: init };
}

/** Fetches and starts the module. It is compiled while it is downloaded. */
export async function fetchModule(url: string): Promise<Tarsus> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot fetch the player: the server answered ${answer.status}`);
  await init({ module_or_path: answer });
  return { ...module, default: init };
}
