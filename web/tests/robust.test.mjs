// Robustness: window resizing, lost devices, repeated reloads, and old browsers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { BACKENDS, setBare, still, until } from "./browser.mjs";
import { pick, test } from "./extent.mjs";
import { fragment } from "./native.mjs";
import { distance, hasContent, shoot } from "./pixels.mjs";
import { within } from "./within.mjs";

for (const backend of pick(BACKENDS, ["webgpu"])) {
  test(`rapid resizing ends with a complete picture in ${backend}`, () =>
    within(backend, { width: 200, height: 120 }, async (page, url) => {
      await page.goto(`${url}?embed&backend=${backend}#line_walker`);
      await still(page);
      const before = await shoot(page);
      for (let turn = 0; turn < pick(30, 12); turn += 1) {
        await page.setViewportSize({ width: 120 + ((turn * 37) % 200), height: 60 + ((turn * 53) % 150) });
      }
      await page.setViewportSize({ width: 200, height: 120 });
      await page.waitForFunction(() => {
        const { width, height } = document.querySelector("canvas");
        return width === 200 && height === 120;
      });
      await still(page, { isDone: true });
      assert.ok(distance(before, await shoot(page)) < 2);
    }));
}

test("a screen of another resolution resizes the canvas", () =>
  within("webgl2", { width: 200, height: 120 }, async (page, url) => {
    // Chromium's emulation of another resolution changes no media query.
    await page.addInitScript(() => {
      let ratio = 1;
      const queries = [];
      const match = globalThis.matchMedia.bind(globalThis);
      globalThis.matchMedia = (query) => {
        if (!query.includes("resolution")) return match(query);
        queries.push(new EventTarget());
        return queries.at(-1);
      };
      Object.defineProperty(globalThis, "devicePixelRatio", { get: () => ratio });
      globalThis.change = (other) => {
        ratio = other;
        queries.at(-1).dispatchEvent(new Event("change"));
      };
    });
    await page.goto(`${url}?embed&backend=webgl2#line_walker`);
    await still(page);
    for (const ratio of [2, 0.5]) {
      await page.evaluate((ratio) => globalThis.change(ratio), ratio);
      await page.waitForFunction((width) => document.querySelector("canvas").width === width, 200 * ratio);
    }
  }));

test("a browser's compile error is placed at its function", () =>
  within("webgpu", { width: 640, height: 300, ratio: 0.25 }, async (page, url) => {
    // naga accepts both: derivatives in a branch run, an exponent out of range is the browser's error.
    const scene = (body) => `fn level(x: f32) -> f32 {\n    return 1.0; // not fn tint_2\n}\n\nfn tint_2(x: f32) -> f32 {\n    ${body}\n}\n\nfn main_image(p: vec2f) -> vec4f {\n    return vec4f(0.0, tint_2(p.x), level(p.x), 1.0);\n}\n`;
    const open = (body) => page.goto(`${url}?backend=webgpu#${fragment({ files: { main: "own.wgsl", files: { "own.wgsl": scene(body) } } })}`);
    await open("if x > 9.0 { return fwidth(x); }\n    return 1.0;");
    await still(page);
    await page.goto("about:blank");
    await open("return ldexp(x, 300);");
    await page.locator(".editor-status", { hasText: /^own\.wgsl:5: the browser cannot compile the scene/ }).waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").textContent(), "tint_2");
    await page.locator(".cm-message", { hasText: "`?backend=webgl2`" }).waitFor();
  }));

