//! Fuzz tests: hostile input of every kind, made from the repository's own files by
//! structure-aware edits. Each case gives a result or an error message, never a panic, a
//! crash or a hang. Cases come from fixed seeds, and their number sets the length of a
//! run:
//!
//! ```text
//! cargo test --all-features --test fuzz                     a short run
//! scripts/fuzz.sh wgsl 1000000                              a long one
//! ```

mod bytes;
mod harness;
mod text;

mod channels;
mod command_line;
mod glsl;
mod parameters;
mod shadertoy;
mod snapshots;
mod timelines;
mod wgsl;
