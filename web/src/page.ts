// The page of one scene: picture, bar, panel, editor and keyboard commands.

import { Bar } from "./bar";
import { type EmbeddedScene, type Contents, fill } from "./embedded";
import type { Compose } from "./composer";
import { Editing } from "./editing";
import { h, iconButton, icon, reason, toast } from "./dom";
import { help } from "./help";
import { listen } from "./input";
import { type Command, command } from "./keys";
import { encode, type Shared } from "./link";
import { Notice } from "./notice";
import { Panel } from "./panel";
import { share } from "./share";
import { isSame, type Source } from "./source";
import { Stage } from "./stage";
import type { Studio } from "./studio";
import { isSoftware, shortName, prefersReducedMotion } from "./support";
import { openVideoDialog, record, screenshot } from "./tools";
import type { Files, Loaded, State, Tarsus, ViewerOptions } from "./viewer";

/** Idle time of the pointer before the overlays fade, in milliseconds. */
const IDLE = 3000;

export interface PageContext {
  canvas: HTMLCanvasElement;
  tarsus: Tarsus;
  studio: Studio;
  compose: Compose;
  options: ViewerOptions;
  /** True for a canvas with just a small bar. */
  isEmbedded: boolean;
  /** Opens another scene by its offset in the gallery. */
  neighbour: (by: number) => void;
  gallery: () => void;
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
  readonly #corner = h("p", { class: "corner" });
  readonly #toggles: { panel: HTMLButtonElement; code: HTMLButtonElement; record: HTMLButtonElement };
  #source: Source | null = null;
  #started: Promise<void> | null = null;
  #idle = 0;
  #cornerShown = 0;

