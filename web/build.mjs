// Builds the page from the module that `scripts/web.sh` made:
//
//     node build.mjs [MODULE_FOLDER] [OUTPUT_FOLDER]
//
// MODULE_FOLDER (target/wasm) holds player.js, player_webgl2.js, player_webgpu.js and studio.js with
// their modules, and the composed scenes; OUTPUT_FOLDER
// (target/web) gets the site, player.html for scenes in a single file, and ik/index.html, the
// article. In a GitHub workflow, the gallery links to the repository and its docs.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const here = import.meta.dirname;
const moduleFolder = resolve(process.argv[2] ?? join(here, "../target/wasm"));
const output = resolve(process.argv[3] ?? join(here, "../target/web"));
const made = (name) => join(moduleFolder, name);
const wasm = made("player_bg.wasm");

if (!existsSync(wasm) || !existsSync(made("catalog.json"))) {
  console.error(`build.mjs: cannot build the page: ${moduleFolder} has no player_bg.wasm and catalog.json`);
  console.error("hint: scripts/web.sh makes them and then the page");
  process.exit(1);
}

const read = (path) => readFileSync(join(here, path), "utf8");
const common = {
  bundle: true,
  minify: true,
  target: ["es2022"],
  alias: {
    tarsus: made("player.js"),
    "tarsus-webgl2": made("player_webgl2.js"),
    "tarsus-webgl2.wasm": made("player_webgl2_bg.wasm"),
    "tarsus-webgpu": made("player_webgpu.js"),
    "tarsus-webgpu.wasm": made("player_webgpu_bg.wasm"),
    "tarsus.catalog": made("catalog.json"),
    "tarsus-studio": made("studio.js"),
    "tarsus-studio.wasm": made("studio_bg.wasm"),
  },
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
const ORDER = ["simple_ik", "strandbeest", "tracks", "crane", "ik_diagram", "line_walker", "ik_field", "pond", "herd", "spider", "strider"];

/** Effects of the pointer, by scene. Elsewhere the animal turns its head to it. */
const HINTS = JSON.parse(read("src/hints.json"));

/** The gallery's tiles, written here so that the page shows them without any script. */
function tiles() {
  return JSON.parse(readFileSync(made("catalog.json"), "utf8"))
    .scenes.filter(({ name }) => name !== "creature")
    .sort((a, b) => place(a.name) - place(b.name))
    .map(({ name, title, readsPointer }) => {
      const words = escape(title);
      const mark = readsPointer ? `<span class="answers">${HINTS[name] ?? "it looks at you"}</span>` : "";
      return `<li><a href="#${name}"><img src="stills/${name}.webp" alt="" width="1280" height="720" loading="lazy">${mark}<span><b>${name.replaceAll("_", " ")}</b> <span class="muted">${words}</span></span></a></li>`;
    })
    .join("\n");
}

/** Links to the repository, if it builds the page itself: GitHub sets these variables in workflows. */
function links({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }) {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return "";
  const source = escape(`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`);
  return ` <a href="${source}">Source</a> <a href="${source}/tree/HEAD/docs">Docs</a>`;
}

function place(name) {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

/** Bundles the studio's worker; gives its name beside the other scripts. */
async function worker() {
  const { metafile } = await esbuild.build({
    ...common,
    entryPoints: [join(here, "src/studio-worker.ts")],
    outdir: join(output, "assets"),
    entryNames: "[name]-[hash]",
    format: "esm",
    metafile: true,
  });
  return basename(Object.keys(metafile.outputs)[0]);
}

/** Lets the page name a file that was built before it. */
function naming(module, file) {
  return {
    name: module,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${module}$`) }, () => ({ path: module, namespace: "named" }));
      build.onLoad({ filter: /.*/, namespace: "named" }, () => ({ contents: `export default "./${file}";` }));
    },
  };
}

async function site() {
  const built = await esbuild.build({
    ...common,
    plugins: [naming("tarsus-studio.worker", await worker())],
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
  const outputOf = (source) => {
    const [path] = outputs.find(([, { entryPoint, inputs }]) => entryPoint?.endsWith(source) || (source.endsWith(".wasm") && Object.keys(inputs).some((input) => input.endsWith(source)) && !entryPoint));
    return `assets/${basename(path)}`;
  };
  // Static imports are fetched in parallel with the script, not after it.
  const [, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith("main.ts"));
  const chunks = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => `assets/${basename(path)}`);
  writeFileSync(
    join(output, "index.html"),
    fill(read("html/index.html"), {
      STYLE: outputOf("page.css"),
      SCRIPT: outputOf("main.ts"),
      CHUNKS: chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">`).join(""),
      TILES: tiles(),
      LINKS: links(process.env),
    }),
  );
  cpSync(made("scenes"), join(output, "scenes"), { recursive: true });
  cpSync(join(here, "stills"), join(output, "stills"), { recursive: true });
  for (const name of ["icon.svg", "from-disk.js"]) cpSync(join(here, "html", name), join(output, name));
}

/** Fills a page that contains everything it needs. */
async function singleFile(template, entry, styles, values) {
  const bundle = async (source, more) => {
    const { outputFiles } = await esbuild.build({ ...common, ...more, entryPoints: [join(here, "src", source)], write: false });
    // An end tag in a text would end its element.
    return outputFiles[0].text.replaceAll("</script", "<\\/script");
  };
  const script = await bundle(entry, { format: "iife" });
  const style = await bundle(join("style", styles), {});
  return fill(template, {
    SCRIPT: script,
    SCRIPT_HASH: hash(script),
    STYLE: style,
    STYLE_HASH: hash(style),
    MODULE: packed(wasm),
    ...values,
  });
}

/** A file, gzipped and in base64. */
function packed(path) {
  return gzipSync(readFileSync(path), { level: 9 }).toString("base64");
}

/** Variants of the article's stills; the first that matches is shown. The width is that of article.css. */
const VARIANTS = [
  ["_tall_dark", "(max-width: 36rem) and (prefers-color-scheme: dark)"],
  ["_tall", "(max-width: 36rem)"],
  ["_dark", "(prefers-color-scheme: dark)"],
];

/** The article, whose lines `%FIGURE SCENE "CAPTION" SLIDER...%` are its figures. */
function article() {
  return read("../docs/ik/article.html").replace(/^%FIGURE (\w+) "(.*)"(.*)%$/gm, (_, scene, caption, sliders) => {
    const file = (variant) => join(here, `../docs/ik/${scene}${variant}.webp`);
    const still = (variant) => `data:image/webp;base64,${readFileSync(file(variant)).toString("base64")}`;
    const variants = VARIANTS.filter(([variant]) => existsSync(file(variant)));
    const sources = variants.map(([variant, media]) => `<source media="${media}" srcset="${still(variant)}">`);
    const picture = `<picture>${sources.join("")}<img src="${still("")}" alt="${escape(caption)}"></picture>`;
    return `<figure data-scene="${scene}" data-sliders="${sliders.trim()}"><div class="picture">${picture}</div><figcaption>${escape(caption)}</figcaption></figure>`;
  });
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
await site();
writeFileSync(join(output, "player.html"), await singleFile(read("html/player.html"), "player.ts", "page.css", {}));
mkdirSync(join(output, "ik"));
const figures = { FIGURES: packed(made("figures.json")) };
writeFileSync(join(output, "ik/index.html"), await singleFile(article(), "article.ts", "article.css", figures));
