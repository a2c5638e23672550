// A page that holds one scene plays from the disk, without any network.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { bare, launch, newPage, still } from "./browser.mjs";
import { capture, folder, tarsus } from "./native.mjs";
import { compare, decode, distance, look } from "./pixels.mjs";
import { SITE } from "./site.mjs";

const SIZE = { width: 160, height: 90 };

/** The page that the program writes. */
async function page(...flags) {
  const path = join(folder(), "page.html");
  await tarsus("export", "ik_diagram", "--site", SITE, ...flags, "-o", path);
  return pathToFileURL(path).href;
}

test("a single file plays its scene with its sliders, offline", async () => {
  const [{ bytes }] = await capture("ik_diagram", [0], "--size", "160x90", "--ssaa", "32", "--set", "theme=dark");
  const browser = await launch("webgl2");
  const tab = await newPage(browser, SIZE);
  await tab.context().setOffline(true);
  await tab.goto(await page("--set", "theme=dark"));
  assert.equal(await tab.title(), "ik_diagram");
  await still(tab, { isDone: true });
  await bare(tab);
  const before = await look(tab);
  const { near } = compare(before, decode(bytes));
  assert.ok(near >= 0.99, `${near}`);
  await tab.getByRole("button", { name: "Parameters" }).evaluate((button) => button.click());
  await tab.getByRole("combobox", { name: "Theme" }).selectOption("light");
  await tab.getByRole("button", { name: "Parameters" }).evaluate((button) => button.click());
  await still(tab, { isDone: true });
  assert.ok(distance(before, await look(tab)) > 40);
  assert.deepEqual(tab.faults, []);
  await browser.close();
});

test("without graphics a single file shows its still picture", async () => {
  const browser = await launch("none");
  const tab = await newPage(browser, { width: 640, height: 360 });
  await tab.goto(await page());
  await tab.getByText(/WebGL2|WebGPU/).waitFor();
  assert.ok(await tab.locator("img").evaluate((image) => image.complete && image.naturalWidth > 0));
  await browser.close();
});
