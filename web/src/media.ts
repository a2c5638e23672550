// Video, sound, camera and microphone in channels. Files follow the scene's time, and each new
// frame or spectrum replaces the texels of its channel.

import { SAMPLE_RATE, type Viewer } from "./viewer";

/** Maximum side of a video's texels, in pixels: every frame is copied. */
const MAX_SIDE = 1280;
/** Maximum duration of a recording, in seconds: all of its spectra are kept. */
const MAX_SECONDS = 600;
/** Difference between the times of a playing file and of the scene that is corrected, in seconds. */
const MAX_DRIFT = 0.25;
/** Columns of a sound's texels. The first row is the spectrum, the second the waveform. */
const COLUMNS = 512;
/** Spectra per second, on which their smoothing depends. */
const SPECTRA = 60;
/** Settings of Shadertoy and of the program. */
const ANALYSER = { fftSize: 2048, smoothingTimeConstant: 0.8, minDecibels: -100, maxDecibels: -30 };

/** Texels that change with time. */
interface Texels {
  /** Replaces the channel's texels, if they have changed. */
  update(viewer: Viewer, channel: string, time: number): void;
  close(): void;
}

/** A file that plays at the scene's time and speed. */
interface Playback {
  element: HTMLMediaElement;
  address: string;
  /** Time of the last jump, in seconds. */
  sought: number;
}

/** Content of a channel. Without a file, it is that of a camera or a microphone. */
interface Medium {
  texels: Texels;
  file: Playback | null;
}

export class Media {
  readonly #media = new Map<string, Medium>();
  readonly #wake: () => void;
  #isMuted = true;

  /** `wake` requests a frame. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** True if nothing fills a channel. */
  get isEmpty(): boolean {
    return this.#media.size === 0;
  }

  /** True if there are recordings, which are heard unless muted. */
  get hasSound(): boolean {
    return this.#recordings().length > 0;
  }

