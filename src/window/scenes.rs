//! The list of scenes to page through.

use std::path::Path;

use super::start::Start;
use tarsus_player::clock::Direction;
use tarsus_scenes::SCENES;

/// Names and files of scenes, as given on the command line.
#[derive(Clone, Debug)]
pub(super) struct SceneList {
    /// All scenes, in paging order.
    pub(super) all: Vec<String>,
}

impl SceneList {
    /// The built-in scenes.
    pub(super) fn builtin() -> Self {
        Self { all: SCENES.iter().map(|(name, ..)| (*name).to_owned()).collect() }
    }

    /// Inserts the scene of `start` at the front unless it is in the list, or replaces the
    /// list by that of its folder.
    pub(super) fn open(&mut self, start: &Start) {
        if start.gallery.is_empty() {
            self.add_after(&start.scene, None);
        } else {
            self.all.clone_from(&start.gallery);
        }
    }

    /// Inserts a scene after another, or at the front, unless it is in the list.
    pub(super) fn add_after(&mut self, scene: &str, other: Option<&str>) {
        if self.position(scene).is_none() {
            let after = other.and_then(|other| self.position(other));
            self.all.insert(after.map_or(0, |index| index + 1), scene.to_owned());
        }
    }

    /// Index of a scene.
    pub(super) fn position(&self, scene: &str) -> Option<usize> {
        self.all.iter().position(|known| known == scene)
    }

    /// The scene after or before `scene`, wrapping around.
    pub(super) fn neighbour(&self, scene: &str, direction: Direction) -> &str {
        let count = self.all.len();
        let there = match (self.position(scene), direction) {
            (Some(here), Direction::Forward) => (here + 1) % count,
            (Some(here), Direction::Back) => (here + count - 1) % count,
            (None, _) => 0,
        };
        &self.all[there]
    }
}

/// Name of a scene for titles and folders: a built-in name, or a file's name without folder
/// and extension.
pub(super) fn name_of(scene: &str) -> &str {
    let stem = Path::new(scene).file_stem();
    stem.and_then(|stem| stem.to_str()).unwrap_or(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scene_name_is_file_stem() {
        assert_eq!(name_of("creature"), "creature");
        assert_eq!(name_of("some/folder/my.wgsl"), "my");
        assert_eq!(name_of(".."), "..");
    }

    #[test]
    fn copy_follows_its_original() {
        let mut list = SceneList::builtin();
        let next = list.neighbour("herd", Direction::Forward).to_owned();
        list.add_after("copy.wgsl", Some("herd"));
        assert_eq!(list.neighbour("copy.wgsl", Direction::Back), "herd");
        assert_eq!(list.neighbour("copy.wgsl", Direction::Forward), next);
    }

    #[test]
    fn paging_wraps_in_both_directions() {
        let mut list = SceneList::builtin();
        list.add_after("mine.wgsl", None);
        list.add_after("mine.wgsl", Some("herd"));
        assert_eq!(list.all.len(), SCENES.len() + 1);
        let (forward, back) = (Direction::Forward, Direction::Back);
        for (direction, reverse) in [(forward, back), (back, forward)] {
            let mut scene = "mine.wgsl";
            let mut seen = vec![scene];
            loop {
                scene = list.neighbour(scene, direction);
                if scene == "mine.wgsl" {
                    break;
                }
                seen.push(scene);
            }
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), list.all.len());
            let there = list.neighbour("mine.wgsl", direction);
            assert_eq!(list.neighbour(there, reverse), "mine.wgsl");
        }
    }
}
