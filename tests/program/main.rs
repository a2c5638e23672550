//! Tests of the program as a user runs it: `capture`, `bench` and the other commands that
//! open no window.

mod common;

mod bench;
mod bytes;
mod channels;
mod checkpoints;
mod cli;
#[cfg(target_os = "linux")]
mod durable;
#[cfg(unix)]
mod export;
#[cfg(unix)]
mod failures;
mod formats;
mod hostile;
#[cfg(feature = "glsl")]
mod import;
#[cfg(unix)]
mod kills;
mod limits;
#[cfg(unix)]
mod machines;
#[cfg(target_os = "linux")]
mod memory;
mod merge;
mod overwrite;
mod page;
mod quality;
mod replay;
mod resume;
mod runaway;
#[cfg(target_os = "linux")]
mod scarce;
mod sound;
mod state;
mod stored;
