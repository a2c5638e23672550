// A canvas with its viewer. The stage starts the viewer, draws while the picture changes,
// stops in hidden tabs and off screen, and recovers from a lost graphics device.

import type { Compose } from "./composer";
import type { Media } from "./media";
import type { Sound } from "./sound";
import { isSame, isShipped } from "./source";
import { beginTrial, endTrial } from "./trial";
import type { Backend, Description, Files, Loaded, State, Tarsus, Viewer } from "./viewer";

export interface StageEvents {
  /** Called after every animation frame while the stage is awake. */
  tick?: (state: State) => void;
  /** Called after a scene was composed, with or without errors. */
  loaded?: (loaded: Loaded) => void;
  /** Called when the device was lost (true) and restored (false). */
  lost?: (lost: boolean) => void;
  /**
   * Called while a scene's first picture takes suspiciously long, and once that is over.
   * `isTrusted` is true for sources of the page itself, and for those drawn before.
   */
  stuck?: (seconds: number | null, isTrusted: boolean) => void;
  /** Called after a scene hung the device, which now shows the version before it, if any. */
  hung?: () => void;
}

/** Time after which the GPU is suspected to hang, in seconds. */
const STUCK = 4;
/** Time after which a new scene waits for the GPU, in seconds: compiling on a busy GPU blocks the page. */
const BUSY = 1;
/** Interval for polling a busy GPU, in milliseconds. */
const POLL_MS = 100;
/** Maximum time between two polls that counts as watched, in milliseconds. */
const MAX_SEEN_MS = 500;

export class Stage {
  /** Container of the canvas, which fills it unless the scene declares a size. */
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  viewer: Viewer | null = null;
  /** Description of the shown scene. */
  loaded: Description | null = null;
  /** Sources of the shown scene: the last one that composed. */
  shown: Files | null = null;
  /** Video and sound in channels, once there were any. */
  media: Media | null = null;

  /** Player of the scene's own sound, once there was one. */
  #sound: Sound | null = null;
  #isMuted = true;
  /** The last request by channel, which alone fills it: an earlier one may take longer. */
  readonly #requested = new Map<string, symbol>();
  readonly #tarsus: Tarsus;
  readonly #compose: Compose;
  readonly #backend: Backend;
  readonly #events: StageEvents;
  readonly #resizes: ResizeObserver;
  readonly #visibility: IntersectionObserver;
  #request = 0;
  #isVisible = true;
  #held = false;
  #isLost = false;
  #isDrawn = false;
  /** True once a frame was requested after the first picture was finished. */
  #isSeen = false;
  #isStuck = false;
  #watching = 0;
  #watchedAt = 0;
  /** Time that the GPU has been seen at work on its current submission, in seconds. */
  #pending = 0;
  /** Sources on trial: those whose first picture is not finished, unless they are the page's own. */
  #trial: Files | null = null;
  /** Sources of the last finished picture. */
  #proven: Files | null = null;
  /** The same, but of the open scene only. */
  #lastGood: Files | null = null;
  #loading: Promise<unknown> = Promise.resolve();
  /** Number of scenes requested that are not loaded. */
  #requests = 0;

