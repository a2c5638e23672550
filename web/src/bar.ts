// The playback bar below a picture: play, a time slider and restart.

import { h, iconButton, relabel } from "./dom";
import type { Stage } from "./stage";

/** Ranges of the slider for scenes without a period, in seconds. */
const SPANS = [10, 30, 60, 120, 300, 600, 1800, 3600] as const;

export class Bar {
  readonly element: HTMLElement;
  readonly #stage: Stage;
  readonly #play: HTMLButtonElement;
  readonly #scrub: HTMLInputElement;
  readonly #clock: HTMLOutputElement;
  readonly #sound: HTMLButtonElement;
  /** Shown in place of the controls of time. */
  readonly #timeless = h("span", { class: "timeless", title: "The scene does not read the time", hidden: true }, "Still picture");
  readonly #timed: HTMLElement[];
  #scrubbing = false;
  #span = 0;
  /** True from a start until time has begun again. */
  #isStarting = false;

  /** `extra` is placed at the end. */
  constructor(stage: Stage, ...extra: Node[]) {
    this.#stage = stage;
    this.#play = iconButton("pause", "Pause", () => this.toggle());
    this.#scrub = h("input", { type: "range", class: "scrub", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time in seconds" });
    this.#clock = h("output", { class: "clock", "aria-label": "Time" }, "0.00");
    this.#sound = iconButton("muted", "Turn the sound on", () => this.toggleSound());
    this.#sound.hidden = true;
    this.#timed = [this.#play, this.#scrub, this.#clock, iconButton("restart", "Restart", () => this.restart())];
    this.element = h("div", { class: "bar", role: "group", "aria-label": "Playback" }, ...this.#timed, this.#timeless, this.#sound, ...extra);
    this.#listen();
  }

  /** Starts with the shortest range, for another scene or another start. */
  begin(): void {
    this.#isStarting = true;
    this.update();
  }

  /** Shows the viewer's clock, and a button for sound if there is any. */
  update(): void {
    const { viewer, loaded, hasSound, isMuted, followsTime } = this.#stage;
    if (!viewer) return;
    const { isPaused, time } = viewer.state();
    this.#sound.hidden = !hasSound;
    relabel(this.#sound, isMuted ? "muted" : "sound", isMuted ? "Turn the sound on" : "Mute");
    for (const control of this.#timed) control.hidden = !followsTime;
    this.#timeless.hidden = followsTime;
    const paused = isPaused && !this.#scrubbing;
    this.element.classList.toggle("playing", followsTime && !paused);
    relabel(this.#play, paused ? "play" : "pause", paused ? "Play" : "Pause");
    this.#clock.value = time.toFixed(2);
    const period = loaded?.period ?? null;
    // A range that shrinks, or changes under the pointer, would move the handle.
    if (!this.#scrubbing) this.#span = period ?? Math.max(this.#span, spanOf(time));
    if (this.#isStarting && time < SPANS[0]) {
      this.#span = period ?? SPANS[0];
      this.#isStarting = false;
    }
    const span = this.#span;
    if (Number(this.#scrub.max) !== span) this.#scrub.max = String(span);
    if (!this.#scrubbing) this.#scrub.value = String(period === null ? time : time % period);
    this.#scrub.style.setProperty("--done", `${(100 * Number(this.#scrub.value)) / span}%`);
    this.#scrub.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
  }

  toggle(): void {
    const { viewer, followsTime } = this.#stage;
    if (!viewer || !followsTime) return;
    viewer.setPaused(!viewer.state().isPaused);
    this.#changed();
  }

  toggleSound(): void {
    if (!this.#stage.hasSound) return;
    this.#stage.mute(!this.#stage.isMuted);
    this.#changed();
  }

  restart(): void {
    this.#stage.viewer?.restart();
    this.#stage.wake();
    this.begin();
  }

  /** Steps by a number of frames, while paused. */
  step(frames: number): void {
    const { viewer } = this.#stage;
    if (!viewer?.state().isPaused) return;
    viewer.step(frames);
    this.#changed();
  }

  #changed(): void {
    this.#stage.wake();
    this.update();
  }

  /** Pauses while the slider is dragged, and resumes afterwards if the scene was playing. */
  #listen(): void {
    let wasPaused = false;
    const hold = (): void => {
      const { viewer } = this.#stage;
      if (this.#scrubbing || !viewer) return;
      this.#scrubbing = true;
      this.#isStarting = false;
      wasPaused = viewer.state().isPaused;
      viewer.setPaused(true);
    };
    const release = (): void => {
      if (!this.#scrubbing) return;
      this.#scrubbing = false;
      if (!wasPaused) this.#stage.viewer?.setPaused(false);
      this.#changed();
    };
    this.#scrub.addEventListener("pointerdown", hold);
    this.#scrub.addEventListener("pointerup", release);
    this.#scrub.addEventListener("pointercancel", release);
    this.#scrub.addEventListener("change", release);
    this.#scrub.addEventListener("input", () => {
      const { viewer, loaded } = this.#stage;
      if (!viewer) return;
      const period = loaded?.period ?? null;
      const rounds = period === null ? 0 : Math.floor(viewer.state().time / period);
      viewer.seek(rounds * (period ?? 0) + Number(this.#scrub.value));
      this.#changed();
    });
  }
}

/** Returns the shortest range that goes on after a time. */
function spanOf(time: number): number {
  return SPANS.find((span) => span > time) ?? 3600 * (Math.floor(time / 3600) + 1);
}
