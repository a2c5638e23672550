//! Progress notes while a scene is prepared: composed and compiled on a task, then rendered
//! for the first time, when many drivers compile again. Times are real time in seconds
//! since the window opened.

/// Seconds before a note is shown; most scenes are ready sooner.
const NOTE_DELAY: f64 = 0.3;
/// Seconds of loading after which the driver is expected to take long as well. The screen
/// cannot be updated meanwhile, so the note is shown beforehand.
const LONG_LOAD: f64 = 0.1;
/// Seconds between two updates of the note.
const UPDATE_INTERVAL: f64 = 0.1;

/// The scene being prepared, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadingProgress {
    /// Name of the scene, and start time.
    current: Option<(String, f64)>,
    /// True once the scene is loaded. Its first picture is rendered next; the screen cannot be
    /// updated meanwhile, only the title changes.
    is_loaded: bool,
}

impl LoadingProgress {
    /// Starts preparing the scene of this name, replacing any other.
    pub(super) fn begin(&mut self, now: f64, name: &str) {
        *self = Self { current: Some((name.to_owned(), now)), is_loaded: false };
    }

    /// The scene has been loaded.
    pub(super) fn loaded(&mut self) {
        self.is_loaded = true;
    }

    /// The first picture of the loaded scene is finished, which ends the note.
    pub(super) fn finish(&mut self) {
        if let Some((name, _)) = self.current.take_if(|_| self.is_loaded) {
            log::info!("drew the first picture of {name}");
        }
    }

    /// The scene failed to load, or its device is gone.
    pub(super) fn clear(&mut self) {
        self.current = None;
    }

    /// Note for the overlay at real time `now`, once preparing takes long.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        let (name, since) = self.current.as_ref()?;
        if !self.is_loaded {
            return self.title(now);
        }
        (now - since >= LONG_LOAD).then(|| format!("compiling {name} in the driver …"))
    }

    /// Window title at real time `now`, once preparing takes long.
    pub(super) fn title(&self, now: f64) -> Option<String> {
        let (name, since) = self.current.as_ref()?;
        let seconds = now - since;
        (seconds >= NOTE_DELAY).then(|| format!("compiling {name} … {seconds:.1} s"))
    }

    /// Time at which the note must be updated without other events.
    pub(super) fn deadline(&self, now: f64) -> Option<f64> {
        let is_changing = self.current.is_some() && !self.is_loaded;
        is_changing.then_some(now + UPDATE_INTERVAL)
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
        progress.loaded();
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
        progress.loaded();
        assert_eq!(progress.note(0.05), None);
        progress.finish();
        progress.begin(1.0, "creature");
        progress.loaded();
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
        assert_eq!(progress.deadline(7.0), None);
    }

    #[test]
    fn note_updates_over_time() {
        let mut progress = LoadingProgress::default();
        progress.begin(1.0, "one");
        let first = progress.deadline(2.0).expect("a time");
        assert_ne!(progress.note(2.0), progress.note(first));
        progress.loaded();
        assert_eq!(progress.deadline(first), None, "the screen waits");
    }
}
