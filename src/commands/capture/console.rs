//! Messages of a run: for people or, with `--json`, for programs.

use std::fmt;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;

use crate::cli::ReportArgs;
use crate::message::{Message, Progress, Step};
use tarsus_capture as capture;
use tarsus_files::printable;
use tarsus_shader::Diagnostic;

/// Prints messages to standard error and the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Console {
    is_json: bool,
    is_quiet: bool,
}

impl Console {
    pub(super) fn new(args: &ReportArgs) -> Self {
        Self { is_json: args.json, is_quiet: args.quiet }
    }

    /// Prints a message; only errors if quiet.
    pub(super) fn print(self, message: &Message) {
        if self.is_quiet && !matches!(message, Message::Error(_)) {
            return;
        }
        match self.is_json {
            true => eprintln!("{}", message.to_json()),
            false => eprintln!("{}", printable(&message.to_string())),
        }
    }

    pub(super) fn note(self, text: impl Into<String>) {
        self.print(&Message::Note(text.into()));
    }

    pub(super) fn warn(self, text: impl Into<String>) {
        self.print(&Message::Warning(text.into()));
    }

    /// Prints a warning about the scene's source.
    pub(super) fn diagnostic(self, warning: &Diagnostic) {
        let text = warning.to_string();
        self.warn(text.strip_prefix("warning: ").unwrap_or(&text));
    }

    /// Prints the summary to standard output, or to standard error if the pictures go
    /// there.
    pub(super) fn summarize(self, summary: &impl Serialize, text: &str, is_stdout_taken: bool) {
        let text = match (self.is_json, self.is_quiet) {
            // Numbers, strings and field names always serialize to JSON.
            (true, _) => serde_json::to_string(summary).unwrap_or_default(),
            (false, true) => return,
            (false, false) => printable(text),
        };
        if is_stdout_taken {
            eprintln!("{text}");
        } else {
            // A closed pipe is no failure: the pictures are written.
            let _ = writeln!(std::io::stdout(), "{text}");
        }
    }
}

/// Prints the progress of a run: a bar on a terminal, periodic lines elsewhere.
pub(super) struct ProgressPrinter {
    console: Console,
    /// `None` if standard error is no terminal or the messages are JSON.
    bar: Option<ProgressBar>,
    /// Number of pictures; a single picture needs no bar.
    total: u64,
    /// Step that the rate refers to, its first position and its start.
    step: Option<(Step, u64, Instant)>,
    /// Time of the last printed line.
    last: Instant,
}

impl ProgressPrinter {
    pub(super) fn new(total: usize, console: Console) -> Self {
        let has_bar = !console.is_json && !console.is_quiet && std::io::stderr().is_terminal();
        Self {
            console,
            bar: has_bar.then(ProgressBar::no_length),
            total: total as u64,
            step: None,
            last: Instant::now(),
        }
    }

    /// Reports the current activity of the run.
    pub(super) fn update(&mut self, step: capture::Step<'_>) {
        match step {
            capture::Step::Restored(frame) => {
                let text = format!("restored the checkpoint after frame {frame}");
                self.suspend(|console| console.note(text));
            }
            capture::Step::Ignored(error) => {
                self.suspend(|console| console.warn(error.to_string()));
            }
            capture::Step::Outdated(reason) => self.suspend(|console| console.warn(reason)),
            capture::Step::Finishing => {}
            capture::Step::Drawing(begun) => {
                self.advance(Step::Frames, begun as u64, self.total);
            }
            capture::Step::Running { number, last } => {
                self.advance(Step::Buffers, u64::from(number), u64::from(last));
            }
            capture::Step::Sounding { done, total } => {
                self.advance(Step::Sound, done as u64, total as u64);
            }
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Prints a message without disturbing the bar.
    fn suspend(&self, print: impl FnOnce(Console)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(self.console)),
            None => print(self.console),
        }
    }

    fn advance(&mut self, step: Step, done: u64, total: u64) {
        let is_new = self.step.is_none_or(|(current, ..)| current != step);
        if is_new {
            self.step = Some((step, done, Instant::now()));
        }
        match &self.bar {
            Some(bar) if step != Step::Frames || total > 1 => {
                if is_new || bar.length() != Some(total) {
                    restart(bar, step, total);
                }
                bar.set_position(done);
            }
            Some(_) => {}
            None => self.print_line(step, done, total),
        }
    }

    fn print_line(&mut self, step: Step, done: u64, total: u64) {
        let interval = match self.console.is_json {
            true => Duration::from_secs(1),
            false => Duration::from_secs(5),
        };
        let Some((_, first, start)) = self.step else {
            return;
        };
        // The rate needs a frame and some time.
        let waited = self.last.elapsed().min(start.elapsed());
        if waited < interval || done <= first {
            return;
        }
        self.last = Instant::now();
        self.console.print(&Message::Progress(Progress {
            step,
            done,
            total,
            rate: (done - first) as f64 / start.elapsed().as_secs_f64(),
        }));
    }
}

/// Restarts the bar and its speed estimate for another step.
fn restart(bar: &ProgressBar, step: Step, total: u64) {
    let style = ProgressStyle::with_template(match step {
        Step::Frames => "{bar:32} {pos}/{len} frames{pace}",
        Step::Buffers => "{bar:32} running frame {pos} of {len}{pace}",
        Step::Sound => "{bar:32} sound of frame {pos} of {len}{pace}",
    });
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("pace", |state: &ProgressState, out: &mut dyn fmt::Write| {
        if state.pos() > 0 {
            let _ =
                write!(out, ", {:.1} fps, {} left", state.per_sec(), HumanDuration(state.eta()));
        }
    }));
    bar.set_length(total);
    bar.set_position(0);
    bar.reset_eta();
}
