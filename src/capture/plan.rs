//! Which frames a run renders, and the file each one goes to.

use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::frame::Frame;

/// Which moments are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameSelection {
    /// One picture at a time in seconds.
    Time(f64),
    /// Frames by number; frame n is at n / fps.
    Frames(Range<u32>),
}

/// Where pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// One file.
    File(PathBuf),
    /// A folder, for `frame_00000.png` and on.
    Folder(PathBuf),
    /// A path with a place for the frame's number.
    Pattern {
        /// Text before the number.
        before: String,
        /// Digits to fill up with zeros to.
        digits: usize,
        /// Text after the number.
        after: String,
    },
}

/// What is wrong with a selection or an output.
#[derive(Debug, Error, PartialEq)]
pub enum PlanError {
    /// The output is not a PNG file, a folder or a pattern.
    #[error(
        "`{0}` is no output: give a .png file, a folder, or a pattern such as out/{{frame:05}}.png"
    )]
    Output(String),
    /// Several frames for one file.
    #[error(
        "{frames} frames do not fit into the one file {path}: give a folder, or a pattern such as {stem}_{{frame:05}}.png"
    )]
    OneFile {
        /// How many frames.
        frames: usize,
        /// The file.
        path: String,
        /// The file's name without `.png`.
        stem: String,
    },
}

/// A checked run: frames in order, each with its file.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Width and height in pixels.
    pub size: (u32, u32),
    fps: f64,
    selection: FrameSelection,
    output: Output,
}

impl Plan {
    /// Puts a run together.
    ///
    /// # Errors
    /// [`PlanError::OneFile`] when several frames would go to one file.
    pub fn new(
        size: (u32, u32),
        fps: f64,
        selection: FrameSelection,
        output: Output,
    ) -> Result<Self, PlanError> {
        let plan = Self {
            size,
            fps,
            selection,
            output,
        };
        match &plan.output {
            Output::File(path) if plan.len() > 1 => Err(PlanError::OneFile {
                frames: plan.len(),
                path: path.display().to_string(),
                stem: path.with_extension("").display().to_string(),
            }),
            _ => Ok(plan),
        }
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.selection {
            FrameSelection::Time(_) => 1,
            FrameSelection::Frames(frames) => frames.len(),
        }
    }

    /// True when there is nothing to render.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every frame with its file, in order.
    pub fn frames(&self) -> impl Iterator<Item = (Frame, PathBuf)> {
        let (times, numbers) = match &self.selection {
            FrameSelection::Time(time) => (Some(*time), 0..1),
            FrameSelection::Frames(frames) => (None, frames.clone()),
        };
        numbers.map(move |number| {
            let frame = match times {
                Some(time) => {
                    let index = (time * self.fps).max(0.0) as u32;
                    Frame::at_time(self.size, index, time, self.fps)
                }
                None => Frame::offline(self.size, number, self.fps),
            };
            (frame, self.output.path(number))
        })
    }

    /// Where the pictures go, for people.
    #[must_use]
    pub fn destination(&self) -> String {
        match &self.output {
            Output::Folder(folder) if self.len() == 1 => {
                let first = self.frames().next().map(|(_, path)| path);
                first
                    .unwrap_or_else(|| folder.clone())
                    .display()
                    .to_string()
            }
            Output::Folder(folder) => folder.display().to_string(),
            Output::File(path) => path.display().to_string(),
            Output::Pattern {
                before,
                digits,
                after,
            } => {
                format!("{before}{}{after}", "0".repeat((*digits).max(1)))
            }
        }
    }
}

impl Output {
    /// Reads `-o`: a pattern if it has a place for the number, a file if it ends
    /// in `.png`, else a folder.
    ///
    /// # Errors
    /// [`PlanError::Output`] when it is none of them.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let unfit = || PlanError::Output(text.to_owned());
        if let Some((before, digits, after)) = split_pattern(text) {
            if !after.ends_with(".png") {
                return Err(unfit());
            }
            return Ok(Self::Pattern {
                before: before.to_owned(),
                digits,
                after: after.to_owned(),
            });
        }
        let path = Path::new(text);
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if text.is_empty() => Err(unfit()),
            Some("png") => Ok(Self::File(path.to_path_buf())),
            None => Ok(Self::Folder(path.to_path_buf())),
            Some(_) if text.ends_with('/') || path.is_dir() => Ok(Self::Folder(path.to_path_buf())),
            Some(_) => Err(unfit()),
        }
    }

    fn path(&self, number: u32) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Folder(folder) => folder.join(format!("frame_{number:05}.png")),
            Self::Pattern {
                before,
                digits,
                after,
            } => format!("{before}{number:0digits$}{after}").into(),
        }
    }
}

/// Finds `{frame}`, `{frame:05}`, `%d` or `%05d`: text before, digits, text after.
fn split_pattern(text: &str) -> Option<(&str, usize, &str)> {
    if let Some((before, rest)) = text.split_once("{frame") {
        let (inside, after) = rest.split_once('}')?;
        let digits = match inside.strip_prefix(':') {
            Some(digits) => digits.parse().ok()?,
            None if inside.is_empty() => 1,
            None => return None,
        };
        return Some((before, digits, after));
    }
    let (before, rest) = text.split_once('%')?;
    let (inside, after) = rest.split_once('d')?;
    let digits = if inside.is_empty() {
        1
    } else {
        inside.parse().ok()?
    };
    Some((before, digits, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_told_apart() {
        let pattern = |text: &str, number| match Output::parse(text) {
            Ok(output) => output.path(number).display().to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(pattern("a.png", 3), "a.png");
        assert_eq!(pattern("out", 3), "out/frame_00003.png");
        assert_eq!(pattern("out/{frame:03}.png", 7), "out/007.png");
        assert_eq!(pattern("f_{frame}.png", 12), "f_12.png");
        assert_eq!(pattern("f_%04d.png", 12), "f_0012.png");
        for wrong in ["", "a.bmp", "a_%04d.tiff"] {
            assert_eq!(
                Output::parse(wrong),
                Err(PlanError::Output(wrong.to_owned()))
            );
        }
    }

    #[test]
    fn several_frames_need_more_than_a_file() {
        let output = Output::File("a.png".into());
        let plan = Plan::new((1, 1), 60.0, FrameSelection::Frames(0..2), output.clone());
        assert!(matches!(plan, Err(PlanError::OneFile { frames: 2, .. })));
        assert!(Plan::new((1, 1), 60.0, FrameSelection::Frames(5..6), output).is_ok());
    }

    #[test]
    fn frames_keep_their_numbers() {
        let folder = Output::Folder("d".into());
        let plan = Plan::new((4, 2), 24.0, FrameSelection::Frames(10..13), folder).expect("plan");
        let frames: Vec<_> = plan.frames().collect();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2].1, PathBuf::from("d/frame_00012.png"));
        assert_eq!(frames[2].0.time, 0.5);
    }
}
