// Composes the built-in scenes with the studio that `scripts/web.sh` made:
//
//     node compose.mjs MODULE_FOLDER
//
// writes MODULE_FOLDER/scenes/NAME.json, which the player shows without the studio,
// NAME.wgsl with the text, catalog.json, which names all scenes and debug views, and figures.json
// with the figures of the article in docs/ik.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../target/wasm"));
const studio = await import(pathToFileURL(join(folder, "studio.js")));
studio.initSync({ module: readFileSync(join(folder, "studio_bg.wasm")) });
const output = join(folder, "scenes");
rmSync(output, { recursive: true, force: true });
mkdirSync(output);
const scenes = JSON.parse(studio.scenes());

/** Composes a scene for the player. */
function compose(main, files) {
  const composed = studio.compose(JSON.stringify({ main, files }));
  const { ok, diagnostics } = JSON.parse(composed);
  if (!ok) throw new Error(`cannot compose ${main}: ${diagnostics[0]?.message}`);
  return composed;
}

for (const { name, text } of scenes) {
  const composed = compose(name);
  writeFileSync(join(output, `${name}.json`), composed);
  writeFileSync(join(output, `${name}.wgsl`), text);
}
/** True if a composed scene, which contains only what it uses, reads the pointer. */
function readsPointer(name) {
  return /\.(mouse|pointer|press_age|release_age)\b/.test(readFileSync(join(output, `${name}.json`), "utf8"));
}
const catalog = { scenes: scenes.map(({ name, title }) => ({ name, title, readsPointer: readsPointer(name) })), debugViews: JSON.parse(studio.debugViews()) };
writeFileSync(join(folder, "catalog.json"), JSON.stringify(catalog));

const article = join(import.meta.dirname, "../docs/ik");
// The other figures in the folder belong to docs/ik.md.
const isUsed = new RegExp(`^(figure|${[...readFileSync(join(article, "article.html"), "utf8").matchAll(/^%FIGURE (\w+)/gm)].map(([, name]) => name).join("|")})\\.wgsl$`);
const names = readdirSync(article).filter((name) => isUsed.test(name));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(article, name), "utf8")]));
const figures = Object.fromEntries(
  names.filter((name) => name !== "figure.wgsl").map((name) => [name.replace(".wgsl", ""), { composed: JSON.parse(compose(name, files)), values: {} }]),
);
figures.ik_field = {
  composed: JSON.parse(compose("ik_field")),
  values: { show: [1], r1: [0.75], r2: [0.7499], zoom: [3.75] },
};
figures.simple_ik = { composed: JSON.parse(compose("simple_ik")), values: {} };
writeFileSync(join(folder, "figures.json"), JSON.stringify(figures));
