// Layout on phones, keyboard access, contrast, and the content security policy.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { launch, newPage, still } from "./browser.mjs";
import { pick, test } from "./extent.mjs";
import { fragment } from "./native.mjs";
import { serve } from "./site.mjs";

describe("layout", () => {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([launch("webgl2"), serve()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const phones = [
    ["small phone", { width: 320, height: 568, hasTouch: true }],
    ["phone", { width: 390, height: 844, hasTouch: true }],
  ];
  const sizes = [...pick(phones, phones.slice(0, 1)), ["narrow window", { width: 820, height: 600 }], ["desktop", { width: 1440, height: 900 }]];
  for (const [name, size] of sizes) {
    test(`layout fits a ${name}, controls have names and touch size`, async () => {
      const page = await newPage(browser, { ...size, ratio: 0.2 });
      await page.goto(site.url);
      await fits(page, "gallery");
      await page.goto("about:blank");
      await page.goto(`${site.url}?backend=webgl2#line_walker`);
      await still(page);
      await fits(page, "scene");
      await page.getByRole("button", { name: "Controls" }).click();
      await fits(page, "controls");
      await page.getByRole("button", { name: "Close the controls" }).click();
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      await page.locator(".cm-content").waitFor();
      await fits(page, "editor");
      const border = page.getByRole("separator", { name: "Width of the editor" });
      const before = await border.boundingBox();
      await border.press("ArrowLeft");
      const after = await border.boundingBox();
      assert.notDeepEqual([before.x, before.y], [after.x, after.y]);
      await border.press("ArrowRight");
      // A narrow window has room for one of them.
      for (const width of size.width > 1000 ? [1024, 1200, size.width] : [size.width]) {
        await page.setViewportSize({ width, height: size.height });
        const press = (name) => page.locator(".bar").getByRole("button", { name, exact: true }).click();
        const shown = () => page.locator(".editing, .panel").evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).map((part) => part.getAttribute("aria-label")));
        await press("Controls");
        await fits(page, `controls after the editor at ${width}`);
        assert.deepEqual(await shown(), width > 1000 ? ["Editor", "Controls"] : ["Controls"]);
        await press(width > 1000 ? "Controls" : "Editor");
        await fits(page, `editor after the controls at ${width}`);
        assert.deepEqual(await shown(), ["Editor"]);
      }
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("dialog").waitFor();
      await fits(page, "share");
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      assert.deepEqual(await page.locator("button:focus-visible").allTextContents(), []);
      await page.locator("canvas").focus();
      await page.keyboard.press("v");
      await page.getByRole("dialog", { name: "Film" }).waitFor();
      // A focused field would open the keyboard of a phone.
      assert.equal(await page.locator("input:focus").count(), size.hasTouch ? 0 : 1);
      await fits(page, "film");
      await page.keyboard.press("Escape");
      await page.keyboard.press("F1");
      await page.locator(".help").waitFor();
      // A phone has no keys, and this scene has neither drags, camera nor parameters.
      assert.equal(await page.locator(".help dt", { hasText: "Backspace" }).isVisible(), !size.hasTouch);
      assert.deepEqual(await page.locator(".help section").first().locator("dt").allTextContents(), [size.hasTouch ? "one finger" : "move"]);
      assert.equal(await page.locator(".help dt", { hasText: "Home" }).count(), 0);
      await page.keyboard.press("Escape");
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }

  const long = "a very long name for a scene that will not fit in the bar of a phone at all";
  const own = { title: long, files: { main: "own.wgsl", files: { "own.wgsl": "fn main_image(p: vec2f) -> vec4f {\n    return vec4f(0.5);\n}\n" } } };
  const titles = [
    ["a long title is shortened on a phone and beside the editor", [[390, 844, ".scene-title"], [1440, 900, ".scene-title"]], fragment(own)],
    ["a description is shortened before the hint and the title", [[390, 844], [1440, 900, ".description"]], "ik_diagram"],
  ];
  for (const [name, sizes, hash] of titles) {
    test(name, async () => {
      const page = await newPage(browser, { ratio: 0.1 });
      await page.goto(`${site.url}?backend=webgl2#${hash}`);
      const editor = page.getByRole("button", { name: "Editor", exact: true });
      for (const [width, height, shortened] of sizes) {
        await page.setViewportSize({ width, height });
        await still(page);
        await fits(page, "closed editor");
        await editor.click();
        await page.locator(".cm-content").waitFor();
        await fits(page, "open editor");
        const cut = await page.locator(":is(.scene-title, .description)").evaluateAll((texts) => texts.filter((text) => text.scrollWidth > text.clientWidth).map((text) => `.${text.className}`));
        assert.deepEqual(cut, shortened ? [shortened] : []);
        if (hash === "ik_diagram") assert.ok(await page.locator(".hint", { hasText: "drag the target" }).isVisible());
        await editor.click();
      }
      await page.context().close();
    });
  }

  /**
   * Asserts that nothing scrolls sideways, that the parts of the top bar hold their texts without
   * overlaps, and that every control is inside the window, large enough, and named.
   */
  async function fits(page, where) {
    const wrong = await page.evaluate(() => {
      const found = [];
      if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
      const isModal = document.querySelector("dialog[open]");
      const bar = document.querySelector(".bar");
      if (bar?.checkVisibility() && bar.offsetHeight > 56) found.push(`the bar is ${bar.offsetHeight} high`);
      const foot = document.querySelector(".editing-foot");
      if (foot?.checkVisibility() && foot.offsetHeight > 56) found.push(`the editor's footer is ${foot.offsetHeight} high`);
      for (const button of isModal ? [] : document.querySelectorAll(":is(.bar, .which) button")) {
        const { x, y, width, height } = button.getBoundingClientRect();
        const isCovered = button.checkVisibility() && !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        if (isCovered) found.push(`${button.getAttribute("aria-label")} is covered`);
      }
      const framed = document.querySelector(".framed .picture")?.getBoundingClientRect();
      const isUnder = framed && (framed.bottom > bar.getBoundingClientRect().top || framed.top < document.querySelector(".which").getBoundingClientRect().bottom);
      if (isUnder) found.push("the picture lies under a control");
      const parts = [".home", ".which", ".corner"].flatMap((part) => [...document.querySelectorAll(`.top ${part}`)].filter((element) => element.checkVisibility()));
      for (const part of parts) {
        const box = part.getBoundingClientRect();
        const inner = [...part.querySelectorAll("*")].filter((element) => element.checkVisibility()).map((element) => element.getBoundingClientRect());
        const holds = ({ left, right }) => left >= box.left - 1 && right <= box.right + 1;
        if (box.left < 0 || box.right > innerWidth || !inner.every(holds)) found.push(`${part.className} sticks out`);
        for (const other of parts.slice(parts.indexOf(part) + 1).map((element) => element.getBoundingClientRect())) {
          if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) found.push(`${part.className} is overlapped`);
        }
      }
      for (const control of (isModal ?? document).querySelectorAll("a[href], button, input:not(.visually-hidden), select, canvas")) {
        const box = control.getBoundingClientRect();
        if (box.width === 0 || !control.checkVisibility()) continue;
        const label = control.getAttribute("aria-label") ?? control.textContent.trim() ?? "";
        const name = label || control.labels?.[0]?.textContent || control.getAttribute("name") || "";
        if (!name) found.push(`${control.outerHTML.slice(0, 80)} has no name`);
        const isScrolled = control.closest(".panel, .tabs, .sheet, #gallery");
        if (!isScrolled && (box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)) found.push(`${name} sticks out`);
        const least = matchMedia("(pointer: coarse)").matches ? 40 : 24;
        if (control.matches("button") && Math.min(box.width, box.height) < least) found.push(`${name} is too small`);
      }
      return found;
    });
    assert.deepEqual(wrong, [], where);
  }

  test("keyboard reaches a scene and the gallery, inline scripts are forbidden", async () => {
    const page = await newPage(browser, { width: 900, height: 500, ratio: 0.2 });
    await page.goto(`${site.url}?backend=webgl2`);
    await page.getByRole("link", { name: /line walker/ }).focus();
    await page.keyboard.press("Enter");
    await still(page);
    const reached = new Set();
    for (let turn = 0; turn < 24; turn += 1) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
    }
    for (const name of ["tarsus", "Next scene", "Play", "Restart", "Time in seconds", "Screenshot", "Film", "Record the input", "Controls", "Editor", "Share", "Help", "Full screen"]) {
      assert.ok(reached.has(name), `${name} is not reached: ${[...reached]}`);
    }
    await page.locator("canvas").focus();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Help" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("PageDown");
    await page.waitForFunction(() => location.hash !== "#line_walker");
    await page.locator("canvas").focus();
    await page.keyboard.press("o");
    await page.locator("#gallery").waitFor();
    assert.deepEqual(page.faults, []);
    await page.evaluate(() => {
      globalThis.violations = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => globalThis.violations.push(violatedDirective));
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
    });
    await page.waitForFunction(() => globalThis.violations.length > 0);
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
    await page.context().close();
  });

  test("theme follows the system, with legible text", async () => {
    for (const colorScheme of ["dark", "light"]) {
      const page = await newPage(browser, { width: 900, height: 500, colorScheme });
      await page.goto(site.url);
      const contrasts = await page.evaluate(() => {
        const parse = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        const light = (colour) => { const [r, g, b] = parse(colour); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const ground = light(getComputedStyle(document.body).backgroundColor);
        return [...document.querySelectorAll(".lead, .tiles b, .tiles .muted, footer p, .make p")].map((element) => {
          const own = light(getComputedStyle(element).color);
          return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
        });
      });
      assert.ok(Math.min(...contrasts) >= 4.5, `${colorScheme}: ${contrasts}`);
      await page.context().close();
    }
  });
});
