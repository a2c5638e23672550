//! How far a run is, for people.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal, a line now and then elsewhere, nothing when quiet.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines {
        total: usize,
        start: Instant,
        last: Instant,
    },
    Silent,
}

impl Progress {
    const LINE_EVERY: Duration = Duration::from_secs(5);

    pub(super) fn new(total: usize, quiet: bool) -> Self {
        if quiet || total < 2 {
            return Self::Silent;
        }
        if std::io::stderr().is_terminal() {
            let style =
                ProgressStyle::with_template("{bar:32} {pos}/{len} frames, {per_sec}, {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            return Self::Bar(ProgressBar::new(total as u64).with_style(style));
        }
        Self::Lines {
            total,
            start: Instant::now(),
            last: Instant::now(),
        }
    }

    pub(super) fn begun(&mut self, begun: usize) {
        match self {
            Self::Bar(bar) => bar.set_position(begun as u64),
            Self::Lines { total, start, last }
                if begun > 0 && last.elapsed() >= Self::LINE_EVERY =>
            {
                *last = Instant::now();
                let rate = begun as f64 / start.elapsed().as_secs_f64();
                let left = (*total).saturating_sub(begun) as f64 / rate;
                eprintln!("{begun}/{total} frames, {rate:.1} fps, {left:.0} s left");
            }
            Self::Lines { .. } | Self::Silent => {}
        }
    }

    pub(super) fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
