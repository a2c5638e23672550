// Editing of the current scene: composes while the user types, saves drafts, and loads
// the editor when it is first shown.

import type { Editor } from "./editor/editor";
import { digest, remove, save } from "./drafts";
import { h, icon, iconButton, reason, toast } from "./dom";
import { isSame, type Source } from "./source";
import type { Studio } from "./studio";
import type { Diagnostic, Files, Loaded } from "./viewer";

/** Delay between the last edit and composing the scene, in milliseconds. */
const PAUSE = 250;

interface Callbacks {
  load: (files: Files) => Promise<Loaded>;
  close: () => void;
}

export class Editing {
  readonly element: HTMLElement;
  readonly #studio: Studio;
  readonly #callbacks: Callbacks;
  readonly #host = h("div", { class: "editor-host" });
  readonly #tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Files" });
  readonly #status = h("p", { class: "editor-status", role: "status", "aria-live": "polite" });
  readonly #revert = h("button", { type: "button", class: "quiet", hidden: true, click: () => this.#goBack() }, "Discard changes");
  #editor: Promise<Editor> | null = null;
  #source: Source | null = null;
  #files: Files = { main: "", files: {} };
  #active = "";
  #diagnostics: Diagnostic[] = [];
  #timer = 0;
  #composing: Promise<void> = Promise.resolve();

  constructor(studio: Studio, callbacks: Callbacks) {
    this.#studio = studio;
    this.#callbacks = callbacks;
    this.element = h(
      "section",
      { class: "editing", "aria-label": "Editor", hidden: true },
      h("div", { class: "editing-head" }, this.#tabs, iconButton("plus", "New file", () => this.#newFile()), iconButton("close", "Close the editor", callbacks.close)),
      this.#host,
      h("div", { class: "editing-foot" }, this.#status, this.#revert),
    );
    // Save the last edits even if the page closes immediately.
    window.addEventListener("pagehide", () => this.#keep());
  }

  /** Shows the sources of a newly opened scene. */
  open(source: Source, diagnostics: Diagnostic[]): void {
    this.#source = source;
    this.#files = source.files;
    this.#active = source.files.main in source.files.files ? source.files.main : (Object.keys(source.files.files)[0] ?? "");
    this.#diagnostics = diagnostics;
    this.#tell(null);
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
      (error: unknown) => toast(`cannot load the editor: ${reason(error)}`),
    );
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
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = 0;
    await this.#composing;
  }

  #load(): Promise<Editor> {
    this.#editor ??= Promise.all([import("./editor/editor"), this.#studio.library()]).then(([{ Editor }, library]) => {
      const editor = new Editor(this.#host, library, (files) => this.#typed(files));
      editor.open(this.#files, this.#active);
      editor.diagnose(this.#diagnostics);
      return editor;
    });
    return this.#editor;
  }

  #typed(files: Files): void {
    this.#files = files;
    this.#revert.hidden = this.#isOriginal;
    // The status refers to an older source until the new one is composed.
    this.#status.setAttribute("aria-busy", "true");
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.#keep();
      this.#composing = this.#composing.then(() => this.#compose());
    }, PAUSE);
  }

  async #compose(): Promise<void> {
    const files = this.#files;
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
    } catch (error) {
      this.#status.textContent = reason(error);
      this.#status.setAttribute("aria-busy", "false");
    }
  }

  get #isOriginal(): boolean {
    return !this.#source || isSame(this.#files, this.#source.original);
  }

  #keep(): void {
    const source = this.#source;
    if (!source) return;
    if (this.#isOriginal) {
      remove(source.fragment);
    } else if (!save({ fragment: source.fragment, title: source.title, files: this.#files, began: digest(source.original), saved: Date.now() })) {
      toast("This browser cannot store drafts: copy your changes.");
    }
  }

  #goBack(): void {
    const source = this.#source;
    if (!source) return;
    this.#files = source.original;
    this.#active = source.original.main;
    this.#tabsChanged();
    void this.#editor?.then((editor) => editor.open(this.#files, this.#active));
    this.#typed(source.original);
  }

  #tell(milliseconds: number | null): void {
    const errors = this.#diagnostics.filter(({ severity }) => severity === "error");
    const warnings = this.#diagnostics.length - errors.length;
    const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
    this.#status.setAttribute("aria-busy", "false");
    this.#status.classList.toggle("wrong", errors.length > 0);
    this.#revert.hidden = this.#isOriginal;
    const first = errors[0];
    if (first) {
      const where = first.line === null ? "" : `${first.file}:${first.line}: `;
      this.#status.textContent = errors.length > 1 ? `${count(errors.length, "error")} · ${where}${first.message}` : `${where}${first.message}`;
    } else {
      const took = milliseconds === null ? "compiled" : `compiled in ${Math.round(milliseconds)} ms`;
      this.#status.textContent = warnings > 0 ? `${took} · ${count(warnings, "warning")}` : took;
    }
  }

  #tabsChanged(): void {
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
        });
        const closer = isActive && name !== this.#files.main ? h("button", { type: "button", class: "tab-close", "aria-label": `Remove ${name}`, title: `Remove ${name}`, click: () => this.#remove(name) }, icon("close")) : null;
        return h("span", { class: "tab-holder", role: "presentation" }, tab, closer);
      }),
    );
  }

  #choose(name: string): void {
    this.#active = name;
    this.#tabsChanged();
    this.#tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    void this.#editor?.then((editor) => editor.choose(name));
  }

  #remove(name: string): void {
    if (name === this.#files.main) return;
    const { [name]: _gone, ...rest } = this.#files.files;
    this.#files = { ...this.#files, files: rest };
    this.#active = this.#files.main;
    this.#tabsChanged();
    void this.#editor?.then((editor) => editor.open(this.#files, this.#active));
    this.#typed(this.#files);
  }

  /** Asks for the name of a new file in an extra tab. */
  #newFile(): void {
    const field = h("input", { type: "text", class: "tab-name", "aria-label": "Name of the new file", placeholder: "my_shapes.wgsl", spellcheck: "false" });
    const end = (): void => {
      field.remove();
      const typed = field.value.trim().replaceAll(/[^\w .-]/g, "_");
      if (typed === "") return;
      const name = /\.\w+$/.test(typed) ? typed : `${typed}.wgsl`;
      const path = name.replace(/\.\w+$/, "");
      if (!(name in this.#files.files)) this.add({ [name]: name.endsWith(".wgsl") ? `#define_import_path ${path}\n\n` : "" });
    };
    field.addEventListener("blur", end, { once: true });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") field.blur();
      if (event.key === "Escape") {
        field.value = "";
        field.blur();
      }
    });
    this.#tabs.append(field);
    field.focus();
  }
}
