// Names of source files.

import type { Files } from "./viewer";

/** Converts typed text to a file name that imports can refer to. The extension defaults to `.wgsl`. */
export function fileName(typed: string): string {
  const [, stem = typed, extension = ".wgsl"] = /^(.*?)(\.\w+)?$/.exec(typed.trim()) ?? [];
  // Shadertoy's passes have a space in their names.
  if (/^buffer [a-d]$/i.test(stem)) return `${stem}${extension}`;
  const path = stem.replaceAll(/\W+/g, "_");
  return `${/^\d/.test(path) ? "_" : ""}${path}${extension}`;
}

/** Returns the initial text of a file: the declaration of a module. */
export function asModule(name: string): string {
  return name.endsWith(".wgsl") ? `#define_import_path ${name.slice(0, -5)}\n\n` : "";
}

/** Renames a file. */
export function withRenamed({ main, files }: Files, from: string, to: string): Files {
  const renamed = Object.entries(files).map(([name, text]) => [name === from ? to : name, text]);
  return { main: main === from ? to : main, files: Object.fromEntries(renamed) as Record<string, string> };
}

/** Returns the name of a main file that was replaced by a shader in the other language, if it was. */
export function inItsLanguage({ main, files }: Files): string | null {
  const text = (files[main] ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const isGlsl = /\bvoid\s+mainImage\s*\(/.test(text);
  const isWgsl = /\bfn\s+main_image\s*\(/.test(text);
  if (isGlsl === isWgsl) return null;
  const name = main.replace(/\.\w+$/, isGlsl ? ".glsl" : ".wgsl");
  const isFitting = isGlsl ? !main.endsWith(".wgsl") : !/\.(glsl|frag|fs|fsh)$/i.test(main);
  return isFitting || name in files ? null : name;
}
