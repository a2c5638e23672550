// Modules that scripts/web.sh generates from crates/web/src/lib.rs; the build resolves their paths.
declare module "tarsus" {
  export default function init(options: { module_or_path: Response | BufferSource }): Promise<unknown>;
  export const snapshotOf: import("./viewer").Tarsus["snapshotOf"];
  export const Viewer: import("./viewer").Tarsus["Viewer"];
}

/** The same for one backend. */
declare module "tarsus-webgl2" {
  export * from "tarsus";
  export { default } from "tarsus";
}

declare module "tarsus-webgpu" {
  export * from "tarsus";
  export { default } from "tarsus";
}

declare module "tarsus-studio" {
  export default function init(options: { module_or_path: string }): Promise<unknown>;
  export function library(): string;
  export function compose(files: string, debugView?: string): string;
  export function toShadertoy(files: string, values: string): string;
}

/** The built-in scenes and the debug views. */
declare module "tarsus.catalog" {
  export const scenes: { name: string; title: string }[];
  export const debugViews: string[];
}

declare module "tarsus-webgl2.wasm" {
  /** URL of the module, relative to the script. */
  const url: string;
  export default url;
}

declare module "tarsus-webgpu.wasm" {
  const url: string;
  export default url;
}

declare module "tarsus-studio.wasm" {
  const url: string;
  export default url;
}

declare module "tarsus-studio.worker" {
  const url: string;
  export default url;
}
