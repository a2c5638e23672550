//! The scenes that the keys page through.

use std::path::Path;

use tarsus_scenes::SCENES;

/// Names and files of scenes, as on the command line.
#[derive(Clone, Debug)]
pub(super) struct SceneList {
    scenes: Vec<String>,
}

impl SceneList {
    /// The built-in scenes.
    pub(super) fn builtin() -> Self {
        Self {
            scenes: SCENES.iter().map(|(name, ..)| (*name).to_owned()).collect(),
        }
    }

    /// Puts a scene in front unless it is there.
    pub(super) fn add(&mut self, scene: &str) {
        if !self.scenes.iter().any(|known| known == scene) {
            self.scenes.insert(0, scene.to_owned());
        }
    }

    /// All of them, in the order of the keys.
    pub(super) fn all(&self) -> &[String] {
        &self.scenes
    }

    /// The index of a scene.
    pub(super) fn position(&self, scene: &str) -> Option<usize> {
        self.scenes.iter().position(|known| known == scene)
    }

    /// The scene after or before `scene`, around the ends.
    pub(super) fn neighbour(&self, scene: &str, next: bool) -> &str {
        let count = self.scenes.len();
        let here = self.position(scene);
        let there = match here {
            Some(here) if next => (here + 1) % count,
            Some(here) => (here + count - 1) % count,
            None => 0,
        };
        &self.scenes[there]
    }
}

/// Name of a scene for titles and folders: the built-in's, or the file's without
/// its folder and ending.
pub(super) fn name_of(scene: &str) -> &str {
    let stem = Path::new(scene).file_stem();
    stem.and_then(|stem| stem.to_str()).unwrap_or(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_files() {
        assert_eq!(name_of("creature"), "creature");
        assert_eq!(name_of("some/folder/my.wgsl"), "my");
        assert_eq!(name_of(".."), "..");
    }

    #[test]
    fn paging_goes_around_in_both_directions() {
        let mut list = SceneList::builtin();
        list.add("mine.wgsl");
        list.add("mine.wgsl");
        assert_eq!(list.scenes.len(), SCENES.len() + 1);
        for next in [true, false] {
            let mut scene = "mine.wgsl";
            let mut seen = vec![scene];
            loop {
                scene = list.neighbour(scene, next);
                if scene == "mine.wgsl" {
                    break;
                }
                seen.push(scene);
            }
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), list.scenes.len());
            let there = list.neighbour("mine.wgsl", next);
            assert_eq!(list.neighbour(there, !next), "mine.wgsl");
        }
    }
}
