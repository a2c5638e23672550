//! Scenes by name: the built-in table, and files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::files::read_source;
use super::form::{Form, paths_in};
use super::library::Library;
use super::module_name;
use super::suggest::nearest;

/// Source of a scene and its origin.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name for folders and titles: that of the built-in scene, or the file name without
    /// its extension.
    pub name: String,
    /// Path for messages.
    pub file: String,
    /// File it was read from; `None` if it is built in.
    pub path: Option<PathBuf>,
    /// Source; empty for a folder, whose files are read when the scene is composed.
    pub text: String,
}

/// Failure to find or read a scene.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct SceneError(String);

impl Scene {
    /// Finds a scene by built-in name or by path.
    ///
    /// # Errors
    /// Returns a [`SceneError`] if there is no such scene or its file cannot be read.
    pub fn find(wanted: &str, library: &Library) -> Result<Self, SceneError> {
        let path = Path::new(wanted);
        match Self::find_builtin(wanted, library) {
            Err(_) if is_path(wanted) => Self::read(path),
            Err(error) => {
                Err(near_file(path).map_or(error, |near| unknown(wanted, &near, library)))
            }
            found => found,
        }
    }

    /// Finds a built-in scene.
    ///
    /// # Errors
    /// Returns a [`SceneError`] if there is no such scene.
    pub(super) fn find_builtin(wanted: &str, library: &Library) -> Result<Self, SceneError> {
        let scenes = library.builtins().scenes;
        if let Some((name, _, source)) = scenes.iter().find(|(name, ..)| *name == wanted) {
            return Ok(Self::builtin(name, source, library));
        }
        let near = nearest(wanted, scenes.iter().map(|(name, ..)| *name));
        let near = near.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
        Err(unknown(wanted, &near, library))
    }

    /// Creates a scene from source alone. `file` is the name used in messages, and
    /// determines the form.
    pub fn from_text(text: &str, file: &str) -> Self {
        Self {
            name: stem(Path::new(file)),
            file: file.to_owned(),
            path: None,
            text: tarsus_files::without_mark(text).to_owned(),
        }
    }

    /// Form that the scene is written in.
    pub fn form(&self) -> Form {
        Form::of(self.path.as_deref().unwrap_or(Path::new(&self.file)))
    }

    /// Reads a scene from a file. If it is a folder, its files are read when the scene is
    /// composed.
    ///
    /// # Errors
    /// Returns a [`SceneError`] with the reason.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let file = path.display().to_string();
        let text = match Form::of(path) {
            Form::Folder if Form::has_image(path) => Ok(String::new()),
            Form::Folder if path.exists() => Err(no_image(path)),
            Form::Folder => Err("there is no such folder".to_owned()),
            _ => read_source(path),
        };
        match text {
            Err(reason) => {
                let hint = if path.exists() {
                    extension_hint(path)
                } else {
                    near_file(path).unwrap_or_default()
                };
                Err(SceneError(format!("cannot read {file}: {reason}{hint}")))
            }
            Ok(text) => Ok(Self { name: stem(path), file, path: Some(path.to_path_buf()), text }),
        }
    }

    /// The scenes in a folder, without modules, included files and unreadable ones.
    pub fn list(folder: &Path) -> Vec<Self> {
        let paths = Form::shaders_in(folder);
        let scenes = paths.iter().filter_map(|path| Self::read(path).ok());
        scenes.filter(Self::has_picture).collect()
    }

    /// True for a scene rather than a module or an included file.
    pub fn has_picture(&self) -> bool {
        match self.form() {
            Form::Wgsl => module_name(&self.text).is_none() && self.text.contains("main_image"),
            Form::Glsl => ["mainImage", "mainSound"].iter().any(|name| self.text.contains(name)),
            Form::Json | Form::Folder => true,
        }
    }

    /// First line of a comment at the start of the source, or nothing.
    pub fn summary(&self) -> &str {
        let line = self.text.lines().next().unwrap_or_default();
        line.strip_prefix("//").unwrap_or_default().trim_start_matches(['/', '!']).trim()
    }

    /// A built-in scene, read afresh from the library's folder if it has one.
    fn builtin(name: &str, source: &str, library: &Library) -> Self {
        let file = format!("{name}.wgsl");
        let folder = library.folder();
        let found = folder.and_then(|folder| Self::read(&folder.join(&file)).ok());
        found.unwrap_or_else(|| Self {
            name: name.to_owned(),
            file: format!("shaders/{file}"),
            path: None,
            text: source.to_owned(),
        })
    }
}

/// Error for a name that is neither that of a built-in scene nor a path. `near` is a question
/// about a similar one, or nothing.
fn unknown(wanted: &str, near: &str, library: &Library) -> SceneError {
    let names = library.builtins().scenes.iter().map(|(name, ..)| *name);
    let names = names.collect::<Vec<_>>().join(", ");
    SceneError(format!(
        "there is no scene `{wanted}`{near}; built-in scenes: {names}; or pass a .wgsl or .glsl \
         file, a Shadertoy JSON file, or a folder with an Image.glsl"
    ))
}

/// True for a file or folder, present or not: no built-in scene has a dot or a slash in its
/// name.
fn is_path(wanted: &str) -> bool {
    let path = Path::new(wanted);
    path.extension().is_some() || wanted.contains(std::path::is_separator) || path.exists()
}

/// A question about the shader file beside `path` with a similar name.
fn near_file(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let files = paths_in(folder.unwrap_or(Path::new("."))).filter(|file| Form::is_shader(file));
    let files: Vec<PathBuf> = files.collect();
    // A path without an extension is compared with names without theirs.
    let name = |file: &Path| match path.extension() {
        Some(_) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        None => stem(file),
    };
    let names: Vec<String> = files.iter().map(|file| name(file)).collect();
    let near = nearest(&name(path), names.iter().map(String::as_str))?;
    let at = names.iter().position(|name| name == near)?;
    let near = path.with_file_name(files[at].file_name()?);
    Some(format!(" (did you mean `{}`?)", near.display()))
}

/// A hint about the kinds of scenes, unless the extension is that of one.
fn extension_hint(path: &Path) -> String {
    if Form::of(path) != Form::Wgsl || Form::is_shader(path) {
        return String::new();
    }
    "; hint: scenes are .wgsl, .glsl and Shadertoy JSON files, and folders of passes; pictures with \
     a snapshot open with `tarsus view` and `tarsus capture`"
        .to_owned()
}

/// Reason why a folder is not a scene, with a scene in it that could be opened.
fn no_image(folder: &Path) -> String {
    let first = paths_in(folder).filter(|path| Form::is_shader(path)).min();
    let hint = first.map(|path| format!("; hint: open one file, such as {}", path.display()));
    format!("there is no Image.glsl in it{}", hint.unwrap_or_default())
}

/// Name of a file without its extension.
fn stem(path: &Path) -> String {
    let stem = path.file_stem();
    stem.map_or("scene".into(), |stem| stem.to_string_lossy().into_owned())
}
