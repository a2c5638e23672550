//! Standard output and standard error.
//!
//! `std::println!` panics when the reader is gone, as in `tarsus scenes | head -1`. Here the
//! text is dropped, so that the command ends with its own exit code. Any other failure of
//! standard output is an error. `std::eprintln!` panics likewise, but no failure of standard
//! error can be reported, so here it never ends a run.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _, stderr, stdout};
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

/// Prints like `std::eprintln!`.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::stdout::print_error(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints `text` on standard error if possible.
pub(crate) fn print_error(text: Arguments<'_>) {
    let _ = stderr().write_fmt(text);
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
