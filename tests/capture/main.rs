//! The program as a user runs it: `capture`, `bench` and the other commands
//! that open no window.

mod common;

mod bench;
mod bytes;
mod channels;
mod checkpoints;
mod cli;
#[cfg(unix)]
mod export;
mod failures;
mod formats;
mod hostile;
mod limits;
#[cfg(unix)]
mod machines;
#[cfg(target_os = "linux")]
mod memory;
mod quality;
mod replay;
mod resume;
mod sound;
mod state;
