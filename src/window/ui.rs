//! State of the overlay and when it must be redrawn. Times are real time in seconds since
//! the window opened.

use std::path::PathBuf;

use super::status::Status;

/// Minimum number of seconds that a message stays visible.
const MIN_TOAST_DURATION: f64 = 4.0;
/// Characters per second that everyone can read.
const READING_SPEED: f64 = 15.0;

/// Visible parts of the overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Status, parameters and messages.
    #[default]
    Status,
    /// The help sheet instead of them.
    Help,
    /// Only errors and results of commands, such as the path of a screenshot.
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

/// A short message that disappears after a few seconds.
#[derive(Clone, Debug)]
pub(super) struct Toast {
    pub(super) text: String,
    /// True for the result of a command, which is shown even if the overlay is hidden.
    is_result: bool,
    /// Real time at which it disappears.
    until: f64,
}

/// A file dropped on the window while the panel is open. It may be meant for a channel.
#[derive(Clone, Debug)]
pub(super) struct DroppedFile {
    /// Path of the file.
    pub(super) path: PathBuf,
    /// Real time until which the drop waits for the pointer position.
    pub(super) deadline: f64,
}

/// State of the overlay, and whether it needs a redraw.
#[derive(Clone, Debug, Default)]
pub(super) struct OverlayState {
    /// Visible parts.
    pub(super) mode: Mode,
    /// Status lines.
    pub(super) status: Status,
    /// Recent messages, oldest first.
    toasts: Vec<Toast>,
    /// Error of the scene or the device.
    pub(super) error: Option<String>,
    /// Selected scene of the grid, while it is open.
    pub(super) picker: Option<usize>,
    /// True while the parameters are shown, not only their title.
    pub(super) are_parameters_open: bool,
    /// True while the values under the pointer are shown.
    pub(super) is_probing: bool,
    /// True while the panel of buffers and channels is open.
    pub(super) panel: bool,
    /// A dropped file, until its drop position is known.
    pub(super) drop: Option<DroppedFile>,
    /// Progress of everything that takes long: compiling, video export, screenshots.
    pub(super) notes: Vec<String>,
    /// True if the window shows an older state of the overlay.
    pub(super) redraw: bool,
    /// Time at which the overlay must be redrawn without other events.
    overlay_at: Option<f64>,
}

impl OverlayState {
    /// Creates an empty overlay that needs its first draw.
    pub(super) fn new() -> Self {
        Self { redraw: true, ..Self::default() }
    }

    /// Shows the status, the parameters and the panel if they are hidden. Returns true if they
    /// were.
    pub(super) fn reveal(&mut self) -> bool {
        std::mem::take(&mut self.mode) != Mode::Status
    }

    /// Shows a message for a few seconds.
    pub(super) fn show_message(&mut self, now: f64, text: impl Into<String>) {
        self.show_toast(now, text.into(), false);
    }

    /// Shows the result of a command for a few seconds, even if the overlay is hidden.
    pub(super) fn show_result(&mut self, now: f64, text: impl Into<String>) {
        self.show_toast(now, text.into(), true);
    }

    fn show_toast(&mut self, now: f64, text: String, is_result: bool) {
        let duration = MIN_TOAST_DURATION.max(text.chars().count() as f64 / READING_SPEED);
        self.toasts.retain(|toast| toast.until > now);
        self.toasts.push(Toast { text, is_result, until: now + duration });
        self.redraw = true;
    }

    /// The messages that are visible at real time `now`.
    pub(super) fn toasts(&self, now: f64) -> impl Iterator<Item = &Toast> {
        let is_hidden = self.mode == Mode::Hidden;
        let toasts = self.toasts.iter();
        toasts.filter(move |toast| toast.until > now && (toast.is_result || !is_hidden))
    }

    /// Shows an error until it is fixed.
    pub(super) fn show_error(&mut self, error: String) {
        self.error = Some(error);
        self.redraw = true;
    }

