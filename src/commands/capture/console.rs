//! Messages of a run: for people or, with `--json`, for programs.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, anyhow};
use serde::Serialize;

use crate::cli::ReportArgs;
use crate::message::{Message, Progress};
use crate::stdout::print_error;
use tarsus_capture::{Stage, Step};
use tarsus_files::printable;
use tarsus_shader::Diagnostic;

/// Messages on standard error, and the summary.
impl ReportArgs {
    /// Prints a message; only errors if quiet.
    pub(super) fn print(self, message: &Message) {
        if !self.quiet || matches!(message, Message::Error(_)) {
            message.print(self.json);
        }
    }

    pub(super) fn note(self, text: impl Into<String>) {
        self.print(&Message::Note(text.into()));
    }

    pub(super) fn warn(self, text: impl Into<String>) {
        self.print(&Message::Warning(text.into()));
    }

    /// Prints a warning, or fails with `--strict`.
    ///
    /// # Errors
    /// [`strict_error`] of the warning.
    pub(super) fn warn_or_fail(self, text: impl Into<String>) -> Result<()> {
        if self.strict {
            return Err(strict_error(&text.into()));
        }
        self.warn(text);
        Ok(())
    }

    /// Prints a warning about the scene's source.
    pub(super) fn diagnostic(self, warning: &Diagnostic) {
        let text = warning.to_string();
        self.warn(text.strip_prefix("warning: ").unwrap_or(&text));
    }

    /// Prints the summary to standard output, or to standard error if the pictures go
    /// there.
    pub(super) fn summarize(self, summary: &impl Serialize, text: &str, is_stdout_taken: bool) {
        let text = match (self.json, self.quiet) {
            // Numbers, strings and field names always serialize to JSON.
            (true, _) => serde_json::to_string(summary).unwrap_or_default(),
            (false, true) => return,
            (false, false) => printable(text),
        };
        if is_stdout_taken {
            eprintln!("{text}");
        } else {
            println!("{text}");
        }
    }
}

/// Error for what is a warning or a note without `--strict`.
pub(super) fn strict_error(text: &str) -> Error {
    anyhow!("{text} (an error because of `--strict`)")
}

/// Prints the progress of a run: one line that changes on a terminal, periodic lines elsewhere.
pub(super) struct ProgressPrinter {
    report: ReportArgs,
    is_terminal: bool,
    /// Pace of each stage; that of the buffers since the last picture.
    paces: [Pace; 3],
    /// Time of the last printed progress; at first `None` on a terminal, which shows progress at
    /// once.
    last: Option<Instant>,
    /// Characters of the changing line.
    width: usize,
}

impl ProgressPrinter {
    pub(super) fn new(report: ReportArgs) -> Self {
        let is_terminal = !report.json && !report.quiet && std::io::stderr().is_terminal();
        let last = (!is_terminal).then(Instant::now);
        Self { report, is_terminal, paces: Default::default(), last, width: 0 }
    }

    /// Reports the current activity of the run.
    pub(super) fn update(&mut self, step: Step<'_>) {
        match step {
            Step::Restored(frame) => {
                self.clear();
                self.report.note(format!("restored the checkpoint after frame {frame}"));
            }
            Step::Warning(text) => {
                self.clear();
                self.report.warn(text);
            }
            Step::Finishing => self.clear(),
            Step::Progress { stage, done, total } => {
                if stage == Stage::Frames {
                    // Drawing is no part of the time that the buffers take.
                    self.paces[Stage::Buffers as usize] = Pace::default();
                }
                let rate = self.paces[stage as usize].rate(done, Instant::now());
                if rate.is_some() || (self.is_terminal && total > 1) {
                    self.print(Progress { step: stage, done, total, rate: rate.unwrap_or(0.0) });
                }
            }
        }
    }

    /// Removes the changing line.
    pub(super) fn clear(&mut self) {
        if self.width > 0 {
            self.show("");
            print_error(format_args!("\r"));
        }
    }

    /// Writes `text` over the changing line.
    fn show(&mut self, text: &str) {
        // Blanks cover the rest of a longer line. More of them would wrap in a narrow terminal.
        print_error(format_args!("\r{text:width$}", width = self.width));
        self.width = text.chars().count();
    }

    fn print(&mut self, progress: Progress) {
        let interval = Duration::from_millis(match (self.is_terminal, self.report.json) {
            (true, _) => 100,
            (false, true) => 1000,
            (false, false) => 5000,
        });
        if self.last.is_some_and(|last| last.elapsed() < interval) {
            return;
        }
        self.last = Some(Instant::now());
        if self.is_terminal {
            self.show(&progress.to_string());
        } else {
            self.report.print(&Message::Progress(progress));
        }
    }
}

/// Rate of a step, measured from the end of its first frame: drivers compile during that frame.
#[derive(Default)]
struct Pace {
    /// Position at the first call.
    first: Option<u64>,
    /// Position and time at the end of the first frame.
    begin: Option<(u64, Instant)>,
}

impl Pace {
    /// Frames per second when the position is `done`, once there is a second frame.
    fn rate(&mut self, done: u64, now: Instant) -> Option<f64> {
        if *self.first.get_or_insert(done) == done {
            return None;
        }
        let (first, begin) = *self.begin.get_or_insert((done, now));
        let seconds = now.duration_since(begin).as_secs_f64();
        (done > first && seconds > 0.0).then(|| (done - first) as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_excludes_first_frame() {
        let mut pace = Pace::default();
        let begin = Instant::now();
        let mut rate = |done, seconds| pace.rate(done, begin + Duration::from_secs(seconds));
        assert_eq!([rate(0, 0), rate(0, 50), rate(1, 60)], [None; 3]);
        assert_eq!([rate(2, 62), rate(11, 65)], [Some(0.5), Some(2.0)]);
    }

    #[test]
    fn pace_of_buffers_excludes_drawing() {
        let quiet = ReportArgs { quiet: true, ..ReportArgs::default() };
        let mut progress = ProgressPrinter::new(quiet);
        for done in 0..3 {
            progress.update(Step::Progress { stage: Stage::Buffers, done, total: 9 });
        }
        assert!(progress.paces[Stage::Buffers as usize].begin.is_some());
        progress.update(Step::Progress { stage: Stage::Frames, done: 1, total: 2 });
        progress.update(Step::Progress { stage: Stage::Buffers, done: 3, total: 9 });
        assert!(progress.paces[Stage::Buffers as usize].begin.is_none());
    }

    #[test]
    fn pace_of_resumed_step_excludes_earlier_frames() {
        let mut pace = Pace::default();
        let begin = Instant::now();
        let mut rate = |done, seconds| pace.rate(done, begin + Duration::from_secs(seconds));
        assert_eq!([rate(500, 0), rate(501, 9), rate(503, 10)], [None, None, Some(2.0)]);
    }
}
