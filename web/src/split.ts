// The border between editor and picture, which can be dragged. The editor keeps its share of the
// window.

import { h } from "./dom";

const KEY = "tarsus:split";
/** Limits of the editor's share, in percent. */
const RANGE = { min: 20, max: 80, start: 46, step: 4 };

export class Split {
  readonly element: HTMLElement;
  readonly #editor: HTMLElement;
  #share = RANGE.start;

  constructor(editor: HTMLElement) {
    this.#editor = editor;
    this.element = h("div", { class: "split", role: "separator", tabindex: 0, "aria-label": "Width of the editor", "aria-valuemin": RANGE.min, "aria-valuemax": RANGE.max });
    this.#set(Number(stored()) || RANGE.start);
    this.#listen();
  }

  #set(share: number): void {
    this.#share = Math.min(Math.max(share, RANGE.min), RANGE.max);
    this.#editor.style.setProperty("--share", `${this.#share}%`);
    this.element.setAttribute("aria-valuenow", String(Math.round(this.#share)));
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, String(this.#share));
    } catch {
      // Without storage, the share lasts as long as the page.
    }
  }

  #listen(): void {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      const whole = element.parentElement?.getBoundingClientRect();
      if (!whole) return;
      // On phones the editor is below the picture.
      const isBelow = element.offsetWidth > element.offsetHeight;
      this.#set(100 * (isBelow ? (whole.bottom - event.clientY) / whole.height : (event.clientX - whole.left) / whole.width));
    });
    element.addEventListener("lostpointercapture", () => this.#keep());
    element.addEventListener("dblclick", () => {
      this.#set(RANGE.start);
      this.#keep();
    });
    element.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.#set(this.#share + by * RANGE.step);
      this.#keep();
    });
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
