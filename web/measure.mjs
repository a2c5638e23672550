// How long the first picture takes: milliseconds from navigation to pixels of the scene
// on the screen, with an empty cache, and the bytes that are needed for it.
//
//     node web/measure.mjs [SCENE...]

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BACKENDS, launch, newPage } from "./tests/browser.mjs";
import { SITE, serve } from "./tests/site.mjs";

const ROUNDS = 5;
const scenes = process.argv.length > 2 ? process.argv.slice(2) : ["line_walker", "creature"];

const needed = ["index.html", `scenes/${scenes[0]}.json`, ...readdirSync(join(SITE, "assets")).filter((name) => !/^(editor|studio)/.test(name)).map((name) => `assets/${name}`)];
const sizes = needed.map((name) => [name, gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length]);
for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(9)} bytes gzipped  ${name}`);
console.log(`${String(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)).padStart(9)} bytes gzipped  for the first picture`);

const site = await serve();
for (const backend of BACKENDS) {
  for (const scene of scenes) {
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const browser = await launch(backend);
      const page = await newPage(browser, { width: 1280, height: 720, reducedMotion: "no-preference" });
      await page.goto(`${site.url}?backend=${backend}#${scene}`, { waitUntil: "commit" });
      await page.locator(".notice.gone").waitFor({ state: "attached" });
      times.push(await page.evaluate(() => performance.now()));
      await browser.close();
    }
    times.sort((a, b) => a - b);
    console.log(`${scene} in ${backend}: ${Math.round(times[ROUNDS >> 1])} ms (${times.map(Math.round).join(", ")})`);
  }
}
await site.close();
