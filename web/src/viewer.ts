// Types of the WebAssembly module's functions, which crates/web/src/lib.rs documents, and of the
// JSON that they exchange.

/** Sources of a scene. `main` names one of the files or a built-in scene. */
export interface Files {
  main: string;
  files: Record<string, string>;
}

/** An item of a tarsus module, or a member of one. */
export interface LibraryItem {
  name: string;
  kind: string;
  signature: string;
  doc: string;
}

/** An importable module: its path, such as `tarsus::sdf`, and its items. */
export interface LibraryModule {
  module: string;
  text: string;
  items: LibraryItem[];
}

/** An error or a warning. `from` and `to` count UTF-16 units from the start of the file. */
export interface Diagnostic {
  severity: "error" | "warning";
  message: string;
  file: string;
  line: number | null;
  from: number | null;
  to: number | null;
  label: string;
  notes: string[];
  /** Function in which the browser's compiler found the error. */
  function?: string | null;
}

/** A parameter of the scene and its control. */
export interface Parameter {
  name: string;
  label: string;
  kind: "slider" | "switch" | "choice" | "color";
  min?: number;
  max?: number;
  default: number[];
  components: number;
  options?: string[];
  /** True if the parameter takes only whole numbers. */
  whole: boolean;
}

/** Components of parameters, by name. */
export type Values = Record<string, number[]>;

/** A texture that the scene reads from files, or one that nothing is bound to. */
export interface Channel {
  name: string;
  files: string[];
  /** True for a texture that is no cube or volume. */
  flat: boolean;
}

/** A buffer or channel in its current state. */
export interface Content {
  name: string;
  /** Size and format, as text. */
  detail: string;
}

/** Result of loading a scene. */
export type Loaded = Description | { ok: false; isLost?: true; diagnostics: Diagnostic[] };

/** Description of a loaded scene. */
export interface Description {
  ok: true;
  diagnostics: Diagnostic[];
  parameters: Parameter[];
  channels: Channel[];
  /** Width and height of the picture in pixels that the scene declares. */
  size: [number, number] | null;
  period: number | null;
  debugView: string | null;
  animated: boolean;
  /** True if the scene has a `main_sound`. */
  sound: boolean;
  readsPointer: boolean;
  /** True if orbit and zoom can change the picture. */
  readsCamera: boolean;
  readsKeyboard: boolean;
}

/** Samples per second of all sound. */
export const SAMPLE_RATE = 48_000;

export type Backend = "webgpu" | "webgl2";

/** The player and renderer of one canvas. */
export interface Viewer {
  load(composed: string): Promise<Loaded>;
  frame(now: number): boolean;
  loseContext(): void;
  resize(width: number, height: number, ratio: number): void;
  pointer(kind: "down" | "move" | "up" | "leave", button: number, x: number, y: number): void;
  touch(kind: "down" | "move" | "up", finger: number, x: number, y: number): void;
  wheel(deltaY: number): void;
  key(code: number, down: boolean): void;
  releaseAll(): void;
  setPaused(paused: boolean): void;
  restart(): void;
  seek(seconds: number): void;
  step(frames: number): void;
  changeSpeed(faster: boolean): void;
  values(): Values;
  setValue(name: string, components: number[]): void;
  resetView(): void;
  setScale(scale?: number): void;
  screenshot(compress: (bytes: Uint8Array) => Promise<Uint8Array>, files?: string): Promise<Uint8Array<ArrayBuffer>>;
  sound(first: number, count: number): Promise<Float32Array<ArrayBuffer>>;
  snapshot(): string;
  openSnapshot(snapshot: string): void;
  startRecording(): void;
  stopRecording(): string | undefined;
  replay(timeline: string): void;
  setChannel(name: string, rgba: Uint8Array, width: number, height: number): void;
  setTexels(name: string, bytes: Uint8Array, format: string, width: number, height: number, layers: number): void;
  state(): State;
  rest(): void;
  contents(): Content[];
  showTexture(number: number): void;
  free(): void;
}

/** State of a viewer: its device, its clock and its last frame. */
export interface State {
  /** "WebGPU" or "WebGL2", followed by the adapter's name; empty without a device. */
  backend: string;
  /** True for a software renderer. */
  isSoftware: boolean;
  /** True while there is no device. A new one is opened automatically. */
  isLost: boolean;
  /** True once a picture of the scene was drawn. */
  isDrawn: boolean;
  /** True while only samples of the still are pending. */
  isSettled: boolean;
  /** True if the last call of `frame` presented the current frame. */
  isPresented: boolean;
  /** False if time cannot change the picture. */
  followsTime: boolean;
  isPaused: boolean;
  /** Seconds of scene time per second. */
  speed: number;
  /** Time of the last frame, in seconds. */
  time: number;
  /** Number of the last frame. */
  frame: number;
  /** Seconds recorded so far, or null without a recording. */
  recorded: number | null;
  fps: number | null;
  /** Render scale, per side. */
  scale: number;
  /** Number of samples of the still. */
  samples: number;
  /** Number of frames that run before the next one is shown. */
  waiting: number;
  /** Seconds that the GPU has spent on its current work. */
  busy: number;
  /** The last error of the device or a channel. */
  error: string | null;
}

/** A scene exported to Shadertoy. */
export interface Exported {
  files: Record<string, string>;
  notes: string[];
}

/** Functions of the module. */
export interface Tarsus {
  snapshotOf(png: Uint8Array): string | undefined;
  Viewer: {
    create(canvas: HTMLCanvasElement, backend: Backend): Promise<Viewer>;
  };
}
