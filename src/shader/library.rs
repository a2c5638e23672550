//! Where imported modules come from: built in, the checkout, or beside the scene.

use std::path::{Path, PathBuf};

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("tarsus::", $name), include_str!(concat!("../../shaders/lib/", $name, ".wgsl")))),*]
    };
}

/// The built-in modules: import path and text.
pub const MODULES: &[(&str, &str)] = modules![
    "bounds",
    "brute_force",
    "camera",
    "coverage",
    "frame",
    "gait",
    "grid",
    "ik",
    "keyboard",
    "lens",
    "light",
    "limb",
    "noise",
    "palette",
    "parts",
    "path",
    "plot",
    "pointer",
    "raymarch",
    "sdf",
    "shading",
    "terrain",
    "text",
    "walk",
    "walker",
    "water",
];

/// A module's text and where it was found.
pub(super) struct ModuleText {
    /// Path for messages.
    pub file: String,
    /// The file it was read from, unless it is built in.
    pub path: Option<PathBuf>,
    pub text: String,
}

/// Finds the text of imported modules.
#[derive(Clone, Debug, Default)]
pub struct Library {
    checkout: Option<PathBuf>,
}

impl Library {
    /// Built-in modules only.
    #[must_use]
    pub fn embedded() -> Self {
        Self::default()
    }

    /// Built-in modules, read afresh from `shaders/` where the working directory
    /// is a checkout of tarsus, so that edits there take effect without a build.
    #[must_use]
    pub fn for_working_directory() -> Self {
        let is_checkout = Path::new("shaders/lib/frame.wgsl").exists()
            && std::fs::read_to_string("Cargo.toml")
                .is_ok_and(|manifest| manifest.contains("name = \"tarsus\""));
        Self {
            checkout: is_checkout.then(|| PathBuf::from("shaders")),
        }
    }

    /// The folder of shaders that replaces the built-in ones, if there is one.
    #[must_use]
    pub fn checkout(&self) -> Option<&Path> {
        self.checkout.as_deref()
    }

    /// Looks `import` up for the file at `importer`: first among the built-in
    /// modules, then as a file beside the importer.
    pub(super) fn find(&self, import: &str, importer: Option<&Path>) -> Option<ModuleText> {
        self.find_builtin(import)
            .or_else(|| find_beside(import, importer?))
    }

    fn find_builtin(&self, import: &str) -> Option<ModuleText> {
        let (_, embedded) = MODULES.iter().find(|(name, _)| *name == import)?;
        let file = format!("shaders/lib/{}.wgsl", import.trim_start_matches("tarsus::"));
        let path = self.checkout.is_some().then(|| PathBuf::from(&file));
        let text = path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        Some(ModuleText {
            file,
            path,
            text: text.unwrap_or_else(|| (*embedded).to_owned()),
        })
    }
}

/// `"dir/file.wgsl"` names a file; `my::module` is `my/module.wgsl` or `my.wgsl`.
fn find_beside(import: &str, importer: &Path) -> Option<ModuleText> {
    let folder = importer.parent().unwrap_or(Path::new(""));
    let candidates = match import
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(quoted) => vec![folder.join(quoted)],
        None => {
            let parts: Vec<&str> = import.split("::").collect();
            let nested = folder.join(parts.join("/")).with_extension("wgsl");
            vec![nested, folder.join(parts[0]).with_extension("wgsl")]
        }
    };
    candidates.into_iter().find_map(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        Some(ModuleText {
            file: path.display().to_string(),
            path: Some(path),
            text,
        })
    })
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
