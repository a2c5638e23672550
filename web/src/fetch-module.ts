// Loading of the site's WebAssembly modules, of which one draws with WebGPU and one with WebGL2.

import webgl2 from "tarsus-webgl2.wasm";
import webgpu from "tarsus-webgpu.wasm";
import type { Backend, Tarsus } from "./viewer";

/** The download in progress. */
let download: { address: string; answer: Promise<Response>; abort: AbortController } | null = null;

/** Starts the download of the module that probably draws with `backend`. */
export function expectModule(backend: Backend | "auto"): void {
  const isWebgpu = backend === "webgpu" || (backend === "auto" && "gpu" in navigator);
  const address = new URL(isWebgpu ? webgpu : webgl2, import.meta.url).href;
  if (download?.address === address) return;
  download?.abort.abort();
  const abort = new AbortController();
  const answer = fetch(address, { signal: abort.signal });
  answer.catch(() => undefined);
  download = { address, answer, abort };
}

/** Fetches and starts the module for a backend. It is compiled while it is downloaded. */
export async function fetchModule(backend: Backend): Promise<Tarsus> {
  expectModule(backend);
  try {
    const [answer, module] = await Promise.all([download?.answer, backend === "webgpu" ? import("tarsus-webgpu") : import("tarsus-webgl2")]);
    if (!answer?.ok) throw new Error(`cannot fetch the player: the server answered ${answer?.status}`);
    await module.default({ module_or_path: answer });
    return module;
  } catch (error) {
    download?.abort.abort();
    throw error;
  } finally {
    // A response body can be read only once: a retry needs a new response.
    download = null;
  }
}
