//! The player and the renderer on a canvas of a page, through wasm-bindgen.
//!
//! # What JavaScript sees
//!
//! `scripts/web.sh --wasm` writes `target/wasm/tarsus.js` (an ES module), its
//! `tarsus.d.ts` and `tarsus_bg.wasm`. Texts named JSON are strings of it; every
//! function that can fail throws an `Error` whose message is one sentence.
//!
//! ```ts
//! default function init({module_or_path}): Promise<…>   // URL, Response or bytes
//! function scenes(): string        // [{name, title, text}], the built-in scenes
//! function library(): string       // [{module, text, items: [{name, kind, signature, doc, line}]}]
//! function check(files: string): string                 // [Diagnostic]; no errors: it composes
//! function momentOf(png: Uint8Array): string | undefined // JSON of a picture of tarsus
//!
//! class Viewer {
//!   static create(canvas: HTMLCanvasElement, options: string): Promise<Viewer>
//!       // options: {backend?: "auto" | "webgpu" | "webgl2", paused?, time?, scale?}
//!   backend(): string                    // "WebGPU" | "WebGL2", with the adapter's name behind it
//!   load(files: string): Promise<string> // Loaded; the last good picture stays where it fails
//!   frame(now: number): boolean          // one animation frame; false: nothing to do until input
//!   resize(width: number, height: number, ratio: number)  // CSS pixels, devicePixelRatio
//!   pointer(kind: "down" | "move" | "up" | "leave", button: number, x: number, y: number)
//!   wheel(deltaY: number); pinch(scale: number); orbit(dx: number, dy: number)  // CSS pixels
//!   key(code: number, down: boolean)     // KeyboardEvent.keyCode
//!   releaseAll()                         // the canvas lost the focus
//!   play(); pause(); isPaused(): boolean; restart(); seek(seconds: number); step(frames: number)
//!   time(): number; frameNumber(): number; fps(): number; speed(): number; setSpeed(speed: number)
//!   values(): string                     // {name: [components]}, also of those at their default
//!   setValue(name: string, components: string): void; resetValues()
//!   lenses(): string; lens(name: string | undefined): Promise<string>  // Loaded again
//!   scale(): number; setScale(scale: number); adaptive(on: boolean)    // adaptive, unless set
//!   samples(): number                    // of the refined still that is shown; 0: the live picture
//!   screenshot(): Promise<Uint8Array>    // PNG with its moment
//!   moment(): string; openMoment(moment: string)
//!   startRecording(); stopRecording(): string; recorded(): number | undefined // seconds
//!   replay(timeline: string)
//!   setChannel(name: string, rgba: Uint8Array, width: number, height: number)
//!   export(to: "shadertoy" | "glsl" | "wgsl"): string // {files: {name: text}, notes: [sentence]}
//!   rest()                               // frame() is not called for a while: time stands still
//!   state(): string                      // {time, frame, paused, speed, fps, scale, size: [width,
//!       // height], samples, first, last, waiting, recorded, replaying, loading, lost}: first and
//!       // last are the times that can be sought, waiting the frames that buffers are behind
//!   contents(): string                   // [{name, detail}], buffers and channels
//!   showWhole(number: number)            // one of them, from 1, in place of the picture; 0: none
//!   isDrawn(): boolean                   // a picture of the scene was drawn
//!   isSettled(): boolean                 // only samples of the still are to come
//!   isLost(): boolean; free()
//! }
//! ```
//!
//! `files` is `{main, files: {name: text}}`: `main` names one of the files, a
//! built-in scene, or nothing of them where an `Image.glsl` is among the files.
//!
//! `Diagnostic` is `{severity, message, file, line, column, endLine, endColumn, from,
//! to, label, notes}`: lines and columns from 1, in characters; `from` and `to` count
//! UTF-16 units from the beginning of the file, as JavaScript does. Those six are
//! `null` where it is about a file as a whole.
//!
//! `Loaded` is `{ok, superseded, diagnostics, title, parameters, passes, channels, period, lens,
//! animated}`; where `ok` is false only the diagnostics are there, and
//! none where it is superseded: another load was asked for meanwhile.
//! A parameter is `{name, label, kind, min, max, default, components, options}`, its
//! kind one of `slider`, `switch`, `choice`, `color`; a channel is
//! `{name, kind, file}`.

mod catalog;
mod convert;
mod files;
mod moment;
mod report;

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod player;
#[cfg(target_arch = "wasm32")]
mod scene;
#[cfg(target_arch = "wasm32")]
mod screen;
#[cfg(target_arch = "wasm32")]
mod whole;

pub use catalog::{library, scenes};
pub use convert::export_to;
pub use files::{PageFiles, check};
pub use moment::{moment_in, picture_file, rows_to_compress};
pub use report::{diagnostics, failed, loaded, superseded};
