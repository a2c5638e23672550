// The sound of a scene, as heard and in films.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { BACKENDS, drop, launch, newPage, saved, setBare, still, until } from "./browser.mjs";
import { IS_SHORT, test } from "./extent.mjs";
import { folder, fragment } from "./native.mjs";
import { becomes } from "./pixels.mjs";
import { serve } from "./site.mjs";

/** A scene whose samples tell their time: a 64th of it, times a parameter, on both channels. */
const CLOCK = `struct Params {
    /// Level [0, 1] = 1
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }
fn main_sound(sample: u32, time: f32) -> vec2f { return vec2f(params.level * time / 64.0); }
`;

/** A scene with a tone of 1 kHz at the left, and a quieter one at the right that begins after a second. */
const TONES = `fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }
fn main_sound(sample: u32, time: f32) -> vec2f {
    return vec2f(0.5, select(0.0, 0.125, time >= 1.0)) * sin(6.2831853 * fract(1000.0 * time));
}
`;

/** Seconds between clock and sound that are not heard as a delay, on a machine without a GPU. */
const NEAR = 0.4;

/** Returns the fragment of a scene in one file. */
const scene = (text) => fragment({ files: { main: "own.wgsl", files: { "own.wgsl": text } }, paused: true });

/** Runs ffmpeg or ffprobe without messages. */
const run = (tool, ...flags) => execFileSync(tool, ["-v", "error", ...flags]);

/** Returns the kinds of the streams in a film. */
const streams = (film) => run("ffprobe", "-show_entries", "stream=codec_name", "-of", "csv=p=0", film).toString().trim().split("\n");

/** Returns the loudness of a channel of a film between two times in seconds: its effective value. */
function loudness(film, channel, from, to) {
  const bytes = run("ffmpeg", "-i", film, "-map", "0:a", "-f", "f32le", "-");
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).filter((_, at) => at % 2 === channel);
  const part = samples.subarray(48_000 * from, 48_000 * to);
  return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
}

/** Runs in the page: keeps the last samples that its speakers receive. */
function listen() {
  const { connect } = AudioNode.prototype;
  let ear = null;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) {
      ear ??= new AnalyserNode(to.context, { fftSize: 32 });
      connect.call(this, ear);
    }
    return connect.call(this, to, ...rest);
  };
  globalThis.heard = () => {
    const samples = new Float32Array(32);
    ear?.getFloatTimeDomainData(samples);
    // A suspended context keeps its last samples.
    return ear?.context.state === "running" ? samples.at(-1) : 0;
  };
}

