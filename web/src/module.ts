// Fetches and starts the WebAssembly module, once, and tells how far it is.

import init, * as functions from "tarsus";
import type { Tarsus } from "./viewer";

const module = functions as unknown as Omit<Tarsus, "default">;

/** Starts the module from bytes that are there already. */
export async function startFrom(bytes: Uint8Array<ArrayBuffer>): Promise<Tarsus> {
  await init({ module_or_path: bytes });
  return { ...module, default: init };
}

/** Fetches the module; `progress` gets the bytes that arrived and their number, where it is known. */
export async function fetchModule(url: string, progress: (bytes: number) => void): Promise<Tarsus> {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body) throw new Error(`cannot fetch the player: the server answered ${answer.status}`);
  let bytes = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        progress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  // Compiles while it arrives, which wants the right type.
  const response = new Response(counted, { headers: { "Content-Type": "application/wasm" } });
  await init({ module_or_path: response });
  return { ...module, default: init };
}
