// Composes the built-in scenes with the studio that `scripts/web.sh` made:
//
//     node compose.mjs MODULE_FOLDER
//
// writes MODULE_FOLDER/scenes/NAME.json, which the player shows without the studio,
// NAME.wgsl with the text, and catalog.json, which names all scenes and lenses.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../target/wasm"));
const studio = await import(pathToFileURL(join(folder, "studio.js")));
studio.initSync({ module: readFileSync(join(folder, "studio_bg.wasm")) });
const output = join(folder, "scenes");
rmSync(output, { recursive: true, force: true });
mkdirSync(output);
const scenes = JSON.parse(studio.scenes());
for (const { name, text } of scenes) {
  const composed = studio.compose(JSON.stringify({ main: name }));
  const { ok, diagnostics } = JSON.parse(composed);
  if (!ok) throw new Error(`cannot compose ${name}: ${diagnostics[0]?.message}`);
  writeFileSync(join(output, `${name}.json`), composed);
  writeFileSync(join(output, `${name}.wgsl`), text);
}
const catalog = { scenes: scenes.map(({ name, title }) => ({ name, title })), lenses: JSON.parse(studio.lenses()) };
writeFileSync(join(folder, "catalog.json"), JSON.stringify(catalog));
