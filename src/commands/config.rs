//! `tarsus config`: settings that persist between runs, in one small JSON file.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tarsus_files::printable;

use super::usage;

/// Maximum size of the settings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Environment variable that sets the folder of Shadertoy media for one run.
const VARIABLE: &str = "TARSUS_MEDIA";

/// The settings file.
#[derive(Default, Serialize, Deserialize)]
#[serde(expecting = "an object")]
struct Settings {
    /// Folder of Shadertoy media.
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<String>,
    /// Settings of other versions of the program.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Prints the settings, or prints or changes the only `setting`, `media`.
pub(super) fn run(setting: Option<&str>, value: Option<&OsStr>) -> Result<ExitCode> {
    let path = path()?;
    let mut settings = read(&path)?;
    match (setting, value) {
        (Some(_), Some(value)) => {
            settings.media = if value == "none" { None } else { Some(folder(value)?) };
            let text = serde_json::to_string_pretty(&settings)?;
            tarsus_files::write(&path, format!("{text}\n").as_bytes())?;
        }
        (Some(_), None) => {
            if let Some(media) = &settings.media {
                println!("{}", printable(media));
            }
        }
        (None, _) => {
            println!("{}", printable(&path.to_string_lossy()));
            println!("media = {}", printable(settings.media.as_deref().unwrap_or("none")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The absolute path of an existing folder.
fn folder(given: &OsStr) -> Result<String> {
    let folder = Path::new(given).canonicalize().ok().filter(|folder| folder.is_dir());
    match folder.and_then(|folder| folder.into_os_string().into_string().ok()) {
        Some(folder) => Ok(folder),
        None => usage(format!(
            "invalid value \"{}\" for media: expected a folder, or `none`",
            given.display()
        )),
    }
}

/// Folder of Shadertoy media in the environment variable, if that is set.
///
/// # Errors
/// Returns a usage error if there is no such folder.
pub(super) fn media_of_environment() -> Result<Option<PathBuf>> {
    let folder = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    match folder.map(PathBuf::from) {
        Some(folder) if !folder.is_dir() => usage(format!(
            "invalid value \"{}\" for {VARIABLE}: expected a folder",
            folder.display()
        )),
        folder => Ok(folder),
    }
}

/// The stored folder of Shadertoy media. If the settings cannot be read, there is only a
/// warning, because the folder is a convenience.
pub(super) fn stored_media() -> Option<PathBuf> {
    match read(&path().ok()?) {
        Ok(settings) => settings.media.map(PathBuf::from),
        Err(error) => {
            log::warn!("{error:#}");
            None
        }
    }
}

/// Path of the settings file: `tarsus/config.json` in the system's folder of settings, which
/// is `$XDG_CONFIG_HOME` or `~/.config` on Linux.
///
/// # Errors
/// If the system has no such folder.
fn path() -> Result<PathBuf> {
    let folder = dirs::config_dir().context("cannot find the settings folder: HOME is not set")?;
    Ok(folder.join("tarsus").join("config.json"))
}

/// Reads the settings, which are empty if there is no file yet.
///
/// # Errors
/// If the file exists and cannot be read.
fn read(path: &Path) -> Result<Settings> {
    let text = match tarsus_files::read_text(path, MAX_BYTES) {
        Err(error) if error.reason().kind() == ErrorKind::NotFound => {
            return Ok(Settings::default());
        }
        text => text?,
    };
    let settings = serde_json::from_str(&text);
    settings.map_err(|error| {
        anyhow!("cannot read {}: {error}; hint: correct or remove the file", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_settings_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.json");
        assert_eq!(read(&path).expect("nothing").media, None);
        std::fs::write(&path, r#"{"media": "/m", "other": ["x"]}"#).expect("written");
        let mut settings = read(&path).expect("settings");
        assert_eq!(settings.media.take().as_deref(), Some("/m"));
        let text = serde_json::to_string(&settings).expect("JSON");
        assert_eq!(text, r#"{"other":["x"]}"#);
        for wrong in ["[]", "{", r#"{"media": 5}"#] {
            std::fs::write(&path, wrong).expect("written");
            assert!(read(&path).is_err(), "{wrong}");
        }
    }
}
