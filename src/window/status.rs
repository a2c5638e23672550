//! Status lines in the upper left corner of the window.

use super::scenes::name_of;
use super::viewer::Engine;
use crate::message::count_text;
use tarsus_player::RewindStats;
use tarsus_player::live::SAMPLES;

/// Seconds between two versions of the status. Digits that change in every picture are
/// illegible, and the overlay would have to be drawn anew each time.
const INTERVAL: f64 = 0.1;

/// The status lines as shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    pub(super) lines: Vec<String>,
    /// Time of the next version; `None` before the first.
    due: Option<f64>,
}

impl Status {
    /// Replaces the lines with those of `create` if they are due. Returns the time at which to
    /// draw again if they were not: later than due, as the next picture usually comes first.
    pub(super) fn update(&mut self, now: f64, create: impl FnOnce() -> Vec<String>) -> Option<f64> {
        let waits = self.due.filter(|due| *due > now);
        if waits.is_none() {
            self.lines = create();
            self.due = Some(now + INTERVAL);
        }
        waits.map(|due| due + INTERVAL / 2.0)
    }
}

/// The status lines of a scene that is drawn by `adapter`; the first one is the title.
pub(super) fn status_lines(engine: &Engine, adapter: String) -> Vec<String> {
    let clock = &engine.session.clock;
    let view = engine.scene().and_then(|scene| scene.debug_view);
    let lines = [
        Some(title(engine)),
        view.map(|view| view.legend().to_owned()),
        Some(picture(engine)),
        engine.pass_times(),
        Some(format!("{:.2} s  frame {}", clock.time(), clock.index())),
        engine.session.rewind().stats().map(rewind),
        Some(adapter),
        Some(if engine.reads_keyboard() { "Ctrl+H: help" } else { "H: help" }.to_owned()),
    ];
    lines.into_iter().flatten().collect()
}

fn title(engine: &Engine) -> String {
    let session = &engine.session;
    let mut title = name_of(&session.scene).to_owned();
    if session.is_replaying() {
        title.push_str(" · replay");
    }
    if let Some(view) = engine.scene().and_then(|scene| scene.debug_view) {
        title.push_str(&format!(" · debug view: {view}"));
    }
    let full_size = engine.full_size();
    if let Some(tile) = full_size.and_then(|index| engine.tiles().into_iter().nth(index)) {
        title.push_str(&format!(" · {}", tile.name));
        if let Some(range) = engine.full_size_range() {
            title.push_str(&format!("  {range}"));
        }
    }
    if session.clock.is_paused() {
        title.push_str(" · paused");
    }
    if session.clock.speed() != 1.0 {
        title.push_str(&format!(" · {}×", session.clock.speed()));
    }
    title
}

/// Frame rate, size and quality of the picture.
fn picture(engine: &Engine) -> String {
    let pacing = &engine.pacing;
    let rate = match pacing.fps() {
        Some(fps) if !engine.session.clock.is_paused() => {
            format!("{fps:.0} fps  {:.1} ms  ", pacing.frame_ms())
        }
        _ => String::new(),
    };
    let (width, height) = engine.size();
    let part = match engine.status().picture_size {
        Some(size) if size != (width, height) => format!("{}×{} of ", size.0, size.1),
        _ => String::new(),
    };
    format!("{rate}{part}{width}×{height}  {}", quality(engine))
}

/// Note on the picture being drawn, once it has taken a second.
pub(super) fn slow_picture_note(engine: &Engine, now: f64) -> Option<String> {
    let seconds = (now - engine.status().picture_since?) as u64;
    (seconds > 0).then(|| format!("this picture has taken {seconds} s"))
}

fn quality(engine: &Engine) -> String {
    let scale = &engine.pacing.scale;
    let percent = scale.scale() * 100.0;
    match engine.status().samples {
        0 if scale.is_fixed() => format!("{percent:.0} % fixed"),
        0 => format!("{percent:.0} %"),
        samples if samples >= SAMPLES => format!("{samples} samples"),
        samples => format!("{samples} of {SAMPLES} samples"),
    }
}

/// Rewindable time and its memory.
fn rewind(stats: RewindStats) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let RewindStats { seconds, checkpoints, bytes, budget, is_enough } = stats;
    let text = format!("{seconds:.1} s rewindable  {}", count_text(checkpoints, "checkpoint"));
    if is_enough {
        format!("{text}, {} of {} MiB", mib(bytes), mib(budget))
    } else {
        format!("{text}: --rewind-memory {} is too small", mib(budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_changes_ten_times_per_second() {
        let mut status = Status::default();
        let mut update = |now: f64| {
            let due = status.update(now, || vec![format!("{now}")]);
            (status.lines.concat(), due)
        };
        assert_eq!(update(1.0), ("1".to_owned(), None));
        assert_eq!(update(1.05), ("1".to_owned(), Some(1.1 + 0.05)));
        assert_eq!(update(1.1), ("1.1".to_owned(), None));
        assert_eq!(update(5.0), ("5".to_owned(), None));
    }
}
