//! Hostile input of every kind, made of the repository's own files by edits that
//! know their form: each gives a result or one sentence, never a panic, a crash or a
//! wait. Cases come from fixed seeds, and runs are as long as a number of cases says:
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
mod moments;
mod parameters;
mod shadertoy;
mod timelines;
mod wgsl;
