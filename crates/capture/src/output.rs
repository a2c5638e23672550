//! Where pictures go, and what `-o` and `--format` say about it.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::files::{folder_of, is_special, linked};
use super::format::{Format, listed};
use super::pattern::Pattern;

/// Where pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// One file.
    File(PathBuf),
    /// A folder, for `frame_00000.png` and on.
    Folder {
        /// The folder.
        path: PathBuf,
        /// The ending of its files, without the dot.
        ending: &'static str,
    },
    /// A path with places for the frame's number.
    Pattern(Pattern),
}

/// What is wrong with an output.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OutputError {
    /// It is not a file of a known kind, a folder or a pattern.
    #[error(
        "cannot write `{0}`: expected a file that ends in {endings}, a folder, \
         or a pattern such as out/{{frame:05}}.png",
        endings = Format::all_endings()
    )]
    Unknown(String),
    /// Only streams can go to standard output.
    #[error("cannot write to standard output (`-o -`): expected {}", streams())]
    Stdout,
    /// A film was asked for in a folder or a pattern.
    #[error("cannot write a film to `{text}`: expected one file, such as -o {file}.{ending}")]
    FilmNeedsFile {
        /// What was given.
        text: String,
        /// A file's name made of it.
        file: String,
        /// Ending of the format.
        ending: &'static str,
    },
    /// The ending is that of another picture.
    #[error("cannot write `{text}` as {title}: expected a name that ends in .{ending}")]
    OtherEnding {
        /// What was given.
        text: String,
        /// The format.
        title: &'static str,
        /// Ending of the format.
        ending: &'static str,
    },
}

fn streams() -> String {
    let streams = Format::all().filter(|format| format.is_stream());
    listed(
        streams.map(|format| format!("`--format {}`", format.spec().name)),
        "or",
    )
}

impl Output {
    /// Reads `-o` and `--format`: `-` is standard output, a place for the
    /// number makes a pattern, a known ending a file, anything else a folder.
    ///
    /// # Errors
    /// [`OutputError`] when they are none of these, or do not go together.
    pub fn parse(text: &str, format: Option<Format>) -> Result<(Self, Format), OutputError> {
        if text == "-" {
            return match format {
                Some(format) if format.is_stream() => Ok((Self::Stdout, format)),
                _ => Err(OutputError::Stdout),
            };
        }
        if let Some(pattern) = Pattern::parse(text) {
            let format = pattern_format(text, format)?;
            return Ok((Self::Pattern(pattern), format));
        }
        let path = Path::new(text);
        if text.is_empty() {
            return Err(OutputError::Unknown(text.to_owned()));
        }
        let is_file = path.extension().is_some() || is_special(path);
        if text.ends_with('/') || path.is_dir() || !is_file {
            return in_folder(text, format.unwrap_or(Format::Png));
        }
        let format = file_format(text, format)?;
        Ok((Self::File(path.to_path_buf()), format))
    }

    /// Where pictures of the scene `name` go unless asked otherwise.
    #[must_use]
    pub fn default_for(name: &str, format: Option<Format>) -> (Self, Format) {
        let folder = Path::new("captures");
        let format = format.unwrap_or(Format::Png);
        let output = if format.is_stream() {
            Self::Stdout
        } else if format.is_film() {
            Self::File(folder.join(format!("{name}.{}", format.ending())))
        } else {
            Self::Folder {
                path: folder.join(name),
                ending: format.ending(),
            }
        };
        (output, format)
    }

    /// The folder that all its files have in common; `None` for standard output.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        let folder = match self {
            Self::Stdout => return None,
            Self::File(path) => folder_of(&linked(path)).to_path_buf(),
            Self::Folder { path, .. } => path.clone(),
            Self::Pattern(pattern) => pattern.folder(),
        };
        let here = folder.as_os_str().is_empty();
        Some(if here { PathBuf::from(".") } else { folder })
    }

    /// The file of frame `number`.
    #[must_use]
    pub fn path(&self, number: u32) -> PathBuf {
        match self {
            Self::Stdout => "standard output".into(),
            Self::File(path) => path.clone(),
            Self::Folder { path, ending } => path.join(format!("frame_{number:05}.{ending}")),
            Self::Pattern(pattern) => pattern.with(number).into(),
        }
    }
}

