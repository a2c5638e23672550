//! Paths with a placeholder for the frame number.

use std::path::{Path, PathBuf, is_separator};

use super::spec::SpecError;

/// A path with a placeholder for the frame number in the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Text before the placeholder.
    before: String,
    /// Minimum number of digits.
    digits: usize,
    /// Text after the placeholder.
    after: String,
}

/// Maximum digits of a placeholder: more than any number has.
const MAX_DIGITS: usize = 64;

impl Pattern {
    /// Parses a path with `{frame}`, `{frame:05}`, `%d` or `%05d`. `None` if there is no
    /// placeholder.
    ///
    /// # Errors
    /// [`SpecError`] if the digits are no number, or if there are other placeholders or folders
    /// behind the first one.
    pub fn parse(text: &str) -> Result<Option<Self>, SpecError> {
        let expected = |what| Err(SpecError(format!("cannot write `{text}`: expected {what}")));
        let mut placeholders = text.split("{frame:").skip(1);
        if placeholders.any(|rest| digits(rest.split('}').next().unwrap_or_default()).is_none()) {
            return expected("a number of digits, such as {frame:05}");
        }
        let Some((before, digits, after)) = split(text) else {
            return Ok(None);
        };
        if after.contains(is_separator) || split(after).is_some() {
            return expected("one frame number, in the name of the file");
        }
        Ok(Some(Self { before: before.to_owned(), digits, after: after.to_owned() }))
    }

    /// Files `frame_00000` and so on in a folder, with this end of their names.
    pub(super) fn in_folder(folder: &Path, end: &str) -> Self {
        let before = folder.join("frame_").display().to_string();
        Self { before, digits: 5, after: end.to_owned() }
    }

    /// Path of frame `number`.
    pub fn with(&self, number: u32) -> String {
        let Self { before, digits, after } = self;
        format!("{before}{number:0digits$}{after}")
    }

    /// Number of the frame whose file in the folder is called `name`; `None` for other names.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        let rest = name.strip_prefix(&self.before[self.name_start()..])?;
        let number = rest.strip_suffix(&self.after)?.parse().ok()?;
        // Numbers would parse with a sign or with more zeros, too.
        (self.with(number)[self.name_start()..] == *name).then_some(number)
    }

    /// Folder of all files.
    pub fn folder(&self) -> PathBuf {
        self.before[..self.name_start()].into()
    }

    /// Names of the files, with `#` for the number.
    pub(super) fn file_names(&self) -> String {
        format!("{}#{}", &self.before[self.name_start()..], self.after)
    }

    fn name_start(&self) -> usize {
        self.before.rfind(is_separator).map_or(0, |separator| separator + 1)
    }
}

/// Splits at the first placeholder: text before, digits, text after.
fn split(text: &str) -> Option<(&str, usize, &str)> {
    let starts = text.match_indices(['{', '%']);
    starts.into_iter().find_map(|(start, _)| {
        let (before, rest) = text.split_at(start);
        let (digits, after) = braces(rest).or_else(|| percent(rest))?;
        Some((before, digits, after))
    })
}

/// Parses `{frame}` or `{frame:05}` at the start of `text`: digits, text after.
fn braces(text: &str) -> Option<(usize, &str)> {
    let (inside, after) = text.strip_prefix("{frame")?.split_once('}')?;
    if inside.is_empty() {
        return Some((1, after));
    }
    Some((digits(inside.strip_prefix(':')?)?, after))
}

/// Parses `%d` or `%05d` at the start of `text`: digits, text after.
fn percent(text: &str) -> Option<(usize, &str)> {
    let (inside, after) = text.strip_prefix('%')?.split_once('d')?;
    let digits = if inside.is_empty() { Some(1) } else { digits(inside) };
    Some((digits?, after))
}

fn digits(text: &str) -> Option<usize> {
    // Numbers would parse with a sign, too.
    text.parse().ok().filter(|&digits| digits <= MAX_DIGITS && !text.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use std::path::{MAIN_SEPARATOR, Path};

    use super::*;

    #[test]
    fn placeholder_becomes_the_number() {
        for (text, path, folder) in [
            ("out/{frame:03}.png", "out/007.png", "out/"),
            ("{frame}.png", "7.png", ""),
            ("a/%02d_f.png", "a/07_f.png", "a/"),
            ("100%_{frame}.png", "100%_7.png", ""),
            ("{frames}_{frame}.png", "{frames}_7.png", ""),
        ] {
            let pattern = Pattern::parse(text).expect(text).expect(text);
            assert_eq!(pattern.with(7), path);
            assert_eq!(pattern.folder(), Path::new(folder), "{text}");
        }
        for none in ["", "a.png", "{frames}.png", "100%.png", "%0xd.png", "%+5d.png"] {
            assert_eq!(Pattern::parse(none), Ok(None), "{none}");
        }
    }

    #[test]
    fn names_of_frames_have_numbers() {
        for text in ["f_{frame:02}.png", "./f_{frame:02}.png", "./out/f_{frame:02}.png"] {
            let pattern = Pattern::parse(text).expect(text).expect(text);
            let number = |name| pattern.number(name);
            assert_eq!(["f_07.png", "f_123.png"].map(number), [Some(7), Some(123)], "{text}");
            for other in ["f_7.png", "f_007.png", "f_+7.png", "f_07.jpg", "g_07.png", "f_.png"] {
                assert_eq!(pattern.number(other), None, "{other} for {text}");
            }
        }
    }

    #[test]
    fn folder_ends_at_any_separator() {
        for separator in ['/', MAIN_SEPARATOR] {
            let pattern = Pattern::parse(&format!("a{separator}{{frame}}.png"));
            let pattern = pattern.expect("no error").expect("a pattern");
            assert_eq!(pattern.folder(), Path::new("a"));
            let error = Pattern::parse(&format!("a{separator}{{frame}}{separator}b.png"));
            assert!(error.is_err(), "{error:?}");
        }
    }
}
