// Decoding and comparison of pictures.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PNG } from "pngjs";
import { setBare, still, until } from "./browser.mjs";

const FAILURES = resolve(import.meta.dirname, "../../target/web-tests");

/** Decodes a PNG. */
export function decode(bytes) {
  return PNG.sync.read(Buffer.from(bytes));
}

/**
 * Takes a browser screenshot of the picture. The caret is kept, because styles that hide it would
 * violate the page's policy.
 */
export async function shoot(page) {
  return decode(await page.locator(".picture canvas").screenshot({ caret: "initial", animations: "allow" }));
}

/**
 * Area in which the diagram displays |x| - r1 and |x - p| - r2, in fractions of the sides from the
 * top left. These are pure rounding errors, so they differ between adapters.
 */
export const RESIDUALS = { left: 0.87, right: 0.98, top: 0.78, bottom: 0.875 };

/**
 * Returns the peak signal-to-noise ratio in decibels and the fraction of pixels within 2/255, over
 * all pixels outside `beside`.
 */
export function compare(a, b, beside = { left: 1, right: 1, top: 1, bottom: 1 }) {
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`pictures of ${a.width}x${a.height} and ${b.width}x${b.height} cannot be compared`);
  }
  let squares = 0;
  let near = 0;
  let pixels = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const [x, y] = [((at / 4) % a.width) / a.width, Math.floor(at / 4 / a.width) / a.height];
    if (x > beside.left && x < beside.right && y > beside.top && y < beside.bottom) continue;
    pixels += 1;
    let worst = 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const difference = Math.abs(a.data[at + channel] - b.data[at + channel]);
      squares += difference ** 2;
      worst = Math.max(worst, difference);
    }
    if (worst <= 2) near += 1;
  }
  const mean = squares / (3 * pixels);
  return { psnr: mean === 0 ? Infinity : 10 * Math.log10(255 ** 2 / mean), near: near / pixels };
}

/** Returns the mean absolute difference, from 0 to 255. */
export function distance(a, b) {
  let sum = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) sum += Math.abs(a.data[at + channel] - b.data[at + channel]);
  }
  return sum / (0.75 * a.data.length);
}

/** Returns red, green and blue at the centre of a picture. */
export function middle({ data, width, height }) {
  const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  return [...data.subarray(at, at + 3)];
}

/** Returns the picture on screen once it is completely refined and no longer changes. */
export async function settled(page) {
  let [earlier, picture] = [null, null];
  const isSettled = async () => {
    await still(page, { isDone: true });
    [earlier, picture] = [picture, await shoot(page)];
    return earlier?.data.length === picture.data.length && distance(earlier, picture) === 0;
  };
  await until(isSettled, () => "the picture changes again and again");
  return picture;
}

/** Waits until the centre of a paused picture, without overlays, has this colour. */
export async function becomes(page, expected) {
  await still(page);
  await setBare(page);
  let colour = [];
  const isThere = async () => {
    colour = middle(await shoot(page));
    return `${colour}` === `${expected}`;
  };
  await until(isThere, () => `the picture is ${colour}, not ${expected}`);
}

/** Returns true if the picture has more than 16 colours. */
export function hasContent(picture) {
  const colours = new Set();
  for (let at = 0; at < picture.data.length; at += 4) colours.add(picture.data.readUInt32LE(at));
  return colours.size > 16;
}

/** Saves two pictures and their difference, amplified eight times, for inspection. */
export function saveFailure(name, actual, expected) {
  mkdirSync(FAILURES, { recursive: true });
  const difference = new PNG({ width: actual.width, height: actual.height });
  for (let at = 0; at < actual.data.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) {
      difference.data[at + channel] = Math.min(255, 8 * Math.abs(actual.data[at + channel] - expected.data[at + channel]));
    }
    difference.data[at + 3] = 255;
  }
  writeFileSync(join(FAILURES, `${name}.new.png`), PNG.sync.write(actual));
  writeFileSync(join(FAILURES, `${name}.native.png`), PNG.sync.write(expected));
  writeFileSync(join(FAILURES, `${name}.diff.png`), PNG.sync.write(difference));
  return join(FAILURES, `${name}.diff.png`);
}
