// Pointer, touch, wheel, keys, time and parameters: each changes the picture as expected.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { BACKENDS, setBare, launch, newPage, saved, seek, still, until } from "./browser.mjs";
import { IS_SHORT, test } from "./extent.mjs";
import { capture, folder, fragment, snapshotOf, tarsus } from "./native.mjs";
import { compare, decode, distance, shoot, RESIDUALS, settled } from "./pixels.mjs";
import { serve } from "./site.mjs";
import { within } from "./within.mjs";

const SIZE = { width: 320, height: 180 };
/** Resolution per CSS pixel: a quarter per side, because it is rendered in software. */
const RATIO = 0.25;
/** The same resolution for the native program. */
const PIXELS = ["--size", `${RATIO * SIZE.width}x${RATIO * SIZE.height}`];

/**
 * Takes a tarsus screenshot. It is deterministic for a paused scene, while the picture on screen is
 * being refined.
 */
async function drawn(page) {
  return decode(await screenshot(page));
}

async function screenshot(page) {
  await still(page);
  return saved(page, () => page.keyboard.press("F2"));
}

/** Returns the picture on screen. */
async function shown(page) {
  await still(page);
  return shoot(page);
}

for (const backend of BACKENDS) {
  describe(`playing in ${backend}`, () => {
    // Both backends share the player, so tests unrelated to rendering run once.
    const testOnce = IS_SHORT && backend === "webgpu" ? () => {} : test;
    let browser;
    let site;
    let page;
    before(async () => {
      [browser, site] = await Promise.all([launch(backend), serve()]);
      page = await newPage(browser, { ...SIZE, ratio: RATIO });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      assert.deepEqual(page.faults, []);
    });

    const open = async (shared) => {
      await page.goto("about:blank");
      await page.goto(`${site.url}?backend=${backend}#${typeof shared === "string" ? shared : fragment(shared)}`);
      await still(page);
      await setBare(page);
    };
    /**
     * Performs an action and waits until the picture differs by more than `least`. Returns the
     * difference.
     */
    const changed = async (act, least, see = drawn) => {
      const earlier = await see(page);
      await act();
      let apart = 0;
      const isFar = async () => {
        apart = distance(earlier, await see(page));
        return apart > least;
      };
      await until(isFar, () => `the picture changed by ${apart}, not ${least}`);
      return apart;
    };

    test("backend is named, pointer moves the target as natively", async () => {
      const mouse = ["--mouse", `${RATIO * 100},${RATIO * (SIZE.height - 60)}`];
      const [[free], [held]] = await Promise.all([[], mouse].map((flags) => capture("ik_diagram", [0], ...PIXELS, ...flags)));
      await open({ scene: "ik_diagram", moment: free.snapshot, paused: true });
      assert.match(await page.locator(".corner").textContent(), backend === "webgpu" ? /^WebGPU/ : /^WebGL2/);
      const before = await drawn(page);
      await page.mouse.move(60, 100);
      await page.mouse.down();
      await page.mouse.move(100, 60, { steps: 4 });
      const after = await drawn(page);
      await page.mouse.up();
      const right = compare(after, decode(held.bytes), RESIDUALS);
      const wrong = compare(before, decode(held.bytes), RESIDUALS);
      assert.ok(right.near > 0.97 && right.psnr > wrong.psnr + 6, JSON.stringify({ right, wrong }));
      // The scene now receives the keys.
      assert.equal(await page.evaluate(() => document.activeElement.localName), "canvas");
    });

    testOnce("a drag moves a leg of the animal, as it does natively", async () => {
      await open({ scene: "simple_ik", moment: { scene: "simple_ik", time: 1 }, paused: true });
      await page.mouse.move(200, 70);
      await page.mouse.down();
      await page.mouse.move(230, 60, { steps: 4 });
      // A drag goes on while the time is sought.
      await seek(page, 1.5);
      const bytes = await screenshot(page);
      await page.mouse.up();
      const [own, native] = ["page.png", "native.png"].map((name) => join(folder(), name));
      writeFileSync(own, bytes);
      await tarsus("capture", own, "--quiet", "-o", native);
      const [free] = await capture("simple_ik", [90], ...PIXELS);
      const right = compare(decode(bytes), decode(readFileSync(native)));
      const wrong = compare(decode(bytes), decode(free.bytes));
      assert.equal(snapshotOf(bytes).time, free.snapshot.time);
      assert.ok(right.psnr >= 38 && wrong.psnr < right.psnr - 6, JSON.stringify({ right, wrong }));
    });

    testOnce("screen follows the pointer", async () => {
      await open({ scene: "ik_diagram", moment: { scene: "ik_diagram", time: 0 }, paused: true });
      const before = await settled(page);
      await page.mouse.move(60, 120);
      await page.mouse.down();
      assert.ok(distance(before, await settled(page)) > 1);
      await page.mouse.up();
    });

    testOnce("right drag and wheel move the camera, Home brings it back", async () => {
      await open({ scene: "simple_ik", moment: { scene: "simple_ik", time: 1 }, paused: true });
      const before = await drawn(page);
      const orbited = await changed(async () => {
        await page.mouse.move(160, 90);
        await page.mouse.down({ button: "right" });
        await page.mouse.move(220, 90, { steps: 3 });
        await page.mouse.up({ button: "right" });
      }, 1);
      const zoomed = await changed(() => page.mouse.wheel(0, -240), 1);
      await page.mouse.move(0, 0);
      await page.keyboard.press("Home");
      let back = Infinity;
      const isBack = async () => {
        back = distance(before, await drawn(page));
        return back < Math.min(orbited, zoomed) / 2;
      };
      await until(isBack, () => `the picture is ${back} from that at the start`);
    });

    testOnce("keys step and restart, and the slider seeks", async () => {
      await open({ scene: "line_walker", moment: { scene: "line_walker", time: 1 }, paused: true });
      // The clock follows the picture, which is slightly delayed.
      const shows = (time) => page.locator(".clock", { hasText: time }).waitFor({ state: "attached" });
      await page.locator("canvas").focus();
      await changed(() => page.keyboard.press("ArrowRight"), 0);
      await shows("1.02");
      await page.keyboard.press("ArrowLeft");
      await shows("1.00");
      await changed(() => page.getByRole("slider", { name: "Time in seconds" }).fill("2.5"), 0.5);
      await shows("2.50");
      await page.locator("canvas").focus();
      await page.keyboard.press("Backspace");
      await shows("0.00");
    });

    testOnce("playing moves, and pausing holds the picture", async () => {
      await open("line_walker");
      const before = await settled(page);
      await page.locator("canvas").focus();
      await page.keyboard.press("Space");
      await page.waitForFunction(() => Number(document.querySelector(".clock").textContent) > 0.3);
      await page.keyboard.press("Space");
      const held = await settled(page);
      assert.ok(distance(before, held) > 0.2, `${distance(before, held)}`);
      assert.equal(distance(held, await shoot(page)), 0);
    });

    testOnce("parameters change the picture, and reset", async () => {
      await open({ scene: "ik_diagram", moment: { scene: "ik_diagram", time: 1 }, paused: true });
      await page.locator("canvas").focus();
      await page.keyboard.press("b");
      // The controls take half the width.
      await page.waitForFunction((width) => document.querySelector("canvas").width === width, (RATIO * SIZE.width) / 2);
      const before = await drawn(page);
      const panel = page.getByRole("complementary", { name: "Controls" });
      await panel.getByRole("combobox", { name: "Theme" }).selectOption("light");
      await panel.getByRole("slider", { name: "First bone, r1" }).fill("0.4");
      const light = distance(before, await drawn(page));
      assert.ok(light > 40, `the light theme changes it by ${light}`);
      await panel.getByRole("button", { name: "Reset" }).click();
      const back = distance(before, await drawn(page));
      assert.ok(back === 0, `it is ${back} from what it was at the defaults`);
    });

    test("buffer is shown full size", async () => {
      await open({ scene: "pond", moment: { scene: "pond", time: 0 }, paused: true });
      await changed(() => page.keyboard.press("Alt+Digit1"), 5, shown);
      await changed(() => page.keyboard.press("Alt+Digit0"), 5, shown);
    });

    testOnce("declared size sets the pixels in the middle", async () => {
      const main = "sized.wgsl";
      const scene = (size) => ({ main, files: { [main]: `${size}fn main_image(p: vec2f) -> vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }\n` } });
      await open({ files: scene("/// size 24x40\n"), paused: true });
      const { width, height } = await drawn(page);
      assert.deepEqual([width, height], [24, 40]);
      const canvas = page.locator("canvas");
      assert.deepEqual(await canvas.boundingBox(), { x: 112, y: 10, width: 96, height: 160 });
      // Twice as large as the page has room for.
      await open({ files: scene("/// size 160x80\n"), paused: true });
      assert.deepEqual(await canvas.boundingBox(), { x: 0, y: 10, width: 320, height: 160 });
      await open({ files: scene(""), paused: true });
      assert.deepEqual(await canvas.boundingBox(), { x: 0, y: 0, ...SIZE });
    });

    testOnce("debug view replaces the picture", async () => {
      await open({ scene: "strider", moment: { scene: "strider", time: 0 }, paused: true });
      await page.locator("canvas").focus();
      await changed(() => page.keyboard.press("l"), 5, shown);
    });
  });
}

test("two fingers orbit and zoom, one is the pointer", () => within("webgl2", { ...SIZE, ratio: RATIO, hasTouch: true }, async (page, url) => {
  await page.goto(`${url}?backend=webgl2#${fragment({ scene: "simple_ik", moment: { scene: "simple_ik", time: 1 }, paused: true })}`);
  // Touches are bound to the element where they start, so wait for the bare picture.
  await still(page);
  await setBare(page);
  const before = await drawn(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [120, 90]);
  await touch("touchStart", [120, 90], [200, 90]);
  await touch("touchMove", [90, 90], [230, 90]);
  await touch("touchEnd");
  let apart = 0;
  const isFar = async () => {
    apart = distance(before, await drawn(page));
    return apart > 1;
  };
  await until(isFar, () => `two fingers changed the picture by ${apart}`);
}));
