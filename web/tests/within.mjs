// Test environment with a separate page and site.

import assert from "node:assert/strict";
import { after } from "node:test";
import { launch, newPage } from "./browser.mjs";
import { serve } from "./site.mjs";

/** One browser for each backend, shared by the tests of a file. */
const browsers = new Map();
after(() => Promise.all([...browsers.values()].map(async (browser) => (await browser).close())));

/** Runs a test with a page in its own profile, and a server for the site. */
export async function within(backend, options, body) {
  if (!browsers.has(backend)) browsers.set(backend, launch(backend));
  const [browser, site] = await Promise.all([browsers.get(backend), serve()]);
  try {
    const page = await newPage(browser, options);
    await body(page, site.url, browser);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  } finally {
    await site.close();
  }
}
