//! Metadata of a picture: its snapshot, as JSON, and a hash of everything that made it.
//!
//! A PNG carries both in text chunks. Formats without text chunks have a sidecar file,
//! `picture.jpg.json` for `picture.jpg`.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::error::CaptureError;
use super::format::Format;
use super::named_scene;
use super::png_file;
use tarsus_files::FileError;
use tarsus_player::{Snapshot, Timeline};

pub use super::named_scene::{find_scene, find_scene_near, is_picture, scene_of_picture};

/// Maximum size of a recording, in bytes: enough for millions of events.
const MAX_TIMELINE_BYTES: u64 = 256 << 20;

/// PNG keyword of the snapshot.
pub const KEYWORD: &str = "tarsus";

/// PNG keyword of the hash.
pub const HASH_KEYWORD: &str = "tarsus-hash";

/// Snapshot and hash stored with a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The snapshot, a [`Snapshot`] as JSON.
    pub snapshot: Option<String>,
    /// Hash of everything that made the picture.
    pub hash: Option<String>,
}

fn missing(picture: &Path, reason: &dyn fmt::Display) -> CaptureError {
    let picture = picture.display();
    CaptureError::Failed(format!("{picture} has no tarsus metadata: {reason}"))
}

fn damaged(picture: &Path, reason: &dyn fmt::Display) -> CaptureError {
    let picture = picture.display();
    CaptureError::Failed(format!("cannot read the tarsus metadata of {picture}: {reason}"))
}

impl Metadata {
    /// Texts with their keywords.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let snapshot = self.snapshot.as_deref().map(|text| (KEYWORD, text));
        let hash = self.hash.as_deref().map(|text| (HASH_KEYWORD, text));
        snapshot.into_iter().chain(hash)
    }

    /// Encodes the sidecar file: one JSON object.
    pub(super) fn sidecar(&self) -> serde_json::Result<String> {
        let snapshot = self.snapshot.clone().map(RawValue::from_string);
        let hash = self.hash.as_ref().map(serde_json::value::to_raw_value);
        let fields = [(KEYWORD, snapshot), (HASH_KEYWORD, hash)];
        let fields: BTreeMap<&str, Box<RawValue>> = fields
            .into_iter()
            .filter_map(|(keyword, value)| Some(value?.map(|value| (keyword, value))))
            .collect::<Result<_, _>>()?;
        Ok(serde_json::to_string(&fields)? + "\n")
    }

    fn from_sidecar(text: &str) -> serde_json::Result<Self> {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
        let snapshot = fields.get(KEYWORD).map(|value| value.get().to_owned());
        let hash = fields.get(HASH_KEYWORD);
        let hash = hash.map(|value| serde_json::from_str(value.get()));
        Ok(Self { snapshot, hash: hash.transpose()? })
    }

    /// Reads the metadata of the picture at `path` from its text chunks or, for formats
    /// without them, from the sidecar file.
    ///
    /// # Errors
    /// [`CaptureError`] if there is none or it cannot be read.
    pub fn read(path: &Path) -> Result<Self, CaptureError> {
        match Format::from_path(path) {
            Some(format) if format.has_sidecar() => read_sidecar(path),
            _ => read_chunks(path),
        }
    }

    /// True if the file at `path` is the sidecar file of a picture.
    pub(super) fn is_sidecar(path: &Path) -> bool {
        let text = tarsus_files::read_text(path, png_file::MAX_TEXT_BYTES);
        let metadata = text.ok().and_then(|text| Self::from_sidecar(&text).ok());
        metadata.is_some_and(|metadata| metadata.parse_snapshot(path).is_ok())
    }

    /// Parses the snapshot of the picture at `path`.
    pub(super) fn parse_snapshot(&self, path: &Path) -> Result<Snapshot, CaptureError> {
        match &self.snapshot {
            None => {
                let reason = "expected a picture written by tarsus";
                Err(missing(path, &reason))
            }
            Some(text) => Snapshot::parse(text).map_err(|error| damaged(path, &error)),
        }
    }
}

/// Reads the snapshot of the picture at `path` and checks the scene it names, unless it stores
/// the sources.
///
/// # Errors
/// [`CaptureError`] if there is none, it cannot be read, or its scene is not safe to open.
pub fn read_snapshot(path: &Path) -> Result<Snapshot, CaptureError> {
    let snapshot = Metadata::read(path)?.parse_snapshot(path)?;
    if snapshot.files.is_none() {
        check_scene(&snapshot, path)?;
    }
    Ok(snapshot)
}

fn check_scene(Snapshot { scene, .. }: &Snapshot, path: &Path) -> Result<(), CaptureError> {
    if named_scene::is_scene_name(scene, path) {
        return Ok(());
    }
    Err(CaptureError::Failed(format!(
        "cannot open {}: invalid scene `{scene}`: expected a built-in scene, a .wgsl or .glsl \
         file, Shadertoy's JSON, or a folder of passes",
        path.display()
    )))
}

/// Reads a timeline: a recording, or keyframes written by hand.
///
/// # Errors
/// [`CaptureError`] if the file cannot be read or is not a timeline.
pub fn read_timeline(path: &Path) -> Result<Timeline, CaptureError> {
    let text = tarsus_files::read_text(path, MAX_TIMELINE_BYTES)?;
    let timeline = Timeline::parse(&text).map_err(|error| {
        CaptureError::Failed(format!("cannot read the timeline {}: {error}", path.display()))
    })?;
    check_scene(&timeline.start, path)?;
    Ok(timeline)
}