test("lost context offers a reload, restores scene, time and values", () =>
  within("webgl2", { width: 200, height: 120, ratio: 0.25 }, async (page, url) => {
    const moment = { scene: "ik_diagram", time: 2, parameters: { theme: [1] } };
    await page.goto(`${url}?backend=webgl2#${fragment({ scene: "ik_diagram", moment, paused: true })}`);
    await still(page, { isDone: true });
    await setBare(page);
    const before = await shoot(page);
    await page.evaluate(() => {
      const context = document.querySelector("canvas").getContext("webgl2");
      globalThis.lose = context.getExtension("WEBGL_lose_context");
      globalThis.lose.loseContext();
    });
    await page.getByText("Graphics device lost").waitFor({ state: "attached" });
    await page.locator(".notice", { hasText: "The graphics device was lost." }).getByRole("button", { name: "Reload" }).waitFor();
    await page.evaluate(() => globalThis.lose.restoreContext());
    await page.getByText("Graphics device restored").waitFor({ state: "attached" });
    await still(page, { isDone: true });
    assert.ok(distance(before, await shoot(page)) < 0.5);
    await page.evaluate(() => dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable") })));
    await page.locator(".notice", { hasText: "The player crashed." }).getByRole("button", { name: "Reload" }).waitFor();
  }));

test("many reloads leak no memory", () =>
  within("webgl2", {}, async (page, url, browser) => {
    const session = await page.context().newCDPSession(page);
    const used = async () => {
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      return { heap: usedSize, resident: resident(browser) };
    };
    await page.goto(`${url}?embed&backend=webgl2#line_walker`);
    const reload = async (times) => {
      for (let turn = 0; turn < times; turn += 1) {
        await page.reload();
        await page.locator(".notice.gone").waitFor({ state: "attached" });
      }
    };
    // Caches fill up during the first rounds.
    await reload(pick(20, 2));
    const early = await used();
    await reload(pick(80, 6));
    const late = await used();
    if (process.env.FIGURES) console.log(`bytes: ${JSON.stringify({ early, late })}`);
    assert.ok(late.heap < early.heap + 4e6, `heap: ${early.heap} to ${late.heap} bytes`);
    // Leaked modules or canvases would far exceed this.
    assert.ok(late.resident < early.resident + 150e6, `resident: ${early.resident} to ${late.resident} bytes`);
  }));

/** Resident memory of this test's browsers, in bytes: all descendants of this process. */
function resident() {
  const rows = execFileSync("ps", ["-e", "-o", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = new Set([process.pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of rows) {
      if (below.has(parent) && !below.has(pid)) grew = !!below.add(pid);
    }
  }
  return rows.filter(([pid]) => pid !== process.pid && below.has(pid)).reduce((sum, [, , kilobytes]) => sum + 1024 * kilobytes, 0);
}

test("scenes in sequence leak no memory", () =>
  within("webgl2", {}, async (page, url) => {
    await page.goto(`${url}?embed&backend=webgl2#line_walker`);
    await still(page);
    const once = ["ik_field", "ik_diagram", "line_walker"];
    for (const scene of pick([...once, ...once], once)) {
      await page.evaluate((scene) => (location.hash = scene), scene);
      await page.waitForFunction((title) => document.title.startsWith(title), scene.replace("_", " "));
      await still(page);
      assert.ok(hasContent(await shoot(page)), scene);
    }
    assert.equal(await page.locator("canvas").count(), 1);
  }));

for (const [missing, words] of [["graphics", /WebGPU nor WebGL2/], ["WebAssembly", /too old.*WebAssembly/]]) {
  test(`still picture stays without ${missing}`, () =>
    within("none", { width: 800, height: 450 }, async (page, url) => {
      await page.addInitScript((name) => delete globalThis[name], missing);
      await page.goto(`${url}#creature`);
      const sentence = page.locator(".notice.failed .notice-text");
      await sentence.waitFor();
      assert.match(await sentence.textContent(), words);
      assert.ok(await page.locator(".poster").evaluate((poster) => poster.decode().then(() => poster.naturalWidth > 0)));
    }));
}

test("gallery works without scripts", () =>
  within("none", { width: 1000, height: 700, javaScriptEnabled: false }, async (page, url) => {
    await page.goto(url);
    assert.ok((await page.locator(".tiles a").count()) >= 9);
    // Searches by text skip `noscript` elements.
    const sentence = page.locator("noscript p");
    await sentence.waitFor();
    assert.match(await sentence.textContent(), /need JavaScript/);
  }));

test("hidden canvas stops, visible canvas resumes", () =>
  within("webgl2", { width: 200, height: 120, reducedMotion: "no-preference" }, async (page, url) => {
    await page.goto(`${url}?backend=webgl2#line_walker`);
    const clock = () => page.locator(".clock").evaluate((clock) => Number(clock.value));
    await until(async () => (await clock()) > 0.1, () => "the scene does not play");
    // The gallery shows the last open scene live at its top.
    await page.evaluate(() => (location.hash = ""));
    await page.locator(".scene[data-live]").waitFor({ state: "attached" });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    let resting = await clock();
    const rests = async () => {
      const before = resting;
      await frames(page, 30);
      resting = await clock();
      return resting === before;
    };
    await until(rests, () => `time goes on out of sight: ${resting} s`);
    await page.evaluate(() => scrollTo(0, 0));
    await until(async () => (await clock()) > resting, () => "time does not go on in sight");
  }));

/** Waits for a number of animation frames of the page. */
function frames(page, count) {
  return page.evaluate(async (count) => {
    for (let left = count; left > 0; left -= 1) await new Promise(requestAnimationFrame);
  }, count);
}

test("only reduced motion starts paused, and both at time 0", async () => {
  for (const [reducedMotion, label] of [["reduce", "Play"], ["no-preference", "Pause"]]) {
    await within("webgl2", { width: 320, height: 180, ratio: 0.5, reducedMotion }, async (page, url) => {
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector(".notice.gone")) return;
          globalThis.firstTime = document.querySelector(".clock").value;
          observer.disconnect();
        }).observe(document, { subtree: true, attributeFilter: ["class"] });
      });
      await page.goto(`${url}?backend=webgl2#line_walker`);
      await page.locator(".notice.gone").waitFor({ state: "attached" });
      await page.getByRole("button", { name: label, exact: true }).waitFor({ state: "attached" });
      // Compiling takes no time of the scene.
      assert.equal(await page.evaluate(() => globalThis.firstTime), "0.00");
    });
  }
});
