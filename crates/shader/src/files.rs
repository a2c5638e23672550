//! File access for scenes: the disk, or texts in memory as on a web page.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::limits::MAX_BYTES;

/// The files that scenes and modules are read from.
#[derive(Clone, Debug, Default)]
pub struct Files(Option<Arc<BTreeMap<PathBuf, String>>>);

impl Files {
    /// Serves the given texts, by path, instead of the disk.
    pub fn in_memory<P: Into<PathBuf>>(texts: impl IntoIterator<Item = (P, String)>) -> Self {
        let texts = texts.into_iter();
        let texts = texts.map(|(path, text)| {
            let text = tarsus_files::without_mark(&text).to_owned();
            (normalize(&path.into()), text)
        });
        Self(Some(Arc::new(texts.collect())))
    }

    /// Reads a text file.
    ///
    /// # Errors
    /// Returns the reason, worded to follow "cannot read FILE: ".
    pub fn read(&self, path: &Path) -> Result<String, String> {
        match &self.0 {
            None => read_source(path),
            Some(texts) => {
                let text = texts.get(&normalize(path)).cloned();
                text.ok_or_else(|| "no such file".to_owned())
            }
        }
    }

    /// True if the path is a file.
    pub fn is_file(&self, path: &Path) -> bool {
        match &self.0 {
            None => path.is_file(),
            Some(texts) => texts.contains_key(&normalize(path)),
        }
    }

    /// Lists the paths in a folder, up to `limit` of them.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn list(&self, folder: &Path, limit: usize) -> std::io::Result<Vec<PathBuf>> {
        match &self.0 {
            None => {
                let entries = std::fs::read_dir(folder)?.take(limit);
                entries.map(|entry| Ok(entry?.path())).collect()
            }
            Some(texts) => {
                let folder = normalize(folder);
                let inside = texts.keys().filter(|path| path.parent() == Some(&folder));
                Ok(inside.take(limit).cloned().collect())
            }
        }
    }

    /// Canonical form of a path.
    pub fn canonical(&self, path: &Path) -> Option<PathBuf> {
        match &self.0 {
            None => path.canonicalize().ok(),
            Some(_) => Some(normalize(path)),
        }
    }
}

/// Reads a UTF-8 text of at most [`MAX_BYTES`] from the disk.
///
/// # Errors
/// Returns the reason, worded to follow "cannot read FILE: ".
pub(super) fn read_source(path: &Path) -> Result<String, String> {
    let text = tarsus_files::read_text(path, MAX_BYTES as u64);
    text.map_err(|error| error.reason().to_string())
}

/// Resolves `.` and `..` in `path` as far as possible.
fn normalize(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_files_support_paths_and_folders() {
        let texts = ["a.wgsl", "sub/b.wgsl", "./sub/../c.wgsl"];
        let files = Files::in_memory(texts.map(|path| (path, format!("\u{feff}{path}"))));
        assert_eq!(files.read(Path::new("./sub/b.wgsl")), Ok("sub/b.wgsl".to_owned()));
        assert_eq!(files.read(Path::new("sub/../a.wgsl")), Ok("a.wgsl".to_owned()));
        assert!(files.is_file(Path::new("c.wgsl")));
        for missing in ["sub", "d.wgsl", "../a.wgsl", "Cargo.toml", "src"] {
            let missing = Path::new(missing);
            assert!(files.read(missing).is_err() && !files.is_file(missing));
        }
        let listed = files.list(Path::new(""), 9).expect("listed");
        assert_eq!(listed, ["a.wgsl", "c.wgsl"].map(PathBuf::from));
        let listed = files.list(Path::new("./sub"), 9).expect("listed");
        assert_eq!(listed, [PathBuf::from("sub/b.wgsl")]);
        assert_eq!(
            files.canonical(Path::new("./sub/../a.wgsl")),
            files.canonical(Path::new("a.wgsl"))
        );
    }
}
