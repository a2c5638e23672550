//! Standard output.
//!
//! `std::println!` panics when the reader is gone, as in `tarsus scenes | head -1`. Here the
//! program then ends quietly, and any other failure is an error.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _, stdout};
use std::process::exit;

/// Prints like `std::print!`.
macro_rules! print {
    ($($text:tt)*) => { $crate::stdout::print(format_args!($($text)*)) };
}

/// Prints like `std::println!`.
macro_rules! println {
    () => { print!("\n") };
    ($($text:tt)*) => { print!("{}\n", format_args!($($text)*)) };
}

/// Prints `text`, or ends the program.
pub(crate) fn print(text: Arguments<'_>) {
    match stdout().write_fmt(text) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            eprintln!("tarsus: cannot write to standard output: {error}");
            exit(1);
        }
    }
}
