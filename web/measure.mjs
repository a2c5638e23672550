// How long the first picture takes: milliseconds from navigation to pixels of the scene
// on the screen, with an empty cache.
//
//     node web/measure.mjs [SCENE...]

import { BACKENDS, launch, newPage } from "./tests/browser.mjs";
import { serve } from "./tests/site.mjs";

const ROUNDS = 5;
const scenes = process.argv.length > 2 ? process.argv.slice(2) : ["line_walker", "creature"];

const site = await serve();
for (const backend of BACKENDS) {
  for (const scene of scenes) {
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const browser = await launch(backend);
      const page = await newPage(browser, { width: 1280, height: 720, reducedMotion: "no-preference" });
      // The page's own clock: a busy browser is slow to answer.
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector(".notice.gone")) return;
          globalThis.drawnAt = performance.now();
          observer.disconnect();
        }).observe(document, { subtree: true, attributeFilter: ["class"] });
      });
      await page.goto(`${site.url}?backend=${backend}#${scene}`, { waitUntil: "commit" });
      await page.waitForFunction(() => globalThis.drawnAt);
      times.push(await page.evaluate(() => globalThis.drawnAt));
      await browser.close();
    }
    times.sort((a, b) => a - b);
    console.log(`${scene} in ${backend}: ${Math.round(times[ROUNDS >> 1])} ms (${times.map(Math.round).join(", ")})`);
  }
}
await site.close();
