// Record of the sources whose first picture is being drawn. If a visit ends before that, they
// may have hung the browser, and the next visit draws them only on request.

import { digest } from "./drafts";
import { isFiles } from "./link";
import type { Files } from "./viewer";

const KEY = "tarsus:trial";

/** `lastGood` is the version of the same scene that was drawn last, if any. */
export function beginTrial(files: Files, lastGood: Files | null): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ digest: digest(files), lastGood }));
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

/** Returns the trial of these sources during which an earlier visit ended, or null. */
export function unfinishedTrial(files: Files): { lastGood: Files | null } | null {
  try {
    const { digest: name, lastGood } = JSON.parse(localStorage.getItem(KEY) ?? "null") as { digest?: unknown; lastGood?: unknown };
    return name === digest(files) ? { lastGood: isFiles(lastGood) ? lastGood : null } : null;
  } catch {
    return null;
  }
}
