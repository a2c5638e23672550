//! State of the overlay and when it must be redrawn. Times are real time in seconds since
//! the window opened.

use super::compiling::Compiling;
use super::picker::Picker;
use super::toasts::Toasts;

/// Visible parts of the overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Status, parameters and messages.
    #[default]
    Status,
    /// The help sheet in addition.
    Help,
    /// Only errors.
    Hidden,
}

impl Mode {
    /// The next mode in the order status, help, hidden.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Status => Self::Help,
            Self::Help => Self::Hidden,
            Self::Hidden => Self::Status,
        }
    }
}

/// State of the overlay, and whether it needs a redraw.
#[derive(Debug)]
pub(super) struct Ui {
    /// Visible parts.
    pub(super) mode: Mode,
    /// Short messages.
    pub(super) toasts: Toasts,
    /// Error of the scene or the device.
    pub(super) error: Option<String>,
    /// The grid of scenes, while it is open.
    pub(super) picker: Option<Picker>,
    /// True while the panel of buffers and channels is open.
    pub(super) panel: bool,
    /// Index of the panel tile shown instead of the picture.
    pub(super) look: Option<usize>,
    /// Progress of the scene being prepared.
    pub(super) compiling: Compiling,
    /// True if the window does not show the newest picture or overlay.
    pub(super) redraw: bool,
    /// Time at which the overlay must be redrawn without other events.
    overlay_at: Option<f64>,
    /// Number of samples of the still on screen.
    samples_shown: u32,
}

impl Ui {
    /// Creates an empty overlay that needs its first draw.
    pub(super) fn new() -> Self {
        Self {
            mode: Mode::default(),
            toasts: Toasts::default(),
            error: None,
            picker: None,
            panel: false,
            look: None,
            compiling: Compiling::default(),
            redraw: true,
            overlay_at: None,
            samples_shown: 0,
        }
    }

    /// Shows a message for a few seconds.
    pub(super) fn say(&mut self, now: f64, text: impl Into<String>) {
        self.toasts.say(now, text);
        self.redraw = true;
    }

    /// Shows an error until it is fixed.
    pub(super) fn fail(&mut self, error: String) {
        self.error = Some(error);
        self.redraw = true;
    }

    /// Requests a redraw if the overlay is due at `now`.
    pub(super) fn advance(&mut self, now: f64) {
        if self.overlay_at.take_if(|at| *at <= now).is_some() {
            self.redraw = true;
        }
    }

    /// Time at which the overlay changes without other events.
    pub(super) fn deadline(&self) -> Option<f64> {
        self.overlay_at
    }

    /// Handles progress of the still; only complete samples need a redraw.
    pub(super) fn refined(&mut self, samples: u32) {
        self.redraw |= samples != self.samples_shown;
    }

    /// Records that a still of `samples` samples was presented. `overlay_at` is the time of
    /// egui's next repaint.
    pub(super) fn presented(&mut self, now: f64, samples: u32, overlay_at: Option<f64>) {
        self.samples_shown = samples;
        let own = earliest(
            self.toasts.next_change(now),
            self.compiling.next_change(now),
        );
        self.overlay_at = earliest(overlay_at, own);
    }
}

/// The earlier of two optional times.
pub(super) fn earliest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Ui {
        let mut ui = Ui::new();
        ui.redraw = false;
        ui
    }

    #[test]
    fn message_expiry_redraws_overlay() {
        let mut ui = shown();
        ui.say(1.0, "hello");
        assert!(std::mem::take(&mut ui.redraw));
        ui.presented(1.0, 0, Some(100.0));
        let gone = ui.deadline().expect("a time");
        assert!(gone > 1.0 && gone < 100.0);
        ui.advance(gone - 0.01);
        assert!(!ui.redraw);
        ui.advance(gone);
        assert!(ui.redraw);
        assert_eq!(ui.deadline(), None);
    }

    #[test]
    fn compile_time_redraws_overlay() {
        let mut ui = shown();
        ui.compiling.begin(1.0, "scene");
        let mut now = 1.0;
        for _ in 0..5 {
            ui.presented(now, 0, None);
            now = ui.deadline().expect("a time");
            ui.advance(now);
            assert!(std::mem::take(&mut ui.redraw));
            assert!(ui.compiling.note(now).is_some(), "at {now}");
        }
        ui.compiling.failed();
        ui.presented(now, 0, None);
        assert_eq!(ui.deadline(), None);
    }

    #[test]
    fn partial_samples_do_not_redraw() {
        let mut ui = shown();
        ui.presented(0.0, 3, None);
        ui.refined(3);
        assert!(!ui.redraw);
        ui.refined(4);
        assert!(ui.redraw);
    }
}
