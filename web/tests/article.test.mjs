// The article "Simple IK, explained" as one file from the disk: every figure becomes live,
// and follows the pointer and its sliders.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, newPage, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { decode, distance } from "./pixels.mjs";
import { SITE } from "./site.mjs";

const ADDRESS = pathToFileURL(join(SITE, "ik/index.html")).href;

/** Opens the article, in few pixels, after a script in its page. */
async function open(browser, script) {
  const page = await newPage(browser, { width: 480, height: 640, ratio: 0.25 });
  if (script) await page.addInitScript(script);
  await page.goto(ADDRESS);
  return page;
}

/** Scrolls to a figure and waits until its canvas has replaced the still picture. */
async function live(page, figure) {
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("canvas").waitFor();
  const problems = async () => [...page.faults, ...(await page.locator("figure[data-failed]").evaluateAll((failed) => failed.map(({ dataset }) => dataset.failed)))];
  await until(async () => (await figure.locator("img").count()) === 0 || (await problems()).length > 0, () => "the still picture stays");
  assert.deepEqual(await problems(), []);
}

/** A picture of a figure. */
async function shoot(figure) {
  return decode(await figure.locator("canvas").screenshot({ caret: "initial", animations: "allow" }));
}

describe("article", () => {
  let browser;
  before(async () => {
    browser = await launch("webgl2");
  });
  after(() => browser.close());

  test("every figure becomes live", async () => {
    const page = await open(browser);
    const figures = await page.locator("figure").all();
    assert.equal(figures.length, 11);
    for (const figure of figures) await live(page, figure);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("the last of several changes of visibility counts", async () => {
    const page = await open(browser, () => {
      globalThis.IntersectionObserver = class extends IntersectionObserver {
        constructor(report, options) {
          const earlier = ({ target }) => ({ target, isIntersecting: false });
          super((entries) => report([...entries.map(earlier), ...entries]), options);
        }
      };
    });
    await live(page, page.locator("figure").first());
    await page.context().close();
  });

  test("a context lost at the start only delays a figure", async () => {
    const page = await open(browser, () => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (...what) {
        HTMLCanvasElement.prototype.getContext = get;
        const context = this.getContext(...what);
        const loss = context.getExtension("WEBGL_lose_context");
        this.addEventListener("webglcontextlost", () => setTimeout(() => loss.restoreContext(), 50), { once: true });
        loss.loseContext();
        return context;
      };
    });
    const figure = page.locator("figure").first();
    await live(page, figure);
    assert.equal(await figure.locator("canvas").evaluate((canvas) => canvas.getContext("webgl2").isContextLost()), false);
    await page.context().close();
  });

  test("figures follow pointer and sliders", async () => {
    const page = await open(browser);
    const figure = page.locator('figure[data-scene="bones"]');
    await live(page, figure);
    const box = await figure.locator("canvas").boundingBox();
    const idle = await shoot(figure);
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.6 * box.height);
    await until(async () => distance(idle, await shoot(figure)) > 1, () => "the limb does not follow the pointer");
    const pointed = await shoot(figure);
    await figure.getByRole("slider").first().fill("0.3");
    await until(async () => distance(pointed, await shoot(figure)) > 1, () => "the limb does not follow the slider");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("reduced motion waits for the play button, a lost device is reported", async () => {
    const page = await open(browser);
    const figure = page.locator('figure[data-scene="gait"]');
    await live(page, figure);
    const idle = await shoot(figure);
    await figure.getByRole("button", { name: "Play" }).click();
    await until(async () => distance(idle, await shoot(figure)) > 1, () => "the walk does not start");
    await figure.getByRole("button", { name: "Pause" }).click();
    await figure.getByRole("button", { name: "Play" }).waitFor();
    const lost = figure.getByText("The graphics device was lost");
    const context = await figure.locator("canvas").evaluateHandle((canvas) => canvas.getContext("webgl2").getExtension("WEBGL_lose_context"));
    await context.evaluate((context) => context.loseContext());
    await lost.waitFor();
    await context.evaluate((context) => context.restoreContext());
    await lost.waitFor({ state: "hidden" });
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});

test("article without graphics keeps stills", async () => {
  const browser = await launch("none");
  try {
    const page = await open(browser);
    const figure = page.locator("figure").first();
    await page.locator("figure[data-failed]").first().waitFor({ state: "attached" });
    assert.ok(await figure.locator("img").evaluate((image) => image.complete && image.naturalWidth > 0));
    assert.match(await page.locator("#failed").innerText(), /neither WebGPU nor WebGL2/);
    // Paper and joints of the still follow the colour scheme.
    for (const [colorScheme, isPaper] of [
      ["light", ([red]) => red > 240],
      ["dark", ([red]) => red < 40],
    ]) {
      await page.emulateMedia({ colorScheme });
      const { data } = decode(await figure.locator(".picture").screenshot());
      const pixels = Array.from({ length: data.length / 4 }, (_, at) => data.subarray(4 * at, 4 * at + 3));
      assert.ok(pixels.filter(isPaper).length > 0.8 * pixels.length, colorScheme);
      assert.ok(pixels.some(([red, green, blue]) => red > 220 && green > 160 && blue < 110), `no yellow joint: ${colorScheme}`);
    }
    // Limbs side by side would be tiny on a phone.
    const { width, height } = await page.locator('figure[data-scene="reach"] .picture').boundingBox();
    assert.ok(height > width);
    await page.getByRole("link", { name: "tarsus: all scenes" }).click();
    await page.locator(".hero").waitFor();
  } finally {
    await browser.close();
  }
});
