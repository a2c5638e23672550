// The sound of a scene, as heard and in films.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { BACKENDS, launch, newPage, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { fragment } from "./native.mjs";
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

/** Seconds between clock and sound that are not heard as a delay, on a machine without a GPU. */
const NEAR = 0.4;

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
      await page.goto(`${site.url}?backend=${backend}#${fragment({ files: { main: "clock.wgsl", files: { "clock.wgsl": CLOCK } } })}`);
      const state = () => page.evaluate(() => ({ heard: 64 * globalThis.heard(), clock: Number(document.querySelector(".clock").value) }));
      let now = null;
      const becomes = (what, holds) => until(async () => holds((now = await state())), () => `${what}: ${JSON.stringify(now)}`);
      const inStep = ({ heard, clock }) => heard > 0.2 && Math.abs(heard - clock) < NEAR;
      const silent = ({ heard }) => heard === 0;
      const press = (name) => page.getByRole("button", { name, exact: true }).click();

      await press("Play");
      await becomes("muted at first", ({ heard, clock }) => heard === 0 && clock > 1);
      await press("Turn the sound on");
      await becomes("playing", inStep);
      await page.getByRole("slider", { name: "Time in seconds" }).fill("30");
      await becomes("after a jump", (now) => inStep(now) && now.clock > 30);
      await page.locator("canvas").focus();
      await page.keyboard.press("]");
      await becomes("at double speed", inStep);
      await page.keyboard.press("Space");
      await becomes("paused", silent);
      await page.keyboard.press("Space");
      await becomes("resumed", inStep);
      await page.keyboard.press("Backspace");
      await becomes("restarted", (now) => inStep(now) && now.clock < 30);
      await press("Controls");
      await page.getByRole("slider", { name: "Level" }).fill("0.5");
      await becomes("half as loud", ({ heard, clock }) => clock > 4 && Math.abs(2 * heard - clock) < 2 * NEAR);
      await page.locator("canvas").focus();
      await page.keyboard.press("m");
      await becomes("muted", silent);
      await press("Turn the sound on");
      await becomes("heard again", ({ heard }) => heard > 0);
      await page.goto(`${site.url}?backend=${backend}#line_walker`);
      await page.waitForFunction(() => document.title === "line walker · tarsus");
      await page.locator(".notice.gone").waitFor({ state: "attached" });
      await becomes("another scene", silent);
      await page.getByRole("button", { name: "Mute" }).waitFor({ state: "detached" });
      assert.deepEqual(page.faults, []);
    });
  });
}
