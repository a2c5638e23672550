//! What a picture says about itself: the moment it shows, as JSON, and the hash
//! of all that made it.
//!
//! A PNG carries both in text chunks. Formats without text have a file beside
//! them, `picture.jpg.json` for `picture.jpg`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use png::text_metadata::{EncodableTextChunk as _, ITXtChunk};
use serde_json::value::RawValue;
use thiserror::Error;

use super::files::{self, FileError};
use super::format::{Format, MetadataPlace};
use super::named_scene::{self, NamedSceneError};
use super::reader::{self, METADATA_BYTES, TIMELINE_BYTES};
use tarsus_player::{Moment, ParseError, Timeline};

pub use super::named_scene::find_scene_near;

/// Keyword of the moment.
pub const KEYWORD: &str = "tarsus";

/// Keyword of the hash.
pub const HASH_KEYWORD: &str = "tarsus-hash";

/// What a picture says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The [`Moment`] as JSON.
    pub moment: Option<String>,
    /// The hash of all that made the picture.
    pub hash: Option<String>,
}

/// Why a file gives no metadata or timeline.
#[derive(Debug, Error)]
pub enum MetadataError {
    /// A file cannot be read, or is no picture.
    #[error(transparent)]
    File(#[from] FileError),
    /// A picture of another program.
    #[error("{file} has no tarsus metadata: only pictures that tarsus wrote can be opened")]
    Missing {
        /// The file.
        file: String,
    },
    /// The file beside the picture is not there.
    #[error("{file} has no tarsus metadata: there is no {sidecar}")]
    NoSidecar {
        /// The picture.
        file: String,
        /// The file that should be beside it.
        sidecar: String,
    },
    /// The file beside the picture is no JSON object.
    #[error("cannot read the tarsus metadata of {file}")]
    Sidecar {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The moment cannot be understood.
    #[error("cannot read the tarsus metadata of {file}")]
    Moment {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: ParseError,
    },
    /// The scene it names cannot be opened.
    #[error("cannot open {file}")]
    Scene {
        /// The file.
        file: String,
        /// What is wrong with its scene.
        source: NamedSceneError,
    },
    /// It is no timeline.
    #[error("cannot read the timeline {file}")]
    Timeline {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: ParseError,
    },
}

impl Metadata {
    /// The texts with their keywords.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let moment = self.moment.as_deref().map(|text| (KEYWORD, text));
        let hash = self.hash.as_deref().map(|text| (HASH_KEYWORD, text));
        moment.into_iter().chain(hash)
    }

    /// The texts as whole PNG chunks.
    pub(super) fn png_chunks(&self) -> io::Result<Vec<u8>> {
        let mut chunks = Vec::new();
        for (keyword, text) in self.texts() {
            ITXtChunk::new(keyword, text).encode(&mut chunks)?;
        }
        Ok(chunks)
    }

    /// The text of the file beside a picture: one JSON object.
    pub(super) fn sidecar(&self) -> serde_json::Result<String> {
        let moment = self.moment.clone().map(RawValue::from_string);
        let hash = self.hash.as_ref().map(serde_json::value::to_raw_value);
        let fields = [(KEYWORD, moment), (HASH_KEYWORD, hash)];
        let fields: BTreeMap<&str, Box<RawValue>> = fields
            .into_iter()
            .filter_map(|(keyword, value)| Some(value?.map(|value| (keyword, value))))
            .collect::<Result<_, _>>()?;
        Ok(serde_json::to_string(&fields)? + "\n")
    }

    fn from_sidecar(text: &str) -> serde_json::Result<Self> {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
        let moment = fields.get(KEYWORD).map(|value| value.get().to_owned());
        let hash = fields.get(HASH_KEYWORD);
        let hash = hash.map(|value| serde_json::from_str(value.get()));
        Ok(Self {
            moment,
            hash: hash.transpose()?,
        })
    }

    /// Reads what the picture at `path` says about itself, from its text chunks
    /// or, where its format has none, from the file beside it.
    ///
    /// # Errors
    /// [`MetadataError`] when there is none or it cannot be read.
    pub fn read(path: &Path) -> Result<Self, MetadataError> {
        let place = Format::of(path).map(|format| format.spec().metadata);
        match place {
            Some(MetadataPlace::Sidecar) => read_sidecar(path),
            _ => read_chunks(path),
        }
    }
}

/// Reads the moment that the picture at `path` shows.
///
/// # Errors
/// [`MetadataError`] when it has none or it cannot be read.
pub fn read_moment(path: &Path) -> Result<Moment, MetadataError> {
    let file = || path.display().to_string();
    let text = Metadata::read(path)?.moment;
    let text = text.ok_or_else(|| MetadataError::Missing { file: file() })?;
    let moment = Moment::parse(&text).map_err(|source| MetadataError::Moment {
        file: file(),
        source,
    })?;
    check_scene(&moment, path)?;
    Ok(moment)
}

fn check_scene(moment: &Moment, path: &Path) -> Result<(), MetadataError> {
    named_scene::check(&moment.scene, path).map_err(|source| MetadataError::Scene {
        file: path.display().to_string(),
        source,
    })
}

/// Reads a recording, or keyframes written by hand.
///
/// # Errors
/// [`MetadataError`] when the file cannot be read or is no timeline.
pub fn read_timeline(path: &Path) -> Result<Timeline, MetadataError> {
    let text = reader::read_text(path, TIMELINE_BYTES)?;
    let timeline = Timeline::parse(&text).map_err(|source| MetadataError::Timeline {
        file: path.display().to_string(),
        source,
    })?;
    check_scene(&timeline.start, path)?;
    Ok(timeline)
}

/// Writes a timeline, one event per line.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_timeline(path: &Path, timeline: &Timeline) -> Result<(), FileError> {
    files::write_whole::<io::Error>(path, |file| file.write_all(timeline.to_json().as_bytes()))
}

