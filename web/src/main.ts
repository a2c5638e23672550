// Entry point of the page: routes between gallery and scenes, and handles dropped files.

import { scenes } from "tarsus.catalog";
import type { EmbeddedScene } from "./embedded";
import { composer, expect } from "./composer";
import { h, reason, toastError } from "./dom";
import { adopt, find } from "./drafts";
import { showDrafts } from "./draft-list";
import { filesAndFoldersOf } from "./drop";
import { encode, isFiles, route, type Shared } from "./link";
import { expectModule, fetchModule } from "./fetch-module";
import { Live } from "./live";
import { Notice } from "./notice";
import { Page } from "./page";
import { builtinOf, fromEmbedded, type Source, sourceOf, titleOf } from "./source";
import { prepare, unsupportedReason } from "./support";
import { WorkerStudio } from "./studio";
import type { Backend, Files, Tarsus } from "./viewer";

/** Folder of the built-in scenes on the site. */
const SCENES = "scenes";

const asked = new URLSearchParams(location.search);
const isEmbedded = asked.has("embed");
/** True if the URL selects a backend. */
const insists = asked.has("backend");
const gallery = document.getElementById("gallery");
const notice = new Notice();
const studio = new WorkerStudio();
/** The scene that `tarsus serve` or `tarsus export` embedded in this page, if any. */
let served = servedScene();
/** Fragment of the gallery. A page with its own scene opens that instead without a fragment. */
const galleryFragment = served ? "gallery" : "";
const hero = document.querySelector<HTMLAnchorElement>(".hero");
const live = hero && liveGallery(hero);
let page: Page | null = null;
let starting: Promise<{ tarsus: Tarsus; page: Page }> | null = null;

/** Fetches and starts the player, once unless that fails. */
function start(): NonNullable<typeof starting> {
  starting ??= (async () => {
    const why = unsupportedReason();
    if (why) throw new Error(why);
    const canvas = document.createElement("canvas");
    expectModule(wanted());
    const backend = await prepare(wanted(), canvas);
    const tarsus = await fetchModule(backend);
    const compose = composer(studio, SCENES);
    const made = new Page({ canvas, tarsus, studio, compose, backend, isEmbedded, neighbour: (by) => go(neighbour(by)), gallery: galleryFragment, go }, notice);
    const waiting = document.querySelector("main.waiting");
    if (waiting) waiting.replaceWith(made.element);
    else document.body.append(made.element);
    page = made;
    return { tarsus, page: made };
  })();
  // The next scene tries again, perhaps with a better connection.
  starting.catch(() => (starting = null));
  return starting;
}

/** Backend forced by `?backend=webgl2` or `?backend=webgpu`. */
function wanted(): Backend | "auto" {
  const name = asked.get("backend");
  return name === "webgpu" || name === "webgl2" ? name : "auto";
}

function go(fragment: string): void {
  location.hash = fragment;
}

/** Opens a fragment at a snapshot, even if it is open already. */
function goTo(fragment: string, snapshot: unknown): void {
  // Unlike `go`, this causes no event.
  if (location.hash !== `#${fragment}`) history.pushState(null, "", `#${fragment}`);
  void follow(snapshot);
}

function neighbour(by: number): string {
  const at = route(location.hash);
  const names = scenes.map(({ name }) => name);
  const here = at.kind === "scene" ? names.indexOf(at.name) : -1;
  return names[(Math.max(here, by < 0 ? 0 : -1) + by + names.length) % names.length] ?? "";
}

/** Withdraws the error of the last file that was not opened. */
let withdraw = (): void => {};

/** Number of addresses followed so far. */
let visits = 0;

/**
 * Shows the page that the URL selects, its scene at a snapshot if there is one, unless another URL is
 * followed while it loads.
 */
