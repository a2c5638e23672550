//! Settings that persist between runs, in one small JSON file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

/// Maximum size of the settings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Path of the settings file: `tarsus/config.json` in the system's folder of settings, which
/// is `$XDG_CONFIG_HOME` or `~/.config` on Linux.
///
/// # Errors
/// If the system has no such folder.
pub(super) fn path() -> Result<PathBuf> {
    let folder = dirs::config_dir().context("cannot find the settings folder: HOME is not set")?;
    Ok(folder.join("tarsus").join("config.json"))
}

/// Reads the value stored under `key`.
///
/// # Errors
/// If the file exists and cannot be read.
pub(super) fn get(path: &Path, key: &str) -> Result<Option<String>> {
    let settings = read(path)?;
    Ok(settings.get(key).and_then(Value::as_str).map(str::to_owned))
}

/// Stores `value` under `key`, or removes the key.
///
/// # Errors
/// If the file cannot be read or written.
pub(super) fn set(path: &Path, key: &str, value: Option<&str>) -> Result<()> {
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
