// Whether this browser can draw at all, asked without loading anything.

/** One plain sentence where nothing can be drawn here, else null. */
export function whyNot(): string | null {
  if (typeof WebAssembly === "undefined") {
    return "This browser is too old to run the scenes: they need WebAssembly.";
  }
  if (!("gpu" in navigator) && !hasWebGl2()) {
    return "The scenes need WebGL2 or WebGPU, and this browser has neither, or has them switched off.";
  }
  return null;
}

function hasWebGl2(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  // A page may have few contexts: this one is given back.
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
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
