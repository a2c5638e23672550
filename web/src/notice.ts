// The overlay shown until there is a picture: a still picture, the progress, or the
// reason why nothing can be drawn.

import { h } from "./dom";

export class Notice {
  readonly element: HTMLElement;
  readonly #poster = h("img", { class: "poster", alt: "", hidden: true });
  readonly #actions = h("p", { class: "notice-actions" });
  readonly #text = h("p", { class: "notice-text", role: "status", "aria-live": "polite" });

  constructor() {
    this.element = h("div", { class: "notice" }, this.#poster, h("div", { class: "notice-box" }, this.#text, this.#actions));
    // Not every scene has a still picture.
    this.#poster.addEventListener("error", () => {
      this.#poster.hidden = true;
    });
  }

  /** Shows the still picture at this URL until the first frame. */
  poster(url: string | null, alt: string): void {
    this.recover();
    this.element.classList.remove("gone");
    this.#poster.hidden = url === null;
    this.#poster.alt = alt;
    if (url !== null) this.#poster.src = url;
  }

  /** True if there is a picture instead. */
  get isGone(): boolean {
    return this.element.classList.contains("gone");
  }

  /** Reports a long wait, with links that lead on. */
  wait(text: string, ...actions: HTMLElement[]): void {
    // New links would lose the keyboard focus, and the text may show progress by now.
    if (this.element.classList.contains("failed") || this.#actions.childElementCount > 0) return;
    this.#actions.replaceChildren(...actions);
    this.say(text);
  }

  say(text: string): void {
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }

  /**
   * Reports a failure. The message stays over the still picture, with links and buttons that lead
   * on, until a scene is loaded.
   */
  fail(text: string, ...actions: HTMLElement[]): void {
    this.element.classList.remove("gone");
    this.element.classList.add("failed");
    this.#actions.replaceChildren(...actions);
    this.say(text);
  }

  /** Reports a player that does not work any more. */
  end(text: string): void {
    this.fail(text, h("button", { type: "button", class: "solid", click: () => location.reload() }, "Reload"));
  }

  /** Withdraws the failure after a scene was loaded. */
  recover(): void {
    if (this.element.classList.contains("failed")) this.say("");
    this.element.classList.remove("failed");
    this.#actions.replaceChildren();
  }

  /** Hides the notice once there is a picture. */
  leave(): void {
    if (this.element.classList.contains("failed")) return;
    this.element.classList.add("gone");
    this.#actions.replaceChildren();
    this.say("");
  }
}
