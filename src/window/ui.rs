//! What lies over the picture and when it has to be drawn again. Times are real
//! time in seconds since the window opened.

use super::compiling::Compiling;
use super::picker::Picker;
use super::toasts::Toasts;

/// What lies over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Status, parameters and messages.
    #[default]
    Status,
    /// The help sheet as well.
    Help,
    /// Nothing but errors.
    Hidden,
}

impl Mode {
    /// The next one: status, help, nothing.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Status => Self::Help,
            Self::Help => Self::Hidden,
            Self::Hidden => Self::Status,
        }
    }
}

/// Mode, messages and the need to draw.
#[derive(Debug)]
pub(super) struct Ui {
    /// What the overlay shows.
    pub(super) mode: Mode,
    /// Short messages.
    pub(super) toasts: Toasts,
    /// What is wrong with the scene or the device.
    pub(super) error: Option<String>,
    /// The grid of scenes, while it is open.
    pub(super) picker: Option<Picker>,
    /// The panel of buffers and channels is open.
    pub(super) panel: bool,
    /// The tile of the panel, from 0, that is shown in place of the picture.
    pub(super) look: Option<usize>,
    /// The scene that is being made.
    pub(super) compiling: Compiling,
    /// True while the window does not show the newest picture or overlay.
    pub(super) redraw: bool,
    /// When the overlay has to be drawn again although nothing happens.
    overlay_at: Option<f64>,
    /// Samples of the still that is on the screen.
    samples_shown: u32,
}

impl Ui {
    /// Nothing to say, and nothing drawn yet.
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

    /// Shows an error until it is mended.
    pub(super) fn fail(&mut self, error: String) {
        self.error = Some(error);
        self.redraw = true;
    }

    /// Takes note of the time.
    pub(super) fn advance(&mut self, now: f64) {
        if self.overlay_at.take_if(|at| *at <= now).is_some() {
            self.redraw = true;
        }
    }

    /// When the overlay changes although nothing happens.
    pub(super) fn deadline(&self) -> Option<f64> {
        self.overlay_at
    }

    /// A part of the still is finished; it shows only in whole samples.
    pub(super) fn refined(&mut self, samples: u32) {
        self.redraw |= samples != self.samples_shown;
    }

    /// The window shows a still of so many `samples`. `overlay_at` is when egui
    /// wants to draw again.
    pub(super) fn presented(&mut self, now: f64, samples: u32, overlay_at: Option<f64>) {
        self.samples_shown = samples;
        let own = earliest(
            self.toasts.next_change(now),
            self.compiling.next_change(now),
        );
        self.overlay_at = earliest(overlay_at, own);
    }
}

/// The earlier of two times that may not come.
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
    fn the_overlay_is_drawn_again_when_a_message_goes() {
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
    fn the_time_that_compiling_takes_is_drawn_again_and_again() {
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
    fn parts_of_a_sample_are_not_shown() {
        let mut ui = shown();
        ui.presented(0.0, 3, None);
        ui.refined(3);
        assert!(!ui.redraw);
        ui.refined(4);
        assert!(ui.redraw);
    }
}
