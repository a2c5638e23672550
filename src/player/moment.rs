//! The description of one picture: all that is needed to draw it again.
//!
//! It travels in a text chunk of every PNG (keyword [`KEYWORD`], JSON), so that
//! a picture dropped on the window or given to a command brings back its scene,
//! parameters, time and input.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::capture::files::FileError;
use crate::player::Input;
use crate::player::Keyboard;
use crate::render::Frame;
use crate::shader::Lens;

/// Keyword of the PNG's text chunk.
pub const KEYWORD: &str = "tarsus";

/// One moment of one scene. What is missing where it is read from stands at
/// its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moment {
    /// Version of the program.
    pub tarsus: String,
    /// The scene as named on the command line: a built-in name or a file.
    pub scene: String,
    /// What it was looked at through, if not plainly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lens: Option<Lens>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// Seconds since the start.
    pub time: f32,
    /// Seconds since the frame before.
    pub time_delta: f32,
    /// Number of the frame, from 0.
    pub frame: u32,
    /// Frames per second.
    pub fps: f32,
    /// As in [`Frame::mouse`].
    pub mouse: [f32; 4],
    /// As in [`Frame::pointer`].
    pub pointer: [f32; 4],
    /// As in [`Frame::orbit`].
    pub orbit: [f32; 4],
    /// As in [`Frame::date`].
    pub date: [f32; 4],
    /// As in [`Frame::press_age`].
    pub press_age: f32,
    /// As in [`Frame::release_age`].
    pub release_age: f32,
    /// Codes of the keys that are down, were just pressed, are toggled.
    #[serde(skip_serializing_if = "no_keys")]
    pub keys: [Vec<u8>; 3],
    /// Parameters by name.
    pub parameters: BTreeMap<String, Vec<f64>>,
}

impl Default for Moment {
    /// The start of any scene, with nobody touching anything.
    fn default() -> Self {
        let frame = Frame::offline((1280, 720), 0, 60.0);
        Self::new("", &frame, &Keyboard::default(), BTreeMap::new())
    }
}

fn no_keys(keys: &[Vec<u8>; 3]) -> bool {
    keys.iter().all(Vec::is_empty)
}

/// Why a file gives no moment.
#[derive(Debug, Error)]
pub enum MomentError {
    /// The file cannot be read, or is no PNG.
    #[error(transparent)]
    File(#[from] FileError),
    /// A PNG of somebody else.
    #[error("{file} holds no moment of tarsus: only pictures that tarsus wrote can be opened")]
    Foreign {
        /// The file.
        file: String,
    },
    /// The description cannot be understood.
    #[error("the description in {file} cannot be understood: {reason}")]
    Form {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Moment {
    /// Describes the picture of `frame`.
    #[must_use]
    pub fn new(
        scene: &str,
        frame: &Frame,
        keyboard: &Keyboard,
        parameters: BTreeMap<String, Vec<f64>>,
    ) -> Self {
        Self {
            tarsus: env!("CARGO_PKG_VERSION").to_owned(),
            scene: scene.to_owned(),
            lens: None,
            size: (frame.resolution[0] as u32, frame.resolution[1] as u32),
            samples: 1,
            time: frame.time,
            time_delta: frame.time_delta,
            frame: frame.index,
            fps: frame.frame_rate,
            mouse: frame.mouse,
            pointer: frame.pointer,
            orbit: frame.orbit,
            date: frame.date,
            press_age: frame.press_age,
            release_age: frame.release_age,
            keys: keyboard.codes(),
            parameters,
        }
    }

    /// The uniform that draws the picture again, at its own size.
    #[must_use]
    pub fn frame(&self) -> Frame {
        Frame {
            resolution: [self.size.0 as f32, self.size.1 as f32],
            tile_origin: [0.0; 2],
            sample_offset: [0.0; 2],
            time: self.time,
            time_delta: self.time_delta,
            mouse: self.mouse,
            pointer: self.pointer,
            orbit: self.orbit,
            date: self.date,
            press_age: self.press_age,
            release_age: self.release_age,
            frame_rate: self.fps,
            index: self.frame,
        }
    }

    /// The scene as it is to be found from here: a file that is not where it
    /// was is looked for beside `picture` and in the folders above.
    #[must_use]
    pub fn scene_near(&self, picture: &Path) -> String {
        let is_file = self.scene.ends_with(".wgsl");
        if !is_file || Path::new(&self.scene).exists() {
            return self.scene.clone();
        }
        let folders = picture.ancestors().skip(1);
        folders
            .map(|folder| folder.join(&self.scene))
            .find(|path| path.exists())
            .map_or_else(|| self.scene.clone(), |path| path.display().to_string())
    }

    /// The keys of the moment.
    #[must_use]
    pub fn keyboard(&self) -> Keyboard {
        Keyboard::from_codes(&self.keys)
    }

    /// The input that leads on from this moment.
    #[must_use]
    pub fn input(&self) -> Input {
        Input::of_frame(&self.frame(), self.keyboard())
    }

    /// The text for the PNG's chunk.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers, strings, lists and string keys always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the moment of a PNG that tarsus wrote.
    ///
    /// # Errors
    /// [`MomentError`] when it cannot be read or holds no moment.
    pub fn read_png(path: &Path) -> Result<Self, MomentError> {
        let file = File::open(path).map_err(|error| FileError::read(path, error))?;
        let reader = png::Decoder::new(BufReader::new(file))
            .read_info()
            .map_err(|error| FileError::read(path, error))?;
        let chunks = &reader.info().utf8_text;
        let file = path.display().to_string();
        let Some(chunk) = chunks.iter().find(|chunk| chunk.keyword == KEYWORD) else {
            return Err(MomentError::Foreign { file });
        };
        let parsed = match chunk.get_text() {
            Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        parsed.map_err(|reason| MomentError::Form { file, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Metadata, write_png};
    use crate::render::Picture;

    fn moment() -> Moment {
        let mut frame = Frame::at_time((3, 2), 7, 1.0 / 3.0, 60.0);
        frame.pointer = [1.1, 0.3, 1.0, 0.0];
        frame.mouse = [2.0, 1.0, -2.0, -1.0];
        let mut keyboard = Keyboard::default();
        keyboard.press(65);
        let parameters = [("upper".to_owned(), vec![0.1 + 0.2])].into();
        Moment {
            lens: Some(Lens::Depth),
            ..Moment::new("sub/é.wgsl", &frame, &keyboard, parameters)
        }
    }

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
        write_png(
            &path,
            &picture(),
            &Metadata {
                moment: Some(moment().to_json()),
                hash: None,
            },
        )
        .expect("written");
        let read = Moment::read_png(&path).expect("read");
        assert_eq!(read, moment());
        assert_eq!(read.frame(), moment().frame());
        assert_eq!(read.keyboard(), moment().keyboard());
    }

    #[test]
    fn other_files_are_told_apart() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let mut encoder_output = Vec::new();
        png::Encoder::new(&mut encoder_output, 1, 1)
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&[0]))
            .expect("png");
        std::fs::write(&path, encoder_output).expect("written");
        assert!(matches!(
            Moment::read_png(&path),
            Err(MomentError::Foreign { .. })
        ));
        std::fs::write(&path, "no picture").expect("written");
        assert!(matches!(Moment::read_png(&path), Err(MomentError::File(_))));
    }
}
