//! Source file as shown in an error. A line longer than a small window is truncated around
//! the reported span; columns still count from the start of the whole line.

use std::ops::Range;

use codespan_reporting::files::{Error, Files, SimpleFile};

/// Length in bytes above which a line is truncated, so that the caret is in view in a window
/// of 800 pixels.
const MAX_LINE_BYTES: usize = 100;
/// Bytes kept before and after the start of the span.
const CONTEXT_BYTES: usize = 45;
/// Marker for truncated text.
const ELLIPSIS: &str = "…";

/// A source file with its long line truncated.
pub(super) struct Excerpt {
    file: SimpleFile<String, String>,
    /// The reported span in the truncated text.
    pub(super) span: Range<usize>,
    /// The truncated line, from 0, and the number of characters missing at its start.
    hidden: (usize, usize),
}

impl Excerpt {
    /// Creates the file `name` with this text, to show `span` of it.
    pub(super) fn new(name: &str, text: &str, span: Range<usize>) -> Self {
        let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let length = text[start..].find('\n');
        let end = length.map_or(text.len(), |length| start + length);
        if end - start <= MAX_LINE_BYTES {
            return Self {
                file: SimpleFile::new(name.to_owned(), text.to_owned()),
                span,
                hidden: (0, 0),
            };
        }
        let from = text.floor_char_boundary(span.start.saturating_sub(CONTEXT_BYTES).max(start));
        let to = text.floor_char_boundary((span.start + CONTEXT_BYTES).min(end));
        let before = if from > start { ELLIPSIS } else { "" };
        let after = if to < end { ELLIPSIS } else { "" };
        let (head, tail) = (&text[..start], &text[end..]);
        let shown = [head, before, &text[from..to], after, tail].concat();
        let shift = |at: usize| at.min(to) - from + start + before.len();
        Self {
            file: SimpleFile::new(name.to_owned(), shown),
            span: shift(span.start)..shift(span.end),
            hidden: (
                head.matches('\n').count(),
                text[start..from].chars().count() - before.chars().count(),
            ),
        }
    }
}

impl<'a> Files<'a> for Excerpt {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.file.name())
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.file.source())
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, Error> {
        self.file.line_index((), byte)
    }

    fn line_range(&'a self, (): (), line: usize) -> Result<Range<usize>, Error> {
        self.file.line_range((), line)
    }

    fn column_number(&'a self, (): (), line: usize, byte: usize) -> Result<usize, Error> {
        let column = self.file.column_number((), line, byte)?;
        let (cut_line, hidden) = self.hidden;
        Ok(column + if line == cut_line { hidden } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_line_is_truncated_around_span() {
        let line = format!("{}wrong{}", "é + ".repeat(100), " + ü".repeat(100));
        let text = format!("first\n{line}\nlast\n");
        let start = text.find("wrong").expect("there");
        let excerpt = Excerpt::new("a", &text, start..start + 5);
        let shown = excerpt.source(()).expect("a text");
        assert_eq!(&shown[excerpt.span.clone()], "wrong");
        assert!(shown.starts_with("first\n…") && shown.ends_with("…\nlast\n"));
        assert!(shown.lines().all(|line| line.len() <= MAX_LINE_BYTES));
        let column = excerpt.column_number((), 1, excerpt.span.start);
        assert_eq!(column.expect("a column"), 401, "in the whole line");
    }

    #[test]
    fn other_lines_are_not_truncated() {
        let long = "x".repeat(1000);
        let text = format!("{long}\nshort\n");
        let excerpt = Excerpt::new("a", &text, 1001..1006);
        assert_eq!(excerpt.source(()).expect("a text"), text);
        let at_start = Excerpt::new("a", &text, 0..1000);
        assert!(at_start.source(()).expect("a text").starts_with("xxx"));
        assert_eq!(at_start.column_number((), 0, 0).expect("a column"), 1);
    }
}
