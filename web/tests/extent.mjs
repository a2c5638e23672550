// Extent of the tests: all of them, or one of each kind within the time available in CI.
// Also sets their timeout.

import * as runner from "node:test";

/** True for the short tests. */
export const IS_SHORT = process.env.TARSUS_WEB_TESTS === "short";

/** Selects the variant for the current extent. */
export function pick(whole, short) {
  return IS_SHORT ? short : whole;
}

/** Test timeout in milliseconds, far longer than a test takes on a slow machine. */
const LONGEST = pick(3_600_000, 600_000);

/** Defines a test that fails if it hangs, even without an outer timeout. */
export function test(name, body) {
  runner.test(name, { timeout: LONGEST }, body);
}
