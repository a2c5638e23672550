//! The folder of Shadertoy media, which persists between runs.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::config;
use super::exit::UsageError;
use tarsus_files::printable;

/// Key in the settings.
const KEY: &str = "media";
/// Environment variable that sets the folder for one run.
const VARIABLE: &str = "TARSUS_MEDIA";

/// Resolves the folder: the given one, which is stored for later runs; else the one in the
/// environment variable; else the stored one.
///
/// # Errors
/// If the given path is not a folder, or cannot be stored.
pub(super) fn folder(asked: Option<&Path>) -> Result<Option<PathBuf>> {
    let Some(asked) = asked else {
        return Ok(without_asking());
    };
    let path = config::path()?;
    if asked.as_os_str() == "none" {
        config::set(&path, KEY, None)?;
        let sentence = format!("the folder of media is forgotten ({})", path.display());
        eprintln!("{}", printable(&sentence));
        return Ok(None);
    }
    let shown = asked.display();
    let folder = asked.canonicalize().ok().filter(|folder| folder.is_dir());
    let Some(folder) = folder else {
        let sentence =
            format!("invalid value \"{shown}\" for --media: expected a folder, or `none`");
        return Err(UsageError(sentence).into());
    };
    let text = folder.to_string_lossy().into_owned();
    if config::get(&path, KEY)?.as_deref() != Some(&text) {
        config::set(&path, KEY, Some(&text))?;
        let sentence = format!(
            "{shown} is remembered as the folder of media ({}); `--media none` forgets it",
            path.display()
        );
        eprintln!("{}", printable(&sentence));
    }
    Ok(Some(folder))
}

/// The stored folder is a convenience: if it cannot be read, there is only a warning.
fn without_asking() -> Option<PathBuf> {
    let of_variable = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    let remembered = || {
        let path = config::path().ok()?;
        match config::get(&path, KEY) {
            Ok(folder) => folder.map(PathBuf::from),
            Err(error) => {
                eprintln!("warning: {error:#}");
                None
            }
        }
    };
    of_variable.map(PathBuf::from).or_else(remembered)
}
