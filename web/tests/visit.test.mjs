// Cold visits: a visitor opens the page with an empty profile, and no step is a dead end.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe } from "node:test";
import { PNG } from "pngjs";
import { drop, launch, newPage, saved, seek, setBare, still, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { folder, fragment, signals, snapshotOf } from "./native.mjs";
import { becomes, middle, settled, shoot } from "./pixels.mjs";
import { serve, SITE } from "./site.mjs";

const BUILD = resolve(import.meta.dirname, "../build.mjs");
const WASM = resolve(import.meta.dirname, "../../target/wasm");
const WINDOW_KEYS = resolve(import.meta.dirname, "../../src/window/keys.rs");
const SIZE = { width: 640, height: 300, ratio: 0.25 };

/** A message with a text. */
const toast = (page, text) => page.locator(".toasts p").filter({ hasText: text });

/** A scene of one colour. */
const plain = (colour) => `fn main_image(frag_coord: vec2f) -> vec4f {\n    return vec4f(${colour}, 1.0);\n}\n`;
const RED = plain("1.0, 0.0, 0.0");
const GREEN = plain("0.0, 1.0, 0.0");

/** Fragment of a scene of this title, with a buffer. */
const passes = (title) => {
  const text = "#import tarsus::buffers\nfn buffer_a(p: vec2f) -> vec4f {\n    return vec4f(0.0, 1.0, 0.0, 1.0);\n}\nfn main_image(p: vec2f) -> vec4f {\n    return buffers::a(vec2i(p));\n}\n";
  return fragment({ title, files: { main: `${title}.wgsl`, files: { [`${title}.wgsl`]: text } } });
};

/** Fragment of a scene that reads the keyboard. */
const KEYBOARD = fragment({ files: { main: "keyboard.glsl", files: { "keyboard.glsl": '#iChannel0 "keyboard"\nvoid mainImage(out vec4 c, in vec2 p) {\n    c = texelFetch(iChannel0, ivec2(86, 0), 0);\n}\n' } } });

describe("a visit", () => {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([launch("webgl2"), serve()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Runs `body` with a page in its own profile, opened at a fragment. */
  const visit = async (hash, body, options = {}) => {
    const page = await newPage(browser, { ...SIZE, ...options });
    await page.goto(`${site.url}?backend=webgl2${hash}`);
    await body(page);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  };
  const type = async (page, text) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };
  const compiled = (page, pattern = /^compiled in/) => page.locator('.editor-status[aria-busy="false"]').filter({ hasText: pattern }).waitFor();

  /** Waits until the scene of the gallery plays over the picture of a link, exactly on it. */
  const playsOver = async (page, selector) => {
    await page.waitForFunction((selector) => {
      const scene = document.querySelector(".scene[data-live]:has(.notice.gone)");
      const [a, b] = [scene?.querySelector("canvas"), document.querySelector(`${selector} img`)].map((element) => element?.getBoundingClientRect());
      return a && ["left", "top", "width", "height"].every((side) => Math.abs(a[side] - b[side]) < 1);
    }, selector);
    await plays(page, 0);
  };
  /** Waits until the scene's time has moved by more than this, in either direction. */
  const plays = async (page, seconds) => {
    const before = await page.locator(".clock").evaluate((clock) => Number(clock.value));
    await page.waitForFunction(([before, seconds]) => Math.abs(Number(document.querySelector(".clock").value) - before) > seconds, [before, seconds]);
  };

  /** Stores a scene of one file as a draft. */
  const store = (page, id, title, text, saved = 0) =>
    page.evaluate((draft) => localStorage.setItem(`tarsus:draft:${draft.fragment}`, JSON.stringify(draft)), { fragment: id, title, files: { main: "own.wgsl", files: { "own.wgsl": text } }, saved });

  test("one canvas plays the hero and the tile in focus", () =>
    visit("", async (page) => {
      const hashes = [];
      await page.exposeFunction("linked", (hash) => hashes.push(hash));
      await page.evaluate(() => {
        const hero = document.querySelector(".hero");
        new MutationObserver(() => globalThis.linked(hero.hash)).observe(hero, { attributeFilter: ["href"] });
      });
      await playsOver(page, ".hero");
      const asked = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      const tile = (name) => `.tiles [href="#${name}"]`;
      // A finger that scrolls past starts nothing.
      await page.locator(tile("crane")).dispatchEvent("pointerenter", { pointerType: "touch" });
      await plays(page, 0.4);
      await page.locator(tile("line_walker")).hover();
      await playsOver(page, tile("line_walker"));
      assert.equal(await page.title(), "tarsus: a shader toy for legs");
      await page.locator(tile("ik_field")).focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      await playsOver(page, tile("ik_field"));
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.title === "ik field · tarsus");
      await page.getByRole("button", { name: "Controls" }).click();
      const slider = page.locator('.panel [type="range"]').first();
      const value = await slider.evaluate((slider) => (slider.value = slider.max, slider.dispatchEvent(new Event("input")), slider.value));
      // The hero shows the last scene with its values, and goes on after a tile once it is in sight.
      await page.evaluate(() => (location.hash = ""));
      await playsOver(page, ".hero");
      await page.locator(tile("line_walker")).hover();
      await playsOver(page, tile("line_walker"));
      await page.mouse.move(1, 1);
      await page.locator(".scene[data-live]").waitFor({ state: "detached" });
      await page.evaluate(() => scrollTo(0, 0));
      await playsOver(page, ".hero");
      assert.equal(await slider.inputValue(), value);
      assert.equal(await page.locator("canvas").count(), 1);
      assert.deepEqual(asked.filter((path) => /scenes\/crane|\.wasm$/.test(path)), []);
      assert.deepEqual(hashes, ["#ik_field"]);
    }, { reducedMotion: "no-preference", ratio: 0.05 }));

  test("the live picture spares a title that is being typed", () =>
    visit("", async (page) => {
      await store(page, "d=1", "one", GREEN);
      await page.reload();
      await playsOver(page, ".hero");
      await page.getByRole("button", { name: "Rename one" }).click();
      await page.keyboard.type("half");
      await page.locator('.tiles [href="#line_walker"]').hover();
      await playsOver(page, '.tiles [href="#line_walker"]');
      assert.equal(await page.getByLabel("Title of the scene").inputValue(), "half");
    }, { reducedMotion: "no-preference", ratio: 0.05 }));

  test("a link and a closed editor still report errors, a click leads there", () =>
    visit("#new", async (page) => {
      await type(page, "\n".repeat(60) + plain("oops, 0.0, 0.0"));
      await compiled(page, "oops");
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByText("the link contains the last version without").waitFor();
      await page.getByRole("button", { name: "Copy", exact: true }).first().click();
      // The message lies above the dialog.
      const note = toast(page, /Cop/);
      await note.waitFor();
      const isOnTop = await page.locator(".toasts").evaluate((area) => area.matches(":popover-open"));
      assert.ok(isOnTop);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Close the editor" }).click();
      await page.locator(".problem", { hasText: /^scene\.wgsl:62: .*oops/ }).click();
      // The page scrolls so that line and message are visible, without overlap at the right.
      await page.waitForFunction(() => {
        const scroller = document.querySelector(".editor-host").shadowRoot.querySelector(".cm-scroller");
        const [outer, inner, text] = [scroller, scroller.querySelector(".cm-message"), scroller.querySelector(".cm-message .text")].map((element) => element?.getBoundingClientRect());
        return inner && inner.top >= outer.top && inner.bottom <= outer.bottom && text.right <= outer.right;
      });
    }));

  test("pasted GLSL runs, names become importable", () =>
    visit("#new", async (page) => {
      await still(page);
      await type(page, "void mainImage(out vec4 c, in vec2 p) {\n    c = vec4(0.0, 1.0, 0.0, 1.0);\n}\n");
      await page.getByRole("tab", { name: "scene.glsl" }).waitFor();
      await compiled(page);
      await page.getByRole("button", { name: "Close the editor" }).click();
      await becomes(page, [0, 255, 0]);
      await setBare(page, false);
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      await type(page, plain("1.0, 0.0, 0.0"));
      await page.getByRole("tab", { name: "scene.wgsl" }).waitFor();
      await compiled(page);
      await page.getByRole("button", { name: "New file" }).click();
      // Its label fits: a text as long does not scroll.
      const isCut = await page.getByPlaceholder("Name of the new file").evaluate((field) => {
        field.value = field.placeholder;
        const isCut = field.scrollWidth > field.clientWidth;
        field.value = "";
        return isCut;
      });
      assert.equal(isCut, false);
      await page.keyboard.type("my shapes");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.textContent.includes("#define_import_path my_shapes"));
      await page.getByRole("button", { name: "Rename my_shapes.wgsl" }).click();
      await page.keyboard.type("forms");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove forms.wgsl" }).click();
      await toast(page, "forms.wgsl was removed").getByRole("button", { name: "Undo" }).click();
      await page.getByRole("tab", { name: "forms.wgsl" }).waitFor();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => document.activeElement.localName), "canvas");
    }));

  test("own scenes are kept, copied, renamed, deleted, restored", () =>
    visit("#new", async (page) => {
      await still(page);
      await type(page, GREEN);
      await compiled(page);
      await page.waitForFunction(() => location.hash.startsWith("#d="));
      await page.evaluate(() => (location.hash = "#new"));
      await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.textContent.includes("solve2_clamp"));
      await type(page, RED);
      await compiled(page);
      await page.evaluate(() => (location.hash = ""));
      const titles = () => page.locator(".draft b").allTextContents();
      await page.locator(".draft").nth(1).waitFor();
      assert.deepEqual(await titles(), ["untitled 2", "untitled"]);
      await page.getByRole("button", { name: "Rename untitled", exact: true }).click();
      await page.keyboard.type("meadow");
      await page.keyboard.press("Enter");
      assert.deepEqual(await titles(), ["untitled 2", "meadow"]);
      await page.getByRole("button", { name: "Copy meadow" }).click();
      assert.deepEqual(await titles(), ["meadow copy", "untitled 2", "meadow"]);
      // They are in one row above the other scenes.
      const boxes = await page.locator(".hero, .draft, .tiles").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
      const [hero, first, , third, tiles] = boxes;
      assert.ok(hero.bottom < first.top && first.top === third.top && third.bottom < tiles.top, JSON.stringify(boxes));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.getByRole("button", { name: "Delete meadow", exact: true }).click();
      assert.deepEqual(await titles(), ["meadow copy", "untitled 2"]);
      await toast(page, "meadow was deleted").getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "meadow", exact: true }).click();
      await becomes(page, [0, 255, 0]);
      assert.equal(await page.locator(".scene-title").textContent(), "meadow");
      await setBare(page, false);
      await page.getByRole("button", { name: "Rename the scene" }).click();
      await page.keyboard.type("heath");
      await page.keyboard.press("Enter");
      assert.equal(await page.title(), "heath · tarsus");
    }));

  test("a screenshot of an own scene opens in another browser, once", async () => {
    const text = "#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f {\n    return vec4f(0.0, 1.0, fract(frame::frame.time), 1.0);\n}\n";
    const pictures = [];
    await visit(`#${fragment({ title: "leaf", files: { main: "own.wgsl", files: { "own.wgsl": text } } })}`, async (page) => {
      for (const time of [0, 0.5]) {
        await seek(page, time);
        pictures.push(await saved(page, () => page.keyboard.press("F2")));
      }
    });
    assert.equal(snapshotOf(pictures[0]).files.files["own.wgsl"], text);
    await visit("", async (page) => {
      await drop(page, "own.png", "image/png", pictures[0]);
      await page.waitForFunction(() => document.title === "leaf · tarsus");
      await becomes(page, [0, 255, 0]);
      const hash = await page.evaluate(() => location.hash);
      // Another time of the same sources opens the same draft, also while it is open.
      await setBare(page, false);
      await page.keyboard.press("F1");
      await page.getByRole("dialog").waitFor();
      await drop(page, "own.png", "image/png", pictures[1]);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await becomes(page, [0, 255, 128]);
      await page.reload();
      await becomes(page, [0, 255, 128]);
      await page.evaluate(() => (location.hash = ""));
      await page.locator(".draft").waitFor();
      await drop(page, "own.png", "image/png", pictures[0]);
      await page.waitForFunction((hash) => location.hash === hash, hash);
      await becomes(page, [0, 255, 0]);
      // A file has no moment.
      await drop(page, "own.wgsl", "text/plain", text);
      await page.waitForFunction(() => Object.values(localStorage).every((draft) => !draft.includes('"snapshot"')));
      assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tarsus:draft:")).length), 1);
    });
  });

  test("a scene that ignores time has no clock", () =>
    visit(`#${fragment({ files: { main: "own.wgsl", files: { "own.wgsl": GREEN } } })}`, async (page) => {
      await still(page);
      for (const [width, height] of [[900, 500], [320, 568]]) {
        await page.setViewportSize({ width, height });
        await page.locator(".bar").getByText("Still picture").waitFor();
        if (width < 440) await page.getByRole("button", { name: "More" }).click();
        assert.equal(await page.getByRole("button", { name: /^(Play|Pause|Restart)$/ }).count(), 0);
        assert.equal(await page.getByRole("slider", { name: "Time in seconds" }).count(), 0);
        assert.equal(await page.locator(".clock").isVisible(), false);
      }
      await page.evaluate(() => (location.hash = "#line_walker"));
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
      assert.equal(await page.getByText("Still picture").isVisible(), false);
      // A phone has it in the menu.
      await page.getByRole("slider", { name: "Time in seconds" }).fill("9");
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Restart" }).click();
      await page.waitForFunction(() => Number(document.querySelector(".clock").value) < 9);
    }, { reducedMotion: "no-preference" }));

  test("video, sound, camera and microphone fill a channel", async () => {
    const media = await signals();
    const glsl = "void mainImage(out vec4 c, in vec2 p) {\n    c = vec4(texelFetch(iChannel0, ivec2(43, 0), 0).rgb, 1.0);\n}\n";
    await visit(`#${fragment({ files: { main: "own.glsl", files: { "own.glsl": glsl } } })}`, async (page) => {
      await becomes(page, [0, 0, 0]);
      await setBare(page, false);
      await page.getByRole("button", { name: "Controls" }).click();
      const colour = async () => middle(await shoot(page));
      const shows = (what, holds) => until(async () => holds(await colour()), () => `the picture shows no ${what}`);
      const chooser = page.getByLabel("A file for iChannel0");
      // Nothing is bound yet.
      await page.locator(".like-button", { hasText: "Choose" }).waitFor();
      await chooser.setInputFiles(join(media, "signal.webm"));
      await shows("video", ([red, green, blue]) => red < 12 && Math.abs(green - 51) < 12 && blue < 12);
      // A film of the page shows the same frames; its first one is that after the current time.
      await page.locator("canvas").focus();
      await page.keyboard.press("v");
      await page.getByLabel("Duration in seconds").fill("1.5");
      writeFileSync(join(media, "film.webm"), await saved(page, () => page.locator("dialog").getByRole("button", { name: "Film", exact: true }).click()));
      await chooser.setInputFiles(join(media, "film.webm"));
      for (const [time, level] of [["0.9", 51], ["1.05", 204]]) {
        await page.getByRole("slider", { name: "Time in seconds" }).fill(time);
        await shows(`film at ${time} s`, ([, green]) => Math.abs(green - level) < 40);
      }
      await chooser.setInputFiles(join(media, "signal.wav"));
      await page.getByRole("button", { name: "Mute" }).waitFor();
      await page.getByRole("slider", { name: "Time in seconds" }).fill("1");
      await shows("tone", ([red]) => red > 200);
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.getByRole("button", { name: "Show the microphone in iChannel0" }).click();
      await shows("silence", ([red]) => red < 12);
      await shows("beep", ([red]) => red > 50);
      await page.getByRole("button", { name: "Show the camera in iChannel0" }).click();
      await shows("camera", ([red, green, blue]) => red !== green || green !== blue);
      assert.equal(await page.getByRole("button", { name: "Mute" }).count(), 0);
    }, { width: 900, height: 500 });
  });

  test("the file chosen last fills a channel", async () => {
    const media = await signals();
    const glsl = "void mainImage(out vec4 c, in vec2 p) {\n    c = vec4(texelFetch(iChannel0, ivec2(0), 0).rgb, 1.0);\n}\n";
    await visit(`#${fragment({ files: { main: "own.glsl", files: { "own.glsl": glsl } } })}`, async (page) => {
      await page.evaluate(() => {
        const { decodeAudioData } = BaseAudioContext.prototype;
        BaseAudioContext.prototype.decodeAudioData = async function (bytes) {
          await new Promise((released) => (globalThis.release = released));
          return decodeAudioData.call(this, bytes);
        };
        const revoke = URL.revokeObjectURL;
        URL.revokeObjectURL = (url) => {
          globalThis.isClosed = true;
          revoke(url);
        };
      });
      await becomes(page, [0, 0, 0]);
      await setBare(page, false);
      await page.getByRole("button", { name: "Controls" }).click();
      const chooser = page.getByLabel("A file for iChannel0");
      await chooser.setInputFiles(join(media, "signal.wav"));
      await page.waitForFunction(() => globalThis.release);
      const picture = new PNG({ width: 2, height: 2 });
      for (let at = 0; at < picture.data.length; at += 4) picture.data.set([0, 200, 100, 255], at);
      await chooser.setInputFiles({ name: "green.png", mimeType: "image/png", buffer: PNG.sync.write(picture) });
      await becomes(page, [0, 200, 100]);
      await setBare(page, false);
      await page.evaluate(() => globalThis.release());
      await page.waitForFunction(() => globalThis.isClosed);
      assert.equal(await toast(page, "iChannel0 is signal.wav").count(), 0);
      await becomes(page, [0, 200, 100]);
      // The same with pictures, also if decoding the earlier one fails late.
      for (const [isDamaged, red] of [[false, 50], [true, 100]]) {
        await setBare(page, false);
        await page.evaluate((isDamaged) => {
          const decode = globalThis.createImageBitmap;
          globalThis.release = null;
          globalThis.createImageBitmap = async (...given) => {
            globalThis.createImageBitmap = decode;
            await new Promise((released) => (globalThis.release = released));
            if (isDamaged) throw new Error("damaged");
            return decode(...given);
          };
        }, isDamaged);
        await chooser.setInputFiles({ name: "late.png", mimeType: "image/png", buffer: PNG.sync.write(picture) });
        await page.waitForFunction(() => globalThis.release);
        const next = new PNG({ width: 2, height: 2 });
        for (let at = 0; at < next.data.length; at += 4) next.data.set([red, 0, 0, 255], at);
        await chooser.setInputFiles({ name: "next.png", mimeType: "image/png", buffer: PNG.sync.write(next) });
        await becomes(page, [red, 0, 0]);
        await page.evaluate(async () => {
          globalThis.release();
          await new Promise((later) => setTimeout(later, 300));
        });
        await becomes(page, [red, 0, 0]);
        assert.equal(await page.locator(".toasts p").filter({ hasText: /late|damaged/ }).count(), 0);
      }
    }, { width: 900, height: 500 });
  });

  test("a cube names the pictures that it takes", () => {
    const text = "/// cube \"sky.png\"\n@group(2) @binding(0) var sky: texture_cube<f32>;\n@group(2) @binding(1) var sky_sampler: sampler;\nfn main_image(p: vec2f) -> vec4f {\n    return vec4f(textureSampleLevel(sky, sky_sampler, vec3f(0.0, 0.0, 1.0), 0.0).rgb, 1.0);\n}\n";
    return visit(`#${fragment({ files: { main: "own.wgsl", files: { "own.wgsl": text } } })}`, async (page) => {
      await becomes(page, [0, 0, 0]);
      await setBare(page, false);
      await page.getByRole("button", { name: "Controls" }).click();
      const choose = (width, height) => {
        const picture = new PNG({ width, height });
        for (let at = 0; at < picture.data.length; at += 4) picture.data.set([0, 200, 100, 255], at);
        return page.getByLabel("A file for sky").setInputFiles({ name: "sky.png", mimeType: "image/png", buffer: PNG.sync.write(picture) });
      };
      await choose(4, 2);
      const message = page.locator(".toasts .error span");
      assert.equal(await message.textContent(), "cannot fill channel `sky`: it has 4x2 pixels: a cube needs six square faces stacked vertically");
      // Choosing it again would be no change.
      assert.equal(await page.getByLabel("A file for sky").inputValue(), "");
      await choose(4, 24);
      await becomes(page, [0, 200, 100]);
    }, { width: 900, height: 500 });
  });

  test("a scene that fails late spares the next one", () =>
    visit("#ik_diagram", async (page) => {
      await still(page);
      const held = hold(page, "**/scenes/crane.json");
      await page.evaluate(() => {
        globalThis.failures = 0;
        new MutationObserver(() => (globalThis.failures += document.querySelectorAll(".notice.failed").length)).observe(document, { subtree: true, attributeFilter: ["class"] });
        location.hash = "crane";
      });
      const request = await held;
      await page.waitForFunction(() => document.title === "crane · tarsus");
      await page.evaluate(() => (location.hash = "line_walker"));
      await page.waitForFunction(() => document.title === "line walker · tarsus");
      await request.abort();
      await still(page);
      assert.equal(await page.evaluate(() => globalThis.failures), 0);
      page.faults.length = 0;
    }));

  test("the later of two addresses wins", () =>
    visit("#line_walker", async (page) => {
      await still(page);
      const held = hold(page, "**/scenes/crane.wgsl");
      await page.evaluate(() => (location.hash = "crane"));
      const request = await held;
      await page.evaluate(() => (location.hash = "ik_field"));
      await page.waitForFunction(() => document.title === "ik field · tarsus");
      const late = page.waitForEvent("requestfinished", (request) => request.url().endsWith("crane.wgsl"));
      await request.continue();
      await late;
      // A text that was read opens its scene before the next frames.
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      assert.equal(await page.title(), "ik field · tarsus");
      await still(page);
      assert.equal(await page.locator("canvas").getAttribute("aria-label"), "ik field");
    }));

  test("keys and pointer spare the still that ignores them, help lists the keys of the window", () =>
    visit("#line_walker", async (page) => {
      await setBare(page);
      await settled(page);
      const samples = () => page.locator(".corner").textContent();
      // All of them: no more follow.
      await page.waitForFunction(() => document.querySelector(".corner").textContent.includes("32 samples"));
      const before = await samples();
      await page.locator("canvas").focus();
      await page.evaluate(() => {
        const { stage } = document.querySelector(".picture").dataset;
        globalThis.isUnchanged = stage === undefined;
        new MutationObserver(() => {
          if (document.querySelector(".picture").dataset.still === undefined) globalThis.isUnchanged = false;
        }).observe(document.querySelector(".picture"), { attributeFilter: ["data-still"] });
      });
      await page.keyboard.press("Shift");
      await page.keyboard.press("q");
      await page.mouse.move(300, 100);
      await page.mouse.move(320, 140, { steps: 3 });
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      assert.equal(await page.evaluate(() => globalThis.isUnchanged), true);
      assert.equal(await samples(), before);
      await setBare(page, false);
      await page.keyboard.press("F1");
      await page.getByRole("heading", { name: "Help" }).waitFor();
      const rows = await page.locator(".help section").evaluateAll((sections) =>
        sections
          .filter((section) => !["On the picture", "In the editor"].includes(section.querySelector("h3").textContent))
          .flatMap((section) => [...section.querySelectorAll("dt")].map((keys) => [keys.textContent, keys.nextElementSibling.textContent])),
      );
      const [, table] = /HELP: [^=]*= &\[(.*?)\n\];/s.exec(readFileSync(WINDOW_KEYS, "utf8"));
      const each = (rows) => rows.flatMap(([keys, action]) => keys.split(/, | or /).map((key) => [key, action]));
      const window = new Map(each([...table.matchAll(/\("(.*)", "(.*)"\)/g)].map(([, keys, action]) => [keys, action])));
      // The window shows its help with H, too, has nothing to close, and films backwards.
      const isOwn = (key) => ["H", "F1", "?", "Esc", "V"].includes(key);
      const shared = each(rows).filter(([key]) => !isOwn(key));
      assert.ok(shared.length > 20, `${shared.length} keys`);
      assert.deepEqual(shared, shared.map(([key]) => [key, window.get(key)]));
    }));

  test("keys work on other layouts, and only steps repeat", () =>
    visit("#line_walker", async (page) => {
      await still(page);
      const press = (key, code, more = {}) =>
        page.locator("canvas").evaluate((canvas, init) => {
          canvas.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
        }, { key, code, ...more });
      // Russian, and German on Windows.
      await press("с", "KeyC");
      const speed = page.locator(".stepper output");
      assert.equal(await speed.textContent(), "1×");
      await press("[", "Digit8", { altKey: true, ctrlKey: true, modifierAltGraph: true });
      assert.equal(await speed.textContent(), "0.5×");
      await press("+", "BracketRight");
      assert.equal(await speed.textContent(), "1×");
      // Dvorak, and AltGr on Linux.
      await press("n", "KeyL");
      assert.equal(await page.getByLabel("Debug view").inputValue(), "");
      await press("¢", "KeyC", { modifierAltGraph: true });
      await speed.waitFor();
      await press(" ", "Space");
      await press(" ", "Space", { repeat: true });
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
      await press(" ", "Space");
      await seek(page, 2);
      await press(".", "Period", { repeat: true });
      await page.waitForFunction(() => document.querySelector(".clock").value === "2.02");
      // Colemak, and Option on macOS, in a scene that reads keys.
      await page.evaluate((hash) => (location.hash = hash), KEYBOARD);
      await page.waitForFunction(() => document.title === "keyboard · tarsus");
      await still(page);
      await saved(page, () => press("p", "KeyR", { altKey: true }));
      assert.equal(await page.locator('[aria-pressed="true"]').count(), 0);
      await press("®", "KeyR", { altKey: true, modifierAltGraph: true });
      await page.locator('[aria-pressed="true"]').waitFor({ state: "attached" });
    }, { width: 900, height: 500 }));

  test("a scene opens without what was begun in another", () =>
    visit(`#${passes("one")}`, async (page) => {
      await still(page);
      const shown = () => page.locator('.choice[aria-checked="true"]').textContent();
      await page.keyboard.press("Alt+1");
      assert.equal(await shown(), "buffer a");
      await page.keyboard.press("v");
      await page.getByLabel("Duration in seconds").fill("60");
      await page.locator("dialog").getByRole("button", { name: "Film", exact: true }).click();
      await page.getByText(/^\d+ of 1800 frames$/).waitFor();
      await page.evaluate((hash) => (location.hash = hash), passes("two"));
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.waitForFunction(() => document.title === "two · tarsus");
      await still(page);
      assert.equal(await shown(), "picture");
    }));

  test("both buttons are released one by one", () => {
    const glsl = "void mainImage(out vec4 c, in vec2 p) {\n    c = vec4(iMouse.z > 0.0 ? 1.0 : 0.0, 1.0, 0.0, 1.0);\n}\n";
    return visit(`#${fragment({ files: { main: "own.glsl", files: { "own.glsl": glsl } } })}`, async (page) => {
      await becomes(page, [0, 255, 0]);
      await page.mouse.move(320, 150);
      await page.mouse.down();
      await becomes(page, [255, 255, 0]);
      await page.mouse.down({ button: "right" });
      await page.mouse.up();
      await becomes(page, [0, 255, 0]);
      await page.mouse.up({ button: "right" });
      // The first of them goes down, and the second one up, outside the picture.
      await setBare(page, false);
      const { x, y } = await page.getByRole("button", { name: "Share" }).boundingBox();
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.down({ button: "right" });
      await page.mouse.move(320, 150);
      await page.mouse.down();
      await becomes(page, [255, 255, 0]);
      await setBare(page, false);
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.up();
      await becomes(page, [0, 255, 0]);
      await page.mouse.up({ button: "right" });
    });
  });

  test("a scene that is loading has its own title, and nothing is recorded", () =>
    visit("#line_walker", async (page) => {
      await still(page);
      await store(page, "d=1", "one", GREEN);
      await page.evaluate(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message) {
          if (message.call === "compose") globalThis.release = () => postMessage.call(this, message);
          else postMessage.call(this, message);
        };
        location.hash = "d=1";
      });
      await page.waitForFunction(() => globalThis.release);
      await page.keyboard.press("Alt+KeyR");
      assert.equal(await toast(page, "Recording the input").count(), 0);
      await page.getByRole("button", { name: "Rename the scene" }).click();
      await page.keyboard.type("two");
      await page.keyboard.press("Enter");
      assert.equal(await page.title(), "two · tarsus");
      await page.evaluate(() => globalThis.release());
      await becomes(page, [0, 255, 0]);
      assert.equal(await page.locator('[aria-pressed="true"]').count(), 0);
      assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("tarsus:draft:d=1")).title), "two");
    }));

  test("a new title stays with its scene", () =>
    visit(`#${fragment({ files: { main: "own.wgsl", files: { "own.wgsl": GREEN } } })}`, async (page) => {
      await still(page);
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      const copy = async () => {
        const before = await page.evaluate(() => location.hash);
        await page.getByRole("button", { name: "Make a copy" }).click();
        await page.waitForFunction((before) => location.hash !== before, before);
        await page.getByRole("button", { name: "Rename the scene" }).waitFor();
        await still(page);
        return page.evaluate(() => location.hash);
      };
      const [first] = [await copy(), await copy()];
      await page.getByRole("button", { name: "Rename the scene" }).click();
      await page.getByLabel("Title of the scene").fill("mine");
      await page.evaluate((hash) => (location.hash = hash), first);
      await page.waitForFunction(() => document.title === "my own · tarsus");
      assert.equal(await page.getByLabel("Title of the scene").count(), 0);
      // The gallery renames the scene that is still open.
      await page.evaluate(() => (location.hash = ""));
      await page.getByRole("button", { name: "Rename my own", exact: true }).click();
      await page.getByLabel("Title of the scene").fill("yours");
      // Another address ends the renaming.
      await page.evaluate((hash) => (location.hash = hash), first);
      await page.waitForFunction(() => document.title === "yours · tarsus");
      assert.equal(await page.locator(".scene-title").textContent(), "yours");
      const titles = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("tarsus:draft:")).map(([, draft]) => JSON.parse(draft).title));
      assert.deepEqual(titles.sort(), ["mine", "yours"]);
    }, { width: 900, height: 500 }));

  test("without storage, no address leads nowhere", () =>
    visit("#line_walker", async (page) => {
      await store(page, "d=1", "one", RED, 1);
      await store(page, "d=2", "two", GREEN, 2);
      await page.evaluate(() => {
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (key, value) {
          if (key !== "tarsus:draft:d=2") throw new DOMException("full", "QuotaExceededError");
          setItem.call(this, key, value);
        };
      });
      await still(page);
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      await page.getByRole("button", { name: "Make a copy" }).click();
      await toast(page, "This browser cannot store drafts").waitFor();
      assert.equal(await page.evaluate(() => location.hash), "#line_walker");
      await page.evaluate(() => (location.hash = "new"));
      await page.waitForFunction(() => document.title === "untitled · tarsus");
      await page.getByRole("button", { name: "Close the message" }).click();
      await page.locator(".cm-content", { hasText: "A target goes round" }).click();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.insertText("// mine");
      await toast(page, "This browser cannot store drafts").waitFor();
      assert.equal(await page.evaluate(() => location.hash), "#new");
      // A draft that does not fit any more takes no other one along.
      await page.evaluate(() => (location.hash = ""));
      await page.locator(".draft").waitFor();
      assert.deepEqual(await page.locator(".draft b").allTextContents(), ["two"]);
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
      });
      await page.getByRole("button", { name: "Rename two" }).click();
      await page.keyboard.type("three");
      await page.keyboard.press("Enter");
      await toast(page, "cannot rename two").waitFor();
    }, { width: 900, height: 500 }));

  test("what the network has failed to deliver is fetched again", () =>
    visit("#line_walker", async (page) => {
      await still(page);
      const button = page.getByRole("button", { name: "Editor", exact: true });
      const parts = ["**/assets/editor-*.js", "**/assets/studio_bg*.wasm"];
      for (const part of parts) await page.route(part, (route) => route.abort());
      await button.click();
      await toast(page, "cannot load the editor").waitFor();
      await page.getByRole("button", { name: "Close the message" }).click();
      for (const part of parts) await page.unroute(part);
      await button.click();
      await button.click();
      await page.locator(".cm-content").waitFor();
      await page.route("**/*.wasm", (route) => route.abort());
      await page.reload();
      await page.locator(".notice.failed").waitFor();
      await page.unroute("**/*.wasm");
      await page.evaluate(() => (location.hash = "ik_diagram"));
      await page.waitForFunction(() => document.title === "ik diagram · tarsus");
      await still(page);
      page.faults.length = 0;
    }, { width: 900, height: 500 }));

  test("a drag in a paused scene stays, and time stands still", () => {
    const target = "#import tarsus::{frame, pointer}\nfn main_image(p: vec2f) -> vec4f {\n    let target_point = pointer::target_in_pixels(vec2f(0.0));\n    return vec4f(target_point / frame::frame.resolution, fract(frame::frame.time), 1.0);\n}\n";
    return visit(`#${fragment({ files: { main: "own.wgsl", files: { "own.wgsl": target } } })}`, async (page) => {
      await becomes(page, [0, 0, 0]);
      assert.equal(await page.locator(".about").textContent(), "drag in the picture");
      assert.equal(await page.locator("canvas").evaluate((canvas) => getComputedStyle(canvas).cursor), "grab");
      await page.mouse.move(120, 90);
      await page.mouse.down();
      await page.mouse.move(320, 150, { steps: 3 });
      await page.mouse.up();
      await becomes(page, [128, 128, 0]);
      await page.mouse.move(160, 110);
      await setBare(page, false);
      // Over the bar, the pointer has left the picture.
      await page.getByRole("button", { name: "Play", exact: true }).hover();
      await becomes(page, [128, 128, 0]);
      await setBare(page, false);
      await page.keyboard.press("Space");
      await page.waitForFunction(() => Number(document.querySelector(".clock").value) > 0);
      await page.keyboard.press("Space");
      await setBare(page);
      await until(async () => `${middle(await shoot(page)).slice(0, 2)}` === "0,0", () => "the target does not return");
    });
  });

  test("unknown scenes lead back, capitals do not matter", () =>
    visit("#IK_Diagram", async (page) => {
      await still(page);
      await page.evaluate(() => (location.hash = "#nothing-of-that-name"));
      await page.getByText("there is no such scene").waitFor();
      assert.equal(await page.title(), "tarsus");
      assert.equal(await page.getByRole("button", { name: "Share" }).count(), 0);
      assert.equal(await page.locator(".scene-title").textContent(), "");
      assert.equal(await page.locator(".notice").getByRole("link", { name: "line walker" }).getAttribute("href"), "#line_walker");
      await page.getByRole("link", { name: "All scenes" }).click();
      await page.locator(".hero").waitFor();
      await page.getByRole("link", { name: /ik diagram/ }).click();
      // Until then the page still shows the failure.
      await page.getByRole("button", { name: "Share" }).waitFor();
      await still(page);
    }));

  test("an endless loop is reported and not run again", async () => {
    let [storageState, hash] = [];
    const hang = () => {
      const { prototype } = WebGL2RenderingContext;
      const { getSyncParameter, clientWaitSync } = prototype;
      // A GPU that never finishes.
      prototype.getSyncParameter = function (...given) {
        return globalThis.isHung ? this.UNSIGNALED : getSyncParameter.apply(this, given);
      };
      prototype.clientWaitSync = function (...given) {
        return globalThis.isHung ? this.TIMEOUT_EXPIRED : clientWaitSync.apply(this, given);
      };
      // A page that was hidden, or blocked by a compiler.
      const now = performance.now.bind(performance);
      performance.now = () => now() + (globalThis.skipped ?? 0);
    };
    await visit("#new", async (page) => {
      // A hang before the loop would keep it from being composed.
      await still(page, { isDone: true });
      await page.evaluate(hang);
      await page.evaluate(() => (globalThis.isHung = true));
      await type(page, "fn main_image(p: vec2f) -> vec4f {\n    var x = p.x;\n    loop {\n        x = sin(x) + 2.0;\n        if x > 0.0 { break; }\n    }\n    return vec4f(x);\n}\n");
      await compiled(page);
      await page.evaluate(() => (globalThis.skipped = 60_000));
      const problem = page.locator(".problem", { hasText: "a loop may never end" });
      await problem.waitFor();
      // Only watched time counts.
      assert.match(await problem.textContent(), /for [4-9] s/);
      await problem.click();
      await page.locator(".cm-activeLine", { hasText: "loop {" }).waitFor();
      hash = await page.evaluate(() => location.hash);
      storageState = await page.context().storageState();
    });
    await visit(hash, async (page) => {
      await page.getByText("A loop in it may never end").waitFor();
      await page.getByRole("button", { name: "Discard changes" }).click();
      await toast(page, "Changes discarded").getByRole("button", { name: "Undo" }).waitFor();
      await page.locator(".notice.failed").waitFor({ state: "detached" });
      await still(page);
      assert.match(await page.locator(".cm-content").textContent(), /solve2_clamp/);
      await page.getByRole("button", { name: "Make a copy" }).click();
      await page.waitForFunction((hash) => location.hash !== hash, hash);
      await toast(page, "Changes discarded").waitFor({ state: "detached" });
    }, { storageState });
  });
});

