// Record of the sources whose first picture is being drawn. If a visit ends before that, they
// may have hung the browser, and the next visit draws them only on request.

import { digest } from "./drafts";
import type { Files } from "./viewer";

const KEY = "tarsus:trial";

export function beginTrial(files: Files): void {
  try {
    localStorage.setItem(KEY, digest(files));
  } catch {
    // Without storage, every visit draws.
  }
}

export function endTrial(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

/** Returns true if an earlier visit ended during the trial of these sources. */
export function isSuspect(files: Files): boolean {
  try {
    return localStorage.getItem(KEY) === digest(files);
  } catch {
    return false;
  }
}
