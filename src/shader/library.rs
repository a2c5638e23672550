//! Where imported modules come from: built in, a folder of shaders, or beside the
//! scene.

use std::path::{Path, PathBuf};

use super::files::Files;
use super::source_map::Source;

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("tarsus::", $name), include_str!(concat!("../../shaders/lib/", $name, ".wgsl")))),*]
    };
}

/// The built-in modules: import path and text.
pub const MODULES: &[(&str, &str)] = modules![
    "antennae",
    "bits",
    "bloom",
    "bounds",
    "brute_force",
    "buffers",
    "camera",
    "coverage",
    "crowd",
    "crowd_rays",
    "depth_of_field",
    "dusk",
    "evening",
    "frame",
    "gait",
    "grid",
    "ik",
    "insect",
    "keyboard",
    "land",
    "lens",
    "light",
    "limb",
    "noise",
    "palette",
    "parts",
    "path",
    "pebbles",
    "plain",
    "plot",
    "pointer",
    "pool",
    "quadruped",
    "raymarch",
    "rays",
    "scales",
    "sdf",
    "sdf2",
    "sdf2_curves",
    "sdf3",
    "sdf3_round",
    "sdf_ops",
    "shading",
    "stepping",
    "strip",
    "swells",
    "terrain",
    "text",
    "walk",
    "walker",
    "water",
    "water_strider",
    "wave_field",
    "waves",
];

/// Finds the text of imported modules.
#[derive(Clone, Debug, Default)]
pub struct Library {
    folder: Option<PathBuf>,
    files: Files,
    media: Option<PathBuf>,
}

impl Library {
    /// Built-in modules only.
    #[must_use]
    pub fn embedded() -> Self {
        Self::default()
    }

    /// Built-in scenes and modules, read afresh from `folder`, the `shaders/` of a
    /// checkout of tarsus: edits there take effect without a build. A file that is
    /// not there is the built-in one.
    #[must_use]
    pub fn from_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            files: Files::default(),
            media: None,
        }
    }

    /// Built-in modules; all others are among `files`.
    #[must_use]
    pub fn with_files(files: Files) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }

    /// Where scenes and modules that are not built in are read from.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The same with a folder in which the media are that shaders of Shadertoy name by
    /// their paths there.
    #[must_use]
    pub fn with_media(self, media: Option<PathBuf>) -> Self {
        Self { media, ..self }
    }

    /// The folder with media of Shadertoy, if there is one.
    #[must_use]
    pub fn media(&self) -> Option<&Path> {
        self.media.as_deref()
    }

    /// The folder of shaders that replaces the built-in ones, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Text of the built-in module `name`, such as `tarsus::limb`.
    #[must_use]
    pub fn module_text(&self, name: &str) -> Option<String> {
        Some(self.find_builtin(name)?.text)
    }

    /// The text that the build has of a module.
    pub(super) fn built_in(name: &str) -> Option<&'static str> {
        let module = MODULES.iter().find(|(module, _)| *module == name);
        module.map(|(_, text)| *text)
    }

    /// Looks `import` up for the file at `importer`: first among the built-in
    /// modules, then as a file beside the importer.
    pub(super) fn find(&self, import: &str, importer: Option<&Path>) -> Option<Source> {
        self.find_builtin(import)
            .or_else(|| self.find_beside(import, importer?))
    }

    /// Why the file that `import` names cannot be read, if there is one.
    pub(super) fn unreadable(&self, import: &str, importer: Option<&Path>) -> Option<String> {
        let paths = beside(import, importer?);
        let path = paths.iter().find(|path| self.files.exists(path))?;
        let reason = self.files.read(path).err()?;
        Some(format!("cannot read {}: {reason}", path.display()))
    }

    fn find_builtin(&self, import: &str) -> Option<Source> {
        let embedded = Self::built_in(import)?;
        let name = import.trim_start_matches("tarsus::");
        let file = format!("lib/{name}.wgsl");
        let found = self
            .folder
            .as_ref()
            .and_then(|folder| self.read(folder.join(&file)));
        Some(found.unwrap_or_else(|| Source {
            file: format!("shaders/{file}"),
            path: None,
            text: embedded.to_owned(),
            imported_by: Some(Vec::new()),
        }))
    }

    fn find_beside(&self, import: &str, importer: &Path) -> Option<Source> {
        let mut paths = beside(import, importer).into_iter();
        paths.find_map(|path| self.read(path))
    }

    fn read(&self, path: PathBuf) -> Option<Source> {
        let text = self.files.read(&path).ok()?;
        Some(Source {
            file: path.display().to_string(),
            path: Some(path),
            text,
            imported_by: Some(Vec::new()),
        })
    }
}

/// `"dir/file.wgsl"` names a file; `my::module` is `my/module.wgsl` or `my.wgsl`.
fn beside(import: &str, importer: &Path) -> Vec<PathBuf> {
    let folder = importer.parent().unwrap_or(Path::new(""));
    match import
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(quoted) => vec![folder.join(quoted)],
        None => {
            let parts: Vec<&str> = import.split("::").collect();
            let nested = folder.join(parts.join("/")).with_extension("wgsl");
            vec![nested, folder.join(parts[0]).with_extension("wgsl")]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_file_is_built_in_under_its_own_name() {
        let mut files: Vec<String> = std::fs::read_dir("shaders/lib")
            .expect("shaders/lib")
            .map(|entry| {
                entry
                    .expect("entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        files.sort();
        let mut names: Vec<String> = MODULES
            .iter()
            .map(|(name, text)| {
                assert_eq!(crate::shader::module_name(text).as_deref(), Some(*name));
                format!("{}.wgsl", name.trim_start_matches("tarsus::"))
            })
            .collect();
        names.sort();
        assert_eq!(files, names);
    }
}
