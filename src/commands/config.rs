//! `tarsus config`: settings that persist between runs, in one small JSON file.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};
use tarsus_files::printable;

use super::usage;
use crate::cli::{ConfigArgs, Setting};

/// Maximum size of the settings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Key of the folder of Shadertoy media.
const MEDIA: &str = "media";
/// Environment variable that sets this folder for one run.
const VARIABLE: &str = "TARSUS_MEDIA";

pub(super) fn run(args: &ConfigArgs) -> Result<ExitCode> {
    let path = path()?;
    match (args.setting, &args.value) {
        (Some(Setting::Media), Some(value)) if value == "none" => set(&path, MEDIA, None)?,
        (Some(Setting::Media), Some(value)) => set(&path, MEDIA, Some(&folder(value)?))?,
        (Some(Setting::Media), None) => {
            if let Some(value) = get(&path, MEDIA)? {
                println!("{}", printable(&value));
            }
        }
        (None, _) => {
            let value = get(&path, MEDIA)?.unwrap_or_else(|| "none".to_owned());
            println!("{}", printable(&path.to_string_lossy()));
            println!("{MEDIA} = {}", printable(&value));
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
            "invalid value \"{}\" for media: expected a folder with a name in UTF-8, or `none`",
            given.display()
        )),
    }
}

/// Folder of Shadertoy media in the environment variable, or else the stored one. If the
/// settings cannot be read, there is only a warning, because the folder is a convenience.
pub(super) fn media_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    match get(&path().ok()?, MEDIA) {
        Ok(folder) => folder.map(PathBuf::from),
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

/// Reads the value stored under `key`.
///
/// # Errors
/// If the file exists and cannot be read.
fn get(path: &Path, key: &str) -> Result<Option<String>> {
    let settings = read(path)?;
    Ok(settings.get(key).and_then(Value::as_str).map(str::to_owned))
}

/// Stores `value` under `key`, or removes the key.
///
/// # Errors
/// If the file cannot be read or written.
fn set(path: &Path, key: &str, value: Option<&str>) -> Result<()> {
    let mut settings = read(path)?;
    match value {
        Some(value) => settings.insert(key.to_owned(), Value::from(value)),
        None => settings.remove(key),
    };
    tarsus_files::write(path, format!("{:#}\n", Value::Object(settings)).as_bytes())?;
    Ok(())
}

fn read(path: &Path) -> Result<Map<String, Value>> {
    let text = match tarsus_files::read_text(path, MAX_BYTES) {
        Err(error) if error.reason().kind() == ErrorKind::NotFound => return Ok(Map::new()),
        text => text?,
    };
    let cannot = || format!("cannot read {}", path.display());
    match serde_json::from_str(&text).with_context(cannot)? {
        Value::Object(settings) => Ok(settings),
        _ => bail!("{}: expected an object; hint: remove the file", cannot()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_stored_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tarsus/config.json");
        assert_eq!(get(&path, "media").expect("nothing"), None);
        set(&path, "media", Some("/m")).expect("written");
        set(&path, "other", Some("x")).expect("written");
        assert_eq!(get(&path, "media").expect("a value").as_deref(), Some("/m"));
        set(&path, "media", None).expect("written");
        assert_eq!(get(&path, "media").expect("nothing"), None);
        assert_eq!(get(&path, "other").expect("a value").as_deref(), Some("x"));
        std::fs::write(&path, "[]").expect("written");
        assert!(get(&path, "media").is_err());
    }
}
