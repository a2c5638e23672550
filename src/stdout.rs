//! Standard output.
//!
//! `std::println!` panics when the reader is gone, as in `tarsus scenes | head -1`. Here the
//! text is dropped, so that the command ends with its own exit code. Any other failure is an
//! error.

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

/// Prints `text`; ends the program if that fails although there is a reader.
pub(crate) fn print(text: Arguments<'_>) {
    match stdout().write_fmt(text) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            eprintln!("tarsus: cannot write to standard output: {error}");
            exit(1);
        }
    }
}
