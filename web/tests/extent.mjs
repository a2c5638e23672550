// How much is tested: everything, or every kind of thing once, which is what CI has time
// for.

/** True for the short tests. */
export const IS_SHORT = process.env.TARSUS_WEB_TESTS === "short";

/** What of both is tested now. */
export function pick(whole, short) {
  return IS_SHORT ? short : whole;
}
