//! Progress output of a run.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tarsus_capture::Step;
use tarsus_files::printable;

/// A bar on a terminal, periodic lines elsewhere, nothing when quiet.
pub(super) enum Progress {
    Bar(Bar),
    Lines(Lines),
    Silent,
}

/// The progress bar.
pub(super) struct Bar {
    bar: ProgressBar,
    /// Number of pictures; a single picture needs no bar.
    total: usize,
    /// Current template; a new template restarts the speed estimate.
    template: &'static str,
}

/// Periodic progress lines.
pub(super) struct Lines {
    total: usize,
    start: Instant,
    last: Instant,
}

impl Progress {
    pub(super) fn new(total: usize, quiet: bool) -> Self {
        if quiet {
            return Self::Silent;
        }
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::no_length();
            return Self::Bar(Bar {
                bar,
                total,
                template: "",
            });
        }
        let now = Instant::now();
        Self::Lines(Lines {
            total,
            start: now,
            last: now,
        })
    }

    /// Reports that the run is at `step`.
    pub(super) fn at(&mut self, step: Step<'_>) {
        if let Some(line) = line(step) {
            self.say(&line);
        }
        match self {
            Self::Bar(bar) => bar.at(step),
            Self::Lines(lines) => lines.at(step),
            Self::Silent => {}
        }
    }

    fn say(&self, line: &str) {
        match self {
            Self::Bar(Bar { bar, .. }) => bar.suspend(|| eprintln!("{line}")),
            Self::Lines(_) => eprintln!("{line}"),
            Self::Silent => {}
        }
    }

    pub(super) fn clear(&self) {
        if let Self::Bar(Bar { bar, .. }) = self {
            bar.finish_and_clear();
        }
    }
}

/// Message to print once for `step`, in any form of progress output.
fn line(step: Step<'_>) -> Option<String> {
    match step {
        Step::Restored(frame) => Some(format!("begun at the checkpoint after frame {frame}")),
        Step::Ignored(error) => Some(format!("warning: {}", printable(&error.to_string()))),
        Step::Drawing(_) | Step::Running { .. } | Step::Sounding { .. } | Step::Finishing => None,
    }
}

impl Bar {
    fn at(&mut self, step: Step<'_>) {
        match step {
            Step::Drawing(begun) if self.total > 1 => {
                let template = "{bar:32} {pos}/{len} frames, {per_sec}, {eta} left";
                self.show(begun as u64, self.total as u64, template);
            }
            Step::Drawing(_) | Step::Restored(_) | Step::Ignored(_) | Step::Finishing => {}
            Step::Running { number, until } => {
                let template = "{bar:32} running frame {pos} of {len}, {per_sec}, {eta} left";
                self.show(u64::from(number), u64::from(until), template);
            }
            Step::Sounding { done, until } => {
                let template = "{bar:32} sound of frame {pos} of {len}, {per_sec}, {eta} left";
                self.show(done as u64, until as u64, template);
            }
        }
    }

    fn show(&mut self, position: u64, length: u64, template: &'static str) {
        if self.template != template || self.bar.length() != Some(length) {
            self.template = template;
            let style = ProgressStyle::with_template(template);
            self.bar
                .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar.set_length(length);
            self.bar.set_position(position);
            self.bar.reset_eta();
        }
        self.bar.set_position(position);
    }
}

impl Lines {
    const EVERY: Duration = Duration::from_secs(5);

    fn at(&mut self, step: Step<'_>) {
        if self.last.elapsed() < Self::EVERY {
            return;
        }
        match step {
            Step::Drawing(begun) if begun > 0 => {
                let rate = begun as f64 / self.start.elapsed().as_secs_f64();
                let left = self.total.saturating_sub(begun) as f64 / rate;
                let total = self.total;
                eprintln!("{begun}/{total} frames, {rate:.1} fps, {left:.0} s left");
            }
            Step::Drawing(_) | Step::Restored(_) | Step::Ignored(_) | Step::Finishing => return,
            Step::Running { number, until } => eprintln!("running frame {number} of {until}"),
            Step::Sounding { done, until } => eprintln!("sound of frame {done} of {until}"),
        }
        self.last = Instant::now();
    }
}
