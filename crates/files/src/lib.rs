//! Files and processes for all layers: bounded reading, atomic writing, output locks, clean-up
//! before the process ends, and text that is safe to print on a terminal.

mod cleanup;
mod error;
mod lock;
mod printable;
mod process;
mod read;
mod write;

pub use self::cleanup::exit_process;
pub use self::error::FileError;
pub use self::lock::{Busy, Claim, OutputLock};
pub use self::printable::printable;
pub use self::process::ChildProcess;
pub use self::read::{open, read, read_text, without_mark};
pub use self::write::{
    PartFile, folder_of, follow_links, is_special, make_folder, remove_parts, write, write_new,
    write_with,
};
