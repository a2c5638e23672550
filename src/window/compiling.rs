//! What the window says while a scene is made: composed and compiled on a task,
//! and then drawn for the first time, when many drivers compile once more. Times
//! are real time in seconds since the window opened.

/// Seconds before anything is said: most scenes are there sooner.
const DELAY: f64 = 0.3;
/// Seconds between two texts.
const TICK: f64 = 0.1;

/// How far the scene is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A task composes and compiles it.
    Loading,
    /// It is there and not drawn yet.
    Loaded,
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
    pub(super) fn loaded(&mut self) {
        self.enter(Phase::Loading, Phase::Loaded);
    }

    /// A picture is begun; true if it is the scene's first.
    pub(super) fn drawing(&mut self) -> bool {
        self.enter(Phase::Loaded, Phase::Drawing)
    }

    /// A picture is finished: the first one ends it.
    pub(super) fn drawn(&mut self) {
        self.current.take_if(|(phase, ..)| *phase == Phase::Drawing);
    }

    /// There is no scene, and none follows.
    pub(super) fn failed(&mut self) {
        self.current = None;
    }

    fn enter(&mut self, from: Phase, to: Phase) -> bool {
        match &mut self.current {
            Some((phase, ..)) if *phase == from => {
                *phase = to;
                true
            }
            _ => false,
        }
    }

    /// The text at real time `now`, once it has taken a while.
    pub(super) fn label(&self, now: f64) -> Option<String> {
        let (phase, name, since) = self.current.as_ref()?;
        let seconds = now - since;
        if seconds < DELAY {
            return None;
        }
        Some(match phase {
            Phase::Loading => format!("compiling {name} … {seconds:.1} s"),
            Phase::Loaded | Phase::Drawing => {
                format!("compiling {name} … {seconds:.1} s, drawing it for the first time")
            }
        })
    }

    /// When the text changes by itself.
    pub(super) fn next_change(&self, now: f64) -> Option<f64> {
        let (_, _, since) = self.current.as_ref()?;
        Some((since + DELAY).max(now + TICK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_that_takes_long_is_told_with_its_time_until_it_is_drawn() {
        let mut compiling = Compiling::default();
        assert_eq!(compiling.label(9.0), None);
        compiling.begin(10.0, "creature");
        assert_eq!(compiling.label(10.2), None, "most scenes are there sooner");
        let label = |compiling: &Compiling, now| compiling.label(now).unwrap_or_default();
        assert_eq!(label(&compiling, 10.5), "compiling creature … 0.5 s");
        assert!(label(&compiling, 11.25).contains("1.2 s"));
        assert!(!compiling.drawing(), "the old scene is drawn meanwhile");
        compiling.drawn();
        compiling.loaded();
        compiling.drawn();
        assert!(label(&compiling, 12.0).contains("2.0 s"), "not drawn yet");
        assert!(compiling.drawing());
        assert!(label(&compiling, 13.0).contains("3.0 s, drawing"));
        compiling.drawn();
        assert_eq!(compiling.label(14.0), None);
    }

    #[test]
    fn another_scene_and_an_error_end_it() {
        let mut compiling = Compiling::default();
        compiling.begin(0.0, "one");
        compiling.begin(5.0, "two");
        assert_eq!(compiling.label(5.1), None);
        assert!(
            compiling
                .label(6.0)
                .is_some_and(|text| text.contains("two"))
        );
        compiling.failed();
        assert_eq!(compiling.label(7.0), None);
        assert_eq!(compiling.next_change(7.0), None);
    }

    #[test]
    fn the_text_follows_the_time() {
        let mut compiling = Compiling::default();
        compiling.begin(1.0, "one");
        let first = compiling.next_change(1.0).expect("a time");
        assert!(compiling.label(first).is_some());
        let second = compiling.next_change(first).expect("a time");
        assert_ne!(compiling.label(first), compiling.label(second));
    }
}
