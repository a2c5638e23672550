// Browser exports of the native program: a single-file page, a folder for any web server,
// and the built-in server.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe } from "node:test";
import { PNG } from "pngjs";
import { launch, newPage, seek, setBare, still, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { capture, folder, signals, start, tarsus } from "./native.mjs";
import { becomes, compare, decode, distance, shoot, middle, RESIDUALS } from "./pixels.mjs";
import { SITE, serve } from "./site.mjs";

const SIZE = { width: 160, height: 90 };

/** A scene with red from a parameter, and green and blue from a picture. */
const TINTED = `struct Params {
    /// Level [0, 1] = 0.6
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

/// image "tint.png"
@group(2) @binding(0) var tint: texture_2d<f32>;
@group(2) @binding(1) var tint_sampler: sampler;

fn main_image(frag_coord: vec2f) -> vec4f {
    return vec4f(params.level, textureSample(tint, tint_sampler, vec2f(0.5)).gb, 1.0);
}
`;

/** Creates a folder with that scene and its picture. Returns the path of the scene. */
function tinted() {
  const here = folder();
  const picture = new PNG({ width: 2, height: 2 });
  for (let at = 0; at < 16; at += 4) picture.data.set([0, 200, 100, 255], at);
  writeFileSync(join(here, "tint.png"), PNG.sync.write(picture));
  const path = join(here, "tinted.wgsl");
  writeFileSync(path, TINTED);
  return path;
}

/** A scene with red from a volume, and green and blue from the far side of a cube. */
const AROUND = `/// volume "haze.bin"
@group(2) @binding(0) var haze: texture_3d<f32>;
/// cube "other.png" "other.png" "other.png" "other.png" "other.png" "far.png"
@group(2) @binding(1) var sky: texture_cube<f32>;
@group(2) @binding(2) var sky_sampler: sampler;

fn main_image(frag_coord: vec2f) -> vec4f {
    let far = textureSampleLevel(sky, sky_sampler, vec3f(0.0, 0.0, -1.0), 0.0);
    return vec4f(textureLoad(haze, vec3i(1, 0, 2), 0).r, far.gb, 1.0);
}
`;

/**
 * Creates a folder with that scene, a volume of 2x1x3 bytes, and transparent cube faces. Returns
 * the path of the scene.
 */
function around() {
  const here = folder();
  const head = Buffer.alloc(20);
  head.write("BIN");
  [2, 1, 3].forEach((side, at) => head.writeUInt32LE(side, 4 + 4 * at));
  head[16] = 1;
  writeFileSync(join(here, "haze.bin"), Buffer.concat([head, Buffer.from([10, 20, 30, 40, 50, 60])]));
  for (const [name, blue] of [["other", 0], ["far", 90]]) {
    const face = new PNG({ width: 4, height: 4 });
    for (let at = 0; at < 64; at += 4) face.data.set([0, 200, blue, 0], at);
    writeFileSync(join(here, `${name}.png`), PNG.sync.write(face));
  }
  const path = join(here, "around.wgsl");
  writeFileSync(path, AROUND);
  return path;
}

/** A scene with green from a video, and blue if a recording has a peak at 1 kHz. */
const PLAYING = `/// video "signal.webm"
@group(2) @binding(0) var film: texture_2d<f32>;
/// sound "signal.wav"
@group(2) @binding(1) var song: texture_2d<f32>;

fn main_image(frag_coord: vec2f) -> vec4f {
    let peak = textureLoad(song, vec2i(43, 0), 0).r;
    let far = textureLoad(song, vec2i(400, 0), 0).r;
    return vec4f(0.0, textureLoad(film, vec2i(20, 20), 0).g, f32(peak > 0.5 && far < 0.5), 1.0);
}
`;

/** Creates a folder with that scene and its media. Returns the path of the scene. */
async function playing() {
  const path = join(await signals(), "playing.wgsl");
  writeFileSync(path, PLAYING);
  return path;
}

/** Exports a page and returns its URL. */
async function written(scene, ...flags) {
  const path = join(folder(), "page.html");
  await tarsus("export", scene, "--site", SITE, ...flags, "-o", path);
  return pathToFileURL(path).href;
}

describe("exported scenes", () => {
  let browser;
  before(async () => {
    browser = await launch("webgl2");
  });
  after(() => browser?.close());

  test("single file plays offline with sliders", async () => {
    const [{ bytes }] = await capture("ik_diagram", [0], "--size", "160x90", "--ssaa", "32", "--set", "theme=light");
    const tab = await newPage(browser, SIZE);
    await tab.context().setOffline(true);
    await tab.goto(await written("ik_diagram", "--set", "theme=light"));
    assert.equal(await tab.title(), "ik_diagram");
    await still(tab, { isDone: true });
    await setBare(tab);
    const first = await shoot(tab);
    const { near } = compare(first, decode(bytes), RESIDUALS);
    assert.ok(near >= 0.99, `${near}`);
    // A key that the scene ignores spares the still.
    const stillAfterKey = () => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "x", code: "KeyX" }));
      return document.querySelector(".picture").dataset.still;
    };
    assert.equal(await tab.evaluate(stillAfterKey), "done");
    const parameters = tab.getByRole("button", { name: "Parameters" });
    await parameters.evaluate((button) => button.click());
    await tab.getByRole("combobox", { name: "Theme" }).selectOption("dark");
    await parameters.evaluate((button) => button.click());
    await still(tab, { isDone: true });
    assert.ok(distance(first, await shoot(tab)) > 40);
    assert.deepEqual(tab.faults, []);
  });

  test("single file leaves other keys to its scene", async () => {
    const path = join(folder(), "keys.glsl");
    writeFileSync(path, '#iChannel0 "keyboard"\nvoid mainImage(out vec4 c, in vec2 p) {\n    c = vec4(0.0, texelFetch(iChannel0, ivec2(86, 0), 0).r, 0.0, 1.0);\n}\n');
    const tab = await newPage(browser, SIZE);
    await tab.goto(await written(path));
    await becomes(tab, [0, 0, 0]);
    // On the page of the site, V makes a video.
    await tab.keyboard.down("v");
    await becomes(tab, [0, 255, 0]);
    assert.deepEqual(tab.faults, []);
    await tab.context().close();
  });

  test("folder opens with scene, values and pictures", async () => {
    const out = folder();
    await tarsus("export", tinted(), "--site", SITE, "--set", "level=0.2", "-o", out);
    const site = await serve({}, out);
    const tab = await newPage(browser, SIZE);
    await tab.goto(`${site.url}?backend=webgl2`);
    await becomes(tab, [51, 200, 100]);
    assert.deepEqual(tab.faults, []);
    // From the disk, the page explains why it does not run.
    await tab.goto(pathToFileURL(join(out, "index.html")).href);
    await tab.getByText("Browsers do not run this page from the disk").waitFor();
    await tab.context().close();
    await site.close();
  });

  test("cubes and volumes are exported unchanged", async () => {
    const tab = await newPage(browser, SIZE);
    await tab.goto(await written(around()));
    await becomes(tab, [60, 200, 90]);
    assert.deepEqual(tab.faults, []);
    await tab.context().close();
  });

  test("a damaged picture leaves the other channels", async () => {
    const path = tinted();
    const broken = "/// image \"broken.png\"\n@group(2) @binding(2) var broken: texture_2d<f32>;\n";
    writeFileSync(path, broken + TINTED.replace("params.level,", "params.level + textureLoad(broken, vec2i(0), 0).r,"));
    writeFileSync(join(path, "../broken.png"), "no picture");
    const tab = await newPage(browser, SIZE);
    await tab.goto(await written(path));
    await becomes(tab, [153, 200, 100]);
    const message = tab.locator(".toasts .error span");
    assert.equal(await message.textContent(), "cannot fill channel `broken`: this browser cannot decode the file");
    await tab.context().close();
  });

  test("video and sound follow the scene's time", async () => {
    const tab = await newPage(browser, SIZE);
    await tab.goto(await written(await playing()));
    await still(tab);
    await setBare(tab);
    const colour = async () => middle(await shoot(tab));
    const isNear = (a, b) => a.every((value, at) => Math.abs(value - b[at]) < 12);
    const shows = async (expected) => {
      let last;
      await until(async () => isNear((last = await colour()), expected), () => `the picture is ${last}, not ${expected}`);
    };
    await shows([0, 51, 0]);
    await seek(tab, 1.55);
    await shows([0, 204, 255]);
    await seek(tab, 2.55);
    await shows([0, 51, 255]);
    await setBare(tab, false);
    await tab.getByRole("button", { name: "Turn the sound on" }).click();
    await tab.getByRole("button", { name: "Mute" }).waitFor();
    assert.deepEqual(tab.faults, []);
    await tab.context().close();
  });

  test("`tarsus serve` follows the file of its scene", async () => {
    const path = tinted();
    const server = await start("serve", path, "--port", "0", "--site", SITE);
    try {
      const tab = await newPage(browser, SIZE);
      await tab.goto(`${server.line}?backend=webgl2`);
      await becomes(tab, [153, 200, 100]);
      writeFileSync(path, TINTED.replace("params.level,", "1.0,"));
      await becomes(tab, [255, 200, 100]);
      writeFileSync(path, TINTED.replace("params.level,", "oops,"));
      await tab.getByText("oops").first().waitFor({ state: "attached" });
      assert.deepEqual(middle(await shoot(tab)), [255, 200, 100]);
      writeFileSync(path, TINTED);
      await becomes(tab, [153, 200, 100]);
      // Changes in the editor stay until the visitor loads the file.
      await setBare(tab, false);
      await tab.setViewportSize({ width: 640, height: 300 });
      await tab.getByRole("button", { name: "Editor", exact: true }).click();
      await tab.locator(".cm-content").click();
      await tab.keyboard.press("ControlOrMeta+End");
      await tab.keyboard.insertText("// mine");
      await tab.getByRole("button", { name: "Discard changes" }).waitFor();
      writeFileSync(path, TINTED.replace("params.level,", "0.0,"));
      await tab.getByText("Files changed on disk").waitFor();
      assert.match(await tab.locator(".cm-content").textContent(), /mine/);
      // Another visit finds them, too.
      await tab.evaluate(() => (location.hash = "line_walker"));
      await tab.locator(".cm-content", { hasText: "A fox in side view" }).waitFor();
      await tab.evaluate(() => (location.hash = ""));
      await tab.locator(".cm-content", { hasText: "mine" }).waitFor();
      await becomes(tab, [153, 200, 100]);
      writeFileSync(path, TINTED.replace("params.level,", "0.2,"));
      await setBare(tab, false);
      await tab.getByRole("button", { name: "Load the files" }).click();
      await becomes(tab, [51, 200, 100]);
      await tab.reload();
      await becomes(tab, [51, 200, 100]);
      await setBare(tab, false);
      await tab.getByRole("link", { name: "tarsus" }).click();
      await tab.locator(".hero").waitFor();
      assert.deepEqual(tab.faults, []);
      await tab.context().close();
    } finally {
      await server.end();
    }
  });
  test("a file that changes replaces no other scene", async () => {
    const path = tinted();
    const server = await start("serve", path, "--port", "0", "--site", SITE);
    try {
      const tab = await newPage(browser, SIZE);
      await tab.addInitScript(() => {
        globalThis.EventSource = class {
          addEventListener(_, listener) {
            globalThis.send = (scene) => listener(new MessageEvent("message", { data: JSON.stringify(scene) }));
          }
        };
      });
      await tab.goto(`${server.line}?backend=webgl2#line_walker`);
      await still(tab, { isDone: true });
      const before = await shoot(tab);
      const frames = () => tab.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      const change = async (level) => {
        await tab.evaluate((scene) => globalThis.send(scene), { main: "tinted.wgsl", files: { "tinted.wgsl": TINTED.replace("params.level,", `${level},`) } });
        await frames();
      };
      await tab.evaluate(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message) {
          if (message.call === "compose" && !globalThis.isFree) globalThis.release = () => postMessage.call(this, message);
          else postMessage.call(this, message);
        };
      });
      await change("1.0");
      assert.equal(await tab.evaluate(() => globalThis.release), undefined);
      assert.ok(distance(before, await shoot(tab)) < 2);
      // The page waits for the edit of another scene before it opens its own.
      await tab.setViewportSize({ width: 640, height: 300 });
      await tab.getByRole("button", { name: "Editor", exact: true }).click();
      await tab.locator(".cm-content").click();
      await tab.keyboard.insertText("// mine");
      await tab.waitForFunction(() => globalThis.release);
      await tab.evaluate(() => (location.hash = ""));
      await frames();
      await change("0.2");
      await tab.evaluate(() => {
        globalThis.isFree = true;
        globalThis.release();
      });
      await tab.waitForFunction(() => document.title === "tinted · tarsus");
      await becomes(tab, [51, 200, 100]);
      assert.deepEqual(tab.faults, []);
      await tab.context().close();
    } finally {
      await server.end();
    }
  });
  test("a file that changes while its page opens is shown", async () => {
    const path = tinted();
    const server = await start("serve", path, "--port", "0", "--site", SITE);
    try {
      const tab = await newPage(browser, SIZE);
      // The stream's messages come at the moment under test instead.
      await tab.addInitScript((text) => {
        let send = null;
        globalThis.EventSource = class {
          addEventListener(_, listener) {
            send = listener;
          }
        };
        new MutationObserver(() => {
          if (!send || document.querySelector(".notice-text")?.textContent !== "Compiling the scene…") return;
          send(new MessageEvent("message", { data: JSON.stringify({ main: "tinted.wgsl", files: { "tinted.wgsl": text } }) }));
          send = null;
        }).observe(document, { childList: true, subtree: true });
      }, TINTED.replace("params.level,", "1.0,"));
      await tab.goto(`${server.line}?backend=webgl2`);
      await becomes(tab, [255, 200, 100]);
      await tab.locator(".notice.gone").waitFor({ state: "attached" });
      assert.deepEqual(tab.faults, []);
      await tab.context().close();
    } finally {
      await server.end();
    }
  });
});

test("single file without graphics shows its still", async () => {
  const browser = await launch("none");
  try {
    const tab = await newPage(browser, { width: 640, height: 360 });
    await tab.goto(await written("ik_diagram"));
    await tab.getByText(/WebGL2|WebGPU/).waitFor();
    assert.ok(await tab.locator("img").evaluate((image) => image.complete && image.naturalWidth > 0));
  } finally {
    await browser.close();
  }
});