fn in_folder(text: &str, format: Format) -> Result<(Output, Format), OutputError> {
    if format.is_film() {
        return Err(film_needs_file(text, text.trim_end_matches('/'), format));
    }
    let folder = Output::Folder {
        path: text.into(),
        ending: format.ending(),
    };
    Ok((folder, format))
}

/// The format of one file. `--format` has the last word, but two kinds of still
/// pictures are not mixed up: whoever opens the file goes by its ending.
fn file_format(text: &str, format: Option<Format>) -> Result<Format, OutputError> {
    let named = Format::of(Path::new(text));
    let Some(format) = format.or(named) else {
        return Err(OutputError::Unknown(text.to_owned()));
    };
    let is_still = |format: Format| !format.is_film();
    if is_still(format) && named.is_some_and(|named| is_still(named) && named != format) {
        return Err(other_ending(text, format));
    }
    Ok(format)
}

/// The format of files with numbers, which are always still pictures.
fn pattern_format(text: &str, format: Option<Format>) -> Result<Format, OutputError> {
    let named = Format::of(Path::new(text));
    match format.or(named) {
        Some(film) if film.is_film() => Err(film_needs_file(text, "film", film)),
        Some(still) if named == Some(still) => Ok(still),
        Some(still) => Err(other_ending(text, still)),
        None => Err(OutputError::Unknown(text.to_owned())),
    }
}

fn film_needs_file(text: &str, file: &str, format: Format) -> OutputError {
    OutputError::FilmNeedsFile {
        text: text.to_owned(),
        file: file.to_owned(),
        ending: format.ending(),
    }
}

fn other_ending(text: &str, format: Format) -> OutputError {
    OutputError::OtherEnding {
        text: text.to_owned(),
        title: format.spec().title,
        ending: format.ending(),
    }
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
        assert_eq!(read("out", Some(Format::Jpeg)), "out/frame_00007.jpg Jpeg");
        assert_eq!(read("out/{frame:03}.png", None), "out/007.png Png");
        assert_eq!(read("f_{frame}.exr", None), "f_7.exr Exr");
        assert_eq!(
            read("{frame:02}/f_{frame:04}.png", None),
            "07/f_0007.png Png"
        );
        assert_eq!(read("f_%04d.tiff", None), "f_0007.tiff Tiff");
        assert_eq!(read("a.JPEG", None), "a.JPEG Jpeg");
        assert_eq!(read("a.GIF", None), "a.GIF Gif");
        assert_eq!(read("a.png", Some(Format::Apng)), "a.png Apng");
        assert_eq!(read("a.bin", Some(Format::Raw)), "a.bin Raw");
        assert_eq!(read("-", Some(Format::Y4m)), "standard output Y4m");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for wrong in ["", "a.bmp", "a_%04d.bmp"] {
            let expected = Err(OutputError::Unknown(wrong.to_owned()));
            assert_eq!(Output::parse(wrong, None), expected);
        }
        for format in [None, Some(Format::Gif), Some(Format::Qoi)] {
            assert_eq!(Output::parse("-", format), Err(OutputError::Stdout));
        }
        for (text, format) in [
            ("out", Format::Gif),
            ("out/", Format::Mp4),
            ("f_%04d.png", Format::Gif),
        ] {
            let refused = Output::parse(text, Some(format));
            assert!(
                matches!(refused, Err(OutputError::FilmNeedsFile { .. })),
                "{text}"
            );
        }
        for (text, format) in [("a.png", Format::Jpeg), ("f_%d.png", Format::Exr)] {
            let refused = Output::parse(text, Some(format));
            assert!(
                matches!(refused, Err(OutputError::OtherEnding { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn the_refusal_lists_every_ending() {
        let said = read("a.bmp", None);
        for format in Format::all() {
            assert!(said.contains(&format!(".{}", format.ending())), "{said}");
        }
    }
}
