//! The forms in which a scene can be written.

use std::path::{Path, PathBuf};

use super::files::read_source;

/// File extensions of GLSL sources.
const GLSL_EXTENSIONS: &[&str] = &["glsl", "frag", "fs", "txt"];

/// Maximum number of folder entries examined.
pub const MAX_ENTRIES: usize = 4096;

/// Form of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// WGSL source with `fn main_image`.
    Wgsl,
    /// GLSL source with `void mainImage`.
    Glsl,
    /// Shadertoy's JSON.
    Json,
    /// A folder with a GLSL file per pass.
    Folder,
}

impl Form {
    /// Determines the form of the scene at `path`: a folder, or by file extension. A path
    /// that ends with a slash is a folder.
    pub fn of(path: &Path) -> Self {
        let name = path.as_os_str().to_string_lossy();
        let ends_as_folder = name.ends_with(std::path::is_separator);
        if ends_as_folder || path.is_dir() {
            return Self::Folder;
        }
        match extension(path).as_str() {
            "json" => Self::Json,
            extension if GLSL_EXTENSIONS.contains(&extension) => Self::Glsl,
            _ => Self::Wgsl,
        }
    }

    /// True for a JSON file that contains a Shadertoy shader rather than a recording.
    pub fn is_shadertoy(path: &Path) -> bool {
        Self::of(path) == Self::Json && read_source(path).is_ok_and(|text| is_shadertoy(&text))
    }

    /// True for a folder whose passes include `image`.
    pub fn has_image(folder: &Path) -> bool {
        paths_in(folder).any(|path| {
            let stem = path.file_stem().unwrap_or_default();
            stem.eq_ignore_ascii_case("image") && Self::of(&path) == Self::Glsl
        })
    }

    /// The scenes and modules in a folder, in order of their names: shaders, Shadertoy's JSON,
    /// and folders with an image pass.
    pub fn shaders_in(folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = paths_in(folder)
            .filter(|path| {
                if path.is_dir() {
                    Self::has_image(path)
                } else {
                    Self::is_shader(path) || Self::is_shadertoy(path)
                }
            })
            .collect();
        found.sort();
        found
    }

    /// True if the extension is that of a scene file or of a file that scenes include.
    pub fn is_shader(path: &Path) -> bool {
        let extension = extension(path);
        extension == "wgsl" || GLSL_EXTENSIONS.contains(&&*extension)
    }
}

/// Paths in a folder, up to [`MAX_ENTRIES`] of them; none if it cannot be read.
pub(super) fn paths_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(MAX_ENTRIES).map(|entry| entry.path())
}

/// Extension of a file in lower case.
fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension.to_ascii_lowercase()
}

/// True if the JSON text is a Shadertoy shader rather than a recording.
pub fn is_shadertoy(text: &str) -> bool {
    text.contains("\"renderpass\"")
}
