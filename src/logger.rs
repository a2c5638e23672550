//! Warnings in the log of the crates, printed on standard error.

use log::{LevelFilter, Log, Metadata, Record};
use tarsus_files::printable;

struct Logger;

impl Log for Logger {
    /// True for the crates of this workspace; drivers and libraries warn about much that users
    /// cannot change.
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tarsus")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{}", line(record));
        }
    }

    fn flush(&self) {}
}

/// Prints warnings from now on.
pub(crate) fn install() {
    // Fails only if there is a logger already.
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

fn line(record: &Record<'_>) -> String {
    let level = match record.level() {
        log::Level::Error => "error",
        _ => "warning",
    };
    format!("{level}: {}", printable(&record.args().to_string()))
}

#[cfg(test)]
mod tests {
    use log::{Level, Log as _, Metadata, Record};

    use super::{Logger, line};

    #[test]
    fn own_warnings_take_one_line() {
        let mut record = Record::builder();
        record.level(Level::Warn).target("tarsus_render::llvmpipe");
        let record = record.args(format_args!("cannot a\u{1b}: b")).build();
        let line = line(&record);
        assert!(line.starts_with("warning: cannot a"), "{line}");
        assert!(!line.contains('\u{1b}'), "{line}");
        for (target, is_shown) in [("tarsus_render::llvmpipe", true), ("wgpu_hal::gles", false)] {
            let metadata = Metadata::builder().target(target).level(Level::Warn).build();
            assert_eq!(Logger.enabled(&metadata), is_shown, "{target}");
        }
    }
}
