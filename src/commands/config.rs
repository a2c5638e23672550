//! Settings that persist between runs, in one small JSON file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use super::files::write_text;

/// Path of the settings file in the system's usual place:
/// `$XDG_CONFIG_HOME/tarsus/config.json`, else `~/.config/tarsus/config.json` on Linux, and
/// the corresponding folders on macOS and Windows.
///
/// # Errors
/// If no environment variable determines the folder.
pub(super) fn path() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let absolute = |path: &PathBuf| path.is_absolute();
    let home = || variable("HOME").filter(absolute);
    let folder = variable("XDG_CONFIG_HOME").filter(absolute).or_else(|| {
        if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Application Support"))
        } else if cfg!(windows) {
            variable("APPDATA").filter(absolute)
        } else {
            home().map(|home| home.join(".config"))
        }
    });
    let Some(folder) = folder else {
        bail!("cannot find the folder of settings: HOME is not set");
    };
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
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    write_text(path, &format!("{:#}\n", Value::Object(settings)))
}

fn read(path: &Path) -> Result<Map<String, Value>> {
    let cannot = || format!("cannot read the settings in {}", path.display());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => return Err(error).with_context(cannot),
    };
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
