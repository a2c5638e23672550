// Editing of the current scene: composes while the user types, saves drafts, and loads
// the editor when it is first shown.

import type { Editor } from "./editor/editor";
import { digest, find, fork, isOwn, newFragment, remove, save, unusedTitle } from "./drafts";
import { editInPlace, h, icon, iconButton, type IconName, reason, toast, toastError } from "./dom";
import { asModule, fileName, inItsLanguage, withRenamed } from "./names";
import { isSame, type Source } from "./source";
import type { Studio } from "./studio";
import type { Diagnostic, Files, Loaded } from "./viewer";

/** Delay between the last edit and composing the scene, in milliseconds. */
const PAUSE = 250;
/** The same while a number is dragged. */
const DRAG_PAUSE = 30;
export const NOT_STORED = "This browser cannot store drafts: copy your changes.";

interface Callbacks {
  load: (files: Files) => Promise<Loaded>;
  close: () => void;
  /** Called when a new scene has got its own address, because it was edited. */
  moved: (source: Source) => void;
  /** Opens the scene with this fragment. */
  go: (fragment: string) => void;
  /** Returns a small picture of the scene as a data URL. */
  still: () => Promise<string>;
}

export class Editing {
  readonly element: HTMLElement;
  readonly #studio: Studio;
  readonly #callbacks: Callbacks;
  readonly #host = h("div", { class: "editor-host" });
  readonly #tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Files" });
  readonly #status = h("p", { class: "editor-status", role: "status", "aria-live": "polite" });
  readonly #copy = footButton("copy", "Make a copy", () => this.#fork());
  readonly #revert = footButton("undo", "Discard changes", () => this.#goBack());
  #editor: Promise<Editor> | null = null;
  #source: Source | null = null;
  #files: Files = { main: "", files: {} };
  #active = "";
  #diagnostics: Diagnostic[] = [];
  /** The sources as last stored. */
  #kept: Files = this.#files;
  #timer = 0;
  /** Withdraws the offer to undo a change of the open scene. */
  #withdraw = (): void => {};
  #composing: Promise<void> = Promise.resolve();
  /** The files composed last. */
  #composed: Files | null = null;

  constructor(studio: Studio, callbacks: Callbacks) {
    this.#studio = studio;
    this.#callbacks = callbacks;
    this.element = h(
      "section",
      { class: "editing", "aria-label": "Editor", hidden: true },
      h("div", { class: "editing-head" }, this.#tabs, iconButton("plus", "New file", () => this.#newFile()), iconButton("book", "Modules", () => this.#showReference()), iconButton("close", "Close the editor", callbacks.close)),
      this.#host,
      h("div", { class: "editing-foot" }, this.#status, this.#revert, this.#copy),
    );
    // Save the last edits even if the page closes immediately.
    window.addEventListener("pagehide", () => this.keep());
  }

  /** Shows the sources of a newly opened scene; `diagnostics` is null if it was not compiled. */
  open(source: Source, found: Diagnostic[] | null): void {
    const diagnostics = found ?? [];
    if (source !== this.#source) this.#withdraw();
    this.#source = source;
    this.#files = source.files;
    this.#kept = source.files;
    this.#active = firstOf(source.files);
    this.#diagnostics = diagnostics;
    if (found) this.#tell(null);
    if (found && !this.hasErrors && find(source.fragment)?.still === "") void this.#keepStill();
    if (!found) this.#status.textContent = "not compiled";
    this.#revert.hidden = this.#isOriginal;
    this.#tabsChanged();
    void this.#editor?.then((editor) => {
      editor.open(this.#files, this.#active);
      editor.diagnose(diagnostics);
    });
  }

  /** Shows or hides the editor, which is loaded when first shown. */
  show(open: boolean): void {
    this.element.hidden = !open;
    if (!open) return;
    this.#load().then(
      (editor) => editor.focus(),
      (error: unknown) => toastError(`cannot load the editor: ${reason(error)}`),
    );
  }

  /** True if the editor holds changes that the opened scene lacks. */
  get isChanged(): boolean {
    return !this.#isOriginal;
  }

  /** True if the sources in the editor have errors. */
  get hasErrors(): boolean {
    return this.#firstError !== undefined;
  }

  get #firstError(): Diagnostic | undefined {
    return this.#diagnostics.find(({ severity }) => severity === "error");
  }