  /** Mutes recordings, or makes them heard. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    for (const { element } of this.#recordings()) element.muted = isMuted;
  }

  /**
   * Plays a video or a recording in a channel if it still `isWanted` once it is loaded. Throws a
   * one-sentence error if the browser cannot play it.
   */
  async play(channel: string, file: Blob, isWanted: () => boolean): Promise<void> {
    const isVideo = file.type.startsWith("video/");
    const element = document.createElement(isVideo ? "video" : "audio");
    const address = URL.createObjectURL(file);
    element.loop = true;
    // Only recordings are heard, as in the program.
    element.muted = isVideo || this.#isMuted;
    element.src = address;
    try {
      await load(element);
      const texels = element instanceof HTMLVideoElement ? new Frames(element, this.#wake) : await Spectra.of(file, element.duration);
      this.#put(isWanted, channel, { texels, file: { element, address, sought: 0 } });
    } catch (error) {
      URL.revokeObjectURL(address);
      throw error;
    }
  }

  /**
   * Shows the camera or the microphone in a channel, if the user permits it and it still `isWanted`
   * then.
   */
  async capture(channel: string, device: "camera" | "microphone", isWanted: () => boolean): Promise<void> {
    const isCamera = device === "camera";
    if (!navigator.mediaDevices) throw new Error("browsers permit cameras and microphones only on pages over HTTPS");
    const stream = await navigator.mediaDevices.getUserMedia({ video: isCamera, audio: !isCamera });
    try {
      this.#put(isWanted, channel, { texels: isCamera ? await Frames.of(stream, this.#wake) : new Microphone(stream), file: null });
    } catch (error) {
      stopTracks(stream);
      throw error;
    }
  }

  /** Stops the medium of a channel, whose last texels remain. */
  stop(channel: string): void {
    const medium = this.#media.get(channel);
    if (!medium) return;
    this.#media.delete(channel);
    close(medium);
    this.#wake();
  }

  /** Stops all media, for another scene. */
  clear(): void {
    for (const channel of [...this.#media.keys()]) this.stop(channel);
  }

  pause(): void {
    for (const { file } of this.#media.values()) file?.element.pause();
  }

  /** Follows the viewer's time. Returns true if another frame is due without input. */
  follow(viewer: Viewer): boolean {
    const { isPaused, time: now, speed } = viewer.state();
    for (const [channel, { texels, file }] of this.#media) {
      const time = file ? place(file, now) : 0;
      if (file && !isPaused) play(file, time, speed);
      else if (file) rest(file, time);
      if (file || !isPaused) texels.update(viewer, channel, time);
    }
    return !this.isEmpty && !isPaused;
  }

  /** Shows all files at a time of the scene, for a frame that is not drawn in real time. */
  async show(viewer: Viewer, time: number): Promise<void> {
    for (const [channel, { texels, file }] of this.#media) {
      if (file) rest(file, place(file, time));
      if (file?.element.seeking) await seekEnded(file.element);
      if (texels instanceof Frames) texels.refresh();
      texels.update(viewer, channel, file ? place(file, time) : 0);
    }
  }

  #put(isWanted: () => boolean, channel: string, medium: Medium): void {
    if (!isWanted()) return close(medium);
    this.stop(channel);
    this.#media.set(channel, medium);
    this.#wake();
  }

  #recordings(): Playback[] {
    const files = [...this.#media.values()].flatMap(({ file }) => file ?? []);
    return files.filter(({ element }) => !(element instanceof HTMLVideoElement));
  }
}

function close({ texels, file }: Medium): void {
  texels.close();
  if (!file) return;
  file.element.removeAttribute("src");
  file.element.load();
  URL.revokeObjectURL(file.address);
}

/** Returns the time in a repeating file at a time of the scene. */
function place({ element: { duration } }: Playback, time: number): number {
  return Number.isFinite(duration) && duration > 0 ? time % duration : time;
}

function play({ element }: Playback, time: number, speed: number): void {
  const distance = Math.abs(element.currentTime - time);
  // The end of a repeating file is near its start.
  const drift = Number.isFinite(element.duration) ? Math.min(distance, element.duration - distance) : distance;
  if (drift > MAX_DRIFT && !element.seeking) element.currentTime = time;
  element.playbackRate = speed;
  // Before a gesture of the user, browsers play only muted media.
  if (element.paused) element.play().catch(() => undefined);
}

function rest(file: Playback, time: number): void {
  const { element } = file;
  if (!element.paused) {
    element.pause();
    file.sought = -1;
  }
  if (file.sought === time) return;
  file.sought = time;
  element.currentTime = time;
}

/** Waits until an element has jumped to another time, or cannot, as it was closed meanwhile. */
async function seekEnded(element: HTMLMediaElement): Promise<void> {
  const ended = new AbortController();
  await new Promise((next) => {
    for (const event of ["seeked", "emptied", "error"]) element.addEventListener(event, next, { signal: ended.signal });
  });
  ended.abort();
}

/** Waits until an element has its first frame or samples. */
async function load(element: HTMLMediaElement): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    element.addEventListener("loadeddata", () => resolve(), { once: true });
    element.addEventListener("error", () => reject(new Error("this browser cannot decode the file")), { once: true });
    element.preload = "auto";
    element.load();
  });
}

/** Frames of a video or a camera. */
class Frames implements Texels {
  readonly #element: HTMLVideoElement;
  readonly #context: OffscreenCanvasRenderingContext2D;
  readonly #wake: () => void;
  #isNew = true;
  #isClosed = false;

  constructor(element: HTMLVideoElement, wake: () => void) {
    const { videoWidth: width, videoHeight: height } = element;
    const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
    const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    const context = new OffscreenCanvas(side(width), side(height)).getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("this browser provides no 2D canvas");
    this.#element = element;
    this.#context = context;
    this.#wake = wake;
    this.#watch();
  }

  /** Frames of a camera. */
  static async of(stream: MediaStream, wake: () => void): Promise<Frames> {
    const element = document.createElement("video");
    element.muted = true;
    element.srcObject = stream;
    await load(element);
    await element.play();
    return new Frames(element, wake);
  }