for (const backend of BACKENDS) {
  describe(`sound in ${backend}`, () => {
    // Both backends share the encoder.
    const testOnce = IS_SHORT && backend === "webgpu" ? () => {} : test;
    let browser;
    let site;
    before(async () => {
      [browser, site] = await Promise.all([launch(backend), serve()]);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    test("sound is heard in step with the clock", async () => {
      const page = await newPage(browser, { width: 900, height: 500, ratio: 0.05 });
      await page.addInitScript(listen);
      await page.goto(`${site.url}?backend=${backend}#${scene(CLOCK)}`);
      const state = () => page.evaluate(() => ({ heard: 64 * globalThis.heard(), clock: Number(document.querySelector(".clock").value) }));
      let now = null;
      const sounds = (what, holds) => until(async () => holds((now = await state())), () => `${what}: ${JSON.stringify(now)}`);
      const inStep = ({ heard, clock }) => heard > 0.2 && Math.abs(heard - clock) < NEAR;
      const silent = ({ heard }) => heard === 0;
      const press = (name) => page.getByRole("button", { name, exact: true }).click();

      await press("Play");
      await sounds("muted at first", ({ heard, clock }) => heard === 0 && clock > 1);
      await press("Turn the sound on");
      await sounds("playing", inStep);
      const slider = page.getByRole("slider", { name: "Time in seconds" });
      assert.equal(await slider.getAttribute("max"), "10");
      await slider.fill("10");
      await sounds("after a jump", (now) => inStep(now) && now.clock > 10);
      assert.equal(await slider.getAttribute("max"), "30");
      await page.locator("canvas").focus();
      await page.keyboard.press("]");
      await sounds("at double speed", inStep);
      await page.keyboard.press("Space");
      await sounds("paused", silent);
      await page.keyboard.press("Space");
      await sounds("resumed", inStep);
      await page.keyboard.press("Backspace");
      await sounds("restarted", (now) => inStep(now) && now.clock < 10);
      assert.equal(await slider.getAttribute("max"), "10");
      await press("Controls");
      await page.getByRole("slider", { name: "Level" }).fill("0.5");
      await sounds("half as loud", ({ heard, clock }) => clock > 4 && Math.abs(2 * heard - clock) < 2 * NEAR);
      await page.locator("canvas").focus();
      await page.keyboard.press("m");
      await sounds("muted", silent);
      await press("Turn the sound on");
      await sounds("heard again", ({ heard }) => heard > 0);
      await page.goto(`${site.url}?backend=${backend}#line_walker`);
      await page.waitForFunction(() => document.title === "line walker · tarsus");
      await page.locator(".notice.gone").waitFor({ state: "attached" });
      await sounds("another scene", silent);
      await page.getByRole("button", { name: "Mute" }).waitFor({ state: "detached" });
      assert.deepEqual(page.faults, []);
    });

    testOnce("a dropped shader of Shadertoy has its title, sound and tabs", async () => {
      const page = await newPage(browser, { width: 900, height: 500, ratio: 0.05 });
      await page.addInitScript(listen);
      await page.goto(`${site.url}?backend=${backend}#line_walker`);
      await still(page);
      const renderpass = [
        { type: "image", name: "Image", code: "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel1, ivec2(p), 0) + 0.0 * texelFetch(iChannel0, ivec2(0), 0); }", inputs: [{ channel: 1, type: "buffer", id: "4dXGR8" }, { channel: 0, type: "texture", id: "4dXGRn", filepath: "/media/a/wood.jpg" }], outputs: [{ id: "4dfGRr", channel: 0 }] },
        { type: "buffer", name: "Buffer A", code: "void mainImage(out vec4 c, in vec2 p) { c = vec4(0.0, 1.0, 0.0, 1.0); }", inputs: [], outputs: [{ id: "4dXGR8", channel: 0 }] },
        { type: "sound", name: "Sound", code: "vec2 mainSound(in int samp, float time) { return vec2(0.5); }", inputs: [], outputs: [{ id: "XdfGRr", channel: 0 }] },
      ];
      await drop(page, "export.json", "application/json", JSON.stringify([{ ver: "0.1", info: { name: "Half tone" }, renderpass }]));
      await page.waitForFunction(() => document.title === "Half tone · tarsus");
      await page.getByRole("button", { name: "Turn the sound on" }).click();
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.waitForFunction(() => globalThis.heard() === 0.5);
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await becomes(page, [0, 255, 0]);
      await setBare(page, false);
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Image.glsl", "Buffer A.glsl", "Sound.glsl", "inputs.json"]);
      await page.locator(".cm-line", { hasText: "texelFetch" }).waitFor();
      // The missing picture is named, and can be chosen.
      await page.locator(".editor-status", { hasText: /1 warning · missing Shadertoy media .*`wood.jpg`/ }).waitFor();
      await page.getByRole("button", { name: "Controls" }).click();
      await page.getByLabel("A file for iChannel0").waitFor({ state: "attached" });
      assert.deepEqual(page.faults, []);
    });

    /** Films the tones from 0.5 s on. Returns what the dialog says, and the path of the file. */
    const film = async (page, seconds) => {
      await page.goto(`${site.url}?backend=${backend}#${scene(TONES)}`);
      await still(page);
      await page.getByRole("slider", { name: "Time in seconds" }).fill("0.5");
      await page.locator("canvas").focus();
      await page.keyboard.press("v");
      const note = page.locator("dialog p").filter({ hasText: "sound" });
      await note.waitFor();
      const [text] = await note.allTextContents();
      await page.getByLabel("Duration in seconds").fill(`${seconds}`);
      const path = join(folder(), "film.webm");
      writeFileSync(path, await saved(page, () => page.locator("dialog").getByRole("button", { name: "Film", exact: true }).click()));
      assert.deepEqual(page.faults, []);
      return { text, path };
    };

    testOnce("a film has the sound of its scene", async () => {
      const { text, path } = await film(await newPage(browser, { width: 900, height: 500, ratio: 0.05 }), 1.2);
      assert.match(text, /sound of the scene is included/);
      assert.deepEqual(streams(path), ["vp9", "opus"]);
      const length = Number(run("ffprobe", "-show_entries", "format=duration", "-of", "csv=p=0", path));
      assert.ok(Math.abs(length - 1.2) < 0.05, `${length} s`);
      for (const [channel, from, to, expected] of [[0, 0.05, 1.15, 0.354], [1, 0, 0.4, 0], [1, 0.55, 1.15, 0.0884]]) {
        const actual = loudness(path, channel, from, to);
        assert.ok(Math.abs(actual - expected) < 0.01, `channel ${channel} from ${from} s: ${actual}, not ${expected}`);
      }
    });

    testOnce("a browser without sound encoder films in silence", async () => {
      const page = await newPage(browser, { width: 900, height: 500, ratio: 0.05 });
      await page.addInitScript(() => delete globalThis.AudioEncoder);
      const { text, path } = await film(page, 0.2);
      assert.match(text, /this browser cannot encode sound/);
      assert.deepEqual(streams(path), ["vp9"]);
    });
  });
}
