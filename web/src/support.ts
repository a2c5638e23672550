// Whether this browser can draw at all, and with what, asked without loading anything.

import type { Backend } from "./viewer";

/** One plain sentence where no scene can run here, else null. */
export function whyNot(): string | null {
  return typeof WebAssembly === "undefined" ? "This browser is too old to run the scenes: they need WebAssembly." : null;
}

/**
 * The back end to draw with: WebGPU where the browser has an adapter for it. The viewer
 * finds it there already: a browser begins with graphics while the module arrives. Fails
 * with one sentence where there is neither.
 */
export async function prepare(wanted: Backend, canvas: HTMLCanvasElement): Promise<Backend> {
  const adapter = wanted === "webgl2" ? null : await navigator.gpu?.requestAdapter().catch(() => null);
  if (adapter) return "webgpu";
  if (wanted === "webgpu") throw new Error("The scenes were asked to draw with WebGPU, and this browser has none, or has it switched off.");
  // As the viewer asks for it.
  if (!canvas.getContext("webgl2", { antialias: false })) {
    throw new Error("The scenes need WebGL2 or WebGPU, and this browser has neither, or has them switched off.");
  }
  return "webgl2";
}

/** Names of adapters that are the processor in disguise. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/** True if what draws there is no graphics card, as far as the browser tells. */
export async function isSoftware(backend: string): Promise<boolean> {
  if (SOFTWARE.test(backend)) return true;
  if (!backend.startsWith("WebGPU")) return false;
  const info = (await navigator.gpu.requestAdapter())?.info;
  return !info || info.isFallbackAdapter || SOFTWARE.test(`${info.architecture} ${info.description}`);
}

/** The back end and the card's own name: ANGLE wraps it in those of its layers. */
export function shortName(backend: string): string {
  return backend.replace(/ANGLE \([^,]+, (?:Vulkan [\d.]+ \()?(.+?)(?: \(0x.*| Direct3D.*| OpenGL.*|, .*)?\)$/, "$1").replace(/ Device \(\w+\)$/, "");
}

/** True if the user asked for less motion. */
export function wantsStillness(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
