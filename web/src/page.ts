// The page of one scene: picture, bar, panel, editor and keyboard commands.

import { Bar } from "./bar";
import { type EmbeddedScene, type Contents, fill } from "./embedded";
import type { Compose } from "./composer";
import { scenes } from "tarsus.catalog";
import hints from "./hints.json";
import { digest, find, isOwn, retitle, save } from "./drafts";
import { Editing, headline, NOT_STORED } from "./editing";
import { editInPlace, h, iconButton, icon, reason, toast, toastError } from "./dom";
import { listen } from "./input";
import { type Command, command, isRepeated } from "./keys";
import { encode, type Shared } from "./link";
import { Notice } from "./notice";
import { Panel } from "./panel";
import { isSame, type Source, titleOf } from "./source";
import { Split } from "./split";
import { Stage } from "./stage";
import type { Studio } from "./studio";
import { shortName, prefersReducedMotion } from "./support";
import { openVideoDialog, record, screenshot, smallPicture } from "./tools";
import { unfinishedTrial } from "./trial";
import type { Backend, Files, Loaded, State, Tarsus, Values } from "./viewer";

/** Idle time of the pointer before the overlays fade, in milliseconds. */
const IDLE = 3000;
/** Time that a lost graphics device has to return before the page offers a reload, in milliseconds. */
const LOST_TIMEOUT = 2000;
/** Windows without room for the picture between editor and controls. */
const NARROW = window.matchMedia("(max-width: 1000px)");
/** Scenes with text up to their edges, which no control may cover. */
const FRAMED = new Set(["ik_diagram"]);

export interface PageContext {
  canvas: HTMLCanvasElement;
  tarsus: Tarsus;
  studio: Studio;
  compose: Compose;
  backend: Backend;
  /** True for a canvas with just a small bar. */
  isEmbedded: boolean;
  /** Opens another scene by its offset in the gallery. */
  neighbour: (by: number) => void;
  /** Fragment that opens the gallery. */
  gallery: string;
  /** Opens a fragment. */
  go: (fragment: string) => void;
}

export class Page {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly notice: Notice;
  readonly #context: PageContext;
  readonly #bar: Bar;
  readonly #panel: Panel;
  readonly #editing: Editing;
  readonly #title = h("h1", { class: "scene-title" });
  readonly #rename = iconButton("pen", "Rename the scene", () => this.#askTitle());
  readonly #about = h("p", { class: "about" });
  readonly #renderer = h("span", { class: "renderer" });
  readonly #status = h("span", {});
  readonly #problem = h("button", { type: "button", class: "problem", hidden: true, click: () => this.#showProblem() });
  readonly #toggles: { panel: HTMLButtonElement; code: HTMLButtonElement; record: HTMLButtonElement };
  #source: Source | null = null;
  /** True until the opened scene is loaded: the stage still draws the one before. */
  #isOpening = false;
  /** Settles once the last change outside the page is shown. */
  #replaced = Promise.resolve();
  /** Values that the user changed, by the fragment of their scene. */
  readonly #values = new Map<string, Values>();
  #started: Promise<void> | null = null;
  #idle = 0;
  #statusTimer: ReturnType<typeof setTimeout> | undefined;
  #isStatusOld = false;
  #lostTimer = 0;