test("a page built by its repository links to it", async () => {
  const site = join(folder(), "site");
  const env = { ...process.env, GITHUB_SERVER_URL: "https://example.org", GITHUB_REPOSITORY: "legs/tarsus" };
  execFileSync(process.execPath, [BUILD, WASM, site], { env });
  const [nav] = /<nav.*<\/nav>/.exec(readFileSync(join(site, "index.html"), "utf8"));
  assert.deepEqual([...nav.matchAll(/href="(.*?)">(.*?)</g)].map(([, address, label]) => [label, address]), [
    ["New scene", "#new"],
    ["How it works", "ik/index.html"],
    ["Source", "https://example.org/legs/tarsus"],
    ["Docs", "https://example.org/legs/tarsus/tree/HEAD/docs"],
  ]);
});

/** Resolves to the request of a file, which waits until it is continued or aborted. */
function hold(page, path) {
  return new Promise((held) => void page.route(path, held));
}

/** Crashes a browser whose GPU hangs; closing it would hang, too. */
async function crash(browser) {
  const session = await browser.newBrowserCDPSession();
  await Promise.race([session.send("Browser.crash").catch(() => undefined), new Promise((ended) => browser.once("disconnected", ended))]);
}

test("a slow built-in scene is not taken for an endless loop", async () => {
  const path = "scenes/line_walker.json";
  const scene = JSON.parse(readFileSync(join(SITE, path), "utf8"));
  // An endless picture is slow on every machine.
  const { modules } = scene.program;
  const end = /return (\w+);\s*}\s*$/;
  assert.match(modules.at(-1), end);
  modules[modules.length - 1] = modules.at(-1).replace(end, "var x = $1.x;\nloop {\nx = sin(x) + 2f;\nif x < 0f { break; }\n}\nreturn vec4<f32>(x);\n}\n");
  const site = await serve({ [`/${path}`]: JSON.stringify(scene) });
  const browser = await launch("webgl2");
  try {
    // The scene before still plays while the slow one is fetched.
    const page = await newPage(browser, { ...SIZE, reducedMotion: "no-preference" });
    await page.goto(`${site.url}?backend=webgl2#new`);
    await page.waitForFunction(() => Number(document.querySelector(".clock")?.value) > 0);
    await page.route(`**/${path}`, async (route) => {
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(next)))));
      await route.continue();
    });
    await page.evaluate(() => (location.hash = "line_walker"));
    await page.locator(".notice-text", { hasText: "The first picture takes long on this machine." }).waitFor();
    assert.equal(await page.locator(".problem").isVisible(), false);
    // A pointer would wait for a frame of the GPU.
    await page.getByRole("link", { name: "All scenes" }).evaluate((link) => link.click());
    await until(() => page.evaluate(() => document.body.dataset.view === "gallery"), () => "the gallery does not open");
  } finally {
    await crash(browser);
    await site.close();
  }
});
