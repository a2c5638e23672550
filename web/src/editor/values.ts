// Numbers that are changed by dragging with Alt, and a picker beside colours.

import type { Extension } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate, WidgetType } from "@codemirror/view";
import { h } from "../dom";

const NUMBER = /(?<![\w.])(?:\d+\.\d*|\.\d+|\d+)(?![\w.]*[xX(])/g;
/** A vector of three literals, and the words before it in its line. */
const COLOUR = /(vec3f?|vec3<f32>)\(\s*((?:[01]\.\d*|\.\d+|[01]))\s*,\s*((?:[01]\.\d*|\.\d+|[01]))\s*,\s*((?:[01]\.\d*|\.\d+|[01]))\s*\)/g;
/** Words that tell a colour from a position or a direction. */
const COLOUR_WORDS = /colou?r|albedo|tint|shade|paint|rgb|\bmix\(|palette/i;
/** Pixels of a drag per step of a number's last digit. */
const PIXELS_PER_STEP = 3;

/** Changes the number under the pointer during a drag with Alt. */
const dragging = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (!event.altKey || event.button !== 0) return false;
    const found = numberAt(view, view.posAtCoords({ x: event.clientX, y: event.clientY }));
    if (!found) return false;
    event.preventDefault();
    const { from, text } = found;
    const digits = /\.(\d*)/.exec(text)?.[1]?.length ?? 0;
    const isFloat = text.includes(".");
    let { length } = text;
    const move = ({ clientX }: MouseEvent): void => {
      const steps = Math.round((clientX - event.clientX) / PIXELS_PER_STEP);
      // A minus sign after an operator would be another operator.
      const value = Math.max(0, Number(text) + steps * 10 ** -digits);
      const insert = `${value.toFixed(digits)}${isFloat && digits === 0 ? "." : ""}`;
      view.dispatch({ changes: { from, to: from + length, insert }, userEvent: "input.drag" });
      length = insert.length;
    };
    const end = (): void => {
      window.removeEventListener("mousemove", move);
      window.removeEventListener("mouseup", end);
    };
    window.addEventListener("mousemove", move);
    window.addEventListener("mouseup", end);
    return true;
  },
});

function numberAt(view: EditorView, pos: number | null): { from: number; text: string } | null {
  if (pos === null) return null;
  const line = view.state.doc.lineAt(pos);
  for (const match of line.text.matchAll(NUMBER)) {
    const from = line.from + match.index;
    if (pos >= from && pos <= from + match[0].length) return { from, text: match[0] };
  }
  return null;
}

class Swatch extends WidgetType {
  constructor(readonly hex: string) {
    super();
  }

  override eq(other: Swatch): boolean {
    return other.hex === this.hex;
  }

  toDOM(view: EditorView): HTMLElement {
    const well = h("input", { type: "color", class: "cm-swatch", value: this.hex, "aria-label": "Colour", change: () => replace(view, well) });
    return well;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Replaces the colour after a picker. */
function replace(view: EditorView, well: HTMLInputElement): void {
  const pos = view.posAtDOM(well);
  const line = view.state.doc.lineAt(pos);
  const found = [...line.text.matchAll(COLOUR)].find(({ index }) => line.from + index === pos);
  if (!found) return;
  const parts = [1, 3, 5].map((at) => (Number.parseInt(well.value.slice(at, at + 2), 16) / 255).toFixed(3));
  view.dispatch({ changes: { from: pos, to: pos + found[0].length, insert: `${found[1]}(${parts.join(", ")})` }, userEvent: "input.colour" });
}

const decorator = new MatchDecorator({
  regexp: COLOUR,
  decorate: (add, from, _to, [, , ...parts], view) => {
    const line = view.state.doc.lineAt(from);
    if (!COLOUR_WORDS.test(line.text)) return;
    const hex = parts.map((part) => Math.round(255 * Math.min(Number(part), 1)).toString(16).padStart(2, "0"));
    add(from, from, Decoration.widget({ widget: new Swatch(`#${hex.join("")}`), side: -1 }));
  },
});

const swatches = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = decorator.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

export const values: Extension = [dragging, swatches];
