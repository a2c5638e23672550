// Drafts in the browser's local storage: the user's own scenes, and one for each edited
// scene of another origin, so that no edits are lost when the page is closed.

import { isFiles } from "./link";
import type { Files } from "./viewer";

const PREFIX = "tarsus:draft:";
/** Maximum number of drafts; the oldest are deleted first. */
const MAX_DRAFTS = 40;

export interface Draft {
  /** URL fragment that opens the draft. */
  fragment: string;
  title: string;
  files: Files;
  /** `digest` of the sources that the draft is based on. */
  began: string;
  /** Data URL of a small picture, or an empty string. */
  still: string;
  /** Milliseconds since 1970. */
  saved: number;
  /** Time and values at which a dropped picture opens. */
  snapshot?: unknown;
}

/** Returns a short key for sources of any length. */
export function digest(files: Files): string {
  return short(JSON.stringify(files));
}

/** Shortens a text: returns it unchanged, or its length and FNV-1a hash. */
function short(text: string): string {
  if (text.length <= 64) return text;
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return `${text.length}.${hash.toString(16)}`;
}

function key(fragment: string): string {
  return PREFIX + short(fragment);
}

/** Returns a fragment for a new scene of the user. */
export function newFragment(): string {
  return `d=${crypto.randomUUID().slice(0, 8)}`;
}

/** Returns true for the fragment of a scene of the user. */
export function isOwn(fragment: string): boolean {
  return fragment.startsWith("d=");
}

/** Returns a title that no draft has yet: `title`, or `title 2`, and so on. */
export function unusedTitle(title: string): string {
  const titles = new Set(all().map((draft) => draft.title));
  let unused = title;
  for (let number = 2; titles.has(unused); number += 1) unused = `${title} ${number}`;
  return unused;
}

/**
 * Saves a scene from outside as a scene of the user, unless there is a draft with the same sources,
 * which gets its snapshot. Returns the fragment of either, or null without storage.
 */
export function adopt(files: Files, title: string, snapshot?: unknown): string | null {
  const began = digest(files);
  const same = all().find((draft) => draft.fragment !== "" && digest(draft.files) === began);
  if (!same) return fork({ title, files, began, still: "", snapshot });
  save({ ...same, snapshot });
  return same.fragment;
}

/** Saves a copy of a scene as a scene of the user. Returns its fragment, or null without storage. */
export function fork(draft: Omit<Draft, "fragment" | "saved">): string | null {
  const fragment = newFragment();
  return save({ ...draft, fragment, title: unusedTitle(draft.title), saved: Date.now() }) ? fragment : null;
}

/** Returns the draft of a URL fragment, if there is one. */
export function find(fragment: string): Draft | null {
  return read(key(fragment));
}

/** Saves a draft. Returns false if the browser has no storage or no space left. */
export function save(draft: Draft): boolean {
  const name = key(draft.fragment);
  const removed: Draft[] = [];
  for (;;) {
    try {
      localStorage.setItem(name, JSON.stringify(draft));
      trim();
      return true;
    } catch {
      const oldest = all().filter((other) => other.fragment !== draft.fragment).at(-1);
      if (!oldest) break;
      removed.push(oldest);
      remove(oldest.fragment);
    }
  }
  // Too large even for an empty storage: nothing is lost for it.
  for (const draft of removed) {
    try {
      localStorage.setItem(key(draft.fragment), JSON.stringify(draft));
    } catch {
      // The others may still fit.
    }
  }
  return false;
}

/** Changes the title of a draft. Returns false if that cannot be stored. */
export function retitle(fragment: string, title: string): boolean {
  const draft = find(fragment);
  return draft !== null && save({ ...draft, title });
}

/** Deletes a draft. */
export function remove(fragment: string): void {
  try {
    localStorage.removeItem(key(fragment));
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** Returns all drafts, the latest first. */
export function all(): Draft[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX))
      .map(read)
      .filter((draft) => draft !== null)
      .sort((a, b) => b.saved - a.saved);
  } catch {
    return [];
  }
}

function trim(): void {
  for (const draft of all().slice(MAX_DRAFTS)) remove(draft.fragment);
}

function read(name: string): Draft | null {
  try {
    const value = JSON.parse(localStorage.getItem(name) ?? "null") as Partial<Draft> | null;
    if (!value || !isFiles(value.files) || typeof value.fragment !== "string") return null;
    return { fragment: value.fragment, title: String(value.title ?? ""), files: value.files, began: String(value.began ?? ""), still: String(value.still ?? ""), saved: Number(value.saved) || 0, snapshot: value.snapshot };
  } catch {
    return null;
  }
}
