//! The player and the renderer on a canvas of a page, and the studio that composes
//! scenes for them, through wasm-bindgen.
//!
//! ```text
//! files ─► studio (in a worker): compose ─► JSON ─► Viewer (on the canvas)
//!                    │ errors                          ▲
//!                    └─► diagnostics      built-in scenes and exported pages,
//!                                         which were composed when they were made
//! ```
//!
//! They are two modules of WebAssembly, as a page that only plays needs none of the
//! front ends: half of the bytes. The studio runs in a worker: nothing that it does,
//! and no fault of a front end, holds up the picture.
//!
//! # What JavaScript sees
//!
//! `scripts/web.sh --wasm` writes `target/wasm/player.js` and `target/wasm/studio.js` (ES
//! modules) with their `.d.ts` and `_bg.wasm`, and the built-in scenes as
//! `target/wasm/scenes/NAME.json`. What is named JSON is a string of it; every function
//! that can fail throws an `Error` whose message is one sentence.
//!
//! ```ts
//! // studio.js
//! default function init({module_or_path}): Promise<…>   // URL, Response or bytes
//! function scenes(): string        // [{name, title, text}], the built-in scenes
//! function library(): string       // [{module, text, items: [{name, kind, signature, doc, line}]}]
//! function lenses(): string        // [name]
//! function compose(files: string, lens?: string): string  // Composed
//! function check(files: string): string                   // [Diagnostic]; no errors: it composes
//! function exportTo(files: string, to: "shadertoy" | "glsl" | "wgsl", values: string): string
//!     // {files: {name: text}, notes: [sentence]}
//!
//! // player.js
//! default function init({module_or_path}): Promise<…>
//! function momentOf(png: Uint8Array): string | undefined // JSON of a picture of tarsus
//!
//! class Viewer {
//!   static create(canvas: HTMLCanvasElement, options: string): Promise<Viewer>
//!       // options: {backend?: "auto" | "webgpu" | "webgl2", paused?, time?, scale?}
//!   backend(): string                    // "WebGPU" | "WebGL2", with the adapter's name behind it
//!   load(composed: string): Promise<string> // Loaded; the last good picture stays where it fails
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
//!   scale(): number; setScale(scale: number); adaptive(on: boolean)    // adaptive, unless set
//!   samples(): number                    // of the refined still that is shown; 0: the live picture
//!   screenshot(): Promise<Uint8Array>    // PNG with its moment
//!   moment(): string; openMoment(moment: string)
//!   startRecording(); stopRecording(): string; recorded(): number | undefined // seconds
//!   replay(timeline: string)
//!   setChannel(name: string, rgba: Uint8Array, width: number, height: number)
//!   setTexels(name: string, bytes: Uint8Array, format: "grey8" | "rgba8" | "rgba16f",
//!       width: number, height: number, layers: number)
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
//! `Composed` is `{ok, diagnostics, main, lens, program}`; where `ok` is false only the
//! diagnostics are there. The program is for [`tarsus_shader::unpack`] alone.
//!
//! `Loaded` is `{ok, superseded, diagnostics, title, parameters, passes, channels, period, lens,
//! animated}`; where `ok` is false only the diagnostics are there, and
//! none where it is superseded: another load was asked for meanwhile.
//! A parameter is `{name, label, kind, min, max, default, components, options}`, its
//! kind one of `slider`, `switch`, `choice`, `color`; a channel is
//! `{name, kind, file}`.

mod catalog;
mod composed;
mod convert;
mod files;
mod moment;
mod report;

#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod browser;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod page;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod player;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod scene;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod screen;
#[cfg(all(target_arch = "wasm32", feature = "studio"))]
mod studio;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod whole;

use tarsus_shader::{Builtins, Library};

pub use catalog::{modules, scenes};
pub use composed::Composed;
pub use convert::export_to;
pub use files::{PageFiles, check, compose_files};
pub use moment::{moment_in, picture_file, rows_to_compress};
pub use report::{diagnostics, failed, loaded, superseded};

/// The built-in scenes and modules, with a front end for GLSL.
#[must_use]
pub fn library() -> Library {
    let builtins = Builtins {
        scenes: tarsus_scenes::SCENES,
        modules: tarsus_scenes::MODULES,
    };
    Library::new(builtins).with_front_end(tarsus_glsl::GLSL)
}
