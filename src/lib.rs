//! tarsus: a shader toy for legs, and the two-bone solver under it.
//!
//! # Floors
//!
//! Each module is a floor that may use those above it in this list and never
//! those below; each is a feature of its own:
//!
//! | module | feature | what it is |
//! |---|---|---|
//! | [`ik`] | none | the solver, for targets without an operating system too |
//! | `shader` | `render` | texts to a checked `Program`: imports, errors, parameters, bindings |
//! | `render` | `render` | a `Program` to pixels, in your encoder and on your device if you like |
//! | `player` | `player` | time and input: what a scene reads, and when |
//! | `live` | `live` | a live picture on its way to a screen |
//! | `media` | `media` | what scenes read from files: pictures, volumes, films, sound |
//! | `capture` | `capture` | frames by number into files |
//! | `window` | `window` | the live window |
//! | `web` | `web`, `studio` | the same player and renderer on a canvas of a page |
//!
//! # The way of a picture
//!
//! ```text
//! Scene ─► Program ─► Renderer ── encode ─► command encoder ─► target view
//!                        ▲
//! SceneState ─► Frame ───┘
//! ```
//!
//! A `shader::Scene` is a text. `shader::compose` resolves its imports, checks it
//! and reflects what it binds: a `shader::Program`, which knows no device.
//! `render::Renderer` encodes its passes. What a scene reads is a
//! `player::SceneState`, from which the `render::Frame` uniform is derived.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "capture")]
pub mod capture;
pub mod ik;
#[cfg(feature = "live")]
pub mod live;
#[cfg(feature = "media")]
pub mod media;
#[cfg(feature = "player")]
pub mod player;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "render")]
pub mod shader;
#[cfg(any(feature = "studio", feature = "web"))]
pub mod web;
#[cfg(feature = "window")]
pub mod window;

/// Compiles the Rust code of the README.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