  constructor(context: PageContext, notice: Notice) {
    this.#context = context;
    this.notice = notice;
    const picture = h("div", { class: "picture" });
    this.stage = new Stage(picture, context.canvas, context.tarsus, context.compose, context.backend, {
      tick: (state) => this.#onTick(state),
      loaded: (loaded) => this.#composed(loaded),
      lost: (isLost) => this.#lost(isLost),
      stuck: (seconds, isTrusted) => this.#stuck(seconds, isTrusted),
      hung: () => this.#report("This version hung the GPU: the last good version is shown", "gpu"),
    });
    this.#panel = new Panel(this.stage, () => this.#show("panel", false));
    this.#editing = new Editing(context.studio, {
      load: (files) => this.#load(files),
      close: () => this.#show("code", false),
      moved: (source) => this.#moved(source),
      go: context.go,
      still: () => smallPicture(this.stage),
    });
    const record = iconButton("record", "Record the input", () => this.#do({ kind: "record" }));
    this.#toggles = {
      panel: this.#toggle("sliders", "Controls", "panel"),
      code: this.#toggle("code", "Editor", "code"),
      record,
    };
    this.#bar = new Bar(this.stage, ...this.#tools(record));
    picture.append(notice.element);
    const view = h("div", { class: "view" }, picture, this.#top(), h("div", { class: "bottom" }, this.#problem, this.#bar.element));
    if (context.isEmbedded) view.append(this.#largePlay());
    const around = context.isEmbedded ? [view] : [this.#editing.element, new Split(this.#editing.element).element, view, this.#panel.element];
    this.element = h("main", { class: "scene" }, ...around);
    listen(this.stage);
    this.#listen(view);
  }

  /** Fragment of the open scene once it was drawn, otherwise null. */
  get fragment(): string | null {
    return this.stage.viewer?.state().isDrawn ? (this.#source?.fragment ?? null) : null;
  }

  /** Creates the viewer. Returns true if it draws with a GPU, or if the user `insists`. */
  async isSwift(insists: boolean): Promise<boolean> {
    this.#started ??= this.stage.start();
    await this.#started;
    return insists || !(this.stage.viewer?.state().isSoftware ?? true);
  }

  /** Brings the open scene to the foreground. */
  enter(): void {
    this.#remember();
    // The gallery may have renamed it.
    if (this.#source) this.#source.title = find(this.#source.fragment)?.title ?? this.#source.title;
    this.#entitle();
    this.stage.wake();
  }

  /** Saves pending edits, and waits for the current composition. */
  settle(): Promise<void> {
    return this.#editing.settle();
  }

  /** Opens a scene, replacing the current one. */
  async open(source: Source): Promise<void> {
    // A title being typed belongs to the previous scene.
    this.element.querySelector<HTMLElement>(".in-place:focus")?.blur();
    await this.#editing.settle();
    this.#keepValues();
    this.#endRecording();
    this.stage.clear();
    this.#panel.clear();
    const isFirst = this.#source === null;
    this.#source = source;
    this.#remember();
    this.element.classList.remove("failed");
    this.#report(null);
    this.#entitle();
    this.#describe(source.builtin, false);
    this.notice.poster(source.builtin ? `stills/${source.builtin}.webp` : null, source.title);
    const trial = unfinishedTrial(source.files);
    if (!trial) return this.#run(source, isFirst);
    // Own scenes have no other version to go back to.
    if (trial.lastGood && isSame(source.files, source.original)) source.original = trial.lastGood;
    this.#hold(source, isFirst);
  }

  /**
   * Replaces the scene embedded in the page, if it is open, after a change outside the page, keeping
   * time, values and camera.
   */
  replace(scene: EmbeddedScene): Promise<void> {
    return this.#afterReplaced(() => this.#replace(scene));
  }

  /** Until one change is shown, the editor holds the previous files. */
  #afterReplaced(next: () => Promise<void>): Promise<void> {
    const replaced = this.#replaced.then(next);
    this.#replaced = replaced.catch(() => undefined);
    return replaced;
  }

  async #replace(scene: EmbeddedScene): Promise<void> {
    const source = this.#source;
    if (source?.fragment !== "") return;
    const isChanged = this.#isOpening ? !isSame(source.files, source.original) : this.#editing.isChanged;
    if (!isChanged) return this.#follow(scene);
    // A draft applies only to the files that it is based on.
    source.original = { main: scene.main, files: scene.files };
    const draft = find("");
    if (!this.#isOpening) this.#editing.keep(true);
    else if (draft) save({ ...draft, began: digest(source.original) });
    // The draft ends with the changes.
    const load = (): Promise<void> => this.#follow(scene).then(() => this.#editing.keep(true));
    const run = (): void => void this.#afterReplaced(load);
    toast("Files changed on disk; the changes in the editor are kept", { label: "Load the files", run });
  }

  /** Reports that a scene cannot be opened, with links that lead on. */
  fail(text: string, ...links: HTMLElement[]): void {
    this.stage.viewer?.setPaused(true);
    this.#endRecording();
    this.stage.clear();
    this.#source = null;
    this.element.classList.add("failed");
    this.#report(null);
    this.#title.textContent = "";
    this.#rename.hidden = true;
    this.#about.textContent = "";
    this.#entitleDocument();
    this.notice.poster(null, "");
    this.notice.fail(sentence(text), ...this.#waysOut(), ...(this.#context.isEmbedded ? [] : links));
  }

  /** Opens the editor. */
  edit(): void {
    this.#show("code", true);
  }

  async #follow({ main, files: texts, pictures }: EmbeddedScene): Promise<void> {
    // Edits still to be composed would replace the new files.
    await this.#editing.settle();
    if (this.#source?.fragment !== "") return;
    const files = { main, files: texts };
    const source = { ...this.#source, files, original: files, contents: { ...this.#source.contents, ...(pictures && { pictures }) } };
    this.#source = source;
    // This ends the opening, which would have begun the scene.
    if (this.#isOpening) return this.#run(source, false);
    const loaded = await this.#load(files);
    if (this.#source !== source) return;
    if (pictures) this.#fill({ pictures });
    this.#editing.open(source, loaded.diagnostics);
  }

  async #run(source: Source, isFirst: boolean): Promise<void> {
    this.#isOpening = true;
    try {
      this.#started ??= this.stage.start();
      await this.#started;
      this.notice.say("Compiling the scene…");
      const loaded = await this.#load(source.files);
      if (this.#source !== source) return;
      this.#begin(source, isFirst);
      this.#editing.open(source, loaded.diagnostics);
      if (!loaded.ok) this.#showError(loaded);
    } catch (error) {
      if (this.#source === source) this.notice.fail(sentence(reason(error)), ...this.#waysOut());
    } finally {
      if (this.#source === source) this.#isOpening = false;
    }
  }

  /** Shows a scene that did not finish its last picture, without drawing it. */
  #hold(source: Source, isFirst: boolean): void {
    this.#isOpening = false;
    this.#editing.open(source, null);
    const run = (): void => {
      this.notice.recover();
      void this.#run(source, isFirst);
    };
    const button = h("button", { type: "button", class: "solid", click: run }, "Draw it");
    this.notice.fail("The last visit ended before this version was drawn. A loop in it may never end.", button, ...this.#waysOut());
    // The editor composes changed sources on a running stage.
    this.#started ??= this.stage.start();
    this.#started.then(
      () => this.#source === source && this.#setPaused(source),
      (error: unknown) => this.#source === source && this.notice.fail(sentence(reason(error)), ...this.#waysOut()),
    );
    if (!this.#context.isEmbedded) this.#show("code", true);
  }

  /** Reports the loss of the graphics device, and its return. */
  #lost(isLost: boolean): void {
    clearTimeout(this.#lostTimer);
    if (isLost) this.#lostTimer = window.setTimeout(() => this.notice.end("The graphics device was lost."), LOST_TIMEOUT);
    else this.notice.recover();
    toast(isLost ? "Graphics device lost" : "Graphics device restored");
  }

  /** Reports a slow first picture. Only untrusted sources are suspected of an endless loop. */
  #stuck(seconds: number | null, isTrusted: boolean): void {
    const slow = "The first picture takes long on this machine.";
    if (seconds === null) this.#report(null);
    else if (!isTrusted) this.#report(`No picture for ${Math.round(seconds)} s: a loop may never end. Undo the last change and reload the page, or restart the browser.`, "gpu");
    else if (this.notice.isGone) this.#report(slow, "gpu");
    else this.notice.wait(slow, ...this.#waysOut());
  }

  /** Links to other pages, for a scene that cannot be shown. */
  #waysOut(): HTMLElement[] {
    if (this.#context.isEmbedded) return [];
    return [h("a", { class: "quiet", href: `#${this.#context.gallery}` }, "All scenes")];
  }

  /** Handles a new scene that got its own address by its first edit. */
  #moved(source: Source): void {
    history.replaceState(history.state, "", `#${source.fragment}`);
    this.#entitle();
  }

  /** Shows the description of a scene, and what the pointer or a finger does. */
  #describe(builtin: string | null, readsPointer: boolean): void {
    const description = scenes.find(({ name }) => name === builtin)?.title;
    const hint = readsPointer && ((hints as Record<string, string>)[builtin ?? ""] ?? "drag in the picture");
    const parts = [description && h("span", { class: "description" }, description), hint && h("span", { class: "hint" }, hint)];
    this.#about.replaceChildren(...parts.filter((part) => part instanceof Node));
  }

  #entitle(): void {
    const { title = "", builtin = null, fragment = "" } = this.#source ?? {};
    this.#title.textContent = title;
    this.element.classList.toggle("framed", FRAMED.has(builtin ?? ""));
    this.#rename.hidden = !isOwn(fragment);
    this.#entitleDocument();
    this.stage.canvas.setAttribute("aria-label", title);
  }

  /** Puts the scene's title into that of the document, unless the gallery plays the scene. */
  #entitleDocument(): void {
    const title = this.#title.textContent;
    if (document.body.dataset["view"] === "scene") document.title = title ? `${title} · tarsus` : "tarsus";
  }

  /** Adds modules to the open scene. */
  addFiles(texts: Record<string, string>): void {
    this.#show("code", true);
    this.#editing.add(texts);
  }

  replay(timeline: string): void {
    this.#endRecording();
    this.stage.viewer?.replay(timeline);
    this.stage.wake();
  }

  /** Handles a key that no control of the page uses. */
  key(event: KeyboardEvent): void {
    if (takesKey(event)) {
      // The editor takes the Tab key, so Escape leaves it.
      if (event.key === "Escape" && event.target instanceof HTMLElement && event.target.matches(".editor-host")) this.stage.canvas.focus();
      return;
    }
    const found = command(event, this.stage.loaded?.readsKeyboard ?? false);
    if (found && !(event.target instanceof HTMLButtonElement && event.key === " ")) {
      event.preventDefault();
      if (!isRepeated(event, found)) this.#do(found);
    } else if (document.activeElement === this.stage.canvas && this.stage.loaded?.readsKeyboard) {
      this.stage.viewer?.key(event.keyCode, true);
      this.stage.wake();
      // Keep the page from scrolling if the scene reads the arrow keys.
      if (!event.ctrlKey && event.key !== "Tab") event.preventDefault();
    }
  }

  keyUp(event: KeyboardEvent): void {
    // A key would discard the refined still of a scene that ignores it.
    if (!this.stage.loaded?.readsKeyboard) return;
    this.stage.viewer?.key(event.keyCode, false);
    this.stage.wake();
  }

  #begin(source: Source, isFirst: boolean): void {
    const viewer = this.stage.viewer;
    if (!viewer) return;
    if (source.snapshot !== undefined) {
      viewer.openSnapshot(JSON.stringify(source.snapshot));
      const { debug_view: view } = source.snapshot as { debug_view?: string };
      if (view) void this.stage.setDebugView(view).catch(toastError);
    } else if (!isFirst) {
      viewer.resetView();
      viewer.restart();
    }
    this.#fill({ ...source.contents, values: { ...source.contents?.values, ...this.#kept(source) } });
    this.#setPaused(source);
    this.#panel.build();
    this.#bar.begin();
    this.stage.wake();
  }

  #setPaused({ paused = false }: Source): void {
    this.stage.viewer?.setPaused(paused || prefersReducedMotion());
  }

  #fill(contents: Contents): void {
    fill(this.stage, contents).catch(toastError);
  }

  /** Keeps the values of the open scene for its next opening: a tile of the gallery replaces it, too. */
  #keepValues(): void {
    const { viewer, loaded } = this.stage;
    if (!viewer || !loaded || this.fragment === null) return;
    const values = viewer.values();
    const changed = loaded.parameters.flatMap(({ name, default: initial }) => (`${values[name]}` === `${initial}` ? [] : [[name, values[name]]]));
    this.#values.set(this.fragment, Object.fromEntries(changed));
  }

  /** Returns the values to restore: those of parameters that the scene still has. */
  #kept({ fragment, snapshot }: Source): Values {
    const names = new Set(this.stage.loaded?.parameters.map(({ name }) => name));
    const values = snapshot === undefined ? this.#values.get(fragment) : undefined;
    return Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => names.has(name)));
  }

  /** Loads sources. Unchanged built-in scenes are loaded by name, as in pictures and links. */
  #load(files: Files): Promise<Loaded> {
    const source = this.#source;
    const plain = source?.builtin && isSame(files, source.original);
    return this.stage.load(plain ? { main: source.builtin ?? "", files: {} } : files);
  }

  #composed(loaded: Loaded): void {
    const [error, ...others] = loaded.diagnostics.filter(({ severity }) => severity === "error");
    const more = others.length > 0 ? `, and ${others.length} more` : "";
    this.#report(error ? headline(error) + more : null);
    if (loaded.ok) {
      this.notice.recover();
      this.#panel.build();
      this.stage.canvas.classList.toggle("grabs", loaded.readsPointer);
      this.#describe(this.#source?.builtin ?? null, loaded.readsPointer);
    }
    this.#bar.update();
  }

  /** Shows a problem of the source or of the GPU over the picture, or none. */
  #report(text: string | null, kind: "source" | "gpu" = "source"): void {
    this.#problem.dataset["kind"] = kind;
    this.#problem.hidden = text === null;
    this.#problem.textContent = text ?? "";
  }

  #showProblem(): void {
    if (this.#context.isEmbedded) return;
    this.#show("code", true);
    void (this.#problem.dataset["kind"] === "gpu" ? this.#editing.goToLoop() : this.#editing.goToError());
  }

  /**
   * Handles a new scene that does not compile: the picture shows the error and the editor its
   * position.
   */
  #showError(loaded: Loaded): void {
    const first = loaded.diagnostics.find(({ severity }) => severity === "error");
    this.notice.fail(first ? sentence(first.message) : "This scene does not compile.", ...this.#waysOut());
    if (!this.#context.isEmbedded) this.#show("code", true);
  }

  #onTick({ isDrawn, recorded }: State): void {
    if (isDrawn && !this.#isOpening) this.notice.leave();
    this.#toggles.record.setAttribute("aria-pressed", String(recorded !== null));
    this.#bar.update();
    this.#refreshStatus();
  }

  /** Shows the status at once, or half a second after it was last shown. */
  #refreshStatus(): void {
    this.#isStatusOld = this.#statusTimer !== undefined;
    if (this.#isStatusOld) return;
    this.#showStatus();
    this.#statusTimer = setTimeout(() => {
      this.#statusTimer = undefined;
      // The last picture requests no further status.
      if (this.#isStatusOld) this.#refreshStatus();
    }, 500);
  }

  #showStatus(): void {
    const { viewer, followsTime } = this.stage;
    if (!viewer) return;
    const state = viewer.state();
    const scale = Math.round(100 * state.scale);
    if (!state.isDrawn && state.waiting > 60) this.notice.say(`${state.waiting} frames until the first picture…`);
    const parts = [];
    if (state.waiting > 60) parts.push(`${state.waiting} frames to go`);
    else if (state.isPaused || !followsTime) parts.push(state.samples > 1 ? `${state.samples} samples` : followsTime ? "paused" : "1 sample");
    else if (state.fps && !state.isLost) parts.push(`${Math.round(state.fps)} fps`);
    if (scale < 100 && !state.isPaused) parts.push(`${scale} %`);
    this.#renderer.textContent = shortName(state.backend);
    this.#status.textContent = state.error ?? parts.join(" · ");
  }

  /** A large button for embedded scenes that start paused; the bar has the accessible one. */
  #largePlay(): HTMLElement {
    const button = iconButton("play", "Play", () => this.#bar.toggle());
    button.classList.add("large-play");
    button.setAttribute("aria-hidden", "true");
    button.tabIndex = -1;
    return button;
  }

  #top(): HTMLElement {
    const { gallery, neighbour, isEmbedded } = this.#context;
    const corner = h("p", { class: "corner" }, this.#renderer, this.#status);
    if (isEmbedded) {
      const whole = h("a", { class: "home", target: "_blank", rel: "noopener", href: location.pathname + location.hash }, this.#title);
      return h("header", { class: "top" }, whole, corner);
    }
    return h(
      "header",
      { class: "top" },
      h("a", { class: "home", href: `#${gallery}` }, "tarsus"),
      h("div", { class: "which" }, iconButton("previous", "Previous scene", () => neighbour(-1)), h("div", { class: "names" }, h("div", { class: "title-row" }, this.#title, this.#rename), this.#about), iconButton("next", "Next scene", () => neighbour(1))),
      corner,
    );
  }

  #tools(record: HTMLButtonElement): Node[] {
    const full = iconButton("expand", "Full screen", () => this.#do({ kind: "fullscreen" }));
    // Safari on iPhones has no full screen.
    full.hidden = !document.fullscreenEnabled;
    if (this.#context.isEmbedded) return [full];
    return [
      this.#toggles.panel,
      this.#toggles.code,
      h("button", { type: "button", class: "quiet share", "aria-label": "Share", click: () => void this.#share().catch(toastError) }, icon("share"), h("span", {}, "Share")),
      menu(
        // Where the bar is too narrow for its own.
        iconButton("restart", "Restart", () => this.#do({ kind: "restart" })),
        iconButton("camera", "Screenshot", () => this.#do({ kind: "screenshot" })),
        iconButton("film", "Film", () => this.#do({ kind: "film" })),
        record,
        iconButton("help", "Help", () => this.#do({ kind: "help" })),
        full,
      ),
    ];
  }

  #toggle(name: "sliders" | "code", label: string, what: "panel" | "code"): HTMLButtonElement {
    const button = iconButton(name, label, () => this.#show(what, button.getAttribute("aria-expanded") !== "true"));
    button.setAttribute("aria-expanded", "false");
    return button;
  }

  /** Opens or closes a part. Where there is room for one, the other closes. */
  #show(what: "panel" | "code", open: boolean): void {
    const other = what === "panel" ? "code" : "panel";
    if (open && NARROW.matches && this.#isOpen(other)) this.#show(other, false);
    const button = this.#toggles[what];
    const { element } = what === "panel" ? this.#panel : this.#editing;
    const hadKeyboard = element.contains(document.activeElement);
    button.setAttribute("aria-expanded", String(open));
    this.element.classList.toggle(`with-${what}`, open);
    if (what === "panel") element.hidden = !open;
    else this.#editing.show(open);
    this.#remember();
    if (!open && hadKeyboard) button.focus({ preventScroll: true });
  }

  /** Notes in the history whether the editor is open, for a reload. */
  #remember(): void {
    history.replaceState(this.#isOpen("code") ? "edited" : null, "");
  }

  #isOpen(what: "panel" | "code"): boolean {
    return this.#toggles[what].getAttribute("aria-expanded") === "true";
  }

  #do(asked: Command): void {
    const { isEmbedded, gallery, neighbour, go } = this.#context;
    const name = this.#name;
    switch (asked.kind) {
      case "pause":
        return this.#bar.toggle();
      case "restart":
        return this.#bar.restart();
      case "mute":
        return this.#bar.toggleSound();
      case "step":
        return this.#bar.step(asked.frames);
      case "speed":
        return this.#panel.changeSpeed(asked.faster);
      case "debugView":
        return this.#panel.stepDebugView(asked.forward);
      case "scale":
        return this.#panel.setScale(asked.divisor);
      case "whole":
        return this.#panel.showTexture(asked.pass);
      case "reset":
        return this.#panel.reset();
      case "fullscreen":
        return void this.#fullscreen();
      case "screenshot":
        return void screenshot(this.stage, name, this.#source?.title ?? name).catch(toastError);
      case "film":
        return openVideoDialog(this.stage, name, () => this.#fullScale());
      case "record":
        // The scene that is loading would discard it.
        if (!this.#isOpening) record(this.stage, name);
        return;
      case "hide":
        this.element.classList.toggle("bare");
        return;
      case "help":
        return void import("./help").then(({ help }) => help(this.stage.loaded), toastError);
      case "close":
        if (!isEmbedded) this.#closeOne();
        return;
      default:
        if (isEmbedded) return;
        if (asked.kind === "next") neighbour(1);
        else if (asked.kind === "previous") neighbour(-1);
        else if (asked.kind === "gallery") go(gallery);
        else if (asked.kind === "panel") this.#show("panel", !this.#isOpen("panel"));
        else if (asked.kind === "edit") this.#show("code", !this.#isOpen("code"));
    }
  }

  #closeOne(): void {
    if (this.#isOpen("panel")) this.#show("panel", false);
    else if (this.#isOpen("code")) this.#show("code", false);
  }

  /** Name of saved files. */
  get #name(): string {
    const { builtin = null, title = "tarsus" } = this.#source ?? {};
    return builtin ?? title.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_");
  }

  /** Ends and saves the running recording, if any: the input of another scene would discard it. */
  #endRecording(): void {
    if ((this.stage.viewer?.state().recorded ?? null) !== null) record(this.stage, this.#name);
  }

  #fullScale(): () => void {
    const before = this.#panel.scale;
    this.#panel.setScale(1);
    return () => this.#panel.setScale(before);
  }

  async #fullscreen(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.element.requestFullscreen?.();
  }

  async #share(): Promise<void> {
    const viewer = this.stage.viewer;
    const source = this.#source;
    const shown = this.stage.shown;
    if (!viewer || !source || !shown) return;
    const isPlain = Object.keys(shown.files).length === 0;
    const what: Shared = { moment: JSON.parse(viewer.snapshot()), paused: viewer.state().isPaused };
    if (source.builtin) what.scene = source.builtin;
    if (!isPlain) what.files = shown;
    if (!isPlain && source.title !== titleOf(shown)) what.title = source.title;
    const base = location.href.replace(/[?#].*$/, "");
    const titled = { ...shown, title: source.title };
    const { share } = await import("./share");
    share({
      link: `${base}#${await encode(what)}`,
      title: source.title,
      files: shown,
      warning: this.#editing.hasErrors ? "The source has errors: the link contains the last version without." : null,
      glsl: () => this.#context.studio.toShadertoy(titled, viewer.values()),
    });
  }

  /**
   * Fades the overlays of a playing picture while the pointer rests, unless one has keyboard focus.
   */
  #listen(view: HTMLElement): void {
    const stir = (): void => {
      this.element.classList.remove("idle");
      clearTimeout(this.#idle);
      this.#idle = window.setTimeout(() => this.element.classList.add("idle"), IDLE);
    };
    for (const event of ["pointermove", "pointerdown", "focusin"]) view.addEventListener(event, stir, { passive: true });
    document.addEventListener("keydown", stir, { passive: true });
    stir();
    NARROW.addEventListener("change", () => {
      if (NARROW.matches && this.#isOpen("code")) this.#show("panel", false);
    });
    window.addEventListener("blur", () => {
      const { loaded, viewer } = this.stage;
      if (loaded?.readsPointer || loaded?.readsKeyboard) viewer?.releaseAll();
    });
  }

  #askTitle(): void {
    const source = this.#source;
    if (!source) return;
    editInPlace(this.#title, "Title of the scene", (title) => {
      source.title = title;
      // Its draft may be gone.
      if (!this.#isOpening && this.#source === source) this.#editing.keep(true);
      else if (!retitle(source.fragment, title)) toastError(NOT_STORED);
      this.#entitle();
    });
  }
}

/** Returns buttons that collapse into a menu where the bar is narrow. */
function menu(...items: HTMLElement[]): HTMLElement {
  const list = h("span", { class: "menu-items" }, ...items);
  const button = iconButton("more", "More", () => open(button.getAttribute("aria-expanded") !== "true"));
  const open = (isOpen: boolean): void => {
    button.setAttribute("aria-expanded", String(isOpen));
    list.classList.toggle("open", isOpen);
  };
  open(false);
  button.classList.add("menu-button");
  const holder = h("span", { class: "menu" }, list, button);
  list.addEventListener("click", () => open(false));
  window.addEventListener("hashchange", () => open(false));
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !holder.contains(target)) open(false);
  });
  holder.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !list.classList.contains("open")) return;
    event.preventDefault();
    open(false);
    button.focus();
  });
  return holder;
}

/** Returns true if the key is used by the focused control. */
function takesKey({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('[type="range"], [type="checkbox"]')) return /^(Arrow.*|Home|End|Page.*| )$/.test(key);
  return target.matches("input, textarea, select, [contenteditable], .editor-host");
}

/** Converts a message to a sentence with a capital letter and a full stop. */
function sentence(text: string): string {
  const line = text.split("\n")[0]?.trim() ?? text;
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
}
