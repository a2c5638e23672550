//! Output destination, as given by `-o` and `--format`.

use std::path::{Path, PathBuf, is_separator};

use super::format::{Format, join_list};
use super::pattern::Pattern;
use super::spec::SpecError;
use tarsus_files::{folder_of, follow_links, is_special};

/// Destination and format of the pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Where the pictures go.
    pub destination: Destination,
    /// Format of the files.
    pub format: Format,
}

/// Destination of the pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// One file.
    File(PathBuf),
    /// A folder, for `frame_00000.png` and so on.
    Folder(PathBuf),
    /// A path with a placeholder for the frame number.
    Pattern(Pattern),
}

fn streams() -> String {
    let streams = Format::ALL.into_iter().filter(|format| format.is_stream());
    let flags = streams.map(|format| format!("`--format {}`", format.name()));
    join_list(flags)
}

impl Output {
    /// Parses `-o` and `--format`: `-` is standard output, a placeholder for the frame
    /// number makes a pattern, an extension a file, anything else a folder.
    ///
    /// # Errors
    /// [`SpecError`] if the text is none of these, or the two contradict each other.
    pub fn parse(text: &str, format: Option<Format>) -> Result<Self, SpecError> {
        if text == "-" {
            return match format {
                Some(format) if format.is_stream() || !format.is_video() => {
                    Ok(Self { destination: Destination::Stdout, format })
                }
                _ => Err(SpecError(format!(
                    "cannot write to standard output (`-o -`): expected a picture, such as \
                     `--format png`, or for several frames {}",
                    streams()
                ))),
            };
        }
        if let Some(pattern) = Pattern::parse(text)? {
            return Ok(Self {
                destination: Destination::Pattern(pattern),
                format: file_format(text, format, true)?,
            });
        }
        let path = Path::new(text);
        if text.is_empty() {
            return Err(unknown(text));
        }
        let is_file = path.extension().is_some() || is_special(path);
        if text.ends_with(is_separator) || path.is_dir() || !is_file {
            let format = format.unwrap_or(Format::Png);
            if format.is_video() {
                return Err(video_needs_file(text, text.trim_end_matches(is_separator), format));
            }
            return Ok(Self { destination: Destination::Folder(text.into()), format });
        }
        let format = file_format(text, format, false)?;
        if is_special(path) && !format.is_stream() {
            return Err(SpecError(format!(
                "cannot write `{text}`: it is a pipe or a device; hint: {} can be written to it",
                streams()
            )));
        }
        Ok(Self { destination: Destination::File(text.into()), format })
    }

    /// Default output for pictures of the scene `name`.
    pub fn default_for(name: &str, format: Option<Format>) -> Self {
        let folder = Path::new("captures");
        let format = format.unwrap_or(Format::Png);
        let destination = if format.is_stream() {
            Destination::Stdout
        } else if format.is_video() {
            Destination::File(folder.join(format!("{name}.{}", format.extension())))
        } else {
            Destination::Folder(folder.join(name))
        };
        Self { destination, format }
    }

    /// True if pictures go to standard output.
    pub fn is_stdout(&self) -> bool {
        self.destination == Destination::Stdout
    }

    /// Folder of all files; `None` for standard output.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        let folder = match &self.destination {
            Destination::Stdout => return None,
            Destination::File(path) => folder_of(&follow_links(path)).to_path_buf(),
            Destination::Folder(path) => path.clone(),
            Destination::Pattern(pattern) => pattern.folder(),
        };
        let here = folder.as_os_str().is_empty();
        Some(if here { PathBuf::from(".") } else { folder })
    }

    /// Path of the file for frame `number`.
    pub fn path(&self, number: u32) -> PathBuf {
        match &self.destination {
            Destination::Stdout => "standard output".into(),
            Destination::File(path) => path.clone(),
            Destination::Folder(path) => self.in_folder(path).with(number).into(),
            Destination::Pattern(pattern) => pattern.with(number).into(),
        }
    }

    /// Pattern of the paths of numbered files.
    pub(super) fn pattern(&self) -> Option<Pattern> {
        match &self.destination {
            Destination::Stdout | Destination::File(_) => None,
            Destination::Folder(path) => Some(self.in_folder(path)),
            Destination::Pattern(pattern) => Some(pattern.clone()),
        }
    }

    fn in_folder(&self, folder: &Path) -> Pattern {
        Pattern::in_folder(folder, &format!(".{}", self.format.extension()))
    }
}

