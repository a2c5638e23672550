// Links, embedding in other pages, and pictures with snapshots.

import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { setBare, drop, launch, newPage, saved, still, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { capture, folder, fragment, snapshotOf, tarsus } from "./native.mjs";
import { compare, decode, distance, hasContent, RESIDUALS, settled } from "./pixels.mjs";
import { serve } from "./site.mjs";

const SIZE = { width: 320, height: 180 };

describe("links and pictures", () => {
  let browser;
  let site;
  let page;
  before(async () => {
    [browser, site] = await Promise.all([launch("webgl2"), serve()]);
    page = await newPage(browser, SIZE);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = async (hash) => {
    await page.goto("about:blank");
    await page.goto(`${site.url}?backend=webgl2#${hash}`);
    await still(page);
  };
  const link = async (label) => {
    await page.getByRole("button", { name: "Share" }).click();
    const text = await page.getByRole("textbox", { name: label }).inputValue();
    await page.keyboard.press("Escape");
    return text;
  };

  test("link restores text, values and time", async () => {
    const text = `#import tarsus::frame
struct Params {
    /// Level [0, 1] = 0.25
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(params.level, 0.05 * frame::frame.time, frag_coord.x / frame::frame.resolution.x, 1.0); } // é🦗
`;
    const files = { main: "mine.wgsl", files: { "mine.wgsl": text } };
    await open(fragment({ files }));
    await page.getByRole("button", { name: "Controls" }).click();
    await page.getByRole("slider", { name: "Level" }).fill("0.75");
    await page.getByRole("button", { name: "Close the controls" }).click();
    await page.getByRole("slider", { name: "Time in seconds" }).fill("7.5");
    await still(page);
    const shared = await link("Link");
    await setBare(page);
    const before = await settled(page);
    await page.goto("about:blank");
    await page.goto(shared.replace("#", "?backend=webgl2#"));
    await still(page);
    assert.equal(await page.locator(".clock").textContent(), "7.50");
    await setBare(page);
    const after = await settled(page);
    assert.ok(distance(before, after) < 0.5, `${distance(before, after)}`);
    assert.ok(Math.abs(after.data[0] - 191) <= 1, `red: ${after.data[0]}`);
    assert.deepEqual(page.faults, []);
  });

  test("built-in scene has short link, damaged link is reported", async () => {
    await open("ik_diagram");
    assert.ok((await link("Link")).length < 700);
    await page.goto("about:blank");
    await page.goto(`${site.url}?backend=webgl2#s=brokenlink`);
    await page.getByText("it is incomplete or damaged").waitFor();
    await page.goto("about:blank");
    await page.goto(`${site.url}?backend=webgl2#nothing_of_that_name`);
    await page.getByText("there is no such scene").waitFor();
  });

  test("iframe shows the canvas with a small bar", async () => {
    await open("ik_field");
    const iframe = await link("For your page");
    assert.match(iframe, /\?embed#s=/);
    const other = await serve({ "/blog.html": `<!doctype html><title>blog</title><link rel="icon" href="data:,">${iframe}` });
    await page.goto(`${other.url}blog.html`);
    const frame = page.frameLocator("iframe");
    await frame.locator(".notice.gone").waitFor({ state: "attached" });
    await frame.locator(".picture[data-still]").waitFor();
    assert.equal(await frame.getByRole("button", { name: "Share" }).count(), 0);
    assert.equal(await frame.getByRole("button", { name: "Play", exact: true }).count(), 1);
    assert.ok(hasContent(decode(await frame.locator("canvas").screenshot({ caret: "initial" }))));
    await other.close();
    assert.deepEqual(page.faults, []);
  });

  test("scene is exported as GLSL for Shadertoy", async () => {
    await open("line_walker");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("button", { name: "Write GLSL" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll(".sheet textarea")].some(({ value }) => value.includes("void mainImage")));
    const json = JSON.parse(await saved(page, () => page.getByRole("button", { name: "Save JSON" }).click()));
    assert.deepEqual(json.renderpass.map(({ name }) => name), ["Common", "Buffer A", "Image"]);
    await page.keyboard.press("Escape");
  });

  test("screenshots and captures open in both programs", async () => {
    await open(fragment({ scene: "ik_diagram", moment: { scene: "ik_diagram", time: 2, frame: 120, parameters: { theme: [1] } }, paused: true }));
    const mine = await saved(page, () => page.keyboard.press("F2"));
    const out = folder();
    writeFileSync(join(out, "page.png"), mine);
    await tarsus("capture", join(out, "page.png"), "--quiet", "-o", join(out, "native.png"));
    const native = readFileSync(join(out, "native.png"));
    assert.ok(compare(decode(mine), decode(native), RESIDUALS).near > 0.99);
    assert.deepEqual(snapshotOf(native).parameters.theme, [1]);

    const [{ bytes }] = await capture("ik_diagram", [90], "--size", "320x180", "--set", "theme=light", "--set", "r1=0.5");
    await open("line_walker");
    await drop(page, "native.png", "image/png", bytes);
    await page.waitForFunction(() => document.querySelector(".clock").textContent === "1.50");
    assert.equal(await page.evaluate(() => location.hash), "#ik_diagram");
    await still(page);
    const again = await saved(page, () => page.keyboard.press("F2"));
    assert.ok(compare(decode(again), decode(bytes), RESIDUALS).near > 0.99);
    // So does that of a file with the same source.
    await tarsus("capture", join(import.meta.dirname, "../../shaders/ik_diagram.wgsl"), "--quiet", "--time", "2", "--size", "64x36", "-o", join(out, "file.png"));
    const copy = readFileSync(join(out, "file.png"));
    assert.equal(snapshotOf(copy).files.main, "ik_diagram.wgsl");
    await drop(page, "file.png", "image/png", copy);
    await page.waitForFunction(() => document.querySelector(".clock").textContent === "2.00");
    assert.equal(await page.evaluate(() => location.hash), "#ik_diagram");
    await drop(page, "other.png", "image/png", readFileSync(join(import.meta.dirname, "../../captures/window.png")));
    await page.getByText("only pictures saved by tarsus").waitFor();
  });

  test("sources in pictures open in both programs", async () => {
    const files = { "own.wgsl": '#import "shade.wgsl" as shade\nfn main_image(p: vec2f) -> vec4f { return shade::at(p); }\n', "shade.wgsl": "fn at(p: vec2f) -> vec4f { return vec4f(p / 400.0, 0.5, 1.0); }\n" };
    await open(fragment({ title: "shade", files: { main: "own.wgsl", files } }));
    const mine = await saved(page, () => page.keyboard.press("F2"));
    const out = folder();
    writeFileSync(join(out, "page.png"), mine);
    await tarsus("capture", join(out, "page.png"), "--quiet", "--strict", "-o", join(out, "native.png"));
    const native = readFileSync(join(out, "native.png"));
    assert.ok(compare(decode(mine), decode(native), RESIDUALS).near > 0.99);
    assert.deepEqual(snapshotOf(native).files, { title: "shade", main: "own.wgsl", files });

    for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text.replace("0.5", "0.25"));
    await tarsus("capture", join(out, "own.wgsl"), "--quiet", "--time", "1.5", "--size", "320x180", "-o", join(out, "other.png"));
    await open("line_walker");
    await drop(page, "other.png", "image/png", readFileSync(join(out, "other.png")));
    await page.waitForFunction(() => document.querySelector(".clock").textContent === "1.50");
    assert.equal(await page.title(), "own · tarsus");
    await still(page);
    const again = await saved(page, () => page.keyboard.press("F2"));
    assert.ok(compare(decode(again), decode(readFileSync(join(out, "other.png"))), RESIDUALS).near > 0.99);
  });

  test("recorded input replays in the program", async () => {
    await open("ik_diagram");
    await page.keyboard.press("Alt+KeyR");
    await page.keyboard.press("Space");
    await setBare(page);
    await page.mouse.move(100, 60);
    await page.mouse.down();
    await page.mouse.move(120, 80, { steps: 3 });
    await page.waitForFunction(() => Number(document.querySelector(".clock").textContent) > 0.3);
    await page.mouse.up();
    const timeline = await saved(page, () => page.keyboard.press("Alt+KeyR"));
    await page.locator(".toasts", { hasText: "Saved ik_diagram.json: drop it" }).waitFor({ state: "attached" });
    const out = folder();
    writeFileSync(join(out, "input.json"), timeline);
    await tarsus("capture", "--replay", join(out, "input.json"), "--quiet", "--frames", "2", "--size", "64x36", "-o", join(out, "{frame}.png"));
    assert.ok(hasContent(decode(readFileSync(join(out, "1.png")))));
    // The scene keeps playing until the recording starts from its own start time.
    const clock = () => page.locator(".clock").evaluate((clock) => Number(clock.value));
    const before = await clock();
    await drop(page, "input.json", "application/json", timeline);
    await until(async () => (await clock()) < before, () => "the recording does not begin");
    await page.keyboard.press("Space");
    await still(page);
    assert.deepEqual(page.faults, []);
  });

  test("opening another scene saves the recording", async () => {
    await open("ik_diagram");
    await page.keyboard.press("Alt+KeyR");
    await page.locator('[aria-pressed="true"]').waitFor({ state: "attached" });
    const timeline = await saved(page, () => page.evaluate(() => (location.hash = "ik_field")));
    assert.equal(JSON.parse(timeline).start.scene, "ik_diagram");
    await page.locator(".toasts", { hasText: "Saved ik_diagram.json" }).waitFor({ state: "attached" });
    await still(page);
    assert.equal(await page.locator('[aria-pressed="true"]').count(), 0);
  });

  test("a video has the expected duration", async () => {
    // Before its first picture.
    await page.goto("about:blank");
    await page.goto(`${site.url}?backend=webgl2#line_walker`);
    await page.getByRole("button", { name: "Share" }).waitFor();
    await page.keyboard.press("v");
    await page.getByRole("spinbutton").fill("0.2");
    const film = await saved(page, () => page.getByRole("button", { name: "Film" }).last().click());
    await page.getByText("Saved line_walker.webm").waitFor();
    await page.locator("canvas").focus();
    await page.keyboard.press("v");
    await page.getByRole("spinbutton").fill("60");
    await page.getByRole("button", { name: "Film" }).last().click();
    await page.getByText(/^\d+ of 1800 frames$/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const shown = await page.evaluate(async (base64) => {
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "video/webm" }));
      await new Promise((done, failed) => {
        video.onloadeddata = done;
        video.onerror = () => failed(new Error(video.error.message));
      });
      const shown = new Promise((done) => video.requestVideoFrameCallback(done));
      // A busy browser may present no frame after one seek.
      const seeks = setInterval(() => { video.currentTime = 0.001 - video.currentTime; }, 300);
      await shown;
      clearInterval(seeks);
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      canvas.getContext("2d").drawImage(video, 0, 0);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return { width: video.videoWidth, height: video.videoHeight, duration: video.duration, colours: new Set(new Uint32Array(data.buffer)).size };
    }, film.toString("base64"));
    assert.deepEqual([shown.width, shown.height], [320, 180]);
    assert.ok(Math.abs(shown.duration - 0.2) < 0.01, `${shown.duration} s`);
    assert.ok(shown.colours > 16, `${shown.colours} colours`);
    assert.deepEqual(page.faults, []);
  });
});