async function follow(snapshot?: unknown): Promise<void> {
  const visit = ++visits;
  withdraw();
  // They belong to the previous scene, as its film does.
  for (const sheet of document.querySelectorAll("dialog")) sheet.close();
  document.querySelector<HTMLElement>(".in-place:focus")?.blur();
  const isLast = (): boolean => visit === visits;
  const fragment = location.hash.slice(1);
  const to = route(location.hash);
  const isGallery = to.kind === "gallery" || (to.kind === "home" && !served);
  if (isGallery && !isEmbedded) return showGallery();
  document.body.dataset["view"] = "scene";
  live?.stop();
  const known = to.kind === "scene" && scenes.some(({ name }) => name === to.name) ? to.name : null;
  waiting(known);
  if (known) expect(SCENES, known);
  try {
    const { page } = await start();
    if (!isLast()) return;
    // The live scene of the gallery is already open.
    if (page.fragment !== null && page.fragment === fragment && snapshot === undefined) return page.enter();
    // The failure of another address is not that of this one.
    page.notice.recover();
    const source = await sourceAt(fragment);
    if (!isLast()) return;
    // A reload leaves the editor open.
    const isEdited = to.kind === "new" || (visit === 1 && history.state === "edited");
    await page.open(snapshot === undefined ? source : { ...source, snapshot, paused: true });
    if (isLast() && isEdited && !isEmbedded) page.edit();
  } catch (error) {
    if (!isLast()) return;
    const links = to.kind === "scene" && !known ? scenes.map(({ name }) => h("a", { class: "quiet", href: `#${name}` }, name.replaceAll("_", " "))) : [];
    if (page) page.fail(reason(error), ...links);
    else notice.fail(reason(error), h("a", { class: "quiet", href: `#${galleryFragment}` }, "All scenes"));
  }
}

/** Returns the scene of a fragment; without one, that of the page itself. */
async function sourceAt(fragment: string): Promise<Source> {
  const source = await sourceOf(route(fragment), fragment);
  if (source) return source;
  // The page ignores changed files until it opens their scene, for which it may have to wait.
  await page?.settle();
  return fromEmbedded(served ?? { main: "creature", files: {} });
}

/** Fills the place of the picture while the player loads, so that the page is never blank. */
function waiting(scene: string | null): void {
  if (page) return;
  notice.poster(scene ? `stills/${scene}.webp` : null, scene ?? "");
  notice.say("Loading the player…");
  if (!document.querySelector("main.waiting")) {
    document.body.append(h("main", { class: "scene waiting" }, h("div", { class: "view" }, h("div", { class: "picture" }, notice.element))));
  }
}

/** Shows the gallery. Its hero picture shows the last open scene, live. */
function showGallery(): void {
  document.body.dataset["view"] = "gallery";
  document.title = "tarsus: a shader toy for legs";
  window.scrollTo(0, 0);
  const last = page?.fragment ?? null;
  if (hero && last !== null) hero.href = `#${last}`;
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  whenIdle(() => {
    if (document.body.dataset["view"] === "gallery") live?.show();
  });
  const drafts = document.getElementById("drafts");
  if (drafts) showDrafts(drafts);
}

/** Animates the pictures of the gallery if a GPU makes that cheap. */
function liveGallery(hero: HTMLAnchorElement): Live {
  return new Live(
    {
      hero,
      start: async () => {
        const { page } = await start();
        return (await page.isSwift(insists)) ? page : null;
      },
      open: async (page, fragment, isWanted) => {
        const source = await sourceAt(fragment);
        if (isWanted()) await page.open(source);
      },
    },
    document.querySelectorAll<HTMLAnchorElement>(".tiles a"),
  );
}

/** Returns the scene embedded in this page, if any. */
function servedScene(): EmbeddedScene | null {
  const text = document.getElementById("tarsus-files")?.textContent ?? "";
  if (text.trim() === "") return null;
  const value: unknown = JSON.parse(text);
  return isFiles(value) ? value : null;
}

/**
 * Follows the event stream of `tarsus serve`, which sends a message for each change of the scene's
 * files.
 */
