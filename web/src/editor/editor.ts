// The editor: multiple files with separate undo histories, highlighting, completion,
// hover, and errors at their lines. It lives in a shadow root, whose style sheets need no
// exception from the page's content security policy.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage } from "@codemirror/language";
import { shader } from "@codemirror/legacy-modes/mode/clike";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { type ChangeSpec, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import type { Diagnostic, Files, LibraryModule } from "../viewer";
import { indentation } from "./indent";
import { Library } from "./library";
import { diagnose, messages, reveal, uncommented } from "./messages";
import { replacing } from "./replace";
import { theme } from "./theme";
import { values } from "./values";
import { wgsl } from "./wgsl";

export { located } from "./messages";

const glsl = StreamLanguage.define(shader);
/** The language of a file, which changes with its name. */
const language = new Compartment();

export class Editor {
  readonly #view: EditorView;
  readonly #library: Library;
  readonly #changed: (files: Files, isDragged: boolean) => void;
  /** States of hidden files, including their undo histories. */
  readonly #states = new Map<string, EditorState>();
  #files: Files = { main: "", files: {} };
  #active = "";
  #diagnostics: Diagnostic[] = [];
  #isOpening = false;

  /** `changed` receives the files after every edit, and whether a number is being dragged. */
  constructor(host: HTMLElement, library: LibraryModule[], changed: (files: Files, isDragged: boolean) => void) {
    this.#library = new Library(library);
    this.#changed = changed;
    const root = host.attachShadow({ mode: "open", delegatesFocus: true });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.#view = new EditorView({ parent, root });
  }

  /** Replaces the open files. Undo histories are kept if the scene is the same. */
  open(files: Files, active: string): void {
    this.#states.set(this.#active, this.#view.state);
    const same = files.main === this.#files.main;
    this.#isOpening = true;
    for (const [name, text] of Object.entries(files.files)) {
      let state = same ? this.#states.get(name) : undefined;
      const changes = state && difference(state.doc.toString(), text);
      if (changes && name === this.#active) {
        // A new state of the view would lose its place in the text.
        this.#view.dispatch({ changes });
        state = this.#view.state;
      } else {
        state = state?.update({ changes: changes ?? [] }).state ?? this.#fresh(name, text);
      }
      this.#states.set(name, state);
    }
    this.#isOpening = false;
    for (const name of this.#states.keys()) if (!(name in files.files)) this.#states.delete(name);
    this.#files = files;
    this.#active = "";
    this.choose(active);
  }

  /** Shows one of the files. */
  choose(name: string): void {
    if (this.#active !== "") this.#states.set(this.#active, this.#view.state);
    const state = this.#states.get(name);
    if (!state) return;
    this.#active = name;
    if (state !== this.#view.state) this.#view.setState(state);
    this.#mark();
  }

  /** Renames a file, keeping its undo history. */
  rename(files: Files, from: string, to: string): void {
    this.#states.set(this.#active, this.#view.state);
    const state = this.#states.get(from);
    this.#states.delete(from);
    if (state) this.#states.set(to, state.update({ effects: language.reconfigure(this.#language(to)) }).state);
    this.#files = files;
    const active = this.#active === from ? to : this.#active;
    this.#active = "";
    this.choose(active);
  }

  /** Shows the diagnostics of the files. */
  diagnose(diagnostics: Diagnostic[]): void {
    this.#diagnostics = diagnostics;
    this.#mark();
  }

  /** Moves the cursor to a place in the shown file. */
  goTo({ from }: Pick<Diagnostic, "from">): void {
    const anchor = Math.min(from ?? 0, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  /** Moves the cursor to the first loop of the shown file, one without a counter if there is any. */
  goToLoop(): void {
    const text = uncommented(this.#view.state.doc.toString());
    const from = /\b(?:loop|while)\b/.exec(text)?.index ?? /\bfor\b/.exec(text)?.index;
    if (from !== undefined) this.goTo({ from });
  }

  focus(): void {
    this.#view.focus();
  }

  #mark(): void {
    if (this.#active === "") return;
    diagnose(this.#view, this.#diagnostics.filter(({ file }) => file === this.#active));
    reveal(this.#view);
  }

  #fresh(name: string, text: string): EditorState {
    return EditorState.create({ doc: text, extensions: [this.#common(), language.of(this.#language(name))] });
  }

  #language(name: string): Extension {
    if (/\.(glsl|frag|fs|fsh|json)$/i.test(name)) return glsl;
    return [wgsl, wgsl.data.of({ autocomplete: this.#library.complete }), this.#library.hover];
  }

  #common(): Extension {
    return [
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      EditorState.tabSize.of(4),
      indentUnit.of("    "),
      indentation,
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      replacing,
      values,
      autocompletion({ icons: false, filterStrict: true }),
      highlightSelectionMatches(),
      messages,
      theme,
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Text of the scene", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || this.#isOpening) return;
        this.#files = { ...this.#files, files: { ...this.#files.files, [this.#active]: update.state.doc.toString() } };
        this.#changed(this.#files, update.transactions.some((one) => one.isUserEvent("input.drag")));
      }),
    ];
  }
}

/** Returns the smallest single change that turns a text into another. */
function difference(from: string, to: string): ChangeSpec[] {
  if (from === to) return [];
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return [{ from: start, to: from.length - end, insert: to.slice(start, to.length - end) }];
}
