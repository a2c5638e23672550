// The live picture of the gallery: one canvas, over the hero picture or over the tile on which
// the pointer or the keyboard focus rests.

import type { Page } from "./page";
import { prefersReducedMotion, unsupportedReason } from "./support";

/** Time on a tile before its scene starts, and off it before the hero goes on, in milliseconds. */
const DWELL_MS = 250;

export interface LiveContext {
  /** Link of the hero picture. */
  hero: HTMLAnchorElement;
  /** Starts the player, once. Resolves to null if drawing is too slow for previews. */
  start: () => Promise<Page | null>;
  /** Opens the scene of a fragment, unless another one is wanted once its source is fetched. */
  open: (page: Page, fragment: string, isWanted: () => boolean) => Promise<void>;
}

export class Live {
  readonly #context: LiveContext;
  /** Link whose scene should play, or null while the gallery is not shown. */
  #wanted: HTMLAnchorElement | null = null;
  /** Link under the canvas. */
  #shown: HTMLAnchorElement | null = null;
  #page: Page | null = null;
  #isMoving = false;
  #isHeroVisible = true;
  #dwell = 0;

  constructor(context: LiveContext, tiles: Iterable<HTMLAnchorElement>) {
    this.#context = context;
    for (const tile of tiles) this.#listen(tile);
    window.addEventListener("resize", () => this.#place(this.#shown));
    new IntersectionObserver((entries) => {
      this.#isHeroVisible = entries.at(-1)?.isIntersecting ?? true;
      // After a tile, its scene is loaded only once it can be seen.
      if (this.#wanted === context.hero) void this.#move();
    }).observe(context.hero);
  }

  /** Plays the last open scene, or the hero's own, over the hero picture. */
  show(): void {
    this.#want(this.#context.hero);
  }

  /** Leaves the canvas to the page of a scene. */
  stop(): void {
    clearTimeout(this.#dwell);
    this.#wanted = null;
    this.#place(null);
  }

  #listen(tile: HTMLAnchorElement): void {
    const { hero } = this.#context;
    const enter = (): void => this.#after(DWELL_MS, tile);
    const leave = (): void => {
      if (this.#wanted === tile) this.#place(null);
      this.#after(DWELL_MS, hero);
    };
    // A finger scrolls or opens the scene.
    const unlessTouch = (run: () => void) => (event: PointerEvent) => void (event.pointerType !== "touch" && run());
    tile.addEventListener("pointerenter", unlessTouch(enter));
    tile.addEventListener("pointerleave", unlessTouch(leave));
    tile.addEventListener("focus", () => void (tile.matches(":focus-visible") && enter()));
    tile.addEventListener("blur", leave);
  }

  #after(milliseconds: number, link: HTMLAnchorElement): void {
    clearTimeout(this.#dwell);
    if (this.#wanted !== null) this.#dwell = window.setTimeout(() => this.#want(link), milliseconds);
  }

  #want(link: HTMLAnchorElement): void {
    this.#wanted = link;
    void this.#move();
  }

  /** Moves the canvas to the link that is wanted, until no other one is wanted meanwhile. */
  async #move(): Promise<void> {
    if (this.#isMoving || prefersReducedMotion() || unsupportedReason() !== null) return;
    this.#isMoving = true;
    try {
      this.#page ??= await this.#context.start();
      for (let link = this.#next(); this.#page && link; link = this.#next()) await this.#moveTo(this.#page, link);
    } catch {
      // The still pictures remain.
      this.#place(null);
      this.#wanted = null;
    } finally {
      this.#isMoving = false;
    }
  }

  #next(): HTMLAnchorElement | null {
    const { hero } = this.#context;
    return this.#wanted === this.#shown || (this.#wanted === hero && !this.#isHeroVisible) ? null : this.#wanted;
  }

  async #moveTo(page: Page, link: HTMLAnchorElement): Promise<void> {
    this.#place(null);
    const fragment = link.hash.slice(1);
    const isWanted = (): boolean => this.#wanted === link;
    if (page.fragment !== fragment) await this.#context.open(page, fragment, isWanted);
    if (isWanted()) this.#place(link);
  }

  /** Lays the canvas over the picture of a link, or hides it, which also stops it. */
  #place(link: HTMLAnchorElement | null): void {
    this.#shown = link;
    const { element } = this.#page ?? {};
    const picture = link?.querySelector("img");
    if (!element) return;
    delete element.dataset["live"];
    if (!picture) return;
    element.dataset["live"] = link === this.#context.hero ? "hero" : "tile";
    const { left, top, width, height } = picture.getBoundingClientRect();
    const sides = { left: left + scrollX, top: top + scrollY, width, height };
    for (const [name, pixels] of Object.entries(sides)) element.style.setProperty(`--${name}`, `${pixels}px`);
  }
}