function watch(): void {
  const url = document.querySelector<HTMLMetaElement>('meta[name="tarsus-served"]')?.content;
  if (!url) return;
  new EventSource(url).addEventListener("message", (event: MessageEvent<string>) => {
    const scene: unknown = JSON.parse(event.data);
    if (!isFiles(scene)) return;
    served = { ...served, ...scene };
    void page?.replace(scene);
  });
}

/** Opens files of the user. Scenes are stored, so that they can be named and found again. */
async function dropped(list: File[], folder?: string): Promise<void> {
  const { classify } = await import("./classify");
  const what = await classify(list, folder);
  if (what.kind === "scene") {
    const { files, title = titleOf(files) } = what;
    return go(adopt(files, title) ?? (await encode({ files, title })));
  }
  const { tarsus, page } = await start();
  if (what.kind === "modules") return page.addFiles(what.files);
  if (what.kind === "timeline") return page.replay(what.text);
  const snapshot = tarsus.snapshotOf(what.bytes);
  if (snapshot === undefined) throw new Error(`cannot open ${what.file.name}: only pictures saved by tarsus contain a snapshot`);
  const { files, ...moment } = JSON.parse(snapshot) as { scene?: string; files?: unknown };
  const texts = isFiles(files) ? { main: files.main, files: files.files } : { main: moment.scene ?? "", files: {} };
  const builtin = await builtinOf(texts);
  // A draft of the built-in scene would open instead.
  if (builtin !== null && !find(builtin)) return goTo(builtin, moment);
  const shared: Shared = { scene: builtin ?? texts.main, moment, paused: true };
  if (builtin !== null || !isFiles(files)) return go(await encode(shared));
  shared.files = texts;
  const { title } = files as Files & { title?: unknown };
  shared.title = typeof title === "string" ? title : titleOf(files);
  const fragment = adopt(texts, shared.title, moment);
  if (fragment === null) go(await encode(shared));
  else goTo(fragment, moment);
}

/** Opens files, or shows why that is impossible until another scene is opened. */
function open(list: File[], folder?: string): void {
  dropped(list, folder).catch((error: unknown) => (withdraw = toastError(error)));
}

/** Reports a crash of the player, whose state is undefined from then on. */
function crashed(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError) page?.notice.end("The player crashed.");
}

window.addEventListener("error", ({ error }) => crashed(error));
window.addEventListener("unhandledrejection", ({ reason }) => crashed(reason));
window.addEventListener("hashchange", () => void follow());
document.addEventListener("keydown", (event) => {
  if (document.body.dataset["view"] === "scene" && !event.defaultPrevented) page?.key(event);
});
document.addEventListener("keyup", (event) => page?.keyUp(event));
document.addEventListener("paste", ({ clipboardData, target }) => {
  if (document.querySelector("dialog[open]") || (target as Element).matches("input, textarea, .editor-host")) return;
  const text = clipboardData?.getData("text") ?? "";
  const [main] = /\bvoid\s+mainImage\b|\bvec2\s+mainSound\b|\bfn\s+main_image\b/.exec(text) ?? [];
  if (main) open([new File([text], main.startsWith("fn") ? "pasted.wgsl" : "pasted.glsl")]);
});
/** Frames the page while something is dragged over it. */
function frame(isDragged: boolean): void {
  document.body.classList.toggle("dragged", isDragged);
}
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  frame(true);
});
document.addEventListener("dragleave", ({ relatedTarget }) => frame(relatedTarget !== null));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  frame(false);
  filesAndFoldersOf(event).then(({ files, folder }) => files.length > 0 && open(files, folder), toastError);
});
document.body.classList.toggle("embed", isEmbedded);
gallery?.querySelector("[data-open]")?.addEventListener("click", () => document.querySelector<HTMLInputElement>("#open-file")?.click());
document.querySelector<HTMLInputElement>("#open-file")?.addEventListener("change", (event) => {
  const input = event.target as HTMLInputElement;
  open([...(input.files ?? [])]);
  // Otherwise, choosing the same file again is no change.
  input.value = "";
});
watch();
void follow();
