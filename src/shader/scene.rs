//! Scenes by name: the built-in table, and files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::form::Form;
use super::library::Library;
use super::text_file;

/// A scene that comes with the program.
pub struct Builtin {
    /// Its name on the command line; its file is `shaders/<name>.wgsl`.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    source: &'static str,
}

macro_rules! scenes {
    ($($name:literal: $summary:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            summary: $summary,
            source: include_str!(concat!("../../shaders/", $name, ".wgsl")),
        }),*]
    };
}

/// The built-in scenes; the first is shown when none is asked for.
pub const BUILTINS: &[Builtin] = scenes![
    "creature": "a six-legged insect walks over dunes without end",
    "tracks": "the insect in low sun over snow or sand that keeps its tracks, grains in the wind",
    "spider": "eight legs over moss by moonlight, among fireflies",
    "strider": "a water strider rows over a clear pond and rings run out from its feet",
    "pond": "a water strider rows over an evening pond whose waves are solved, and the pointer stirs",
    "crane": "a tall bird wades past the setting sun, its ankles bent backward",
    "herd": "ten thousand antelopes cross a plain, each leg solved, at the cost of one",
    "ik_diagram": "the construction of a two-bone limb, live: it reaches for the pointer",
    "ik_field": "every pixel a target: where the elbow goes, and where digits are lost",
    "line_walker": "a four-legged walker in side view, in under 60 lines",
];

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
    #[error("there is no scene `{wanted}`: built in are {}; a scene of your own is a .wgsl or .glsl file, \
        Shadertoy's JSON, or a folder with an Image.glsl",
        BUILTINS.iter().map(|scene| scene.name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// What was asked for.
        wanted: String,
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
        if let Some(builtin) = BUILTINS.iter().find(|scene| scene.name == wanted) {
            return Ok(Self::builtin(builtin, library));
        }
        let path = Path::new(wanted);
        if Form::is_shader(path) || path.exists() {
            return Self::read(path);
        }
        Err(SceneError::Unknown {
            wanted: wanted.to_owned(),
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
    fn builtin(builtin: &Builtin, library: &Library) -> Self {
        let file = format!("{}.wgsl", builtin.name);
        let found = library
            .folder()
            .and_then(|folder| Self::read(&folder.join(&file)).ok());
        found.unwrap_or_else(|| Self {
            name: builtin.name.to_owned(),
            file: format!("shaders/{file}"),
            path: None,
            text: builtin.source.to_owned(),
        })
    }
}
