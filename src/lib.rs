//! tarsus: a shader toy for legs, and the two-bone solver under it.
//!
//! # The solver alone
//!
//! With `default-features = false` this crate is [`ik`] and nothing else.
//!
//! # The way of a picture
//!
//! A `scene::Scene` is a WGSL text. `shader::compose` resolves its
//! imports, adds entry points and validates it; `renderer::Renderer` makes a
//! pipeline of it and draws a `frame::Frame` into any target. The renderer
//! knows nothing of windows, clocks or files; `capture` feeds it frame times
//! and carries the pixels to files.
//!
//! # Objects by lifetime
//!
//! - once: `gpu::Gpu`, `shader::Library`;
//! - per scene: `shader::Composed`, `renderer::Renderer`;
//! - per size: `capture::Offscreen`;
//! - per frame: `frame::Frame`, `capture::Picture`.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "render")]
pub mod accumulate;
#[cfg(feature = "app")]
pub mod bench;
#[cfg(feature = "app")]
pub mod capture;
#[cfg(feature = "app")]
pub mod cli;
#[cfg(feature = "app")]
pub mod commands;
#[cfg(feature = "app")]
pub mod files;
#[cfg(feature = "render")]
pub mod fingerprint;
#[cfg(feature = "render")]
pub mod frame;
#[cfg(feature = "render")]
pub mod gpu;
pub mod ik;
#[cfg(feature = "render")]
pub mod input;
#[cfg(feature = "render")]
pub mod keyboard;
#[cfg(feature = "app")]
pub mod moment;
#[cfg(feature = "render")]
pub mod renderer;
#[cfg(feature = "render")]
pub mod scene;
#[cfg(feature = "render")]
pub mod shader;
#[cfg(feature = "app")]
pub mod timeline;
#[cfg(feature = "app")]
pub mod window;
