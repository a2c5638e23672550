// What scripts/web.sh makes of src/web.rs; the build says where it is.
declare module "tarsus" {
  export default function init(options: { module_or_path: string | URL | Response | BufferSource }): Promise<unknown>;
}

declare module "tarsus.wasm" {
  /** The address of the module, from that of the script. */
  const url: string;
  export default url;
}
