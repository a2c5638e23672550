// What stands over the picture while there is none: the still picture, what is going
// on, and why nothing can be drawn.

import { h } from "./dom";

export class Notice {
  readonly element: HTMLElement;
  readonly #poster = h("img", { class: "poster", alt: "", hidden: true });
  readonly #text = h("p", { class: "notice-text", role: "status", "aria-live": "polite" });

  constructor() {
    this.element = h("div", { class: "notice" }, this.#poster, this.#text);
    // A scene without a still picture of that name has none.
    this.#poster.addEventListener("error", () => {
      this.#poster.hidden = true;
    });
  }

  /** Shows the still picture at this address until the first frame. */
  poster(url: string | null, alt: string): void {
    this.element.classList.remove("gone", "failed");
    this.#poster.hidden = url === null;
    this.#poster.alt = alt;
    if (url !== null) this.#poster.src = url;
  }

  say(text: string): void {
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }

  /** Nothing will come: the sentence stays, over the still picture. */
  fail(text: string): void {
    this.element.classList.remove("gone");
    this.element.classList.add("failed");
    this.say(text);
  }

  /** The picture is there. */
  leave(): void {
    if (this.element.classList.contains("failed")) return;
    this.element.classList.add("gone");
    this.say("");
  }
}
