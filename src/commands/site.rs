//! The web page built by scripts/web.sh, embedded or read from its build folder.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// The index page of the site.
pub(super) const INDEX: &str = "index.html";
/// The self-contained page of a single scene.
pub(super) const PLAYER: &str = "player.html";

/// Names and contents of the site's files, if embedded.
#[cfg(tarsus_page)]
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/target/site.rs"));
#[cfg(not(tarsus_page))]
const BUILT_IN: &[(&str, &[u8])] = &[];

/// The files of the site.
pub(super) enum Site {
    BuiltIn,
    Folder(PathBuf),
}

impl Site {
    /// Finds the site: in `folder` if given, else the embedded one, else that of a
    /// checkout.
    ///
    /// # Errors
    /// If there is none, with the script that builds it.
    pub(super) fn find(folder: Option<&Path>) -> Result<Self> {
        if let Some(folder) = folder {
            if !folder.join(INDEX).is_file() {
                bail!(
                    "cannot find the page in {}: there is no {INDEX}; hint: scripts/web.sh \
                     builds it into target/web",
                    folder.display()
                );
            }
            return Ok(Self::Folder(folder.to_path_buf()));
        }
        if !BUILT_IN.is_empty() {
            return Ok(Self::BuiltIn);
        }
        let found = checkout_folders().into_iter().find(|folder| folder.join(INDEX).is_file());
        found.map(Self::Folder).context(
            "cannot find the web page: this program was built without it; hint: run \
             scripts/web.sh in a checkout of tarsus, then add `--site CHECKOUT/target/web`, or \
             set TARSUS_SITE to that folder",
        )
    }

    /// Reads a file of the site; `name` is its path with slashes.
    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            Self::BuiltIn => {
                let (_, bytes) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
                Some(bytes.to_vec())
            }
            Self::Folder(folder) => {
                let is_plain = |part| matches!(part, Component::Normal(_));
                let is_inside = Path::new(name).components().all(is_plain);
                is_inside.then(|| std::fs::read(folder.join(name)).ok()).flatten()
            }
        }
    }

    /// Reads a text file of the site.
    ///
    /// # Errors
    /// If the file is missing.
    pub(super) fn text(&self, name: &str) -> Result<String> {
        let text = self.file(name).and_then(|bytes| String::from_utf8(bytes).ok());
        text.with_context(|| {
            format!("cannot read {name} of the page; hint: scripts/web.sh rebuilds it")
        })
    }

    /// True if `path` is the folder that the site is read from, or one of its pages.
    pub(super) fn is_read_from(&self, path: &Path) -> bool {
        let Self::Folder(root) = self else {
            return false;
        };
        let own = ["", INDEX, PLAYER].map(|name| root.join(name).canonicalize().ok());
        path.canonicalize().is_ok_and(|path| own.contains(&Some(path)))
    }

    /// Names of all files of the site.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(super) fn names(&self) -> Result<Vec<String>> {
        let Self::Folder(root) = self else {
            return Ok(BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect());
        };
        let mut names = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let failed = || format!("cannot read {}", folder.display());
            for entry in std::fs::read_dir(&folder).with_context(failed)? {
                let path = entry.with_context(failed)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(inside) = path.strip_prefix(root) {
                    names.push(to_url_path(inside));
                }
            }
        }
        names.sort();
        Ok(names)
    }
}

/// Candidate folders of a page built in a checkout: below the working directory, or next to
/// cargo's build output.
fn checkout_folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let target = program.and_then(|program| Some(program.parent()?.parent()?.join("web")));
    std::iter::once(PathBuf::from("target/web")).chain(target).collect()
}

/// Converts a relative path to URL form, with forward slashes.
pub(super) fn to_url_path(path: &Path) -> String {
    let parts = path.components().map(|part| match part {
        Component::ParentDir => "..".into(),
        part => part.as_os_str().to_string_lossy(),
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The index page with a scene's `files` embedded as JSON.
pub(super) fn embed_scene(page: &str, files: &str) -> String {
    let place = "<script type=\"application/json\" id=\"tarsus-files\">";
    page.replacen(place, &format!("{place}{}", escape_for_script(files)), 1)
}

/// Escapes JSON for use within a script element.
pub(super) fn escape_for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> (tempfile::TempDir, Site) {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::create_dir(folder.path().join("assets")).expect("made");
        for name in [INDEX, "assets/a.js"] {
            std::fs::write(folder.path().join(name), name).expect("written");
        }
        let site = Site::find(Some(folder.path())).expect("a site");
        (folder, site)
    }

    #[test]
    fn site_files_are_found_by_path() {
        let (_folder, site) = site();
        assert_eq!(site.names().expect("names"), ["assets/a.js", INDEX]);
        assert_eq!(site.text("assets/a.js").expect("text"), "assets/a.js");
    }

    #[test]
    fn paths_outside_site_are_rejected() {
        let (folder, site) = site();
        let secret = folder.path().with_extension("secret");
        std::fs::write(&secret, "secret").expect("written");
        let name = secret.file_name().expect("a name").to_string_lossy().into_owned();
        for name in [
            &format!("../{name}"),
            &format!("assets/../../{name}"),
            &secret.display().to_string(),
            "",
            ".",
            "assets",
        ] {
            assert!(site.file(name).is_none(), "{name}");
        }
        std::fs::remove_file(&secret).expect("removed");
    }

    #[test]
    fn folder_without_page_names_build_script() {
        let folder = tempfile::tempdir().expect("folder");
        let error = Site::find(Some(folder.path())).err().expect("no page");
        assert!(error.to_string().contains("scripts/web.sh builds it"), "{error}");
    }
}
