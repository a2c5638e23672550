// Detection of the browser's graphics support, without loading anything.

import type { Backend } from "./viewer";

/** Returns the reason why no scene can run in this browser, or null. */
export function unsupportedReason(): string | null {
  return typeof WebAssembly === "undefined" ? "This browser is too old to run the scenes: they need WebAssembly." : null;
}

/**
 * Selects a backend: WebGPU if the browser has an adapter for it, otherwise WebGL2. Calling this
 * early makes the browser initialise graphics while the module is downloaded. Throws a one-sentence
 * error if neither is available.
 */
export async function prepare(wanted: Backend | "auto", canvas: HTMLCanvasElement): Promise<Backend> {
  const adapter = wanted === "webgl2" ? null : await navigator.gpu?.requestAdapter().catch(() => null);
  if (adapter) return "webgpu";
  if (wanted === "webgpu") throw new Error("WebGPU is not available in this browser, or is disabled.");
  // Otherwise the browser never restores a lost context.
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  // With the same attributes as the viewer requests.
  if (!canvas.getContext("webgl2", { antialias: false })) {
    throw new Error("This browser offers neither WebGPU nor WebGL2.");
  }
  return "webgl2";
}

/** Returns the backend and the name of the GPU, without the layers that ANGLE adds to the name. */
export function shortName(backend: string): string {
  return backend.replace(/ANGLE \([^,]+, (?:Vulkan [\d.]+ \()?(.+?)(?: \(0x.*| Direct3D.*| OpenGL.*|, .*)?\)$/, "$1").replace(/ Device \(\w+\)$/, "");
}

/** Returns true if the user prefers reduced motion. */
export function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
