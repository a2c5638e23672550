//! What pictures say about themselves, and timelines: read from files and written.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use thiserror::Error;

use super::files::{self, FileError};
use crate::player::{Moment, ParseError, Timeline};

/// Keyword of the text chunk that holds the moment of a PNG.
pub const KEYWORD: &str = "tarsus";

/// Why a file gives no moment or timeline.
#[derive(Debug, Error)]
pub enum MetadataError {
    /// The file cannot be read, or is no PNG.
    #[error(transparent)]
    File(#[from] FileError),
    /// A PNG of another program.
    #[error("{file} has no tarsus metadata: only pictures that tarsus wrote can be opened")]
    Missing {
        /// The file.
        file: String,
    },
    /// The moment cannot be understood.
    #[error("cannot read the tarsus metadata of {file}")]
    Moment {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: ParseError,
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

/// Reads the moment of a PNG that tarsus wrote.
///
/// # Errors
/// [`MetadataError`] when the file cannot be read or holds no moment.
pub fn read_moment(path: &Path) -> Result<Moment, MetadataError> {
    let file = File::open(path).map_err(|error| FileError::read(path, error))?;
    let reader = png::Decoder::new(BufReader::new(file))
        .read_info()
        .map_err(|error| FileError::read(path, error))?;
    let chunks = &reader.info().utf8_text;
    let Some(chunk) = chunks.iter().find(|chunk| chunk.keyword == KEYWORD) else {
        return Err(MetadataError::Missing {
            file: path.display().to_string(),
        });
    };
    let text = chunk
        .get_text()
        .map_err(|error| FileError::read(path, error))?;
    Moment::parse(&text).map_err(|source| MetadataError::Moment {
        file: path.display().to_string(),
        source,
    })
}

/// The scene named in `file` as it is to be found from here: a WGSL file that is
/// not where it was is looked for beside `file` and in the folders above it.
#[must_use]
pub fn find_scene_near(scene: &str, file: &Path) -> String {
    if !scene.ends_with(".wgsl") || Path::new(scene).exists() {
        return scene.to_owned();
    }
    let folders = file.ancestors().skip(1);
    folders
        .map(|folder| folder.join(scene))
        .find(|path| path.exists())
        .map_or_else(|| scene.to_owned(), |path| path.display().to_string())
}

/// Reads a recording, or keyframes written by hand.
///
/// # Errors
/// [`MetadataError`] when the file cannot be read or is no timeline.
pub fn read_timeline(path: &Path) -> Result<Timeline, MetadataError> {
    let text = files::read_text(path)?;
    Timeline::parse(&text).map_err(|source| MetadataError::Timeline {
        file: path.display().to_string(),
        source,
    })
}

/// Writes a timeline, one event per line.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_timeline(path: &Path, timeline: &Timeline) -> Result<(), FileError> {
    files::write_whole::<io::Error>(path, |file| file.write_all(timeline.to_json().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::write_png;
    use crate::player::SceneState;
    use crate::render::Picture;

    fn picture() -> Picture {
        Picture {
            width: 3,
            height: 2,
            rgba: (0..24).collect(),
        }
    }

    #[test]
    fn a_png_gives_its_moment_back_exactly() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let state = SceneState::at(1.0 / 3.0, 20, 60.0);
        let moment = Moment::new("sub/é.wgsl", (3, 2), state);
        write_png(&path, &picture(), &vec![(KEYWORD, moment.to_json())]).expect("written");
        assert_eq!(read_moment(&path).expect("read"), moment);
    }

    #[test]
    fn other_files_are_told_apart() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        write_png(&path, &picture(), &Vec::new()).expect("written");
        let error = read_moment(&path).expect_err("no moment");
        assert!(matches!(error, MetadataError::Missing { .. }), "{error}");
        write_png(&path, &picture(), &vec![(KEYWORD, "{".to_owned())]).expect("written");
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

    #[test]
    fn a_scene_is_looked_for_beside_the_picture_and_above() {
        let folder = tempfile::tempdir().expect("folder");
        let scene = folder.path().join("mine.wgsl");
        std::fs::write(&scene, "").expect("written");
        for picture in ["a.png", "captures/mine/a.png"] {
            let found = find_scene_near("mine.wgsl", &folder.path().join(picture));
            assert_eq!(Path::new(&found), scene, "{picture}");
        }
        for stays in ["creature", "nowhere.wgsl"] {
            assert_eq!(find_scene_near(stays, &scene), stays);
        }
    }
}