  /** Reads the element again, even if it has reported no other frame. */
  refresh(): void {
    this.#isNew = true;
  }

  update(viewer: Viewer, channel: string): void {
    if (!this.#isNew) return;
    this.#isNew = false;
    const { width, height } = this.#context.canvas;
    this.#context.drawImage(this.#element, 0, 0, width, height);
    const { data } = this.#context.getImageData(0, 0, width, height);
    viewer.setChannel(channel, new Uint8Array(data.buffer), width, height);
  }

  close(): void {
    this.#isClosed = true;
    stopTracks(this.#element.srcObject);
  }

  #watch(): void {
    this.#element.requestVideoFrameCallback(() => {
      if (this.#isClosed) return;
      this.#isNew = true;
      this.#wake();
      this.#watch();
    });
  }
}

/** Spectra and waveforms of a recording, all computed in advance, so that they depend on time alone. */
class Spectra implements Texels {
  readonly #texels: Uint8Array;
  #shown = -1;

  constructor(texels: Uint8Array) {
    this.#texels = texels;
  }

  static async of(file: Blob, seconds: number): Promise<Spectra> {
    if (!(seconds <= MAX_SECONDS)) throw new Error(`the recording is longer than ${MAX_SECONDS / 60} minutes`);
    const context = new OfflineAudioContext(1, Math.max(1, Math.ceil(seconds * SAMPLE_RATE)), SAMPLE_RATE);
    const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(await file.arrayBuffer()) });
    const analyser = new AnalyserNode(context, ANALYSER);
    source.connect(analyser).connect(context.destination);
    source.start();
    const texels = new Uint8Array(2 * COLUMNS * Math.max(1, Math.floor(seconds * SPECTRA)));
    texels.subarray(COLUMNS, 2 * COLUMNS).fill(128);
    const read = (at: number): void => {
      if (at === texels.length) return;
      const time = at / (2 * COLUMNS) / SPECTRA;
      void context.suspend(time).then(() => {
        analyse(analyser, texels.subarray(at, at + 2 * COLUMNS));
        read(at + 2 * COLUMNS);
        return context.resume();
      });
    };
    read(2 * COLUMNS);
    await context.startRendering();
    return new Spectra(texels);
  }

  update(viewer: Viewer, channel: string, time: number): void {
    const count = this.#texels.length / (2 * COLUMNS);
    const index = Math.min(Math.round(time * SPECTRA), count - 1);
    if (index === this.#shown) return;
    this.#shown = index;
    show(viewer, channel, this.#texels.slice(2 * COLUMNS * index, 2 * COLUMNS * (index + 1)));
  }

  close(): void {}
}

/** Spectrum and waveform of the microphone. */
class Microphone implements Texels {
  readonly #stream: MediaStream;
  readonly #context = new AudioContext();
  readonly #analyser = new AnalyserNode(this.#context, ANALYSER);

  constructor(stream: MediaStream) {
    this.#stream = stream;
    this.#context.createMediaStreamSource(stream).connect(this.#analyser);
  }

  update(viewer: Viewer, channel: string): void {
    const texels = new Uint8Array(2 * COLUMNS);
    analyse(this.#analyser, texels);
    show(viewer, channel, texels);
  }

  close(): void {
    stopTracks(this.#stream);
    void this.#context.close();
  }
}

/** Reads the first half of the spectrum, and as many samples. */
function analyse(analyser: AnalyserNode, texels: Uint8Array<ArrayBuffer>): void {
  analyser.getByteFrequencyData(texels.subarray(0, COLUMNS));
  analyser.getByteTimeDomainData(texels.subarray(COLUMNS));
}

function show(viewer: Viewer, channel: string, texels: Uint8Array): void {
  viewer.setTexels(channel, texels, "grey8", COLUMNS, 2, 1);
}

function stopTracks(source: MediaProvider | null): void {
  if (source instanceof MediaStream) for (const track of source.getTracks()) track.stop();
}
