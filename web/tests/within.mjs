// Test environment with a separate browser and site.

import assert from "node:assert/strict";
import { launch, newPage } from "./browser.mjs";
import { serve } from "./site.mjs";

/** Runs a test in a separate browser, with a server for the site. */
export async function within(backend, options, body) {
  const [browser, site] = await Promise.all([launch(backend), serve()]);
  try {
    const page = await newPage(browser, options);
    await body(page, site.url, browser);
    assert.deepEqual(page.faults, []);
  } finally {
    await browser.close();
    await site.close();
  }
}
