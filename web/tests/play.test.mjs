// Pointer, touch, wheel, keys, time, parameters: each changes the pixels as it should.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { BACKENDS, bare, launch, newPage, saved, still, until } from "./browser.mjs";
import { IS_SHORT, test } from "./extent.mjs";
import { capture, fragment } from "./native.mjs";
import { compare, decode, distance, hasContent, look, RESIDUALS, settled } from "./pixels.mjs";
import { serve } from "./site.mjs";
import { within } from "./within.mjs";

const SIZE = { width: 320, height: 180 };
/** Half as many pixels a side as the page has: it is drawn in software. */
const RATIO = 0.5;

for (const backend of BACKENDS) {
  describe(`playing in ${backend}`, () => {
    // Both back ends have the same player: what is not about drawing is tested in one.
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
      await bare(page);
    };
    /** Does something, and waits until the picture is so far from what it was; gives how far. */
    const changed = async (act, least) => {
      const earlier = await look(page);
      await act();
      let apart = 0;
      const isFar = async () => {
        await still(page);
        apart = distance(earlier, await look(page));
        return apart > least;
      };
      await until(isFar, () => `the picture changed by ${apart}, not ${least}`);
      return apart;
    };

    test("reduced motion starts paused, and says which back end draws", async () => {
      await open("line_walker");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor({ state: "attached" });
      assert.ok(hasContent(await look(page)));
      const corner = await page.locator(".corner").textContent();
      assert.match(corner, backend === "webgpu" ? /^WebGPU/ : /^WebGL2/);
    });

    test("a drag moves the leg to the pointer", async () => {
      await open({ scene: "line_walker", moment: { scene: "line_walker", time: 1 }, paused: true });
      await changed(async () => {
        await page.mouse.move(200, 130);
        await page.mouse.down();
        await page.mouse.move(230, 90, { steps: 4 });
      }, 0.2);
      await page.mouse.up();
      // From now on the scene has the keys.
      assert.equal(await page.evaluate(() => document.activeElement.localName), "canvas");
    });

    test("the target of the diagram is under the pointer, as it is natively", async () => {
      await open({ scene: "ik_diagram", moment: { scene: "ik_diagram", time: 0 }, paused: true });
      // The program counts upwards.
      const [near, far] = await Promise.all(["50,60", "30,30"].map((at) => capture("ik_diagram", [0], "--size", "160x90", "--mouse", at)));
      await page.mouse.move(100, 60);
      await page.mouse.down();
      await still(page);
      const actual = decode(await saved(page, () => page.keyboard.press("F2")));
      await page.mouse.up();
      const right = compare(actual, decode(near[0].bytes), RESIDUALS);
      const wrong = compare(actual, decode(far[0].bytes), RESIDUALS);
      assert.ok(right.near > 0.97 && right.psnr > wrong.psnr + 3, `${JSON.stringify({ right, wrong })}`);
    });

    testOnce("right drag and wheel move the camera, Home brings it back", async () => {
      await open({ scene: "strider", moment: { scene: "strider", time: 1 }, paused: true });
      const before = await look(page);
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
        await still(page);
        back = distance(before, await look(page));
        return back < Math.min(orbited, zoomed) / 2;
      };
      await until(isBack, () => `the picture is ${back} from that at the start`);
    });

    testOnce("keys step and restart, and the slider seeks", async () => {
      await open({ scene: "line_walker", moment: { scene: "line_walker", time: 1 }, paused: true });
      // The clock is that of the picture, which comes a little later.
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
      const before = await look(page);
      await page.locator("canvas").focus();
      await page.keyboard.press("Space");
      await page.waitForFunction(() => Number(document.querySelector(".clock").textContent) > 0.3);
      await page.keyboard.press("Space");
      const held = await settled(page);
      assert.ok(distance(before, held) > 0.2, `${distance(before, held)}`);
      assert.equal(distance(held, await look(page)), 0);
    });

    testOnce("parameters change the picture, and reset", async () => {
      await open({ scene: "ik_diagram", moment: { scene: "ik_diagram", time: 1 }, paused: true });
      const before = await look(page);
      await page.locator("canvas").focus();
      await page.keyboard.press("b");
      const panel = page.getByRole("complementary", { name: "Controls" });
      await panel.getByRole("combobox", { name: "Theme" }).selectOption("dark");
      await panel.getByRole("slider", { name: "First bone, r1" }).fill("0.4");
      await still(page);
      const dark = await picture(page);
      assert.ok(distance(before, dark) > 40, "the dark theme");
      await panel.getByRole("button", { name: "Reset" }).click();
      await still(page);
      assert.ok(distance(before, await picture(page)) < 1, "back at the defaults");
    });

    test("a buffer can be seen whole", async () => {
      await open({ scene: "pond", moment: { scene: "pond", time: 0 }, paused: true });
      await changed(() => page.keyboard.press("Alt+Digit1"), 5);
      await changed(() => page.keyboard.press("Alt+Digit0"), 5);
    });

    testOnce("a lens shows what is behind the picture", async () => {
      await open({ scene: "strider", moment: { scene: "strider", time: 0 }, paused: true });
      await page.locator("canvas").focus();
      await changed(() => page.keyboard.press("l"), 5);
    });
  });
}

/** What is on the screen without the panel. */
async function picture(page) {
  await page.locator(".panel").evaluate((panel) => panel.style.setProperty("visibility", "hidden"));
  const seen = await look(page);
  await page.locator(".panel").evaluate((panel) => panel.style.removeProperty("visibility"));
  return seen;
}

test("two fingers orbit and zoom, one is the pointer", () => within("webgl2", { ...SIZE, ratio: RATIO, hasTouch: true }, async (page, url) => {
  await page.goto(`${url}?backend=webgl2#${fragment({ scene: "strider", moment: { scene: "strider", time: 1 }, paused: true })}`);
  await still(page);
  await bare(page);
  const before = await look(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [120, 90]);
  await touch("touchStart", [120, 90], [200, 90]);
  await touch("touchMove", [90, 90], [230, 90]);
  await touch("touchEnd");
  await still(page);
  assert.ok(distance(before, await look(page)) > 1);
}));
