//! Paths with placeholders for the frame number.

use std::fmt;
use std::path::{Path, PathBuf, is_separator};

/// A path with at least one placeholder for the frame number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
    /// Text after the last placeholder.
    suffix: String,
}

/// A placeholder and the text before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    before: String,
    /// Minimum number of digits.
    digits: usize,
}

/// Maximum digits of a placeholder: more than any number has.
const MAX_DIGITS: usize = 64;

impl Pattern {
    /// Parses `{frame}`, `{frame:05}`, `%d` and `%05d` anywhere in `text`. `None` if there
    /// is no placeholder.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((part, after)) = split(rest) {
            parts.push(part);
            rest = after;
        }
        let suffix = rest.to_owned();
        (!parts.is_empty()).then_some(Self { parts, suffix })
    }

    /// True if `text` has a placeholder such as `{frame:x}`, whose digits are no number.
    pub(super) fn has_invalid_digits(text: &str) -> bool {
        let mut placeholders = text.split("{frame:").skip(1);
        placeholders.any(|rest| digits(rest.split('}').next().unwrap_or_default()).is_none())
    }

    /// Path of frame `number`.
    pub fn with(&self, number: u32) -> String {
        let parts = self.parts.iter();
        let mut path: String =
            parts.map(|Part { before, digits }| format!("{before}{number:0digits$}")).collect();
        path.push_str(&self.suffix);
        path
    }

    /// Text before the first number.
    pub(super) fn before_number(&self) -> &str {
        self.parts.first().map_or("", |part| &part.before)
    }

    /// Folder common to all paths.
    pub fn folder(&self) -> PathBuf {
        let before = self.before_number();
        let end = before.rfind(is_separator).map_or(0, |separator| separator + 1);
        Path::new(&before[..end]).to_path_buf()
    }

    /// True if frames may be in different folders.
    pub fn has_many_folders(&self) -> bool {
        let between = self.parts.iter().skip(1).map(|part| &part.before);
        between.chain([&self.suffix]).any(|text| text.contains(is_separator))
    }
}

/// Shows the path of frame 0.
impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.with(0))
    }
}

/// Splits after the first placeholder; also returns the text after it.
fn split(text: &str) -> Option<(Part, &str)> {
    let starts = text.match_indices(['{', '%']);
    starts.into_iter().find_map(|(start, _)| {
        let (before, rest) = text.split_at(start);
        let (digits, after) = braces(rest).or_else(|| percent(rest))?;
        let before = before.to_owned();
        Some((Part { before, digits }, after))
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
    use std::path::MAIN_SEPARATOR;

    use super::*;

    #[test]
    fn placeholders_become_the_number() {
        for (text, path, folder) in [
            ("out/{frame:03}.png", "out/007.png", "out/"),
            ("{frame}.png", "7.png", ""),
            ("a/%02d/f_{frame:05}.png", "a/07/f_00007.png", "a/"),
            ("{frame}_{frame:02}_%d.png", "7_07_7.png", ""),
            ("100%_{frame}.png", "100%_7.png", ""),
            ("{frames}_{frame}.png", "{frames}_7.png", ""),
        ] {
            let pattern = Pattern::parse(text).expect(text);
            assert_eq!(pattern.with(7), path);
            assert_eq!(pattern.folder(), Path::new(folder), "{text}");
        }
        for none in [
            "",
            "a.png",
            "{frames}.png",
            "100%.png",
            "%0xd.png",
            "%+5d.png",
            "{frame:x}",
            "{frame:+5}",
        ] {
            assert_eq!(Pattern::parse(none), None, "{none}");
        }
    }

    #[test]
    fn folders_end_at_any_separator() {
        for separator in ['/', MAIN_SEPARATOR] {
            let parse = |text: &str| {
                let text = text.replace('/', &separator.to_string());
                Pattern::parse(&text).expect("a pattern")
            };
            assert!(parse("a/{frame}/b.png").has_many_folders());
            let pattern = parse("a/{frame}.png");
            assert!(!pattern.has_many_folders());
            assert_eq!(pattern.folder(), Path::new("a"));
        }
    }
}