/// The file beside `picture` that holds its metadata.
#[must_use]
pub fn sidecar_path(picture: &Path) -> PathBuf {
    let mut name = picture.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

fn read_sidecar(path: &Path) -> Result<Metadata, MetadataError> {
    let sidecar = sidecar_path(path);
    if !sidecar.exists() {
        // A picture that is not there is the first thing to say.
        reader::open(path)?;
        return Err(MetadataError::NoSidecar {
            file: path.display().to_string(),
            sidecar: sidecar.display().to_string(),
        });
    }
    let text = reader::read_text(&sidecar, METADATA_BYTES)?;
    Metadata::from_sidecar(&text).map_err(|source| MetadataError::Sidecar {
        file: path.display().to_string(),
        source,
    })
}

fn read_chunks(path: &Path) -> Result<Metadata, MetadataError> {
    let [moment, hash] = reader::png_texts(path, [KEYWORD, HASH_KEYWORD])?;
    Ok(Metadata { moment, hash })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_png;
    use tarsus_player::SceneState;
    use tarsus_render::Picture;

    fn metadata() -> Metadata {
        Metadata {
            moment: Some("{\"scene\":\"é.wgsl\",\"time\":0.1}".to_owned()),
            hash: Some("00ff".to_owned()),
        }
    }

    #[test]
    fn a_sidecar_gives_its_metadata_back() {
        for metadata in [metadata(), Metadata::default()] {
            let text = metadata.sidecar().expect("text");
            assert_eq!(Metadata::from_sidecar(&text).expect("read"), metadata);
        }
    }

    #[test]
    fn the_file_beside_a_picture_is_read() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.jpg");
        let error = || read_moment(&path).expect_err("nothing to read");
        assert!(matches!(error(), MetadataError::File(_)), "no picture");
        std::fs::write(&path, "pixels").expect("written");
        assert!(matches!(error(), MetadataError::NoSidecar { .. }));
        let sidecar = sidecar_path(&path);
        assert!(sidecar.ends_with("a.jpg.json"));
        std::fs::write(&sidecar, "{}").expect("written");
        assert!(matches!(error(), MetadataError::Missing { .. }));
        std::fs::write(&sidecar, "{\"tarsus\": 3}").expect("written");
        assert!(matches!(error(), MetadataError::Moment { .. }));
        std::fs::write(&sidecar, "{\"tarsus\"").expect("written");
        assert!(matches!(error(), MetadataError::Sidecar { .. }));
        std::fs::write(&sidecar, metadata().sidecar().expect("text")).expect("written");
        let moment = read_moment(&path).expect("a moment");
        assert_eq!((moment.scene.as_str(), moment.state.time), ("é.wgsl", 0.1));
    }

    fn picture() -> Picture {
        Picture {
            width: 3,
            height: 2,
            rgba: (0..24).collect(),
        }
    }

    fn with(moment: String) -> Metadata {
        Metadata {
            moment: Some(moment),
            hash: None,
        }
    }

    #[test]
    fn a_png_gives_its_moment_back_exactly() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let state = SceneState::at(1.0 / 3.0, 20, 60.0);
        let moment = Moment::new("sub/é.wgsl", (3, 2), state);
        write_png(&path, &picture(), &with(moment.to_json())).expect("written");
        assert_eq!(read_moment(&path).expect("read"), moment);
    }

    #[test]
    fn other_files_are_told_apart() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        write_png(&path, &picture(), &Metadata::default()).expect("written");
        let error = read_moment(&path).expect_err("no moment");
        assert!(matches!(error, MetadataError::Missing { .. }), "{error}");
        write_png(&path, &picture(), &with("{".to_owned())).expect("written");
        let error = read_moment(&path).expect_err("half a moment");
        assert!(matches!(error, MetadataError::Moment { .. }), "{error}");
        std::fs::write(&path, "no picture").expect("written");
        let error = read_moment(&path).expect_err("no picture");
        assert!(matches!(error, MetadataError::File(_)), "{error}");
    }

    #[test]
    fn a_timeline_comes_back_from_its_file() {
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