  constructor(element: HTMLElement, canvas: HTMLCanvasElement, tarsus: Tarsus, compose: Compose, backend: Backend, events: StageEvents) {
    this.element = element;
    this.#tarsus = tarsus;
    this.#compose = compose;
    this.#backend = backend;
    this.#events = events;
    this.canvas = canvas;
    this.#place();
    this.#resizes = new ResizeObserver(() => this.#resize());
    this.#visibility = new IntersectionObserver((entries) => {
      // A page that was busy gets several entries at once, the last one newest.
      this.#isVisible = entries.at(-1)?.isIntersecting ?? true;
      this.#onVisibilityChange();
    });
    document.addEventListener("visibilitychange", () => this.#onVisibilityChange());
    // A page that can still be left does not hang.
    window.addEventListener("pagehide", () => {
      if (!this.#isStuck) this.#endTrial();
    });
  }

  /** Creates the viewer. Fails if the browser supports neither WebGPU nor WebGL2. */
  async start(): Promise<void> {
    this.viewer = await this.#tarsus.Viewer.create(this.canvas, this.#backend);
    this.#resizes.observe(this.element);
    this.#visibility.observe(this.element);
    this.#followRatio();
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
    return this.#next(files, this.loaded?.debugView ?? undefined);
  }

  /** Selects a debug view, or none. */
  async setDebugView(name: string | undefined): Promise<void> {
    if (this.shown) await this.#next(this.shown, name);
  }

  /** Shows a scene after all earlier requests. */
  #next(files: Files, debugView: string | undefined): Promise<Loaded> {
    this.#requests++;
    const next = this.#loading.then(async () => {
      const composed = await this.#compose(files, debugView);
      if (!composed.ok) return this.#finishLoad({ ok: false, diagnostics: composed.diagnostics });
      await this.#ready();
      this.#endWatch();
      if (!isShipped(files) && !(this.#proven && isSame(files, this.#proven))) {
        beginTrial(files, this.#lastGood);
        this.#trial = files;
      }
      let loaded = await this.#running().load(composed.text);
      if (!loaded.ok && loaded.isLost && !this.#trial) {
        await this.#ready();
        loaded = await this.#running().load(composed.text);
      }
      if (loaded.ok) {
        this.shown = files;
        this.#isDrawn = false;
        this.#isSeen = false;
      } else {
        this.#endTrial();
      }
      this.#pending = 0;
      if (this.shown) this.#watch();
      const diagnostics = [...composed.diagnostics];
      for (const found of loaded.diagnostics) diagnostics.push(found.function ? (await import("./editor/editor")).located(found, files) : found);
      return this.#finishLoad({ ...loaded, diagnostics });
    });
    this.#loading = next.catch(() => undefined).finally(() => this.#requests--);
    return next;
  }

  /** Waits for a device that is not busy. */
  async #ready(): Promise<void> {
    const viewer = this.#running();
    for (;;) {
      const { isLost, busy } = viewer.state();
      this.#lost(isLost);
      if (!isLost && busy <= BUSY) return;
      // A frame opens a new device; before the first scene, there are none.
      if (!this.shown) viewer.frame(performance.now());
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
  }

  /**
   * Begins to fill a channel. Returns a function that returns true until there is another request for
   * the channel, or another scene.
   */
  request(channel: string): () => boolean {
    const request = Symbol(channel);
    this.#requested.set(channel, request);
    return () => this.#requested.get(channel) === request;
  }

  /** Fetches the code for video and sound in channels, once. */
  async openMedia(): Promise<Media> {
    const { Media } = await import("./media");
    if (!this.media) {
      this.media = new Media(() => this.wake());
      this.media.mute(this.#isMuted);
    }
    return this.media;
  }

  /** True if the scene or one of its channels can be heard. */
  get hasSound(): boolean {
    return (this.loaded?.sound ?? false) || (this.media?.hasSound ?? false);
  }

  /** True if time can change the picture, also through a video or a camera in a channel. */
  get followsTime(): boolean {
    return (this.viewer?.state().followsTime ?? true) || !(this.media?.isEmpty ?? true);
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** Mutes all sound, or makes it heard. Browsers allow sound only after a gesture of the user. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.media?.mute(isMuted);
    this.#sound?.mute(isMuted);
    this.wake();
  }

  /** Stops all media and the sound, for another scene. */
  clear(): void {
    this.#requested.clear();
    this.#lastGood = null;
    this.media?.clear();
    this.#sound?.stop();
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
    this.#silence();
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
    if (loaded.ok) {
      this.loaded = loaded;
      this.#resize();
      if (loaded.sound) void this.#openSound();
      else this.#sound?.stop();
    }
    this.#events.loaded?.(loaded);
    this.wake();
    return loaded;
  }

  /** Handles a change of visibility. Time stops while the stage is not visible. */
  #onVisibilityChange(): void {
    if (!this.isAwake) {
      this.viewer?.rest();
      this.#silence();
    }
    this.wake();
  }

  #silence(): void {
    this.media?.pause();
    this.#sound?.stop();
  }

  /** Fetches the code for the scene's sound, once. */
  async #openSound(): Promise<void> {
    const { Sound } = await import("./sound");
    if (this.#sound) return;
    this.#sound = new Sound();
    this.#sound.mute(this.#isMuted);
  }

  #tick(now: number): void {
    this.#request = 0;
    const viewer = this.viewer;
    if (!viewer || !this.isAwake) return;
    // The viewer opens a new device automatically and restores the scene.
    const { isLost, isDrawn } = viewer.state();
    this.#lost(isLost);
    const plays = this.media?.follow(viewer) ?? false;
    // Time stands still until the first picture is seen: compiling it may take seconds.
    if (!this.#isSeen) viewer.rest();
    this.#isSeen = isDrawn;
    const goesOn = viewer.frame(now) || plays;
    if (this.loaded?.sound) this.#sound?.follow(viewer, now);
    const state = viewer.state();
    this.#events.tick?.(state);
    if (goesOn) this.wake();
    // The picture on screen is final, though it may still be refined.
    if (state.isSettled) this.element.dataset["still"] = goesOn ? "refining" : "done";
  }

  /** Stops watching the shown scene: time spent on compiling the next one is not its own. */
  #endWatch(): void {
    clearTimeout(this.#watching);
    if (this.viewer?.state().isDrawn) this.#prove();
    this.#endStuck();
  }

  /** Remembers the shown version as the last good one. */
  #prove(): void {
    this.#proven = this.shown;
    this.#lastGood = this.shown;
  }

  #endStuck(): void {
    if (this.#isStuck) this.#events.stuck?.(null, this.#trial === null);
    this.#isStuck = false;
  }

  /**
   * Ends the trial with the scene's first picture, and reports one that takes too long. A busy GPU
   * stops animation frames, so this runs by a timer.
   */
  #watch(): void {
    clearTimeout(this.#watching);
    const { isDrawn, busy } = this.#running().state();
    if (isDrawn) {
      this.#isDrawn = true;
      this.#prove();
      this.#endTrial();
      this.#endStuck();
      return;
    }
    const now = performance.now();
    // The GPU may have finished unseen while the page was hidden or compiled.
    const seen = document.hidden ? 0 : Math.min(now - this.#watchedAt, MAX_SEEN_MS) / 1000;
    this.#watchedAt = now;
    this.#pending = Math.min(busy, this.#pending + seen);
    if (this.#pending >= STUCK) {
      this.#isStuck = true;
      this.#events.stuck?.(this.#pending, this.#trial === null);
    }
    this.#watching = window.setTimeout(() => this.#watch(), POLL_MS);
  }

  #endTrial(): void {
    if (this.#trial) endTrial();
    this.#trial = null;
  }

  /** Handles the loss of the device, and its restoration by the viewer. */
  #lost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.#events.lost?.(isLost);
    if (isLost || this.#isDrawn) return;
    // The viewer restores only scenes that have been drawn.
    const isHung = this.#trial !== null;
    const files = isHung ? this.#proven : this.shown;
    this.#trial = null;
    this.#isStuck = false;
    // What was requested meanwhile replaces it.
    if (files && this.#requests === 0) void this.load(files);
    if (isHung) this.#events.hung?.();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    const ratio = window.devicePixelRatio;
    const size = this.loaded?.size ?? null;
    let [width, height] = [clientWidth, clientHeight];
    if (size) {
      // In physical pixels, as in the window, and smaller where the page has no room.
      const scale = Math.min(1 / ratio, clientWidth / size[0], clientHeight / size[1]);
      [width, height] = [size[0] * scale, size[1] * scale];
    }
    this.element.classList.toggle("sized", size !== null);
    this.canvas.style.width = size ? `${width}px` : "";
    this.canvas.style.height = size ? `${height}px` : "";
    this.viewer?.resize(width, height, ratio);
    this.wake();
  }

  /** Resizes the canvas also if only the screen's resolution changes. */
  #followRatio(): void {
    this.#resize();
    const same = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    same.addEventListener("change", () => this.#followRatio(), { once: true });
  }

  #place(): void {
    const { canvas } = this;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The picture of the scene");
    canvas.addEventListener("webglcontextlost", () => {
      this.viewer?.loseContext();
      this.wake();
    });
    this.element.prepend(canvas);
  }
}
