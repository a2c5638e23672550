//! Scenes by name: the built-in table, and files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::form::Form;
use super::library::Library;
use super::text_file;

/// A scene's text and where it came from.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name for folders and titles: the built-in's, or the file's without `.wgsl`.
    pub name: String,
    /// Path for messages.
    pub file: String,
    /// The file it was read from, unless it is built in.
    pub path: Option<PathBuf>,
    /// The text; empty for a folder, whose files are read when it is composed.
    pub text: String,
}

/// Why there is no scene.
#[derive(Debug, Error)]
pub enum SceneError {
    /// Neither a built-in name nor a file name.
    #[error(
        "there is no scene `{wanted}`: built in are {built_in}; a scene of your own is a .wgsl or .glsl file, \
        Shadertoy's JSON, or a folder with an Image.glsl"
    )]
    Unknown {
        /// What was asked for.
        wanted: String,
        /// Names of the built-in scenes, with commas between.
        built_in: String,
    },
    /// The file cannot be read.
    #[error("cannot read {file}: {reason}")]
    Unreadable {
        /// Its path.
        file: String,
        /// Why.
        reason: String,
    },
}

impl Scene {
    /// Finds a scene by built-in name or by path.
    ///
    /// # Errors
    /// [`SceneError`] when there is no such scene or the file cannot be read.
    pub fn find(wanted: &str, library: &Library) -> Result<Self, SceneError> {
        let scenes = library.builtins().scenes;
        if let Some((name, _, source)) = scenes.iter().find(|(name, ..)| *name == wanted) {
            return Ok(Self::builtin(name, source, library));
        }
        let path = Path::new(wanted);
        if Form::is_shader(path) || path.exists() {
            return Self::read(path);
        }
        Err(SceneError::Unknown {
            wanted: wanted.to_owned(),
            built_in: scenes
                .iter()
                .map(|(name, ..)| *name)
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// A scene from its text alone; `file` is for messages.
    #[must_use]
    pub fn from_text(text: &str, file: &str) -> Self {
        let name = Path::new(file).file_stem();
        Self {
            name: name.map_or("scene".into(), |stem| stem.to_string_lossy().into_owned()),
            file: file.to_owned(),
            path: None,
            text: text_file::without_mark(text).to_owned(),
        }
    }

    /// The form that it is written in.
    #[must_use]
    pub fn form(&self) -> Form {
        Form::of(self.path.as_deref().unwrap_or(Path::new(&self.file)))
    }

    /// Reads a scene from a file. The files of a folder are read when it is composed.
    ///
    /// # Errors
    /// [`SceneError::Unreadable`] with the reason.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let file = path.display().to_string();
        let text = match Form::of(path) {
            Form::Folder if Form::has_image(path) => Ok(String::new()),
            Form::Folder => Err("there is no Image.glsl in it".to_owned()),
            _ => text_file::read(path),
        };
        let text = text.map_err(|reason| SceneError::Unreadable {
            file: file.clone(),
            reason,
        })?;
        let name = path
            .file_stem()
            .map_or("scene".into(), |stem| stem.to_string_lossy());
        Ok(Self {
            name: name.into_owned(),
            file,
            path: Some(path.to_path_buf()),
            text,
        })
    }

    /// A built-in scene, read afresh from the library's folder where there is one.
    fn builtin(name: &str, source: &str, library: &Library) -> Self {
        let file = format!("{name}.wgsl");
        let found = library
            .folder()
            .and_then(|folder| Self::read(&folder.join(&file)).ok());
        found.unwrap_or_else(|| Self {
            name: name.to_owned(),
            file: format!("shaders/{file}"),
            path: None,
            text: source.to_owned(),
        })
    }
}