  constructor(context: PageContext, notice: Notice) {
    this.#context = context;
    this.notice = notice;
    const picture = h("div", { class: "picture" });
    this.stage = new Stage(picture, context.canvas, context.tarsus, context.compose, context.options, {
      tick: () => this.#onTick(),
      loaded: (loaded) => this.#composed(loaded),
      lost: (lost) => toast(lost ? "Graphics device lost, restarting…" : "Graphics device restored"),
    });
    this.#panel = new Panel(this.stage, () => this.#show("panel", false));
    this.#editing = new Editing(context.studio, {
      load: (files) => this.#load(files),
      close: () => this.#show("code", false),
    });
    const record = iconButton("record", "Record the input", () => this.#do({ kind: "record" }));
    this.#toggles = {
      panel: this.#toggle("sliders", "Controls", "panel"),
      code: this.#toggle("code", "Editor", "code"),
      record,
    };
    this.#bar = new Bar(this.stage, ...this.#tools(record));
    picture.append(notice.element);
    const side = context.isEmbedded ? [] : [this.#panel.element];
    const view = h("div", { class: "view" }, picture, this.#top(), h("div", { class: "bottom" }, this.#bar.element), ...side);
    this.element = h("main", { class: "scene" }, ...(context.isEmbedded ? [] : [this.#editing.element]), view);
    listen(this.stage);
    this.#listen(view);
  }

  /** Fragment of the open scene once it was drawn, otherwise null. */
  get fragment(): string | null {
    return this.stage.viewer?.isDrawn() ? (this.#source?.fragment ?? null) : null;
  }

  /** Creates the viewer. Returns true if it draws with a GPU, or if the user `insists`. */
  async isSwift(insists: boolean): Promise<boolean> {
    this.#started ??= this.stage.start();
    await this.#started;
    return insists || !(await isSoftware(this.stage.viewer?.backend() ?? ""));
  }

  /** Brings the open scene to the foreground. */
  enter(): void {
    document.title = `${this.#title.textContent} · tarsus`;
    this.stage.wake();
  }

  /** Opens a scene, replacing the current one. */
  async open(source: Source): Promise<void> {
    await this.#editing.settle();
    const isFirst = this.#source === null;
    this.#source = source;
    this.#title.textContent = source.title;
    document.title = `${source.title} · tarsus`;
    this.stage.canvas.setAttribute("aria-label", source.title);
    this.notice.poster(source.builtin ? `stills/${source.builtin}.webp` : null, source.title);
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
      this.notice.fail(sentence(reason(error)));
    }
  }

  /** Replaces the open scene after a change outside the page, keeping time, values and camera. */
  async replace({ main, files: texts, pictures }: EmbeddedScene): Promise<void> {
    if (!this.#source) return;
    const files = { main, files: texts };
    this.#source = { ...this.#source, files, original: files };
    const loaded = await this.#load(files);
    if (pictures) this.#fill({ pictures });
    this.#editing.open(this.#source, loaded.diagnostics);
  }

  /** Adds modules to the open scene. */
  addFiles(texts: Record<string, string>): void {
    this.#show("code", true);
    this.#editing.add(texts);
  }

  replay(timeline: string): void {
    this.stage.viewer?.replay(timeline);
    this.stage.wake();
  }

  /** Handles a key that no control of the page uses. */
  key(event: KeyboardEvent): void {
    if (takesKey(event)) return;
    const found = command(event, this.stage.loaded?.readsKeyboard ?? false);
    if (found && !(event.target instanceof HTMLButtonElement && event.key === " ")) {
      event.preventDefault();
      this.#do(found);
    } else if (document.activeElement === this.stage.canvas) {
      this.stage.viewer?.key(event.keyCode, true);
      this.stage.wake();
      // Keep the page from scrolling if the scene reads the arrow keys.
      if (this.stage.loaded?.readsKeyboard && !event.ctrlKey && event.key !== "Tab") event.preventDefault();
    }
  }

  keyUp(event: KeyboardEvent): void {
    this.stage.viewer?.key(event.keyCode, false);
    this.stage.wake();
  }

  #begin(source: Source, isFirst: boolean): void {
    const viewer = this.stage.viewer;
    if (!viewer) return;
    if (source.snapshot !== undefined) {
      viewer.openSnapshot(JSON.stringify(source.snapshot));
      const { lens } = source.snapshot as { lens?: string };
      if (lens) void this.stage.lens(lens).catch((error: unknown) => toast(reason(error)));
    } else if (!isFirst) {
      viewer.resetView();
      viewer.restart();
    }
    if (source.contents) this.#fill(source.contents);
    if (source.paused || prefersReducedMotion()) viewer.pause();
    else viewer.play();
    this.#panel.build();
    this.#bar.update();
    this.stage.wake();
  }

  #fill(contents: Contents): void {
    const { viewer } = this.stage;
    if (!viewer) return;
    fill(viewer, contents).then(
      () => this.stage.wake(),
      (error: unknown) => toast(reason(error)),
    );
  }

  /** Loads sources. Unchanged built-in scenes are loaded by name, as in pictures and links. */
  #load(files: Files): Promise<Loaded> {
    const source = this.#source;
    const plain = source?.builtin && isSame(files, source.original);
    return this.stage.load(plain ? { main: source.builtin ?? "", files: {} } : files);
  }

  #composed(loaded: Loaded): void {
    if (loaded.ok) this.#panel.build();
    this.#bar.update();
  }

  /**
   * Handles a new scene that does not compile: the picture shows the error and the editor its
   * position.
   */
  #showError(loaded: Loaded): void {
    const first = loaded.diagnostics.find(({ severity }) => severity === "error");
    this.notice.fail(first ? sentence(first.message) : "This scene does not compile.");
    if (!this.#context.isEmbedded) this.#show("code", true);
  }

  #onTick(): void {
    if (this.stage.viewer?.isDrawn()) this.notice.leave();
    this.#bar.update();
    const now = performance.now();
    if (now - this.#cornerShown < 500) return;
    this.#cornerShown = now;
    const viewer = this.stage.viewer;
    if (!viewer) return;
    const state = JSON.parse(viewer.state()) as State;
    const scale = Math.round(100 * state.scale);
    const parts = [shortName(viewer.backend())];
    if (state.waiting > 60) parts.push(`${state.waiting} frames to go`);
    else if (state.paused) parts.push(state.samples > 1 ? `${state.samples} samples` : "paused");
    else if (state.fps) parts.push(`${Math.round(state.fps)} fps`);
    if (scale < 100 && !state.paused) parts.push(`${scale} %`);
    this.#corner.textContent = state.error ?? parts.join(" · ");
  }

  #top(): HTMLElement {
    const { gallery, neighbour, isEmbedded } = this.#context;
    if (isEmbedded) {
      const whole = h("a", { class: "home", target: "_blank", rel: "noopener", href: location.pathname + location.hash }, this.#title);
      return h("header", { class: "top" }, whole, this.#corner);
    }
    return h(
      "header",
      { class: "top" },
      h("a", { class: "home", href: "#", click: (event: Event) => (event.preventDefault(), gallery()) }, "tarsus"),
      h("span", { class: "which" }, iconButton("previous", "Previous scene", () => neighbour(-1)), this.#title, iconButton("next", "Next scene", () => neighbour(1))),
      this.#corner,
    );
  }

  #tools(record: HTMLButtonElement): Node[] {
    const full = iconButton("expand", "Full screen", () => this.#do({ kind: "fullscreen" }));
    if (this.#context.isEmbedded) return [full];
    return [
      h(
        "span",
        { class: "tools" },
        iconButton("camera", "Screenshot", () => this.#do({ kind: "screenshot" })),
        iconButton("film", "Film", () => this.#do({ kind: "film" })),
        record,
      ),
      this.#toggles.panel,
      this.#toggles.code,
      h("button", { type: "button", class: "solid share", "aria-label": "Share", click: () => void this.#share() }, icon("share"), h("span", {}, "Share")),
      iconButton("help", "Keys", () => help()),
      full,
    ];
  }

  #toggle(name: "sliders" | "code", label: string, what: "panel" | "code"): HTMLButtonElement {
    const button = iconButton(name, label, () => this.#show(what, button.getAttribute("aria-expanded") !== "true"));
    button.setAttribute("aria-expanded", "false");
    return button;
  }

  #show(what: "panel" | "code", open: boolean): void {
    const button = this.#toggles[what];
    button.setAttribute("aria-expanded", String(open));
    this.element.classList.toggle(`with-${what}`, open);
    if (what === "panel") this.#panel.element.hidden = !open;
    else this.#editing.show(open);
    if (!open) button.focus({ preventScroll: true });
  }

  #isOpen(what: "panel" | "code"): boolean {
    return this.#toggles[what].getAttribute("aria-expanded") === "true";
  }

  #do(asked: Command): void {
    const { isEmbedded, gallery, neighbour } = this.#context;
    const name = this.#source?.builtin ?? "tarsus";
    switch (asked.kind) {
      case "pause":
        return this.#bar.toggle();
      case "restart":
        return this.#bar.restart();
      case "step":
        return this.#bar.step(asked.frames);
      case "speed":
        return this.#panel.changeSpeed(asked.faster);
      case "lens":
        return this.#panel.stepLens(asked.forward);
      case "scale":
        return this.#panel.setScale(asked.divisor);
      case "whole":
        return this.#panel.showTexture(asked.pass);
      case "reset":
        return this.#panel.reset();
      case "fullscreen":
        return void this.#fullscreen();
      case "screenshot":
        return void screenshot(this.stage, name).catch((error: unknown) => toast(reason(error)));
      case "film":
        return openVideoDialog(this.stage, name, () => this.#fullScale());
      case "record":
        return this.#record(name);
      case "hide":
        this.element.classList.toggle("bare");
        return;
      case "help":
        return help();
      case "close":
        if (!isEmbedded) this.#closeOne();
        return;
      default:
        if (isEmbedded) return;
        if (asked.kind === "next") neighbour(1);
        else if (asked.kind === "previous") neighbour(-1);
        else if (asked.kind === "gallery") gallery();
        else if (asked.kind === "panel") this.#show("panel", !this.#isOpen("panel"));
        else if (asked.kind === "edit") this.#show("code", !this.#isOpen("code"));
    }
  }

  #closeOne(): void {
    if (this.#isOpen("panel")) this.#show("panel", false);
    else if (this.#isOpen("code")) this.#show("code", false);
  }

  #record(name: string): void {
    const recording = record(this.stage, name);
    this.#toggles.record.classList.toggle("recording", recording);
    this.#toggles.record.setAttribute("aria-pressed", String(recording));
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
    const what: Shared = { moment: JSON.parse(viewer.snapshot()), paused: viewer.isPaused() };
    if (source.builtin) what.scene = source.builtin;
    if (!isPlain) what.files = shown;
    const base = location.href.replace(/[?#].*$/, "");
    share({
      link: `${base}#${await encode(what)}`,
      title: source.title,
      glsl: () => this.#context.studio.exportTo(shown, "shadertoy", viewer.values()),
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
    window.addEventListener("blur", () => this.stage.viewer?.releaseAll());
  }
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
