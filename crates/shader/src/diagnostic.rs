//! Errors and warnings in a shader, located in the author's source.

use std::fmt;
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic as Report, Label};
use codespan_reporting::term;

use super::excerpt::Excerpt;
use tarsus_files::printable;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// Composition failed.
    #[default]
    Error,
    /// Composition succeeded, but the result may not be what the author intended.
    Warning,
}

/// An error or warning with its location in the author's own file. Its `Display` output
/// escapes control characters, so that a shader cannot send commands to the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The problem, in one sentence.
    pub message: String,
    /// Path of the file as the author knows it.
    pub file: String,
    /// The source of that file.
    pub text: String,
    /// Byte range in `text`; `None` if the diagnostic concerns the whole file.
    pub span: Option<Range<usize>>,
    /// A word next to the caret; may be empty.
    pub label: String,
    /// Further help: a fix, or the chain of imports that led to the file.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// Line and column of the error, counted from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let start = self.span.as_ref()?.start.min(self.text.len());
        let before = &self.text[..floor_char_boundary(&self.text, start)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some((
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        ))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = printable(&self.message);
        let file = printable(&self.file);
        let notes: Vec<String> = self.notes.iter().map(|note| printable(note)).collect();
        let Some(span) = self.span.clone() else {
            let severity = match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            write!(out, "{severity}: {message}\n  in {file}")?;
            return notes
                .iter()
                .try_for_each(|note| write!(out, "\n  = {note}"));
        };
        let report = match self.severity {
            Severity::Error => Report::error(),
            Severity::Warning => Report::warning(),
        };
        let text = printable(&self.text);
        let place = |at: usize| {
            let at = floor_char_boundary(&self.text, at.min(self.text.len()));
            printable(&self.text[..at]).len()
        };
        let label = printable(&self.label);
        let excerpt = Excerpt::new(&file, &text, place(span.start)..place(span.end));
        let report = report
            .with_message(message)
            .with_labels(vec![
                Label::primary((), excerpt.span.clone()).with_message(label),
            ])
            .with_notes(notes);
        let text = term::emit_into_string(&term::Config::default(), &excerpt, &report)
            .map_err(|_| fmt::Error)?;
        out.write_str(text.trim_end())
    }
}

impl std::error::Error for Diagnostic {}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// Byte range of line `line` (from 0) of `text`, without its newline.
#[must_use]
pub fn line_range(text: &str, line: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number == line {
            return Some(start..start + content.trim_end_matches(['\n', '\r']).len());
        }
        start += content.len();
    }
    None
}

/// Maps a span of preprocessed source to the author's source.
///
/// The preprocessor keeps lines but replaces an imported `item` or `module::item` with one
/// longer word. Both lines have the same number of words, so a word is identified by its
/// index in the line.
pub(super) fn span_in_author_text(
    preprocessed: &str,
    span: &Range<usize>,
    author: &str,
) -> Option<Range<usize>> {
    let start = span.start.min(preprocessed.len());
    let line = preprocessed.get(..start)?.matches('\n').count();
    let from = line_range(preprocessed, line)?;
    let to = line_range(author, line)?;
    let from_words = words(&preprocessed[from.clone()]);
    let to_words = words(&author[to.clone()]);
    let at = start - from.start;
    let end = span.end.saturating_sub(from.start);
    let first = from_words.iter().position(|word| word.end > at);
    let last = from_words.iter().rposition(|word| word.start < end);
    match (first, last) {
        (Some(first), Some(last)) if first <= last && last < to_words.len() => {
            Some(to.start + to_words[first].start..to.start + to_words[last].end)
        }
        _ => Some(to),
    }
}

/// Splits a line into paths (`a::b`) and single characters other than whitespace.
fn words(line: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut chars = line.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if is_word(c) {
            while let Some(&(at, next)) = chars.peek() {
                let path = next == ':' && line[at..].starts_with("::");
                if path {
                    chars.next();
                } else if !is_word(next) {
                    break;
                }
                end = at + if path { 2 } else { next.len_utf8() };
                chars.next();
            }
        }
        words.push(start..end);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_survive_import_name_mangling() {
        let author = "a\nlet x = ik::solve(p) + wrong;\n";
        let preprocessed = "a\nlet x = solveX_naga_oil_mod_XOR2X(p) + wrong;\n";
        let start = preprocessed.find("wrong").expect("word");
        let span = span_in_author_text(preprocessed, &(start..start + 5), author).expect("span");
        assert_eq!(&author[span], "wrong");
    }

    #[test]
    fn lines_and_columns_start_at_one() {
        let diagnostic = Diagnostic {
            message: "no".into(),
            file: "f.wgsl".into(),
            text: "é\n  héx\n".into(),
            span: Some(5..6),
            ..Diagnostic::default()
        };
        assert_eq!(diagnostic.line_column(), Some((2, 3)));
        assert!(diagnostic.to_string().contains("f.wgsl:2:3"));
    }

    #[test]
    fn terminal_control_characters_are_escaped() {
        let evil = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}\r";
        let mut diagnostic = Diagnostic {
            message: format!("m{evil}"),
            file: format!("f{evil}.wgsl"),
            text: format!("let {evil}\tx = 1;\r\nend"),
            span: None,
            label: format!("l{evil}"),
            notes: vec![format!("n{evil}")],
            ..Diagnostic::default()
        };
        let at = diagnostic.text.find("x =").expect("x");
        for span in [None, Some(at..at + 1)] {
            diagnostic.span = span;
            let shown = diagnostic.to_string();
            let is_obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!shown.contains(is_obeyed), "{shown:?}");
            assert!(shown.contains("m\\u{1b}[2J"), "{shown}");
        }
        let shown = diagnostic.to_string();
        let caret = shown.lines().find(|line| line.contains('^'));
        let line = shown.lines().find(|line| line.contains("x = 1"));
        let (caret, line) = (caret.expect("caret"), line.expect("line"));
        assert_eq!(caret.find('^'), line.find("x = 1"), "{shown}");
    }
}
