//! File formats, and which one a name asks for.

use std::path::{Path, PathBuf};

use super::plan::PlanError;

/// What pictures are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// PNG, one file per frame
    Png,
    /// Animated PNG
    Apng,
    /// GIF, with 256 colours per frame
    Gif,
    /// H.264 video, through ffmpeg
    Mp4,
    /// VP9 video, through ffmpeg
    Webm,
    /// Bytes red, green, blue, alpha without any header
    Raw,
    /// YUV4MPEG2: uncompressed 4:4:4 video, BT.601, limited range
    Y4m,
}

impl Format {
    /// The usual ending of a file's name, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Apng => "apng",
            Self::Gif => "gif",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Raw => "rgba",
            Self::Y4m => "y4m",
        }
    }

    /// The format that a file's name asks for by its ending.
    fn of(path: &Path) -> Option<Self> {
        let all = [
            Self::Png,
            Self::Apng,
            Self::Gif,
            Self::Mp4,
            Self::Webm,
            Self::Raw,
            Self::Y4m,
        ];
        let extension = path.extension()?.to_str()?.to_lowercase();
        all.into_iter()
            .find(|format| format.extension() == extension)
    }

    /// True where all frames go into one file.
    #[must_use]
    pub fn is_film(self) -> bool {
        self != Self::Png
    }

    /// True where other programs can read it from a pipe as it comes.
    #[must_use]
    pub fn is_stream(self) -> bool {
        matches!(self, Self::Raw | Self::Y4m)
    }
}

/// Where pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
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

impl Output {
    /// Reads `-o` and `--format`: `-` is standard output, a place for the
    /// number makes a pattern, a known ending a file, anything else a folder.
    ///
    /// # Errors
    /// [`PlanError`] when they are none of these, or do not go together.
    pub fn parse(text: &str, format: Option<Format>) -> Result<(Self, Format), PlanError> {
        if text == "-" {
            return match format {
                Some(format) if format.is_stream() => Ok((Self::Stdout, format)),
                _ => Err(PlanError::Stdout),
            };
        }
        if let Some((before, digits, after)) = split_pattern(text) {
            if !after.ends_with(".png") || format.is_some_and(Format::is_film) {
                return Err(PlanError::Output(text.to_owned()));
            }
            let pattern = Self::Pattern {
                before: before.to_owned(),
                digits,
                after: after.to_owned(),
            };
            return Ok((pattern, Format::Png));
        }
        let path = Path::new(text);
        let is_folder = text.ends_with('/') || path.is_dir() || path.extension().is_none();
        match format.or_else(|| Format::of(path).filter(|_| !is_folder)) {
            _ if text.is_empty() => Err(PlanError::Output(text.to_owned())),
            Some(format) if !is_folder => Ok((Self::File(path.to_path_buf()), format)),
            None | Some(Format::Png) if is_folder => {
                Ok((Self::Folder(path.to_path_buf()), Format::Png))
            }
            Some(format) => Err(PlanError::FilmNeedsFile {
                text: text.trim_end_matches('/').to_owned(),
                extension: format.extension(),
            }),
            None => Err(PlanError::Output(text.to_owned())),
        }
    }

    /// Where pictures of the scene `name` go unless asked otherwise.
    #[must_use]
    pub fn default_for(name: &str, format: Option<Format>) -> (Self, Format) {
        let folder = Path::new("captures");
        match format {
            None | Some(Format::Png) => (Self::Folder(folder.join(name)), Format::Png),
            Some(format) if format.is_stream() => (Self::Stdout, format),
            Some(format) => {
                let file = format!("{name}.{}", format.extension());
                (Self::File(folder.join(file)), format)
            }
        }
    }

    /// The file of frame `number`.
    #[must_use]
    pub fn path(&self, number: u32) -> PathBuf {
        match self {
            Self::Stdout => "standard output".into(),
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

    fn read(text: &str, format: Option<Format>) -> String {
        match Output::parse(text, format) {
            Ok((output, format)) => format!("{} {format:?}", output.path(7).display()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn outputs_are_told_apart() {
        assert_eq!(read("a.png", None), "a.png Png");
        assert_eq!(read("out", None), "out/frame_00007.png Png");
        assert_eq!(read("out.d/", None), "out.d/frame_00007.png Png");
        assert_eq!(read("out/{frame:03}.png", None), "out/007.png Png");
        assert_eq!(read("f_{frame}.png", None), "f_7.png Png");
        assert_eq!(read("f_%04d.png", None), "f_0007.png Png");
        assert_eq!(read("a.GIF", None), "a.GIF Gif");
        assert_eq!(read("a.png", Some(Format::Apng)), "a.png Apng");
        assert_eq!(read("a.bin", Some(Format::Raw)), "a.bin Raw");
        assert_eq!(read("-", Some(Format::Y4m)), "standard output Y4m");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in ["", "a.bmp", "a_%04d.tiff"] {
            let expected = Err(PlanError::Output(wrong.to_owned()));
            assert_eq!(Output::parse(wrong, None), expected);
        }
        assert_eq!(Output::parse("-", None), Err(PlanError::Stdout));
        assert_eq!(
            Output::parse("-", Some(Format::Gif)),
            Err(PlanError::Stdout)
        );
        for (text, format) in [("out", Format::Gif), ("out/", Format::Mp4)] {
            let refused = Output::parse(text, Some(format));
            assert!(
                matches!(refused, Err(PlanError::FilmNeedsFile { .. })),
                "{text}"
            );
        }
        assert!(Output::parse("f_%04d.png", Some(Format::Gif)).is_err());
    }
}
