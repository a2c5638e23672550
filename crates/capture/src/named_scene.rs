//! The scene that a picture or recording names. The name comes from outside and is not
//! trusted.

use std::path::Path;

use tarsus_shader::{Form, Library};

/// Maximum size of a scene file, in bytes.
const MAX_SCENE_BYTES: u64 = 16 << 20;

/// Checks the scene that `file` names. An empty name and a missing file pass: opening them
/// does no harm and reports the problem.
///
/// # Errors
/// The reason why opening the scene is not safe.
pub(super) fn check(scene: &str, file: &Path) -> Result<(), String> {
    if scene.is_empty() || is_bare_name(scene) {
        return Ok(());
    }
    let found = find_near(scene, file);
    let path = Path::new(&found);
    let is_file = is_named_as_file(scene);
    if !is_file && !path.is_dir() {
        return Err(
            "expected a built-in scene, a .wgsl or .glsl file, Shadertoy's JSON, or a folder of \
             passes"
                .to_owned(),
        );
    }
    if !is_file || !path.exists() {
        return Ok(());
    }
    tarsus_files::check(path, MAX_SCENE_BYTES).map_err(|error| error.to_string())
}

/// True for the name of a built-in scene, or what could be one.
fn is_bare_name(scene: &str) -> bool {
    scene.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// True if the name has the extension of a scene file; false for folders.
fn is_named_as_file(scene: &str) -> bool {
    let path = Path::new(scene);
    Form::is_shader(path) || path.extension().is_some_and(|ending| ending == "json")
}

/// Resolves the scene named in `file`. A scene that does not exist at its path is searched
/// for next to `file` and in the folders above it.
pub fn find_scene_near(scene: &str, file: &Path, library: &Library) -> String {
    if library.builtins().has_scene(scene) {
        return scene.to_owned();
    }
    find_near(scene, file)
}

fn find_near(scene: &str, file: &Path) -> String {
    if scene.is_empty() || Path::new(scene).exists() {
        return scene.to_owned();
    }
    let folders = file.ancestors().skip(1);
    folders
        .map(|folder| folder.join(scene))
        .find(|path| path.exists())
        .map_or_else(|| scene.to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::library;

    #[test]
    fn scene_is_searched_near_picture() {
        let folder = tempfile::tempdir().expect("folder");
        let library = library();
        let scene = folder.path().join("mine.wgsl");
        std::fs::write(&scene, "").expect("written");
        for picture in ["a.png", "captures/mine/a.png"] {
            let found = find_scene_near("mine.wgsl", &folder.path().join(picture), &library);
            assert_eq!(Path::new(&found), scene, "{picture}");
        }
        for stays in ["creature", "nowhere.wgsl"] {
            assert_eq!(find_scene_near(stays, &scene, &library), stays);
        }
    }

    #[test]
    fn unsafe_scenes_are_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let picture = folder.path().join("a.png");
        std::fs::write(folder.path().join("mine.wgsl"), "").expect("written");
        std::fs::create_dir(folder.path().join("folder.wgsl")).expect("folder");
        std::fs::create_dir(folder.path().join("passes")).expect("folder");
        for fine in ["", "creature", "mine.wgsl", "nowhere.wgsl", "x.frag", "passes"] {
            assert!(check(fine, &picture).is_ok(), "{fine}");
        }
        for (wrong, expected) in [
            ("../../etc/passwd", "expected a built-in scene"),
            ("/dev/zero", "expected a built-in scene"),
            ("folder.wgsl", "not a regular file"),
        ] {
            let error = check(wrong, &picture).expect_err(wrong);
            assert!(error.contains(expected), "{error}");
        }
    }
}
