//! The scene that a picture or recording names, or whose sources a picture stores. Names and
//! sources come from outside and are not trusted.

use std::path::Path;

use tarsus_player::Snapshot;
use tarsus_shader::{Form, Library, Scene, SourceFiles};

use super::error::CaptureError;
use super::format::Format;
use super::metadata::read_snapshot;

/// Maximum size of a scene file, in bytes.
const MAX_SCENE_BYTES: u64 = 16 << 20;

/// True if `scene`, which `file` names, has the name of a scene: then opening it shows no other
/// file in an error message. An empty name and a missing file have no content either.
pub(super) fn is_scene_name(scene: &str, file: &Path) -> bool {
    scene.is_empty()
        || is_bare_name(scene)
        || is_picture(scene)
        || is_named_as_file(scene)
        || Path::new(&find_near(scene, file)).is_dir()
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

/// True if a scene is named as a picture: its sources are those stored in the picture.
#[must_use]
pub fn is_picture(scene: &str) -> bool {
    Format::from_path(Path::new(scene)).is_some_and(Format::has_metadata)
}

/// Returns the name under which [`find_scene`] finds the scene of `snapshot`, the snapshot of
/// `picture`: that of the scene, or the picture's own path if it stores sources that differ
/// from those of the scene.
#[must_use]
pub fn scene_of_picture(snapshot: &Snapshot, picture: &Path, library: &Library) -> String {
    let found = find_scene_near(&snapshot.scene, picture, library);
    let is_builtin = library.builtins().has_scene(&found);
    match &snapshot.files {
        Some(files)
            if is_builtin || !is_on_disk(files, &snapshot.scene, Path::new(&found), picture) =>
        {
            picture.display().to_string()
        }
        _ => found,
    }
}

/// True if the scene `found`, which `picture` names `scene`, has the sources in `files`.
fn is_on_disk(files: &SourceFiles, scene: &str, found: &Path, picture: &Path) -> bool {
    if is_picture(scene) || !is_scene_name(scene, picture) {
        return false;
    }
    let folder = if found.is_dir() { found } else { found.parent().unwrap_or(Path::new("")) };
    let mut sources = files.files.iter();
    sources.all(|(name, text)| {
        let on_disk = tarsus_files::read_text(&folder.join(name), MAX_SCENE_BYTES);
        on_disk.is_ok_and(|on_disk| on_disk == *text)
    })
}

/// Finds a scene, and the library to compose it with. If `wanted` is a picture, the scene is
/// made of the sources stored in it.
///
/// # Errors
/// [`CaptureError`] if there is no such scene, or if the picture stores no sources.
pub fn find_scene(wanted: &str, library: &Library) -> Result<(Scene, Library), CaptureError> {
    let invalid = |error: tarsus_shader::SceneError| CaptureError::Failed(error.to_string());
    if library.builtins().has_scene(wanted) || !is_picture(wanted) {
        return Ok((Scene::find(wanted, library).map_err(invalid)?, library.clone()));
    }
    let files = read_snapshot(Path::new(wanted))?.files.ok_or_else(|| {
        CaptureError::Failed(format!("cannot open {wanted}: it does not contain a scene"))
    })?;
    let (mut scene, library) = files.open(library.clone()).map_err(invalid)?;
    scene.name = Scene::from_text("", wanted).name;
    Ok((scene, library))
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
    use crate::metadata::Metadata;
    use crate::tests::{library, picture as picture_of};
    use crate::write_png;
    use tarsus_render::Depth;

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
    fn stored_sources_serve_unless_on_disk() {
        let folder = tempfile::tempdir().expect("folder");
        let (library, picture) = (library(), folder.path().join("shots/a.png"));
        std::fs::create_dir(folder.path().join("shots")).expect("folder");
        let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
        let files = SourceFiles {
            title: None,
            main: "mine.wgsl".to_owned(),
            files: [("mine.wgsl".to_owned(), text.to_owned())].into(),
        };
        let snapshot =
            Snapshot { scene: "mine.wgsl".to_owned(), files: Some(files), ..Snapshot::default() };
        let metadata = Metadata { snapshot: Some(snapshot.to_json()), hash: None };
        write_png(&picture, &picture_of(Depth::Eight), &metadata).expect("written");
        let scene = folder.path().join("mine.wgsl");
        let stored = picture.display().to_string();
        for (on_disk, expected) in [
            (None, &stored),
            (Some("// other\n"), &stored),
            (Some(text), &scene.display().to_string()),
        ] {
            if let Some(text) = on_disk {
                std::fs::write(&scene, text).expect("written");
            }
            let name = scene_of_picture(&snapshot, &picture, &library);
            assert_eq!(&name, expected, "{on_disk:?}");
            let (found, _) = find_scene(&name, &library).expect("a scene");
            assert_eq!(found.text, text);
        }
        // A name that is not safe to open is not even compared.
        let foreign = Snapshot { scene: "/dev/zero".to_owned(), ..snapshot };
        assert_eq!(scene_of_picture(&foreign, &picture, &library), stored);
        let empty = Metadata { snapshot: Some(Snapshot::default().to_json()), hash: None };
        write_png(&picture, &picture_of(Depth::Eight), &empty).expect("written");
        let error = find_scene(&stored, &library).expect_err("no sources").to_string();
        assert!(error.ends_with("a.png: it does not contain a scene"), "{error}");
    }

    #[test]
    fn unsafe_scenes_are_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let picture = folder.path().join("a.png");
        std::fs::write(folder.path().join("mine.wgsl"), "").expect("written");
        std::fs::create_dir(folder.path().join("passes")).expect("folder");
        for fine in ["", "creature", "mine.wgsl", "nowhere.wgsl", "x.frag", "passes"] {
            assert!(is_scene_name(fine, &picture), "{fine}");
        }
        for wrong in ["../../etc/passwd", "/dev/zero"] {
            assert!(!is_scene_name(wrong, &picture), "{wrong}");
        }
    }
}
