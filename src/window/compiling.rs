//! What the window says while a scene is made: composed and compiled on a task,
//! and then drawn for the first time, when many drivers compile once more. Times
//! are real time in seconds since the window opened.

/// Seconds before anything is said: most scenes are there sooner.
const DELAY: f64 = 0.3;
/// Seconds of composing after which the driver will take a while too. While it
/// does, nothing can be put on the screen, so it is announced before.
const LONG_LOAD: f64 = 0.1;
/// Seconds between two texts.
const TICK: f64 = 0.1;

/// How far the scene is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// A task composes and compiles it.
    Loading,
    /// It is there after so many seconds, and not drawn yet.
    Loaded(f64),
    /// The adapter draws it for the first time. Nothing else can be put on the
    /// screen meanwhile, only the title changes.
    Drawing,
}

/// The scene that is being made, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiling {
    /// Phase, name of the scene, and since when.
    current: Option<(Phase, String, f64)>,
}

impl Compiling {
    /// The scene of this name is asked for, also in place of another.
    pub(super) fn begin(&mut self, now: f64, name: &str) {
        self.current = Some((Phase::Loading, name.to_owned(), now));
    }

    /// The scene is there.
    pub(super) fn loaded(&mut self, now: f64) {
        if let Some((phase @ Phase::Loading, _, since)) = &mut self.current {
            *phase = Phase::Loaded(now - *since);
        }
    }

    /// A picture is begun; true if it is the scene's first.
    pub(super) fn drawing(&mut self) -> bool {
        match &mut self.current {
            Some((phase @ Phase::Loaded(_), ..)) => {
                *phase = Phase::Drawing;
                true
            }
            _ => false,
        }
    }

    /// A picture is finished: the first one ends it.
    pub(super) fn drawn(&mut self) {
        self.current.take_if(|(phase, ..)| *phase == Phase::Drawing);
    }

    /// There is no scene, and none follows.
    pub(super) fn failed(&mut self) {
        self.current = None;
    }

    /// What the overlay says at real time `now`, once it has taken a while.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        match self.current.as_ref()? {
            (Phase::Loading, ..) => self.title(now),
            (Phase::Loaded(seconds), name, _) if *seconds >= LONG_LOAD => {
                Some(format!("compiling {name} in the driver …"))
            }
            (Phase::Loaded(_) | Phase::Drawing, ..) => None,
        }
    }

    /// What the title says at real time `now`, once it has taken a while.
    pub(super) fn title(&self, now: f64) -> Option<String> {
        let (_, name, since) = self.current.as_ref()?;
        let seconds = now - since;
        (seconds >= DELAY).then(|| format!("compiling {name} … {seconds:.1} s"))
    }

    /// When the text of the overlay changes by itself.
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
    fn a_scene_that_takes_long_is_told_with_its_time_until_it_is_drawn() {
        let mut compiling = Compiling::default();
        assert_eq!(compiling.title(9.0), None);
        compiling.begin(10.0, "creature");
        assert_eq!(compiling.note(10.2), None, "most scenes are there sooner");
        let title = |compiling: &Compiling, now| compiling.title(now).unwrap_or_default();
        assert_eq!(title(&compiling, 10.5), "compiling creature … 0.5 s");
        assert_eq!(compiling.note(10.5), compiling.title(10.5));
        assert!(!compiling.drawing(), "the old scene is drawn meanwhile");
        compiling.drawn();
        compiling.loaded(11.0);
        compiling.drawn();
        assert!(title(&compiling, 12.0).contains("2.0 s"), "not drawn yet");
        let note = compiling.note(12.0).expect("what the driver does");
        assert!(note.contains("creature in the driver"), "{note}");
        assert!(compiling.drawing());
        assert!(title(&compiling, 13.0).contains("3.0 s"));
        compiling.drawn();
        assert_eq!(compiling.title(14.0), None);
        assert_eq!(compiling.note(14.0), None);
    }

    #[test]
    fn a_scene_that_is_there_at_once_is_not_announced() {
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
    fn another_scene_and_an_error_end_it() {
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
    fn the_text_follows_the_time() {
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
