// Composes the built-in scenes with the studio that `scripts/web.sh` made:
//
//     node compose.mjs MODULE_FOLDER
//
// writes MODULE_FOLDER/scenes/NAME.json, which the player shows without the studio.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../target/wasm"));
const studio = await import(pathToFileURL(join(folder, "studio.js")));
studio.initSync({ module: readFileSync(join(folder, "studio_bg.wasm")) });
const output = join(folder, "scenes");
rmSync(output, { recursive: true, force: true });
mkdirSync(output);
for (const { name } of JSON.parse(studio.scenes())) {
  const composed = studio.compose(JSON.stringify({ main: name }));
  const { ok, diagnostics } = JSON.parse(composed);
  if (!ok) throw new Error(`cannot compose ${name}: ${diagnostics[0]?.message}`);
  writeFileSync(join(output, `${name}.json`), composed);
}