/// Format of a single file, or of numbered files, which are always still pictures. `--format`
/// takes precedence but must not contradict the extension of another still format, because
/// viewers go by the extension.
fn file_format(text: &str, format: Option<Format>, is_numbered: bool) -> Result<Format, SpecError> {
    let named = Format::from_path(Path::new(text));
    let Some(format) = format.or(named) else {
        return Err(unknown(text));
    };
    if is_numbered && format.is_video() {
        return Err(video_needs_file(text, "film", format));
    }
    let is_free = !is_numbered && (format.is_video() || named.is_none_or(Format::is_video));
    if is_free || named == Some(format) { Ok(format) } else { Err(other_extension(text, format)) }
}

fn unknown(text: &str) -> SpecError {
    SpecError(format!(
        "cannot write `{text}`: expected a file that ends in {}, a folder, or a pattern such as \
         out/{{frame:05}}.png",
        Format::all_extensions()
    ))
}

fn video_needs_file(text: &str, file: &str, format: Format) -> SpecError {
    let extension = format.extension();
    SpecError(format!(
        "cannot write a video to `{text}`: expected one file, such as -o {file}.{extension}"
    ))
}

fn other_extension(text: &str, format: Format) -> SpecError {
    let (title, extension) = (format.title(), format.extension());
    SpecError(format!(
        "cannot write `{text}` as {title}: expected a name that ends in .{extension}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: Option<Format>) -> String {
        match Output::parse(text, format) {
            Ok(output) => format!("{} {:?}", output.path(7).display(), output.format),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn outputs_are_classified() {
        assert_eq!(read("a.png", None), "a.png Png");
        assert_eq!(read("out", None), "out/frame_00007.png Png");
        assert_eq!(read("out.d/", None), "out.d/frame_00007.png Png");
        assert_eq!(read("out", Some(Format::Jpeg)), "out/frame_00007.jpg Jpeg");
        assert_eq!(read("out/{frame:03}.png", None), "out/007.png Png");
        assert_eq!(read("f_{frame}.exr", None), "f_7.exr Exr");
        assert_eq!(read("f_%04d.tiff", None), "f_0007.tiff Tiff");
        assert_eq!(read("a.JPEG", None), "a.JPEG Jpeg");
        assert_eq!(read("a.GIF", None), "a.GIF Gif");
        assert_eq!(read("a.png", Some(Format::Apng)), "a.png Apng");
        assert_eq!(read("a.bin", Some(Format::Raw)), "a.bin Raw");
        assert_eq!(read("-", Some(Format::Y4m)), "standard output Y4m");
        assert_eq!(read("-", Some(Format::Qoi)), "standard output Qoi");
    }

    #[test]
    fn inconsistent_outputs_are_rejected() {
        for (text, format, expected) in [
            ("", None, "expected a file that ends in"),
            ("a.bmp", None, "expected a file that ends in"),
            ("a_%04d.bmp", None, "expected a file that ends in"),
            ("a_{frame:zz}.png", None, "expected a number of digits, such as {frame:05}"),
            ("a_{frame}_{frame:}.png", None, "expected a number of digits"),
            ("a_{frame}_{frame:02}.png", None, "expected one frame number, in the name"),
            ("{frame}/a.png", None, "expected one frame number, in the name of the file"),
            ("a_{frame:99}.png", None, "expected a number of digits"),
            ("a_{frame:+5}.png", None, "expected a number of digits"),
            ("-", None, "`--format png`, or for several frames `--format raw` or `--format y4m`"),
            ("-", Some(Format::Gif), "`--format raw`"),
            ("out", Some(Format::Gif), "such as -o out.gif"),
            ("out/", Some(Format::Mp4), "such as -o out.mp4"),
            ("f_%04d.png", Some(Format::Gif), "such as -o film.gif"),
            ("a.png", Some(Format::Jpeg), "a name that ends in .jpg"),
            ("f_%d.png", Some(Format::Exr), "a name that ends in .exr"),
        ] {
            let message = read(text, format);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn error_lists_every_extension() {
        let said = read("a.bmp", None);
        for format in Format::ALL {
            assert!(said.contains(&format!(".{}", format.extension())), "{said}");
        }
    }
}
