// Launches Chromium with WebGL2 or with WebGPU: no set of flags enables both in software.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

export const BACKENDS = ["webgl2", "webgpu"];

const EXECUTABLES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Internal pages that the browser loads with every window, which take as long as ours. */
const UNWANTED = ["AimEnabled", "PreloadTopChromeWebUI", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"];

const COMMON = [
  "--no-sandbox",
  "--disable-gpu-watchdog",
  "--force-color-profile=srgb",
  "--js-flags=--expose-gc",
  // A camera and a microphone that need no permission.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  // Debian enables GPU rasterization, which is far slower without a GPU.
  "--disable-gpu-rasterization",
];
const FLAGS = {
  webgl2: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  webgpu: ["--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-angle=vulkan", "--use-vulkan=swiftshader"],
  none: ["--disable-gpu", "--disable-webgl", "--disable-webgl2"],
};

/** Timeout in milliseconds, generous enough for slow machines. */
const LIMIT = Number(process.env.LIMIT ?? 300_000);

/** Starts a browser with this backend, or without graphics for "none". */
export async function launch(backend) {
  const executablePath = EXECUTABLES.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("cannot test the page: there is no Chromium; scripts/setup.sh --web installs it, or CHROMIUM names it");
  const off = backend === "none" ? [...UNWANTED, "WebGPU"] : UNWANTED;
  return chromium.launch({ executablePath, args: [...COMMON, ...FLAGS[backend], `--disable-features=${off}`], timeout: LIMIT });
}

/**
 * Opens a page that records errors, requests to other hosts, and violations of its own policy in
 * `page.faults`, which should stay empty. A small `ratio` reduces the resolution of the picture,
 * for tests that do not depend on it.
 */
export async function newPage(browser, { width = 160, height = 90, ratio = 1, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 1, reducedMotion: "reduce", acceptDownloads: true, ...options });
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  if (ratio !== 1) await page.addInitScript((value) => Object.defineProperty(globalThis, "devicePixelRatio", { value }), ratio);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().startsWith("Measure loop")) page.faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== "127.0.0.1") page.faults.push(`request: ${request.url()}`);
  });
  return page;
}

/** Returns the page's visible state, for timeout messages. */
async function describeState(page) {
  const state = page.evaluate(() => {
    const text = (selector) => document.querySelector(selector)?.textContent ?? null;
    const { width, height, style } = document.querySelector("canvas") ?? {};
    return {
      hash: location.hash.slice(0, 40),
      notice: text(".notice:not(.gone) .notice-text"),
      still: document.querySelector(".picture")?.dataset.still ?? null,
      corner: text(".corner"),
      clock: text(".clock"),
      editor: text(".editor-status"),
      toasts: text(".toasts"),
      canvas: style && [width, height],
      isHidden: document.hidden,
    };
  });
  const silence = new Promise((later) => setTimeout(later, 5_000, "the page does not answer"));
  const told = await Promise.race([state.catch(({ message }) => message), silence]);
  return `${JSON.stringify(told)}, ${JSON.stringify(page.faults)}`;
}

/**
 * Waits for a paused picture, which from then on is only refined, or until it is refined
 * completely.
 */
export async function still(page, { isDone = false } = {}) {
  try {
    await page.locator(".notice:is(.gone, .failed)").waitFor({ state: "attached" });
    assert.equal(await page.locator(".notice.failed").count(), 0);
    await page.locator(isDone ? '.picture[data-still="done"]' : ".picture[data-still]").waitFor();
  } catch (error) {
    throw new Error(`no still picture appeared: ${await describeState(page)}`, { cause: error });
  }
}

/** Moves the time slider and waits for the picture. */
export async function seek(page, seconds) {
  await page.getByRole("slider", { name: "Time in seconds" }).evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    slider.dispatchEvent(new Event("change"));
  }, `${seconds}`);
  await still(page);
}

/** Polls until the condition holds, however slow the machine is. */
export async function until(holds, what) {
  const end = performance.now() + LIMIT;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what()}, after ${LIMIT / 1000} s`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/** Hides everything over the picture, including messages, or shows it again. */
export async function setBare(page, isBare = true) {
  await page.locator(".scene").evaluate((scene, isBare) => {
    scene.classList.toggle("bare", isBare);
    const sheet = new CSSStyleSheet();
    if (isBare) sheet.replaceSync(".toasts { visibility: hidden }");
    // The page adopts no style sheets itself.
    document.adoptedStyleSheets = [sheet];
  }, isBare);
}

/** Returns the bytes of the file that the page saves during `act`. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFileSync(await download.path());
}

/** Drops a file on the page. */
export async function drop(page, name, type, bytes) {
  await page.evaluate(
    ([name, type, base64]) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], name, { type }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, type, Buffer.from(bytes).toString("base64")],
  );
}