    /// Shows these progress notes instead of the earlier ones.
    pub(super) fn set_notes(&mut self, notes: Vec<String>) {
        self.redraw |= notes != self.notes;
        self.notes = notes;
    }

    /// Requests a redraw if the overlay is due at `now`, or if a dropped file has waited
    /// long enough and takes the latest known pointer position.
    pub(super) fn redraw_if_due(&mut self, now: f64) {
        let is_due = self.overlay_at.take_if(|at| *at <= now).is_some();
        let drop = self.drop.as_ref();
        self.redraw |= is_due || drop.is_some_and(|drop| drop.deadline <= now);
    }

    /// Time after `now` at which the overlay changes without other events.
    pub(super) fn deadline(&self, now: f64) -> Option<f64> {
        let drop = self.drop.as_ref().map(|drop| drop.deadline);
        earliest([self.overlay_at, drop.filter(|deadline| *deadline > now)])
    }

    /// Records that the overlay was presented. It is redrawn at the first of these times, or when
    /// a message expires.
    pub(super) fn presented(&mut self, now: f64, [overlay_at, status_at]: [Option<f64>; 2]) {
        let expiry = self.toasts(now).map(|toast| toast.until).reduce(f64::min);
        self.overlay_at = earliest([overlay_at, status_at, expiry]);
    }
}

/// The earliest of optional times.
pub(super) fn earliest(times: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    times.into_iter().flatten().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> OverlayState {
        let mut ui = OverlayState::new();
        ui.redraw = false;
        ui
    }

    #[test]
    fn messages_expire() {
        let mut ui = OverlayState::new();
        ui.show_message(0.0, "one");
        ui.show_result(3.0, "two");
        let texts =
            |ui: &OverlayState, now| ui.toasts(now).map(|toast| toast.text.clone()).collect();
        let [both, last]: [Vec<String>; 2] = [texts(&ui, 3.5), texts(&ui, 5.0)];
        assert_eq!((both.concat(), last.concat()), ("onetwo".to_owned(), "two".to_owned()));
        ui.mode = Mode::Hidden;
        assert_eq!(ui.toasts(3.5).count(), 1, "the result of a command");
        ui.show_result(10.0, "long ".repeat(30));
        assert_eq!((ui.toasts(19.9).count(), ui.toasts(20.0).count()), (1, 0), "time to read it");
    }

    #[test]
    fn message_expiry_redraws_overlay() {
        let mut ui = shown();
        ui.show_message(1.0, "hello");
        assert!(std::mem::take(&mut ui.redraw));
        ui.presented(1.0, [Some(100.0), None]);
        let gone = ui.deadline(1.0).expect("a time");
        assert!(gone > 1.0 && gone < 100.0);
        ui.redraw_if_due(gone - 0.01);
        assert!(!ui.redraw);
        ui.redraw_if_due(gone);
        assert!(ui.redraw);
        assert_eq!(ui.deadline(gone), None);
    }

    #[test]
    fn changed_notes_redraw_overlay() {
        let mut ui = shown();
        for (notes, changes) in [(&["one"][..], true), (&["one"], false), (&[], true)] {
            ui.set_notes(notes.iter().map(|note| (*note).to_owned()).collect());
            assert_eq!(std::mem::take(&mut ui.redraw), changes, "{notes:?}");
        }
    }

    #[test]
    fn dropped_file_redraws_overlay_once_due() {
        let mut ui = shown();
        ui.drop = Some(DroppedFile { path: PathBuf::from("a.png"), deadline: 2.0 });
        assert_eq!(ui.deadline(1.0), Some(2.0));
        ui.redraw_if_due(1.9);
        assert!(!ui.redraw);
        ui.redraw_if_due(2.0);
        assert!(ui.redraw);
        assert_eq!(ui.deadline(2.0), None, "it waits for the redraw");
    }
}
