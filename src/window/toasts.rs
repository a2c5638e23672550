//! Short messages that disappear after a few seconds.

/// Minimum number of seconds that a message stays visible.
const MIN_DURATION: f64 = 4.0;
/// Characters per second that everyone can read.
const READING_SPEED: f64 = 15.0;

/// Origin of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToastKind {
    /// The program: shown unless the overlay is hidden.
    Notice,
    /// A command of the user: shown even if the overlay is hidden.
    Result,
}

#[derive(Clone, Debug)]
pub(super) struct Toast {
    pub(super) text: String,
    kind: ToastKind,
    until: f64,
}

/// The recent messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Toasts {
    list: Vec<Toast>,
}

impl Toasts {
    /// Shows a message from real time `now` on.
    pub(super) fn show(&mut self, now: f64, text: impl Into<String>, kind: ToastKind) {
        let text = text.into();
        self.list.retain(|toast| toast.until > now);
        let duration = MIN_DURATION.max(text.chars().count() as f64 / READING_SPEED);
        self.list.push(Toast { text, kind, until: now + duration });
    }

    /// Messages visible at `now`, oldest first.
    pub(super) fn visible(&self, now: f64) -> impl Iterator<Item = &Toast> {
        self.list.iter().filter(move |toast| toast.until > now)
    }

    /// Those of them that are visible on a hidden overlay.
    pub(super) fn results(&self, now: f64) -> impl Iterator<Item = &Toast> {
        self.visible(now).filter(|toast| toast.kind == ToastKind::Result)
    }

    /// Time at which the next message disappears.
    pub(super) fn next_change(&self, now: f64) -> Option<f64> {
        self.visible(now).map(|toast| toast.until).reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_expire() {
        let mut toasts = Toasts::default();
        toasts.show(0.0, "one", ToastKind::Notice);
        toasts.show(3.0, "two", ToastKind::Notice);
        let texts =
            |now| -> Vec<&str> { toasts.visible(now).map(|toast| toast.text.as_str()).collect() };
        assert_eq!(texts(3.5), ["one", "two"]);
        assert_eq!(texts(5.0), ["two"]);
        assert_eq!(toasts.results(3.5).count(), 0);
        assert_eq!(toasts.next_change(3.5), Some(4.0));
        assert_eq!(toasts.next_change(9.0), None);
        toasts.show(10.0, "long ".repeat(30), ToastKind::Notice);
        assert_eq!(toasts.next_change(10.0), Some(20.0), "time to read it");
    }
}
