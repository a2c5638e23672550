// Inline diagnostics: a squiggly underline at the error, and below its line the message
// with a caret, in the style of `tarsus check`.

import { type Diagnostic as Lint, setDiagnostics } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { h } from "../dom";
import type { Diagnostic, Files } from "../viewer";

const show = StateEffect.define<Diagnostic[]>();

class Message extends WidgetType {
  constructor(
    readonly diagnostic: Diagnostic,
    /** White space as wide as the text before the error. */
    readonly pad: string,
    readonly width: number,
  ) {
    super();
  }

  override eq(other: Message): boolean {
    return other.pad === this.pad && other.width === this.width && JSON.stringify(other.diagnostic) === JSON.stringify(this.diagnostic);
  }

  toDOM(): HTMLElement {
    const { severity, message, label, notes } = this.diagnostic;
    const carets = `${this.pad}${"^".repeat(Math.max(1, this.width))}${label ? ` ${label}` : ""}`;
    return h(
      "div",
      { class: `cm-message ${severity}` },
      h("div", { class: "carets", "aria-hidden": "true" }, carets),
      h("div", { class: "text" }, `${severity}: ${message}`, ...notes.map((note) => h("div", { class: "note" }, note))),
    );
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(widgets, transaction) {
    let next = widgets.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(show)) next = widgetsOf(transaction.state, effect.value);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const messages: Extension = field;

/** Shows the diagnostics of one file. */
export function diagnose(view: EditorView, diagnostics: Diagnostic[]): void {
  const { state } = view;
  const lints = diagnostics.map((diagnostic): Lint => {
    const { from, to } = place(state, diagnostic);
    return { from, to, severity: diagnostic.severity, message: [diagnostic.message, ...diagnostic.notes].join("\n") };
  });
  view.dispatch(setDiagnostics(state, lints));
  view.dispatch({ effects: show.of(diagnostics) });
}

/** Scrolls until a message is visible if its line is. */
export function reveal(view: EditorView): void {
  view.requestMeasure({
    key: reveal,
    read: () => {
      const message = view.contentDOM.querySelector(".cm-message")?.getBoundingClientRect();
      const scroller = view.scrollDOM.getBoundingClientRect();
      const isLineVisible = message && message.top > scroller.top && message.top <= scroller.bottom;
      if (!isLineVisible) return 0;
      const above = message.top - scroller.top - view.defaultLineHeight;
      return Math.max(0, Math.min(message.bottom - scroller.bottom, above));
    },
    write: (hidden) => {
      if (hidden > 0) view.scrollDOM.scrollTop += hidden;
    },
  });
}

/** Returns the range of a diagnostic, clamped to the text: it may refer to an older version. */
function place(state: EditorState, diagnostic: Diagnostic): { from: number; to: number } {
  const { length } = state.doc;
  const from = Math.min(diagnostic.from ?? 0, length);
  const to = Math.min(Math.max(diagnostic.to ?? from, from), length);
  return { from, to: to === from ? Math.min(from + 1, length) : to };
}

function widgetsOf(state: EditorState, diagnostics: Diagnostic[]): DecorationSet {
  const ranges = diagnostics.map((diagnostic) => {
    const { from, to } = place(state, diagnostic);
    const line = state.doc.lineAt(from);
    const widget = new Message(diagnostic, line.text.slice(0, from - line.from).replaceAll(/[^\t]/g, " "), Math.min(to, line.to) - from);
    return Decoration.widget({ widget, block: true, side: 1 }).range(line.to);
  });
  return Decoration.set(ranges, true);
}

/** Places an error that the browser's compiler found at the declaration of its function, if there is one. */
export function located(diagnostic: Diagnostic, { files }: Files): Diagnostic {
  // Generated names end with a number where a name occurs twice.
  const name = diagnostic.function?.replace(/_\d*$/, "");
  for (const [file, text] of name ? Object.entries(files) : []) {
    const declaration = /\.wgsl$/i.test(file) ? `\\bfn\\s+(?=${name}\\b)` : `\\b\\w+\\s+(?=${name}\\s*\\([^;{}]*\\)\\s*\\{)`;
    const found = new RegExp(declaration).exec(uncommented(text));
    if (!found || !name) continue;
    const from = found.index + found[0].length;
    return { ...diagnostic, file, line: text.slice(0, from).split("\n").length, from, to: from + name.length };
  }
  return diagnostic;
}

/** Replaces comments by as many spaces. */
export function uncommented(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => " ".repeat(comment.length));
}
