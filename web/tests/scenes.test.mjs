// Every built-in scene at three times, in both back ends, against the program's own
// captures: the same moment, carried over in a link.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BACKENDS, bare, launch, newPage, still } from "./browser.mjs";
import { capture, fragment, tarsus } from "./native.mjs";
import { compare, decode, keep, look } from "./pixels.mjs";
import { serve } from "./site.mjs";

/** Scenes that draw in the plane: every pixel but those at edges is told by few operations. */
const FLAT = new Set(["ik_diagram", "ik_field", "line_walker"]);

/** Frames of the capture, half a second apart. */
const FRAMES = [1, 3, 5];
const SIZE = { width: 160, height: 90 };

const scenes = (await tarsus("scenes")).split("\n").map((line) => /^\s*([a-z]\w*)/.exec(line)?.[1]).filter(Boolean);

/** The program's pictures of each scene, captured once. */
const captures = new Map();
function captured(scene) {
  if (!captures.has(scene)) captures.set(scene, capture(scene, FRAMES, "--fps", "2", "--size", `${SIZE.width}x${SIZE.height}`));
  return captures.get(scene);
}

test("there are scenes to compare", () => assert.ok(scenes.length >= 10, `${scenes}`));

for (const backend of BACKENDS) {
  describe(`scenes in ${backend}`, () => {
    let browser;
    let site;
    before(async () => {
      [browser, site] = await Promise.all([launch(backend), serve()]);
    });
    after(async () => {
      await browser.close();
      await site.close();
    });

    for (const scene of scenes) {
      test(`${scene} looks as it does natively`, async () => {
        const expected = await captured(scene);
        const page = await newPage(browser, SIZE);
        for (const { bytes, moment } of expected) {
          await page.goto("about:blank");
          await page.goto(`${site.url}?embed&backend=${backend}&still=live#${fragment({ scene, moment, paused: true })}`);
          await still(page);
          await bare(page);
          const actual = await look(page);
          const native = decode(bytes);
          const { psnr, near } = compare(actual, native);
          // Browsers' software renderers differ from Mesa's in the last bits, which a ray
          // that just meets or misses an edge makes visible.
          const isSame = FLAT.has(scene) ? near >= 0.99 : psnr >= 38;
          const figures = `${(100 * near).toFixed(2)} % within 2/255, ${psnr.toFixed(1)} dB`;
          if (!isSame) keep(`${scene}-${backend}-${moment.time}`, actual, native);
          assert.ok(isSame, `${scene} at ${moment.time} s in ${backend}: ${figures}`);
        }
        assert.deepEqual(page.faults, []);
        await page.context().close();
      });
    }
  });
}
