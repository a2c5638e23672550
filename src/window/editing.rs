//! Opens the scene in the user's editor. A built-in scene is first copied to a file, which
//! the window shows from then on.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::platform::{self, Reports, Tasks};
use tarsus_capture::metadata::is_picture;
use tarsus_shader::{Library, Scene};

/// Opens a scene's file in the editor, on a task that reports the result.
pub(super) fn edit(scene: String, library: Arc<Library>, tasks: &mut Tasks) {
    tasks.spawn(move |reports| {
        let edited = open(&scene, &library, reports);
        let (copy, message) = edited.unwrap_or_else(|message| (None, message));
        reports.send(move |viewer| viewer.edited(copy.as_deref(), message));
    });
}

/// Returns the file to show instead of a built-in scene, and a message.
fn open(
    scene: &str,
    library: &Library,
    reports: &Reports,
) -> Result<(Option<PathBuf>, String), String> {
    if is_picture(scene) {
        return Err("cannot open an editor: the sources are stored in a picture".to_owned());
    }
    let scene = Scene::find(scene, library).map_err(|error| error.to_string())?;
    let (path, note) = match &scene.path {
        Some(path) => (path.clone(), ""),
        None => copy_builtin(&scene, Path::new(""))?,
    };
    let failures = reports.clone();
    let opened = match platform::chosen_editor() {
        Some(editor) => platform::open_in_editor(editor, &path, move |message| {
            failures.send(move |viewer| viewer.edited(None, message));
        }),
        None => Err("cannot open an editor: neither VISUAL nor EDITOR is set".to_owned()),
    };
    let message = match opened {
        Ok(editor) => format!("opened {}{note} in `{editor}`", path.display()),
        Err(error) => without_editor(&error, &path),
    };
    Ok((scene.path.is_none().then_some(path), message))
}

/// Message with the path of a scene that no editor opens.
fn without_editor(error: &str, path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!(
        "{error}; the scene is in {}, which the window follows; hint: `EDITOR=code tarsus` chooses \
         an editor",
        path.display()
    )
}

/// Copies a built-in scene to `folder`; an existing file is left unchanged. Returns the path
/// of the file and a note for the message.
fn copy_builtin(scene: &Scene, folder: &Path) -> Result<(PathBuf, &'static str), String> {
    let path = folder.join(format!("{}.wgsl", scene.name));
    match tarsus_files::write_new(&path, scene.text.as_bytes()) {
        Ok(()) => Ok((path, ", a copy of the scene,")),
        Err(error) if error.reason().kind() == ErrorKind::AlreadyExists => {
            Ok((path, ", which already existed,"))
        }
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_scene_is_copied_once() {
        let folder = tempfile::tempdir().expect("folder");
        let scene = Scene::find("line_walker", &tarsus::library()).expect("a scene");
        let path = folder.path().join("line_walker.wgsl");
        let opened = |note| Ok((path.clone(), note));
        assert_eq!(copy_builtin(&scene, folder.path()), opened(", a copy of the scene,"));
        let read = || std::fs::read_to_string(&path).expect("the copy");
        assert_eq!(read(), scene.text);
        std::fs::write(&path, "edited").expect("written");
        assert_eq!(copy_builtin(&scene, folder.path()), opened(", which already existed,"));
        assert_eq!(read(), "edited", "the user's work stays");
        let missing = folder.path().join("missing");
        let error = copy_builtin(&scene, &missing).expect_err("no such folder");
        assert!(error.contains("line_walker.wgsl"), "{error}");
    }
}
