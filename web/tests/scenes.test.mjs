// Every built-in scene at three times, in both back ends, against the program's own
// captures: the same moment, carried over in a link.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BACKENDS, bare, launch, newPage, saved, still } from "./browser.mjs";
import { capture, fragment, momentOf, tarsus } from "./native.mjs";
import { compare, decode, keep, look } from "./pixels.mjs";
import { serve } from "./site.mjs";

/** Scenes that draw in the plane: their pixels hang on few operations. */
const FLAT = new Set(["ik_diagram", "ik_field", "line_walker"]);

/** Frames at two per second, so half a second apart; buffers advance sixty times a second. */
const FRAMES = [1, 2, 3];
const SIZE = { width: 160, height: 90 };
const SIZE_FLAG = ["--size", `${SIZE.width}x${SIZE.height}`];
/** Samples of a still that the page has finished. */
const SAMPLES = 32;

const scenes = JSON.parse(await tarsus("scenes", "--json")).map(({ name }) => name);

/** The program's pictures of each scene, captured once. */
const captures = new Map();
function captured(scene) {
  if (!captures.has(scene)) captures.set(scene, captureAll(scene));
  return captures.get(scene);
}

async function captureAll(scene) {
  const pictures = await capture(scene, FRAMES, "--fps", "2", ...SIZE_FLAG);
  if (!pictures[0].moment.history) return pictures;
  const single = FRAMES.map((frame) => capture(scene, [30 * frame], ...SIZE_FLAG));
  return (await Promise.all(single)).flat();
}

test("there are scenes to compare", () => assert.ok(scenes.length >= 10, `${scenes}`));

for (const backend of BACKENDS) {
  describe(`scenes in ${backend}`, () => {
    let browser;
    let site;
    let page;
    before(async () => {
      [browser, site] = await Promise.all([launch(backend), serve()]);
      page = await newPage(browser, SIZE);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    const open = async (scene, moment) => {
      await page.goto("about:blank");
      await page.goto(`${site.url}?embed&backend=${backend}#${fragment({ scene, moment, paused: true })}`);
    };

    for (const scene of scenes) {
      test(`${scene} is drawn as it is natively`, async () => {
        for (const { bytes, moment } of await captured(scene)) {
          await open(scene, moment);
          await still(page);
          const screenshot = await saved(page, () => page.keyboard.press("F2"));
          const [actual, expected] = [decode(screenshot), decode(bytes)];
          const { psnr, near } = compare(actual, expected);
          // Software renderers differ in the last bits, which a ray that just meets or just
          // misses an edge makes visible.
          const isSame = FLAT.has(scene) ? near >= 0.99 : psnr >= 38;
          const figures = `${(100 * near).toFixed(2)} % within 2/255, ${psnr.toFixed(1)} dB`;
          if (process.env.FIGURES) console.log(`${scene} ${moment.time} ${backend}: ${figures}`);
          if (!isSame) keep(`${scene}-${backend}-${moment.time}`, actual, expected);
          assert.ok(isSame, `${scene} at ${moment.time} s in ${backend}: ${figures}`);
          const again = momentOf(screenshot);
          assert.deepEqual([again.scene, again.time, again.frame], [scene, moment.time, moment.frame]);
        }
        assert.deepEqual(page.faults, []);
      });
    }

    for (const scene of FLAT) {
      test(`${scene} is on the screen, refined, as it is natively`, async () => {
        const [{ bytes, moment }] = await capture(scene, [1], "--fps", "2", "--ssaa", `${SAMPLES}`, ...SIZE_FLAG);
        await open(scene, moment);
        await bare(page);
        await still(page, { isDone: true });
        const actual = await look(page);
        const expected = decode(bytes);
        const { near } = compare(actual, expected);
        if (near < 0.99) keep(`${scene}-${backend}-refined`, actual, expected);
        assert.ok(near >= 0.99, `${scene} in ${backend}: ${(100 * near).toFixed(2)} % within 2/255`);
      });
    }
  });
}
