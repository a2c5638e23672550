//! The folder of Shadertoy media, which persists between runs.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::config;
use super::exit::usage;
use tarsus_files::printable;

/// Key in the settings.
const KEY: &str = "media";
/// Environment variable that sets the folder for one run.
const VARIABLE: &str = "TARSUS_MEDIA";

/// Stores the folder given by `--media` for later runs, or removes the stored one for
/// `none`.
///
/// # Errors
/// If the given path is not a folder, or cannot be stored.
pub(super) fn set_folder(given: &Path) -> Result<Option<PathBuf>> {
    let path = config::path()?;
    if given.as_os_str() == "none" {
        config::set(&path, KEY, None)?;
        print_note(&format!("media folder removed from the settings ({})", path.display()));
        return Ok(None);
    }
    let shown = given.display();
    let folder = given.canonicalize().ok().filter(|folder| folder.is_dir());
    let Some(folder) = folder else {
        return usage(format!(
            "invalid value \"{shown}\" for --media: expected a folder, or `none`"
        ));
    };
    let text = folder.to_string_lossy().into_owned();
    if config::get(&path, KEY)?.as_deref() != Some(&text) {
        config::set(&path, KEY, Some(&text))?;
        print_note(&format!(
            "media folder {shown} saved to the settings ({}); hint: `--media none` removes it",
            path.display()
        ));
    }
    Ok(Some(folder))
}

fn print_note(note: &str) {
    eprintln!("note: {}", printable(note));
}

/// Folder in the environment variable, or else the stored one. If the settings cannot be
/// read, there is only a warning, because the folder is a convenience.
pub(super) fn saved_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    match config::get(&config::path().ok()?, KEY) {
        Ok(folder) => folder.map(PathBuf::from),
        Err(error) => {
            eprintln!("warning: {}", printable(&format!("{error:#}")));
            None
        }
    }
}
