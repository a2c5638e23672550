//! WebAssembly bindings: the player and the renderer on a canvas of a web page, and the
//! studio that composes scenes for them.
//!
//! ```text
//! files ─► studio (in a worker): compose ─► JSON ─► Viewer (on the canvas)
//!                    │ errors                          ▲
//!                    └─► diagnostics      built-in scenes and exported pages,
//!                                         composed ahead of time
//! ```
//!
//! Player and studio are separate WebAssembly modules: a page that only plays scenes does
//! not need the language front ends, which are half of the bytes. The studio runs in a
//! worker, so that neither its work nor a crash of a front end stalls the picture.
//!
//! # JavaScript interface
//!
//! `scripts/web.sh --wasm` writes `target/wasm/player.js` and `target/wasm/studio.js` (ES
//! modules) with their `.d.ts` and `_bg.wasm`, and the built-in scenes as
//! `target/wasm/scenes/NAME.json`. JSON is passed as a string. Every function that can
//! fail throws an `Error` whose message is one sentence.
//!
//! ```ts
//! // studio.js
//! default function init({module_or_path}): Promise<…>   // URL, Response or bytes
//! function scenes(): string        // [{name, title, text}], the built-in scenes
//! function library(): string       // [{module, text, items: [{name, kind, signature, doc}]}]
//! function debugViews(): string    // [name], the debug views
//! function compose(files: string, debugView?: string): string  // Composed
//! function toShadertoy(files: string, values: string): string
//!     // {files: {name: text}, notes: [sentence]}
//!
//! // player.js
//! default function init({module_or_path}): Promise<…>
//! function snapshotOf(png: Uint8Array): string | undefined // JSON snapshot of a picture by tarsus
//!
//! class Viewer {
//!   static create(canvas: HTMLCanvasElement, backend: "webgpu" | "webgl2"): Promise<Viewer>
//!   load(composed: string): Promise<Loaded> // on errors, the last good picture remains
//!   frame(now: number): boolean          // one animation frame; false: idle until the next input
//!   loseContext()                        // on `webglcontextlost`; a later frame restores the scene
//!   resize(width: number, height: number, ratio: number)  // CSS pixels, devicePixelRatio
//!   pointer(kind: "down" | "move" | "up" | "leave", button: number, x: number, y: number)
//!   touch(kind: "down" | "move" | "up", finger: number, x: number, y: number)
//!   wheel(deltaY: number)                // like positions, in CSS pixels
//!   key(code: number, down: boolean)     // KeyboardEvent.keyCode
//!   releaseAll()                         // when the canvas loses focus
//!   setPaused(paused: boolean); restart(); seek(seconds: number); step(frames: number)
//!   changeSpeed(faster: boolean)         // to the next step between 0.1 and 4
//!   values(): Record<string, number[]>   // components by name, including defaults
//!   setValue(name: string, components: number[]): void
//!   resetView()                          // camera and parameters
//!   setScale(scale?: number)             // adaptive unless set
//!   screenshot(compress: (bytes: Uint8Array) => Promise<Uint8Array>, files?: string): Promise<Uint8Array>
//!       // PNG with its snapshot and these sources, compressed with zlib by the page
//!   sound(first: number, count: number): Promise<Float32Array> // samples: left, then right
//!   snapshot(): string; openSnapshot(snapshot: string)
//!   startRecording(); stopRecording(): string
//!   replay(timeline: string)
//!   setChannel(name: string, rgba: Uint8Array, width: number, height: number)
//!   setTexels(name: string, bytes: Uint8Array, format: "grey8" | "rgba8" | "rgba16f",
//!       width: number, height: number, layers: number)
//!   rest()                               // stops time until the next call of frame()
//!   state(): State
//!   contents(): {name: string, detail: string}[] // buffers and channels
//!   showTexture(number: number)          // shows one of them, from 1; 0: the scene's picture
//!   free()
//! }
//! ```
//!
//! `files` is `{main, files: {name: text}}`. `main` names one of the files or a built-in
//! scene. If it names neither, the files are passes, with an `Image.glsl` among them.
//!
//! `Diagnostic` is `{severity, message, file, line, from, to, label, notes}`. Lines count
//! from 1; `from` and `to` count UTF-16 units from the start of the file, like JavaScript
//! strings. These three are `null` if the diagnostic concerns the file as a whole.
//!
//! A diagnostic of `Loaded` has a `function` if the browser's compiler reported one.
//!
//! `Composed` is `{ok, diagnostics, main, debugView, program}`. If `ok` is false, only the
//! diagnostics are present. The program can only be read by [`tarsus_shader::unpack`].
//!
//! `Loaded` is `{ok, diagnostics, parameters, channels, size, period, debugView, animated,
//! sound, readsPointer, readsCamera, readsKeyboard}`. `size` is the `[width, height]` in pixels
//! that the scene declares, or null. If `ok` is false, only the diagnostics are present; there are
//! none if another load was requested meanwhile. `isLost` is true if the device was lost.
//! A parameter is `{name, label, kind, min, max, default, components, options, whole}`,
//! with the kind `slider`, `switch`, `choice` or `color`; `whole` tells that it takes only whole
//! numbers. A channel is `{name, files, flat}`: one that
//! has files, or nothing bound to it; `flat` is true for a texture that is no cube or volume.
//!
//! `State` is `{backend, isSoftware, isLost, isDrawn, isSettled, isPresented, followsTime,
//! isPaused, speed, time, frame, recorded, fps, scale, samples, waiting, busy, error}`, all of
//! which `web/src/viewer.ts` describes.

mod catalog;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod channels;
mod composed;
mod convert;
mod files;
mod report;
mod snapshot;

#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod browser;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod page;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod player;
#[cfg(all(target_arch = "wasm32", feature = "player"))]
mod screen;
#[cfg(all(target_arch = "wasm32", feature = "studio"))]
mod studio;

use tarsus_shader::{Builtins, Library};

pub use catalog::{modules, scenes};
pub use composed::Composed;
pub use convert::shadertoy_files;
pub use files::{compose_files, compose_sources, parse_files};
pub use report::{diagnostics, failed, loaded, lost, one_line, rejected, superseded};
pub use snapshot::{picture_file, rows_to_compress, snapshot_in};

/// The built-in scenes and modules, with a front end for GLSL.
pub fn library() -> Library {
    let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
    Library::new(builtins).with_front_end(tarsus_glsl::GLSL)
}

/// Converts a message to an exception. Takes it by value for `map_err`.
#[cfg(all(target_arch = "wasm32", any(feature = "player", feature = "studio")))]
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn js_error(message: String) -> wasm_bindgen::JsError {
    wasm_bindgen::JsError::new(&message)
}
