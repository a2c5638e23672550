// Compares every built-in scene at three times, in both backends, with native captures of
// the same snapshots. The first snapshot is opened through a link, the others are sought
// with the slider. The short tests use one ray-marched scene with buffers and one
// without, each in one backend and at the first time; only one 2D scene runs in both
// backends.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { BACKENDS, setBare, launch, newPage, saved, seek, still } from "./browser.mjs";
import { pick, test } from "./extent.mjs";
import { capture, fragment, snapshotOf, tarsus } from "./native.mjs";
import { compare, decode, saveFailure, shoot, RESIDUALS } from "./pixels.mjs";
import { serve } from "./site.mjs";

/** 2D scenes, whose pixels depend on few operations. */
const FLAT = new Set(["ik_diagram", "ik_field", "line_walker"]);

/** Scenes of the short tests. */
const SHORT = { webgl2: [...FLAT, "spider"], webgpu: ["line_walker", "strider"] };

/** Areas excluded from the comparison. */
const BESIDE = { ik_diagram: RESIDUALS };

/** Frames at 2 per second, half a second apart; buffers advance at 60 per second. */
const FRAMES = pick([1, 2, 3], [1, 3]);
const SIZE = { width: 160, height: 90 };
const SIZE_FLAG = ["--size", `${SIZE.width}x${SIZE.height}`];
/** Samples of a finished still in the page. */
const SAMPLES = 32;

const scenes = (await tarsus("scenes")).trim().split("\n").map((line) => line.trim().split(/\s+/)[0]);

/** Native pictures of each scene, captured once. */
const captures = new Map();
function captured(scene) {
  if (!captures.has(scene)) captures.set(scene, captureAll(scene));
  return captures.get(scene);
}

async function captureAll(scene) {
  const pictures = await capture(scene, FRAMES, "--fps", "2", ...SIZE_FLAG);
  if (!pictures[0].snapshot.history) return pictures;
  return capture(scene, FRAMES.map((frame) => 30 * frame), ...SIZE_FLAG);
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

    for (const scene of pick(scenes, SHORT[backend])) {
      test(`${scene} is drawn as it is natively`, async () => {
        const [first, ...others] = await captured(scene);
        await page.goto("about:blank");
        await page.goto(`${site.url}?embed&backend=${backend}#${fragment({ scene, moment: first.snapshot, paused: true })}`);
        await still(page);
        await isSame(first);
        for (const other of FLAT.has(scene) ? others : pick(others, [])) {
          await seek(page, other.snapshot.time);
          await isSame(other);
        }
        if (pick(FLAT, new Set(["line_walker"])).has(scene)) await isRefined(others.at(-1).snapshot);
        assert.deepEqual(page.faults, []);
      });

      /** Asserts that the page's screenshot matches the native picture and its snapshot. */
      async function isSame({ bytes, snapshot }) {
        const screenshot = await saved(page, () => page.keyboard.press("F2"));
        const [actual, expected] = [decode(screenshot), decode(bytes)];
        const { psnr, near } = compare(actual, expected, BESIDE[scene]);
        // Software renderers differ in the last bits, which becomes visible when a ray
        // narrowly hits or misses an edge.
        const isNear = FLAT.has(scene) ? near >= 0.99 : psnr >= 38;
        const figures = `${(100 * near).toFixed(2)} % within 2/255, ${psnr.toFixed(1)} dB`;
        if (process.env.FIGURES) console.log(`${scene} ${snapshot.time} ${backend}: ${figures}`);
        if (!isNear) saveFailure(`${scene}-${backend}-${snapshot.time}`, actual, expected);
        assert.ok(isNear, `${scene} at ${snapshot.time} s in ${backend}: ${figures}`);
        const again = snapshotOf(screenshot);
        assert.deepEqual([again.scene, again.time], [scene, snapshot.time]);
      }

      /** Asserts that the picture on screen matches a native average of `SAMPLES` samples. */
      async function isRefined({ time }) {
        const [{ bytes }] = await capture(scene, [2 * time], "--fps", "2", "--ssaa", `${SAMPLES}`, ...SIZE_FLAG);
        await setBare(page);
        await still(page, { isDone: true });
        const [actual, expected] = [await shoot(page), decode(bytes)];
        const { near } = compare(actual, expected, BESIDE[scene]);
        if (near < 0.99) saveFailure(`${scene}-${backend}-refined`, actual, expected);
        assert.ok(near >= 0.99, `${scene} refined in ${backend}: ${(100 * near).toFixed(2)} % within 2/255`);
      }
    }
  });
}
