//! Progress notes while a scene is prepared: composed and compiled on a task, then rendered
//! for the first time, when many drivers compile again. Times are real time in seconds
//! since the window opened.

/// Seconds before a note is shown; most scenes are ready sooner.
const NOTE_DELAY: f64 = 0.3;
/// Seconds of composing after which the driver is expected to take long as well. The screen
/// cannot be updated meanwhile, so the note is shown beforehand.
const LONG_LOAD: f64 = 0.1;
/// Seconds between two updates of the note.
const UPDATE_INTERVAL: f64 = 0.1;

/// Progress of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// A task composes and compiles the scene.
    Loading,
    /// The scene was loaded after this many seconds. Its first picture is rendered next;
    /// the screen cannot be updated meanwhile, only the title changes.
    Loaded(f64),
}

/// The scene being prepared, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadingProgress {
    /// Phase, name of the scene, and start time.
    current: Option<(Phase, String, f64)>,
}

impl LoadingProgress {
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

    /// The first picture of the loaded scene is finished, which ends the note.
    pub(super) fn finish(&mut self) {
        let finished = self.current.take_if(|(phase, ..)| matches!(phase, Phase::Loaded(_)));
        if let Some((_, name, _)) = finished {
            log::info!("drew the first picture of {name}");
        }
    }

    /// The scene failed to load, or its device is gone.
    pub(super) fn clear(&mut self) {
        self.current = None;
    }

    /// Note for the overlay at real time `now`, once preparing takes long.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        match self.current.as_ref()? {
            (Phase::Loading, ..) => self.title(now),
            (Phase::Loaded(seconds), name, _) if *seconds >= LONG_LOAD => {
                Some(format!("compiling {name} in the driver …"))
            }
            (Phase::Loaded(_), ..) => None,
        }
    }

    /// Window title at real time `now`, once preparing takes long.
    pub(super) fn title(&self, now: f64) -> Option<String> {
        let (_, name, since) = self.current.as_ref()?;
        let seconds = now - since;
        (seconds >= NOTE_DELAY).then(|| format!("compiling {name} … {seconds:.1} s"))
    }

    /// Time at which the note must be updated without other events.
    pub(super) fn next_change(&self, now: f64) -> Option<f64> {
        match self.current.as_ref()? {
            (Phase::Loading, _, since) => Some((since + NOTE_DELAY).max(now + UPDATE_INTERVAL)),
            (Phase::Loaded(_), ..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_scene_shows_time_until_drawn() {
        let mut progress = LoadingProgress::default();
        assert_eq!(progress.title(9.0), None);
        progress.begin(10.0, "creature");
        assert_eq!(progress.note(10.2), None, "most scenes are there sooner");
        let title = |progress: &LoadingProgress, now| progress.title(now).unwrap_or_default();
        assert_eq!(title(&progress, 10.5), "compiling creature … 0.5 s");
        assert_eq!(progress.note(10.5), progress.title(10.5));
        progress.finish();
        assert!(progress.note(10.5).is_some(), "a picture of the old scene");
        progress.loaded(11.0);
        assert!(title(&progress, 12.0).contains("2.0 s"), "not drawn yet");
        let note = progress.note(12.0).expect("what the driver does");
        assert!(note.contains("creature in the driver"), "{note}");
        progress.finish();
        assert_eq!(progress.title(14.0), None);
        assert_eq!(progress.note(14.0), None);
    }

    #[test]
    fn fast_scene_shows_no_note() {
        let mut progress = LoadingProgress::default();
        progress.begin(0.0, "line_walker");
        progress.loaded(0.05);
        assert_eq!(progress.note(0.05), None);
        progress.finish();
        progress.begin(1.0, "creature");
        progress.loaded(1.2);
        let note = progress.note(1.2);
        assert!(note.is_some(), "its first picture takes long");
    }

    #[test]
    fn new_scene_or_error_ends_note() {
        let mut progress = LoadingProgress::default();
        progress.begin(0.0, "one");
        progress.begin(5.0, "two");
        assert_eq!(progress.note(5.1), None);
        assert!(progress.note(6.0).is_some_and(|text| text.contains("two")));
        progress.clear();
        assert_eq!(progress.note(7.0), None);
        assert_eq!(progress.next_change(7.0), None);
    }

    #[test]
    fn note_updates_over_time() {
        let mut progress = LoadingProgress::default();
        progress.begin(1.0, "one");
        let first = progress.next_change(1.0).expect("a time");
        assert!(progress.note(first).is_some());
        let second = progress.next_change(first).expect("a time");
        assert_ne!(progress.note(first), progress.note(second));
        progress.loaded(second);
        assert_eq!(progress.next_change(second), None, "the screen waits");
    }
}
