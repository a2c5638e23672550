// A canvas with its viewer. The stage starts the viewer, draws while the picture changes,
// stops in hidden tabs and off screen, and recovers from a lost graphics device.

import type { Compose } from "./composer";
import type { Files, Loaded, Tarsus, Viewer, ViewerOptions } from "./viewer";

export interface StageEvents {
  /** Called after every animation frame while the stage is awake. */
  tick?: () => void;
  /** Called after a scene was composed, with or without errors. */
  loaded?: (loaded: Loaded) => void;
  /** Called when the device was lost (true) and restored (false). */
  lost?: (lost: boolean) => void;
}

/** Result for a scene that does not compose. */
const NOTHING: Loaded = { ok: false, diagnostics: [], title: "", parameters: [], passes: [], channels: [], period: null, lens: null, animated: false, readsKeyboard: false };

export class Stage {
  /** Container of the canvas, with the same size. */
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  viewer: Viewer | null = null;
  /** Description of the shown scene. */
  loaded: Loaded | null = null;
  /** Sources of the shown scene: the last one that composed. */
  shown: Files | null = null;

  readonly #tarsus: Tarsus;
  readonly #compose: Compose;
  readonly #options: ViewerOptions;
  readonly #events: StageEvents;
  readonly #resizes: ResizeObserver;
  readonly #visibility: IntersectionObserver;
  #request = 0;
  #isVisible = true;
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
    this.#visibility = new IntersectionObserver(([entry]) => {
      this.#isVisible = entry?.isIntersecting ?? true;
      this.#onVisibilityChange();
    });
    document.addEventListener("visibilitychange", () => this.#onVisibilityChange());
  }

  /** Creates the viewer. Fails if the browser supports neither WebGPU nor WebGL2. */
  async start(): Promise<void> {
    this.viewer = await this.#tarsus.Viewer.create(this.canvas, JSON.stringify(this.#options));
    this.#resizes.observe(this.element);
    this.#visibility.observe(this.element);
    this.#resize();
  }

  /** True while frames are drawn on demand. */
  get isAwake(): boolean {
    return this.#isVisible && !document.hidden && !this.#held;
  }

  /**
   * Composes a scene. If that fails, the last good picture keeps running. Scenes are composed one
   * at a time, in order.
   */
  load(files: Files): Promise<Loaded> {
    return this.#next(files, this.loaded?.lens ?? undefined);
  }

  /** Selects a debug view, or none. */
  async lens(name: string | undefined): Promise<void> {
    if (this.shown) await this.#next(this.shown, name);
  }

  /** Shows a scene after all earlier requests. */
  #next(files: Files, lens: string | undefined): Promise<Loaded> {
    const next = this.#loading.then(async () => {
      const composed = await this.#compose(files, lens);
      if (!composed.ok) return this.#finishLoad({ ...NOTHING, diagnostics: composed.diagnostics });
      const loaded = JSON.parse(await this.#running().load(composed.text)) as Loaded;
      if (loaded.ok) this.shown = files;
      return this.#finishLoad({ ...loaded, diagnostics: [...composed.diagnostics, ...loaded.diagnostics] });
    });
    this.#loading = next.catch(() => undefined);
    return next;
  }

  /** Requests the next frame after a change, if the stage is visible. */
  wake(): void {
    delete this.element.dataset["still"];
    if (!this.isAwake || this.#request !== 0 || !this.viewer || !this.shown) return;
    this.#request = requestAnimationFrame((now) => this.#tick(now));
  }

  /** Suspends the animation loop while `work` draws frame by frame. */
  async withoutLoop<T>(work: (viewer: Viewer) => Promise<T>): Promise<T> {
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

  #running(): Viewer {
    if (!this.viewer) throw new Error("cannot draw: the graphics device is gone");
    return this.viewer;
  }

  #finishLoad(loaded: Loaded): Loaded {
    if (loaded.ok) this.loaded = loaded;
    this.#events.loaded?.(loaded);
    this.wake();
    return loaded;
  }

  /** Handles a change of visibility. Time stops while the stage is not visible. */
  #onVisibilityChange(): void {
    if (!this.isAwake) this.viewer?.rest();
    this.wake();
  }

  #tick(now: number): void {
    this.#request = 0;
    const viewer = this.viewer;
    if (!viewer || !this.isAwake) return;
    // The viewer opens a new device automatically and restores the scene.
    const isLost = viewer.isLost();
    if (isLost !== this.#isLost) this.#events.lost?.(isLost);
    this.#isLost = isLost;
    const goesOn = viewer.frame(now);
    this.#events.tick?.();
    if (goesOn) this.wake();
    // The picture on screen is final, though it may still be refined.
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
      // Otherwise the browser never restores the context.
      event.preventDefault();
      this.wake();
    });
    this.element.prepend(canvas);
  }
}
