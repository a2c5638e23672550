// Playback of a scene's `main_sound`. The GPU renders blocks of samples ahead of time, and Web Audio
// plays them in step with the scene's clock.

import { SAMPLE_RATE, type Viewer } from "./viewer";

/** Minimum and maximum time that samples are rendered ahead, in seconds. */
const AHEAD = { min: 0.5, max: 3 };
/** Time that samples are rendered ahead, in times of the slowest block: blocks wait for pictures. */
const SLOWEST_BLOCKS = 3;
/** Minimum and maximum duration of a block, in samples. */
const BLOCK = { min: 4_800, max: 65_536 };
/** Difference between the times of sound and scene that is corrected, in seconds. */
const MAX_OFFSET = 0.1;
/** Interval for checking whether more samples are needed, in milliseconds. */
const POLL_MS = 20;

/** Sound without a jump. */
interface Playback {
  /** Speed of the scene. */
  speed: number;
  /** Time of the audio context at which scene time 0 would be heard, in seconds. */
  origin: number;
  /** Number of the next sample to render. */
  next: number;
  output: GainNode;
}

export class Sound {
  readonly #context = new AudioContext({ sampleRate: SAMPLE_RATE });
  #isMuted = true;
  #playback: Playback | null = null;
  /** Time that samples are rendered ahead, in seconds. */
  #ahead = AHEAD.min;
  /** Number of the last frame that the sound was compared with. */
  #frame = -1;

  /** Mutes the sound, or makes it heard. Browsers allow sound only after a gesture of the user. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (isMuted) this.stop();
    void (isMuted ? this.#context.suspend() : this.#context.resume());
  }

  /** Stops until the next call of `follow`. */
  stop(): void {
    this.#playback?.output.disconnect();
    this.#playback = null;
  }

  /** Follows the viewer's time after its animation frame of time `now`, in milliseconds. */
  follow(viewer: Viewer, now: number): void {
    const { isPaused, frame, time, speed } = viewer.state();
    if (this.#isMuted || isPaused) return this.stop();
    // Between frames, the viewer's time stands still.
    if (this.#context.state !== "running" || frame === this.#frame) return;
    this.#frame = frame;
    const past = (performance.now() - now) / 1000;
    const origin = this.#context.currentTime - past - time / speed;
    const { speed: lastSpeed, origin: lastOrigin } = this.#playback ?? {};
    if (lastOrigin !== undefined && speed === lastSpeed && Math.abs(origin - lastOrigin) <= MAX_OFFSET) return;
    this.stop();
    const output = new GainNode(this.#context);
    output.connect(this.#context.destination);
    this.#playback = { speed, origin, next: 0, output };
    this.#render(viewer, this.#playback).catch(() => this.stop());
  }

  /** Renders blocks ahead until the playback ends. */
  async #render(viewer: Viewer, playback: Playback): Promise<void> {
    const { speed, origin } = playback;
    while (this.#playback === playback) {
      const heard = Math.ceil((this.#context.currentTime - origin) * speed * SAMPLE_RATE);
      const first = Math.max(playback.next, heard);
      const missing = heard + Math.ceil(this.#ahead * speed * SAMPLE_RATE) - first;
      if (missing < BLOCK.min) {
        await new Promise((next) => setTimeout(next, POLL_MS));
        continue;
      }
      const count = Math.min(missing, BLOCK.max);
      // Other speeds interpolate between the last sample of a block and the next one.
      const requested = this.#context.currentTime;
      const samples = await viewer.sound(first, count + 1);
      const took = this.#context.currentTime - requested;
      this.#ahead = Math.min(Math.max(this.#ahead, SLOWEST_BLOCKS * took), AHEAD.max);
      if (this.#playback !== playback) return;
      playback.next = first + count;
      this.#play(playback, first, count, samples);
    }
  }

  /** Plays `count` samples from number `first` on, without those that are late. */
  #play({ speed, origin, output }: Playback, first: number, count: number, samples: Float32Array<ArrayBuffer>): void {
    const length = samples.length / 2;
    const buffer = new AudioBuffer({ length, numberOfChannels: 2, sampleRate: SAMPLE_RATE });
    for (const channel of [0, 1]) buffer.copyToChannel(samples.subarray(channel * length, (channel + 1) * length), channel);
    const due = origin + first / SAMPLE_RATE / speed;
    const start = Math.max(due, this.#context.currentTime);
    const late = (start - due) * speed;
    const seconds = count / SAMPLE_RATE - late;
    if (seconds <= 0) return;
    const source = new AudioBufferSourceNode(this.#context, { buffer, playbackRate: speed });
    source.connect(output);
    source.start(start, late, seconds);
  }
}
