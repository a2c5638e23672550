// Builds the page from the module that `scripts/web.sh` made:
//
//     node build.mjs [MODULE_FOLDER] [OUTPUT_FOLDER]
//
// MODULE_FOLDER (target/wasm) holds tarsus.js and tarsus_bg.wasm; OUTPUT_FOLDER
// (target/web) gets the site, and player.html for scenes in a single file.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const here = import.meta.dirname;
const moduleFolder = resolve(process.argv[2] ?? join(here, "../target/wasm"));
const output = resolve(process.argv[3] ?? join(here, "../target/web"));
const glue = join(moduleFolder, "tarsus.js");
const wasm = join(moduleFolder, "tarsus_bg.wasm");

if (!existsSync(glue) || !existsSync(wasm)) {
  console.error(`build.mjs: cannot build the page: ${moduleFolder} has no tarsus.js and tarsus_bg.wasm`);
  console.error("hint: scripts/web.sh makes them and then the page");
  process.exit(1);
}

const read = (path) => readFileSync(join(here, path), "utf8");
const common = {
  bundle: true,
  minify: true,
  target: ["es2022"],
  alias: { tarsus: glue, "tarsus.wasm": wasm },
  // The module's own default address is never used: the page names it.
  logOverride: { "empty-import-meta": "silent" },
  legalComments: "none",
};

/** Writes each text once in place of `%NAME%`; the texts may hold anything. */
function fill(template, values) {
  return template.replace(/%([A-Z_]+)%/g, (whole, name) => (name in values ? values[name] : whole));
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** How the pictures hang; scenes that are not named here follow. */
const ORDER = ["tracks", "crane", "ik_diagram", "line_walker", "ik_field", "pond", "herd", "spider", "strider"];

/** The gallery's tiles, written here so that the page shows them without any script. */
async function tiles() {
  const module = await import(pathToFileURL(glue));
  module.initSync({ module: readFileSync(wasm) });
  return JSON.parse(module.scenes())
    .filter(({ name }) => name !== "creature")
    .sort((a, b) => place(a.name) - place(b.name))
    .map(({ name, title }) => {
      const words = escape(title);
      return `<li><a href="#${name}"><img src="stills/${name}.webp" alt="" width="1280" height="720" loading="lazy"><span><b>${name.replaceAll("_", " ")}</b> <span class="muted">${words}</span></span></a></li>`;
    })
    .join("\n");
}

function place(name) {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

async function site() {
  const built = await esbuild.build({
    ...common,
    entryPoints: [join(here, "src/main.ts"), join(here, "src/style/page.css")],
    outdir: join(output, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    format: "esm",
    splitting: true,
    loader: { ".wasm": "file" },
    metafile: true,
  });
  const outputs = Object.entries(built.metafile.outputs);
  const made = (source) => {
    const [path] = outputs.find(([, { entryPoint, inputs }]) => entryPoint?.endsWith(source) || (source.endsWith(".wasm") && Object.keys(inputs).some((input) => input.endsWith(source)) && !entryPoint));
    return `assets/${basename(path)}`;
  };
  const wasmAsset = outputs.map(([path]) => path).find((path) => path.endsWith(".wasm"));
  writeFileSync(
    join(output, "index.html"),
    fill(read("html/index.html"), {
      STYLE: made("page.css"),
      SCRIPT: made("main.ts"),
      WASM: `assets/${basename(wasmAsset)}`,
      TILES: await tiles(),
    }),
  );
  cpSync(join(here, "stills"), join(output, "stills"), { recursive: true });
  cpSync(join(here, "html/icon.svg"), join(output, "icon.svg"));
}

async function player() {
  const bundle = async (entry, more) => {
    const { outputFiles } = await esbuild.build({ ...common, ...more, entryPoints: [join(here, entry)], write: false });
    // An end tag in a text would end its element.
    return outputFiles[0].text.replaceAll("</script", "<\\/script");
  };
  const script = await bundle("src/player.ts", { format: "iife" });
  const style = await bundle("src/style/page.css", {});
  writeFileSync(
    join(output, "player.html"),
    fill(read("html/player.html"), {
      SCRIPT: script,
      SCRIPT_HASH: hash(script),
      STYLE: style,
      STYLE_HASH: hash(style),
      MODULE: gzipSync(readFileSync(wasm), { level: 9 }).toString("base64"),
    }),
  );
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
await site();
await player();