/// Writes a timeline, one event per line.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_timeline(path: &Path, timeline: &Timeline) -> Result<(), FileError> {
    tarsus_files::write(path, timeline.to_json().as_bytes())
}

/// Path of the sidecar file that holds the metadata of `picture`.
pub fn sidecar_path(picture: &Path) -> PathBuf {
    with_suffix(picture, ".json")
}

/// Removes the sidecar file of the picture at `path`, which holds the metadata of an earlier
/// picture. A file that is not a sidecar of tarsus stays.
///
/// # Errors
/// [`FileError`] if the file cannot be removed.
pub fn remove_sidecar(path: &Path) -> Result<(), FileError> {
    let sidecar = sidecar_path(path);
    if !Metadata::is_sidecar(&sidecar) {
        return Ok(());
    }
    fs::remove_file(&sidecar).map_err(|error| FileError::write(&sidecar, error))
}

/// Appends `suffix` to a path.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn read_sidecar(path: &Path) -> Result<Metadata, CaptureError> {
    let sidecar = sidecar_path(path);
    if !sidecar.exists() {
        // A missing picture is reported before a missing sidecar.
        tarsus_files::open(path)?;
        let reason = format!("{} does not exist", sidecar.display());
        return Err(missing(path, &reason));
    }
    let text = tarsus_files::read_text(&sidecar, png_file::MAX_TEXT_BYTES)?;
    Metadata::from_sidecar(&text).map_err(|error| damaged(path, &error))
}

fn read_chunks(path: &Path) -> Result<Metadata, CaptureError> {
    let failed = |error: png::DecodingError| FileError::read(path, error);
    let reader = png_file::open(path)?.read_info().map_err(failed)?;
    let text = |keyword| png_file::text(reader.info(), keyword).map_err(failed);
    Ok(Metadata { snapshot: text(KEYWORD)?, hash: text(HASH_KEYWORD)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_png;
    use tarsus_player::SceneState;
    use tarsus_render::Picture;

    fn metadata() -> Metadata {
        Metadata {
            snapshot: Some("{\"scene\":\"é.wgsl\",\"time\":0.1}".to_owned()),
            hash: Some("00ff".to_owned()),
        }
    }

    #[test]
    fn sidecar_round_trips() {
        for metadata in [metadata(), Metadata::default()] {
            let text = metadata.sidecar().expect("text");
            assert_eq!(Metadata::from_sidecar(&text).expect("read"), metadata);
        }
    }

    #[test]
    fn sidecar_errors_are_distinguished() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.jpg");
        let error = || read_snapshot(&path).expect_err("nothing to read").to_string();
        assert_eq!(error(), format!("cannot read {}: there is no such file", path.display()));
        std::fs::write(&path, "pixels").expect("written");
        assert!(error().ends_with("a.jpg.json does not exist"));
        let sidecar = sidecar_path(&path);
        assert!(sidecar.ends_with("a.jpg.json"));
        std::fs::write(&sidecar, "{}").expect("written");
        assert!(error().ends_with("expected a picture written by tarsus"));
        std::fs::write(&sidecar, "{\"tarsus\": 3}").expect("written");
        assert!(error().contains("cannot read the tarsus metadata of"));
        std::fs::write(&sidecar, "{\"tarsus\"").expect("written");
        assert!(error().contains("cannot read the tarsus metadata of"));
        std::fs::write(&sidecar, metadata().sidecar().expect("text")).expect("written");
        let snapshot = read_snapshot(&path).expect("a snapshot");
        assert_eq!((snapshot.scene.as_str(), snapshot.state.time), ("é.wgsl", 0.1));
    }

    fn picture() -> Picture {
        Picture { width: 3, height: 2, rgba: (0..24).collect() }
    }

    fn with(snapshot: String) -> Metadata {
        Metadata { snapshot: Some(snapshot), hash: None }
    }

    #[test]
    fn png_snapshot_round_trips_exactly() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let state = SceneState::at(1.0 / 3.0, 20, 60.0);
        let snapshot = Snapshot::new("sub/é.wgsl", (3, 2), state);
        write_png(&path, &picture(), &with(snapshot.to_json())).expect("written");
        assert_eq!(read_snapshot(&path).expect("read"), snapshot);
    }

    #[test]
    fn png_errors_are_distinguished() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        write_png(&path, &picture(), &Metadata::default()).expect("written");
        let error = || read_snapshot(&path).expect_err("no snapshot").to_string();
        assert!(error().ends_with("expected a picture written by tarsus"));
        write_png(&path, &picture(), &with("{".to_owned())).expect("written");
        assert!(error().contains("cannot read the tarsus metadata of"));
        std::fs::write(&path, "no picture").expect("written");
        assert!(error().starts_with("cannot read"));
    }

    #[test]
    fn timeline_round_trips() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/a.json");
        let text = r#"{"duration": 3, "events": [{"at": 1, "held": true}]}"#;
        let timeline = Timeline::parse(text).expect("a timeline");
        write_timeline(&path, &timeline).expect("written");
        assert_eq!(read_timeline(&path).expect("read"), timeline);
        std::fs::write(&path, "{").expect("written");
        let error = read_timeline(&path).expect_err("half a timeline");
        assert!(error.to_string().contains("a.json"), "{error}");
    }
}
