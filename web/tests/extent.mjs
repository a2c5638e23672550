// How much is tested: everything, or every kind of thing once, which is what CI has time
// for. And how long one thing may take at most.

import * as runner from "node:test";

/** True for the short tests. */
export const IS_SHORT = process.env.TARSUS_WEB_TESTS === "short";

/** What of both is tested now. */
export function pick(whole, short) {
  return IS_SHORT ? short : whole;
}

/** Milliseconds after which a test counts as stuck: far more than it takes on a slow machine. */
const LONGEST = pick(3_600_000, 600_000);

/** A test that fails when it is stuck, also where nothing else watches the time. */
export function test(name, body) {
  runner.test(name, { timeout: LONGEST }, body);
}
