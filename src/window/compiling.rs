//! Progress notes while a scene is prepared: composed and compiled on a task, then rendered
//! for the first time, when many drivers compile again. Times are real time in seconds
//! since the window opened.

/// Seconds before a note is shown; most scenes are ready sooner.
const DELAY: f64 = 0.3;
/// Seconds of composing after which the driver is expected to take long as well. The screen
/// cannot be updated meanwhile, so the note is shown beforehand.
const LONG_LOAD: f64 = 0.1;
/// Seconds between two updates of the note.
const TICK: f64 = 0.1;

/// Progress of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// A task composes and compiles the scene.
    Loading,
    /// The scene was loaded after this many seconds and has not been rendered yet.
    Loaded(f64),
    /// The GPU renders the scene for the first time. The screen cannot be updated
    /// meanwhile; only the title changes.
    Drawing,
}

/// The scene being prepared, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiling {
    /// Phase, name of the scene, and start time.
    current: Option<(Phase, String, f64)>,
}

impl Compiling {
    /// Starts preparing the scene of this name, replacing any other.
    pub(super) fn begin(&mut self, now: f64, name: &str) {
        self.current = Some((Phase::Loading, name.to_owned(), now));
    }

    /// The scene has been loaded.
    pub(super) fn loaded(&mut self, now: f64) {
        if let Some((phase @ Phase::Loading, _, since)) = &mut self.current {
            *phase = Phase::Loaded(now - *since);
        }
    }

    /// A picture has been started; returns true if it is the scene's first.
    pub(super) fn drawing(&mut self) -> bool {
        match &mut self.current {
            Some((phase @ Phase::Loaded(_), ..)) => {
                *phase = Phase::Drawing;
                true
            }
            _ => false,
        }
    }

    /// A picture is finished; returns true if it is the scene's first, which ends the note.
    pub(super) fn drawn(&mut self) -> bool {
        let first = self.current.take_if(|(phase, ..)| *phase == Phase::Drawing);
        first.is_some()
    }

    /// The scene failed to load, or its device is gone.
    pub(super) fn failed(&mut self) {
        self.current = None;
    }

    /// Note for the overlay at real time `now`, once preparing takes long.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        match self.current.as_ref()? {
            (Phase::Loading, ..) => self.title(now),
            (Phase::Loaded(seconds), name, _) if *seconds >= LONG_LOAD => {
                Some(format!("compiling {name} in the driver …"))
            }
            (Phase::Loaded(_) | Phase::Drawing, ..) => None,
        }
    }

    /// Window title at real time `now`, once preparing takes long.
    pub(super) fn title(&self, now: f64) -> Option<String> {
        let (_, name, since) = self.current.as_ref()?;
        let seconds = now - since;
        (seconds >= DELAY).then(|| format!("compiling {name} … {seconds:.1} s"))
    }

    /// Time at which the note must be updated without other events.
    pub(super) fn next_change(&self, now: f64) -> Option<f64> {
        match self.current.as_ref()? {
            (Phase::Loading, _, since) => Some((since + DELAY).max(now + TICK)),
            (Phase::Loaded(_) | Phase::Drawing, ..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_scene_shows_time_until_drawn() {
        let mut compiling = Compiling::default();
        assert_eq!(compiling.title(9.0), None);
        compiling.begin(10.0, "creature");
        assert_eq!(compiling.note(10.2), None, "most scenes are there sooner");
        let title = |compiling: &Compiling, now| compiling.title(now).unwrap_or_default();
        assert_eq!(title(&compiling, 10.5), "compiling creature … 0.5 s");
        assert_eq!(compiling.note(10.5), compiling.title(10.5));
        assert!(!compiling.drawing(), "the old scene is drawn meanwhile");
        assert!(!compiling.drawn());
        compiling.loaded(11.0);
        assert!(!compiling.drawn(), "a picture of the old scene");
        assert!(title(&compiling, 12.0).contains("2.0 s"), "not drawn yet");
        let note = compiling.note(12.0).expect("what the driver does");
        assert!(note.contains("creature in the driver"), "{note}");
        assert!(compiling.drawing());
        assert!(title(&compiling, 13.0).contains("3.0 s"));
        assert!(compiling.drawn());
        assert_eq!(compiling.title(14.0), None);
        assert_eq!(compiling.note(14.0), None);
    }

    #[test]
    fn fast_scene_shows_no_note() {
        let mut compiling = Compiling::default();
        compiling.begin(0.0, "line_walker");
        compiling.loaded(0.05);
        assert_eq!(compiling.note(0.05), None);
        assert!(compiling.drawing());
        compiling.drawn();
        compiling.begin(1.0, "creature");
        compiling.loaded(1.2);
        assert!(
            compiling.note(1.2).is_some(),
            "its first picture takes long"
        );
    }

    #[test]
    fn new_scene_or_error_ends_note() {
        let mut compiling = Compiling::default();
        compiling.begin(0.0, "one");
        compiling.begin(5.0, "two");
        assert_eq!(compiling.note(5.1), None);
        assert!(compiling.note(6.0).is_some_and(|text| text.contains("two")));
        compiling.failed();
        assert_eq!(compiling.note(7.0), None);
        assert_eq!(compiling.next_change(7.0), None);
    }

    #[test]
    fn note_updates_over_time() {
        let mut compiling = Compiling::default();
        compiling.begin(1.0, "one");
        let first = compiling.next_change(1.0).expect("a time");
        assert!(compiling.note(first).is_some());
        let second = compiling.next_change(first).expect("a time");
        assert_ne!(compiling.note(first), compiling.note(second));
        compiling.loaded(second);
        assert_eq!(compiling.next_change(second), None, "the screen waits");
    }
}
