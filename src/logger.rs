//! The log of the crates, printed on standard error: warnings or, with `--verbose`, what the
//! program does and when.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

use crate::message::Message;

struct Logger {
    is_verbose: bool,
    /// Print [`Message`]s as JSON, as the rest of the program does.
    is_json: bool,
    start: Instant,
}

impl Log for Logger {
    /// True for the crates of this workspace. Drivers and libraries warn about much that users
    /// cannot change, so their warnings appear only in the verbose log.
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let is_own = metadata.target().starts_with("tarsus");
        is_own || self.is_verbose && metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let time = self.is_verbose.then(|| self.start.elapsed());
            message(record, time).print(self.is_json);
        }
    }

    fn flush(&self) {}
}

/// Starts to print the log, only errors if it `is_quiet` and not verbose.
pub(crate) fn install(is_verbose: bool, is_quiet: bool, is_json: bool) {
    static LOGGER: OnceLock<Logger> = OnceLock::new();
    let logger = LOGGER.get_or_init(|| Logger { is_verbose, is_json, start: Instant::now() });
    // Fails only if there is a logger already.
    if log::set_logger(logger).is_ok() {
        log::set_max_level(match (is_verbose, is_quiet) {
            (true, _) => LevelFilter::Info,
            (false, true) => LevelFilter::Error,
            (false, false) => LevelFilter::Warn,
        });
    }
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    log::info!("tarsus {} on {os} {arch}, arguments {arguments:?}", env!("CARGO_PKG_VERSION"));
}

/// The message of a record, which starts with the time since the start of the program.
fn message(record: &Record<'_>, time: Option<Duration>) -> Message {
    let time = time.map(|time| format!("[{:7.3} s] ", time.as_secs_f64()));
    let text = format!("{}{}", time.unwrap_or_default(), record.args());
    match record.level() {
        Level::Error => Message::Error(text),
        Level::Warn => Message::Warning(text),
        _ => Message::Note(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logger(is_verbose: bool) -> Logger {
        Logger { is_verbose, is_json: false, start: Instant::now() }
    }

    #[test]
    fn warnings_of_libraries_need_verbose_log() {
        for (target, level, shown) in [
            ("tarsus_render::llvmpipe", Level::Warn, [true, true]),
            ("tarsus_render::llvmpipe", Level::Info, [true, true]),
            ("wgpu_hal::vulkan", Level::Warn, [false, true]),
            ("wgpu_hal::vulkan", Level::Info, [false, false]),
        ] {
            let metadata = Metadata::builder().target(target).level(level).build();
            let enabled = [false, true].map(|is_verbose| logger(is_verbose).enabled(&metadata));
            assert_eq!(enabled, shown, "{target} {level}");
        }
    }

    #[test]
    fn levels_become_messages() {
        let time = Some(Duration::from_millis(1250));
        for (level, time, expected) in [
            (Level::Info, time, Message::Note("[  1.250 s] read a".to_owned())),
            (Level::Warn, None, Message::Warning("read a".to_owned())),
        ] {
            let record = Record::builder().level(level).args(format_args!("read a")).build();
            assert_eq!(message(&record, time), expected);
        }
    }
}
