// Editor: edits show up in the picture, errors at their position, and nothing is lost.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe } from "node:test";
import { setBare, drop, launch, newPage, still, until } from "./browser.mjs";
import { test } from "./extent.mjs";
import { becomes, distance, middle, settled, shoot } from "./pixels.mjs";
import { serve } from "./site.mjs";

describe("the editor", () => {
  let browser;
  let site;
  let page;
  before(async () => {
    [browser, site] = await Promise.all([launch("webgl2"), serve()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    await page?.context().close();
    page = await newPage(browser, { width: 640, height: 300, ratio: 0.25 });
    await page.goto(`${site.url}?backend=webgl2#new`);
    await still(page);
    // A new scene opens with its source.
    await page.locator(".cm-content").waitFor();
  });

  const type = async (text) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("ControlOrMeta+a");
    // Inserted like pasted text, without bracket closing or completion.
    await page.keyboard.insertText(text);
  };
  /** Waits until the keyboard belongs to the text. */
  const focused = () => page.waitForFunction(() => document.activeElement.matches(".editor-host"));
  /** Waits for the status of the current source. */
  function status(pattern) {
    return page.locator('.editor-status[aria-busy="false"]').filter({ hasText: pattern }).waitFor();
  }
  const plain = (colour) => `fn main_image(frag_coord: vec2f) -> vec4f {\n    return vec4f(${colour}, 1.0);\n}\n`;

  test("edits show up, errors keep the last good picture", async () => {
    await type(plain("1.0, 0.0, 0.0"));
    await status(/^compiled in/);
    await becomes(page, [255, 0, 0]);

    await type(plain("1.0,\toops, 0.0"));
    await status("oops");
    await becomes(page, [255, 0, 0]);
    assert.equal(await page.locator(".cm-lintRange-error").textContent(), "oops");
    const message = page.locator(".cm-message.error");
    assert.match(await message.textContent(), /\^\^\^\^/);
    assert.match(await message.textContent(), /oops/);
    // The carets lie below the name.
    const [name, carets] = await page.locator(".editor-host").evaluate(({ shadowRoot }) => {
      const range = document.createRange();
      const text = shadowRoot.querySelector(".carets").firstChild;
      range.setStart(text, text.data.indexOf("^"));
      range.setEnd(text, text.data.length);
      return [shadowRoot.querySelector(".cm-lintRange-error"), range].map((element) => element.getBoundingClientRect());
    });
    assert.ok(Math.abs(name.left - carets.left) < 1 && Math.abs(name.right - carets.right) < 1, JSON.stringify([name, carets]));

    await type("fn tint() -> f32 { loop {} return 1.0; }\n" + plain("oops, 0.0, 0.0") + "let speed = 1.0;\n");
    await status("3 errors · scene.wgsl:1: this loop never ends");
    assert.equal(await page.locator(".cm-message.error").count(), 3);

    await type(plain("0.0, 0.0, 1.0"));
    await status(/^compiled in/);
    await becomes(page, [0, 0, 255]);
    await page.locator(".cm-message").waitFor({ state: "detached" });
    assert.deepEqual(page.faults, []);
  });

  test("undo restores text, a reload loses nothing", async () => {
    await type(plain("0.0, 1.0, 0.0"));
    await status(/^compiled in/);
    await page.reload();
    await becomes(page, [0, 255, 0]);
    await setBare(page, false);
    // The editor is still open.
    await page.locator(".cm-content").waitFor();
    await type(plain("0.0, 0.0, 1.0"));
    await status(/^compiled in/);
    await page.keyboard.press("ControlOrMeta+z");
    await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.textContent.includes("0.0, 1.0, 0.0"));
    await page.keyboard.press("ControlOrMeta+y");
    await page.waitForFunction(() => document.querySelector(".editor-host").shadowRoot.textContent.includes("0.0, 0.0, 1.0"));
    const shows = (text) => page.waitForFunction((text) => document.querySelector(".editor-host").shadowRoot.textContent.includes(text), text);
    await page.getByRole("button", { name: "Discard changes" }).click();
    await shows("0.0, 1.0, 0.0");
    await page.locator(".toasts p", { hasText: "Changes discarded" }).getByRole("button", { name: "Undo" }).click();
    await shows("0.0, 0.0, 1.0");
  });

  test("own module is imported, its errors are in its file", async () => {
    await page.getByRole("button", { name: "New file" }).click();
    await page.keyboard.type("paint");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "paint.wgsl" }).waitFor();
    // The cursor is in the new file, below its declaration.
    await focused();
    await page.keyboard.insertText("fn colour() -> vec3f {\n    return vec3f(0.0, 1.0, 0.0);\n}\n");
    await page.getByRole("tab", { name: "scene.wgsl" }).click();
    await type("#import paint\n\nfn main_image(frag_coord: vec2f) -> vec4f {\n    return vec4f(paint::colour(), 1.0);\n}\n");
    await status(/^compiled in/);
    await becomes(page, [0, 255, 0]);

    await page.getByRole("tab", { name: "paint.wgsl" }).click();
    await type("#define_import_path paint\n\nfn colour() -> vec3f {\n    return wrong;\n}\n");
    await status("paint.wgsl:4");
    assert.equal(await page.locator(".cm-lintRange-error").textContent(), "wrong");
    await becomes(page, [0, 255, 0]);
    await page.getByRole("tab", { name: "scene.wgsl" }).click();
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Rename scene.wgsl" }).click();
    await page.keyboard.type("paint");
    await page.keyboard.press("Enter");
    await page.locator(".toasts p", { hasText: "There is already a file paint.wgsl" }).waitFor({ state: "attached" });
    await focused();
  });

  test("module items complete with their docs, the reference is searchable", async () => {
    // Room for the line, its diagnostic and the list.
    await page.setViewportSize({ width: 640, height: 480 });
    await type("#import tarsus::sdf\n\nfn main_image(frag_coord: vec2f) -> vec4f {\n    return vec4f(sdf::capsul\n");
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    const offered = page.locator(".cm-tooltip-autocomplete").getByText("capsule", { exact: true }).first();
    await offered.waitFor();
    await page.locator(".cm-completionInfo").getByText("fn capsule").waitFor();
    // A completion list ignores Enter right after it opens, so click the entry.
    await offered.click();
    // Diagnostics change the line that the pointer is about to hover.
    await status("scene.wgsl:");
    const place = await page.locator(".cm-line", { hasText: "capsule" }).evaluate((line) => {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (!texts.nextNode().data.includes("capsule"));
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { right, top, height } = range.getBoundingClientRect();
      return { x: right - 12, y: top + height / 2 };
    });
    await page.mouse.move(place.x, place.y, { steps: 2 });
    await page.locator(".cm-tooltip-hover").getByText("fn capsule").waitFor();
    await page.getByRole("button", { name: "Modules" }).click();
    await page.getByRole("searchbox").fill("capsule");
    await page.getByRole("dialog").getByText("fn capsule(").waitFor();
    assert.equal(await page.getByRole("dialog").getByText("fn torus(").count(), 0);
    // A struct has a line per member, a paragraph of its description one line, and a list keeps its own.
    await page.getByRole("searchbox").fill("Posed");
    const described = page.locator("dt", { hasText: "struct Posed" });
    assert.match(await described.innerText(), /^struct Posed {\n {4}\/\/\/ .*\n {4}mid: vec3f,\n/);
    assert.match(await described.locator("+ dd").innerText(), /^The joints .* map to\n\nfirst bone {4}.*\nsecond bone {3}/);
    await page.getByRole("searchbox").fill("");
    // Title, field and button stay while the modules scroll.
    await page.locator(".reference summary").last().scrollIntoViewIfNeeded();
    const hidden = await page.getByRole("dialog").evaluate((sheet) => {
      const { top } = sheet.getBoundingClientRect();
      return [...sheet.querySelectorAll("h2, input, .icon-button")].filter((part) => part.getBoundingClientRect().top < top).map((part) => part.localName);
    });
    assert.deepEqual(hidden, []);
    const descriptions = await page.locator(".reference summary .muted").allTextContents();
    assert.deepEqual(descriptions.filter((text) => text.includes("`") || !text.endsWith(".")), []);
    assert.ok(await page.locator(".reference code").count() > descriptions.length);
    await page.keyboard.press("Escape");
  });

  test("numbers are dragged, colours picked", async () => {
    await page.setViewportSize({ width: 640, height: 480 });
    await type("fn main_image(p: vec2f) -> vec4f {\n    let colour = vec3f(0.0, 1.0, 0.0);\n    return vec4f(0.00, colour.yz, 1.0);\n}\n");
    await status(/^compiled in/);
    const place = await page.locator(".cm-line", { hasText: "return" }).evaluate((line) => {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (!texts.nextNode().data.includes("0.00"));
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { left, top, height } = range.getBoundingClientRect();
      return { x: left + 4, y: top + height / 2 };
    });
    await page.keyboard.down("Alt");
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    // The picture follows while the pointer still moves.
    const moves = await page.evaluate((x) => {
      let move = 0;
      const moved = () => window.dispatchEvent(new MouseEvent("mousemove", { clientX: x + 100 + (++move % 3) * 20 }));
      return window.setInterval(moved, 50);
    }, place.x);
    await until(async () => middle(await shoot(page))[0] > 0, () => "the picture stays");
    await page.evaluate((moves) => window.clearInterval(moves), moves);
    await page.mouse.move(place.x + 300, place.y);
    await page.mouse.up();
    await page.keyboard.up("Alt");
    await becomes(page, [255, 255, 0]);
    await setBare(page, false);
    await page.locator(".cm-swatch").evaluate((well) => {
      well.value = "#000000";
      well.dispatchEvent(new Event("change"));
    });
    await becomes(page, [255, 0, 0]);
  });

  test("dropped GLSL runs with its lines in errors, other JSON changes nothing", async () => {
    const before = await page.evaluate(() => location.hash);
    for (const [at, json] of ['{"a":1}', "[]", "null", "5"].entries()) {
      await drop(page, `data${at}.json`, "application/json", json);
      await page.locator(".toasts p", { hasText: `cannot open data${at}.json: expected Shadertoy's .json` }).waitFor();
      assert.equal(await page.locator(".toasts p").count(), 1);
      if (at > 0) continue;
      await page.getByRole("button", { name: "Close the message" }).click();
      assert.equal(await page.locator(".toasts p").count(), 0);
    }
    assert.equal(await page.evaluate(() => location.hash), before);
    // A folder, which is stored under its name.
    await page.evaluate(() => {
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        const file = this.getAsFile();
        const entries = [{ isFile: true, file: (read) => read(file) }];
        return { isDirectory: true, name: "beetle", createReader: () => ({ readEntries: (read) => read(entries.splice(0)) }) };
      };
    });
    const isFramed = () => page.evaluate(() => document.body.matches(".dragged"));
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true })));
    assert.ok(await isFramed());
    await drop(page, "toy.glsl", "text/plain", "void mainImage(out vec4 fragColor, in vec2 fragCoord) {\n    fragColor = vec4(1.0, 1.0, 0.0, 1.0);\n}\n");
    await page.getByRole("tab", { name: "toy.glsl" }).waitFor();
    assert.ok(!(await isFramed()));
    await page.waitForFunction(() => location.hash.startsWith("#d="));
    assert.equal(await page.locator(".scene-title").textContent(), "beetle");
    assert.equal(await page.locator(".toasts .error").count(), 0);
    await page.getByRole("button", { name: "Rename the scene" }).waitFor();
    await status(/^compiled/);
    await becomes(page, [255, 255, 0]);
    await type("void mainImage(out vec4 fragColor, in vec2 fragCoord) {\n    fragColor = wrong;\n}\n");
    await status("toy.glsl:2");
    assert.doesNotMatch(await page.locator(".cm-message").textContent(), /hint/);
    await becomes(page, [255, 255, 0]);
    // Pasted beside the editor, a shader is a scene of its own, whose GLSL is shared as it is.
    await setBare(page, false);
    const pasted = "void mainImage(out vec4 c, in vec2 p) {\n    c = texture(iChannel0, p);\n}\n";
    await page.locator("canvas").focus();
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, pasted);
    await page.getByRole("tab", { name: "pasted.glsl" }).waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    assert.equal(await page.getByRole("textbox", { name: "pasted.glsl" }).inputValue(), pasted);
    await page.keyboard.press("Escape");
  });

  test("edits keep time and values", async () => {
    await page.goto("about:blank");
    await page.goto(`${site.url}?backend=webgl2#line_walker`);
    await still(page);
    await page.getByRole("slider", { name: "Time in seconds" }).fill("3");
    await page.getByRole("button", { name: "Editor", exact: true }).click();
    await page.locator(".cm-content").waitFor();
    await page.locator(".cm-content").click();
    const before = await settled(page);
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("\n// the end\n");
    await status(/^compiled in/);
    const after = await settled(page);
    assert.equal(await page.locator(".clock").textContent(), "3.00");
    assert.ok(distance(before, after) < 0.1);
  });
});
