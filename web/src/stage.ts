// One canvas with its viewer: starts it, draws while there is something to see, stops
// in hidden tabs and off screen, and comes back after the graphics device was lost.

import type { Compose } from "./composer";
import type { Files, Loaded, Tarsus, Viewer, ViewerOptions } from "./viewer";

export interface StageEvents {
  /** After every animation frame in which the stage is awake. */
  tick?: () => void;
  /** A scene was composed, well or not. */
  loaded?: (loaded: Loaded) => void;
  /** The device was lost (true) and is there again (false). */
  lost?: (lost: boolean) => void;
}

/** What is known of a scene that does not compose. */
const NOTHING: Loaded = { ok: false, diagnostics: [], title: "", parameters: [], passes: [], channels: [], period: null, lens: null, animated: false };

export class Stage {
  /** The element that holds the canvas; it has the canvas's size. */
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  viewer: Viewer | null = null;
  /** What the scene of the picture has. */
  loaded: Loaded | null = null;
  /** The scene of the picture: the last one that composed. */
  shown: Files | null = null;

  readonly #tarsus: Tarsus;
  readonly #compose: Compose;
  readonly #options: ViewerOptions;
  readonly #events: StageEvents;
  readonly #resizes: ResizeObserver;
  readonly #sight: IntersectionObserver;
  readonly #abort = new AbortController();
  #request = 0;
  #inSight = true;
  #held = false;
  #isLost = false;
  #loading: Promise<unknown> = Promise.resolve();

  constructor(element: HTMLElement, canvas: HTMLCanvasElement, tarsus: Tarsus, compose: Compose, options: ViewerOptions, events: StageEvents) {
    this.element = element;
    this.#tarsus = tarsus;
    this.#compose = compose;
    this.#options = options;
    this.#events = events;
    this.canvas = canvas;
    this.#place();
    this.#resizes = new ResizeObserver(() => this.#resize());
    this.#sight = new IntersectionObserver(([entry]) => {
      this.#inSight = entry?.isIntersecting ?? true;
      this.#seen();
    });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal: this.#abort.signal });
  }

  /** Creates the viewer. Fails where the browser has neither WebGPU nor WebGL2. */
  async start(): Promise<void> {
    this.viewer = await this.#tarsus.Viewer.create(this.canvas, JSON.stringify(this.#options));
    this.#resizes.observe(this.element);
    this.#sight.observe(this.element);
    this.#resize();
  }

  /** True while frames are drawn whenever there is something to draw. */
  get isAwake(): boolean {
    return this.#inSight && !document.hidden && !this.#held;
  }

  /** Composes a scene; where it fails the last good picture goes on. One at a time, in order. */
  load(files: Files): Promise<Loaded> {
    return this.#next(files, this.loaded?.lens ?? undefined);
  }

  /** Looks through a lens, or through none. */
  async lens(name: string | undefined): Promise<void> {
    if (this.shown) await this.#next(this.shown, name);
  }

  /** Shows a scene after those that were asked for before. */
  #next(files: Files, lens: string | undefined): Promise<Loaded> {
    const next = this.#loading.then(async () => {
      const composed = await this.#compose(files, lens);
      if (!composed.ok) return this.#take({ ...NOTHING, diagnostics: composed.diagnostics });
      const loaded = JSON.parse(await this.#running().load(composed.text)) as Loaded;
      if (loaded.ok) this.shown = files;
      return this.#take({ ...loaded, diagnostics: [...composed.diagnostics, ...loaded.diagnostics] });
    });
    this.#loading = next.catch(() => undefined);
    return next;
  }

  /** Something changed: draws the next frame if the stage can be seen. */
  wake(): void {
    delete this.element.dataset["still"];
    if (!this.isAwake || this.#request !== 0 || !this.viewer || !this.shown) return;
    this.#request = requestAnimationFrame((now) => this.#tick(now));
  }

  /** Keeps the loop away while somebody else draws frame by frame. */
  async exclusively<T>(work: (viewer: Viewer) => Promise<T>): Promise<T> {
    this.#held = true;
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    try {
      return await work(this.#running());
    } finally {
      this.#held = false;
      this.#resize();
    }
  }

  /** Frees the device. */
  end(): void {
    this.#abort.abort();
    this.#resizes.disconnect();
    this.#sight.disconnect();
    cancelAnimationFrame(this.#request);
    this.viewer?.free();
    this.viewer = null;
    this.canvas.remove();
  }

  #running(): Viewer {
    if (!this.viewer) throw new Error("cannot draw: the graphics device is gone");
    return this.viewer;
  }

  #take(loaded: Loaded): Loaded {
    if (loaded.ok) this.loaded = loaded;
    this.#events.loaded?.(loaded);
    this.wake();
    return loaded;
  }

  /** It may have come into sight, or gone out of it: time stands still where nobody looks. */
  #seen(): void {
    if (!this.isAwake) this.viewer?.rest();
    this.wake();
  }

  #tick(now: number): void {
    this.#request = 0;
    const viewer = this.viewer;
    if (!viewer || !this.isAwake) return;
    // The viewer opens another device by itself and goes on with what was shown.
    const isLost = viewer.isLost();
    if (isLost !== this.#isLost) this.#events.lost?.(isLost);
    this.#isLost = isLost;
    const goesOn = viewer.frame(now);
    this.#events.tick?.();
    if (goesOn) this.wake();
    // What is on the screen is what will stay there, though it may become finer.
    if (viewer.isSettled()) this.element.dataset["still"] = goesOn ? "refining" : "done";
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.viewer?.resize(clientWidth, clientHeight, window.devicePixelRatio);
    this.wake();
  }

  #place(): void {
    const { canvas } = this;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The picture of the scene");
    canvas.addEventListener("webglcontextlost", (event) => {
      // Else the browser never gives it back.
      event.preventDefault();
      this.wake();
    });
    this.element.prepend(canvas);
  }
}
