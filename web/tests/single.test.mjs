// A page that holds one scene plays from the disk, without any network.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { bare, launch, newPage, still } from "./browser.mjs";
import { capture, folder } from "./native.mjs";
import { compare, decode, distance, look } from "./pixels.mjs";
import { SITE } from "./site.mjs";

const SIZE = { width: 160, height: 90 };

/** The page as `tarsus export` writes it. */
function page(title, scene, poster) {
  const texts = { TITLE: title, SCENE: JSON.stringify(scene).replaceAll("<", "\\u003c"), POSTER: `data:image/png;base64,${poster.toString("base64")}` };
  const path = join(folder(), "page.html");
  writeFileSync(path, readFileSync(join(SITE, "player.html"), "utf8").replace(/%TARSUS_(TITLE|SCENE|POSTER)%/g, (_, name) => texts[name]));
  return pathToFileURL(path).href;
}

test("a single file plays its scene with its sliders, offline", async () => {
  const [{ bytes }] = await capture("ik_diagram", [0], "--size", "160x90", "--ssaa", "32", "--set", "theme=dark");
  const browser = await launch("webgl2");
  const tab = await newPage(browser, SIZE);
  await tab.context().setOffline(true);
  await tab.goto(page("A diagram", { files: { main: "ik_diagram", files: {} }, values: { theme: [1] } }, bytes));
  assert.equal(await tab.title(), "A diagram");
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
  const [{ bytes }] = await capture("ik_diagram", [0], "--size", "160x90");
  const browser = await launch("none");
  const tab = await newPage(browser, { width: 640, height: 360 });
  await tab.goto(page("A diagram", { files: { main: "ik_diagram", files: {} } }, bytes));
  await tab.getByText(/WebGL2|WebGPU/).waitFor();
  assert.ok(await tab.locator("img").evaluate((image) => image.naturalWidth === 160));
  await browser.close();
});
