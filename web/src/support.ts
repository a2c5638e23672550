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

/** True if the user asked for less motion. */
export function wantsStillness(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