  /** Moves the cursor to the first error. */
  async goToError(): Promise<void> {
    if (this.#firstError) await this.#goTo(this.#firstError);
  }

  async #goTo(found: Diagnostic): Promise<void> {
    const editor = await this.#load();
    if (found.file in this.#files.files) this.#choose(found.file);
    await laidOut();
    editor.goTo(found);
  }

  /** Moves the cursor to the first loop of the shown file. */
  async goToLoop(): Promise<void> {
    const editor = await this.#load();
    await laidOut();
    editor.goToLoop();
  }

  /** Adds files to the scene, replacing files of the same name. */
  add(texts: Record<string, string>): void {
    this.#files = { ...this.#files, files: { ...this.#files.files, ...texts } };
    this.#active = Object.keys(texts)[0] ?? this.#active;
    void this.#load().then((editor) => {
      editor.open(this.#files, this.#active);
      this.#typed(this.#files);
    });
    this.#tabsChanged();
  }

  /** Saves pending edits, and waits for the current composition. */
  async settle(): Promise<void> {
    this.keep();
    clearTimeout(this.#timer);
    this.#timer = 0;
    await this.#composing;
  }

  #load(): Promise<Editor> {
    this.#editor ??= Promise.all([import("./editor/editor"), this.#studio.library()]).then(([{ Editor }, library]) => {
      const editor = new Editor(this.#host, library, (files, isDragged) => this.#typed(files, isDragged));
      editor.open(this.#files, this.#active);
      editor.diagnose(this.#diagnostics);
      return editor;
    });
    // The next call fetches it again.
    this.#editor.catch(() => (this.#editor = null));
    return this.#editor;
  }

  #typed(files: Files, isDragged = false): void {
    this.#files = files;
    this.#revert.hidden = this.#isOriginal;
    // The status refers to an older source until the new one is composed.
    this.#status.setAttribute("aria-busy", "true");
    // Typing is composed in pauses, a dragged number on the way.
    if (isDragged && this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.keep();
      this.#composing = this.#composing.then(() => this.#compose());
    }, isDragged ? DRAG_PAUSE : PAUSE);
  }

  async #compose(): Promise<void> {
    const { main } = this.#files;
    const fitting = inItsLanguage(this.#files);
    if (fitting) {
      this.#rename(main, fitting);
      toast(`${main} is now ${fitting}, the language that it is written in`);
    }
    const files = this.#files;
    if (files === this.#composed) {
      if (!this.#timer) this.#status.setAttribute("aria-busy", "false");
      return;
    }
    this.#composed = files;
    const began = performance.now();
    try {
      const loaded = await this.#callbacks.load(files);
      const took = performance.now() - began;
      const editor = await this.#editor;
      // Sources that have changed meanwhile are composed again at once.
      if (files !== this.#files) return;
      this.#diagnostics = loaded.diagnostics;
      editor?.diagnose(loaded.diagnostics);
      this.#tabsChanged();
      this.#tell(took);
      if (loaded.ok && this.isChanged) await this.#keepStill();
    } catch (error) {
      this.#status.textContent = reason(error);
      this.#status.setAttribute("aria-busy", "false");
    }
  }

  get #isOriginal(): boolean {
    return !this.#source || isSame(this.#files, this.#source.original);
  }

  /** Stores the sources if they, or with `isForced` something else, have changed. */
  keep(isForced = false): void {
    const source = this.#source;
    if (!source || (this.#files === this.#kept && !isForced)) return;
    this.#kept = this.#files;
    if (this.#isOriginal && !isOwn(source.fragment)) return remove(source.fragment);
    const isNew = source.fragment === "new";
    const fragment = isNew ? newFragment() : source.fragment;
    const title = isNew ? unusedTitle(source.title) : source.title;
    const { still = "", snapshot } = find(fragment) ?? {};
    const isSaved = save({ fragment, title, files: this.#files, began: digest(source.original), still, saved: Date.now(), snapshot });
    if (!isSaved) return void toastError(NOT_STORED);
    if (!isNew) return;
    Object.assign(source, { fragment, title });
    this.#callbacks.moved(source);
  }

  /** Adds a picture to the stored draft. */
  async #keepStill(): Promise<void> {
    const fragment = this.#source?.fragment ?? "";
    // Without a device, the draft keeps its last picture; nobody asked for this one.
    const still = await this.#callbacks.still().catch(() => null);
    // The picture is that of another scene once one has been opened.
    if (still === null || this.#source?.fragment !== fragment) return;
    const draft = find(fragment);
    if (draft) save({ ...draft, still });
  }

  #showReference(): void {
    const opened = Promise.all([import("./reference"), this.#studio.library()]);
    opened.then(([{ showReference }, library]) => showReference(library)).catch(toastError);
  }

  #fork(): void {
    const source = this.#source;
    if (!source) return;
    this.keep();
    const still = find(source.fragment)?.still ?? "";
    const title = isOwn(source.fragment) ? source.title : `my ${source.title}`;
    const fragment = fork({ title, files: this.#files, began: digest(this.#files), still });
    if (fragment === null) toastError(NOT_STORED);
    else this.#callbacks.go(fragment);
  }

  #goBack(): void {
    const source = this.#source;
    if (!source) return;
    const [files, active] = [this.#files, this.#active];
    this.#replace(source.original, firstOf(source.original));
    const undo = (): void => {
      if (this.#source === source) this.#replace(files, active);
    };
    this.#withdraw = toast("Changes discarded", { label: "Undo", run: undo });
  }

  #tell(milliseconds: number | null): void {
    const errors = this.#diagnostics.filter(({ severity }) => severity === "error");
    const warnings = this.#diagnostics.length - errors.length;
    const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
    this.#status.setAttribute("aria-busy", "false");
    this.#status.classList.toggle("wrong", errors.length > 0);
    this.#revert.hidden = this.#isOriginal;
    const took = milliseconds === null ? "compiled" : `compiled in ${Math.round(milliseconds)} ms`;
    const first = errors[0] ?? this.#diagnostics[0];
    if (!first) {
      this.#status.textContent = took;
      return;
    }
    const parts = [headline(first)];
    if (errors.length === 0) parts.unshift(took, count(warnings, "warning"));
    else if (errors.length > 1) parts.unshift(count(errors.length, "error"));
    const title = [first.message, ...first.notes].join("\n");
    this.#status.replaceChildren(h("button", { type: "button", class: "to-error", title, click: () => void this.#goTo(first) }, parts.join(" · ")));
  }

  #tabsChanged(): void {
    const field = this.#tabs.querySelector("input");
    if (field) {
      // Once the name that is being typed is complete, or discarded.
      field.onblur = () => this.#tabsChanged();
      return;
    }
    const names = Object.keys(this.#files.files);
    this.#tabs.replaceChildren(
      ...names.map((name) => {
        const isActive = name === this.#active;
        const wrong = this.#diagnostics.some(({ file, severity }) => file === name && severity === "error");
        const tab = h(
          "button",
          { type: "button", role: "tab", class: `tab${wrong ? " wrong" : ""}`, "aria-selected": String(isActive), tabindex: isActive ? 0 : -1, click: () => this.#choose(name) },
          name,
        );
        tab.addEventListener("keydown", (event) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
          const other = names[(names.indexOf(name) + by + names.length) % names.length];
          if (by !== 0 && other) this.#choose(other);
          if (event.key === "Delete") this.#remove(name);
          if (event.key === "F2") {
            event.preventDefault();
            event.stopPropagation();
            this.#askName(tab, name);
          }
        });
        tab.addEventListener("dblclick", () => this.#askName(tab, name));
        const tool = (name: IconName, label: string, click: () => void): HTMLElement => h("button", { type: "button", class: "tab-tool", "aria-label": label, title: label, click }, icon(name));
        const rename = isActive && tool("pen", `Rename ${name}`, () => this.#askName(tab, name));
        const closer = isActive && !this.#isMain(name) && tool("close", `Remove ${name}`, () => this.#remove(name));
        return h("span", { class: "tab-holder", role: "presentation" }, tab, rename, closer);
      }),
    );
  }

  #choose(name: string): void {
    // New tabs would break up a double click.
    if (name !== this.#active) {
      this.#active = name;
      this.#tabsChanged();
    }
    this.#tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    void this.#editor?.then((editor) => editor.choose(name));
  }

  /** Returns true for the file without which there is no scene. */
  #isMain(name: string): boolean {
    return name === firstOf(this.#files);
  }

  #remove(name: string): void {
    if (this.#isMain(name)) return;
    const { [name]: removed = "", ...rest } = this.#files.files;
    const files = { ...this.#files, files: rest };
    this.#replace(files, firstOf(files));
    this.#withdraw = toast(`${name} was removed`, { label: "Undo", run: () => this.add({ [name]: removed }) });
  }

  /** Shows other sources in the editor, and composes them. */
  #replace(files: Files, active: string): void {
    this.#files = files;
    this.#active = active;
    this.#tabsChanged();
    void this.#editor?.then((editor) => editor.open(this.#files, this.#active));
    this.#typed(files);
  }

  #rename(from: string, to: string): void {
    if (from === to || this.#isTaken(to)) return;
    this.#files = withRenamed(this.#files, from, to);
    if (this.#active === from) this.#active = to;
    this.#tabsChanged();
    void this.#editor?.then((editor) => editor.rename(this.#files, from, to));
  }

  /** Returns true, with a message, if a file has this name. */
  #isTaken(name: string): boolean {
    const isTaken = name in this.#files.files;
    if (isTaken) toast(`There is already a file ${name}`);
    return isTaken;
  }

  #askName(tab: HTMLElement, name: string): void {
    editInPlace(tab, `Name of ${name}`, (typed) => {
      this.#rename(name, fileName(typed));
      this.#typed(this.#files);
      this.#takeKeyboard((editor) => editor.focus());
    });
  }

  /** Gives the keyboard to the text, unless a click has given it to something else. */
  #takeKeyboard(focus: (editor: Editor) => void): void {
    setTimeout(() => {
      if (document.activeElement === document.body) void this.#editor?.then(focus);
    });
  }

  /** Asks for the name of a new file in an extra tab. */
  #newFile(): void {
    const tab = h("span", { class: "tab" });
    this.#tabs.append(tab);
    editInPlace(tab, "Name of the new file", (typed) => {
      const name = fileName(typed);
      if (this.#isTaken(name)) return;
      this.add({ [name]: asModule(name) });
      this.#takeKeyboard((editor) => editor.goTo({ from: Infinity }));
    });
  }
}

/**
 * Waits until an editor that was hidden has a layout to scroll in: that of the next frame. A hung GPU
 * stops frames.
 */
function laidOut(): Promise<unknown> {
  return new Promise((next) => {
    requestAnimationFrame(next);
    setTimeout(next, 100);
  });
}

/** Returns the main file, or the image of a scene whose files are passes. */
function firstOf({ main, files }: Files): string {
  const names = Object.keys(files);
  return main in files ? main : (names.find((name) => /^image\./i.test(name)) ?? names[0] ?? "");
}

/** A button whose text is hidden where the editor is narrow. */
function footButton(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "quiet", "aria-label": label, title: label, click }, icon(name), h("span", {}, label));
}

/** Position and message of a diagnostic in one line. */
export function headline({ file, line, message }: Diagnostic): string {
  const text = message.split("\n")[0] ?? "";
  return line === null ? text : `${file}:${line}: ${text}`;
}
