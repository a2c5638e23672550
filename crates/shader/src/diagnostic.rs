//! Errors and warnings in a shader, located in the author's source.

use std::fmt;
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic as Report, Label};
use codespan_reporting::term;

use super::excerpt::Excerpt;
use tarsus_files::printable;

/// A result, or an error in a source.
pub type Checked<T> = Result<T, Box<Diagnostic>>;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
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
#[non_exhaustive]
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
    /// Byte range in the linked source of a WGSL scene, which is more precise than `span`.
    pub(crate) linked: Option<Range<usize>>,
}

impl Diagnostic {
    /// Creates an error about a whole file.
    pub fn new(message: impl Into<String>, file: impl Into<String>) -> Self {
        Self { message: message.into(), file: file.into(), ..Self::default() }
    }

    /// Sets the location.
    pub fn at(mut self: Box<Self>, span: impl Into<Option<Range<usize>>>) -> Box<Self> {
        self.span = span.into();
        self
    }

    /// Adds notes, which precede the chain of imports.
    pub fn with_notes(mut self: Box<Self>, notes: impl IntoIterator<Item = String>) -> Box<Self> {
        self.notes.splice(0..0, notes);
        self
    }

    /// Adds a note, which precedes the others.
    pub fn with_note(self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.with_notes([note.into()])
    }

    /// Turns an error into a warning.
    #[must_use]
    pub fn into_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// Line and column of the error, counted from 1; the column counts characters.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let start = self.span.as_ref()?.start;
        let before = &self.text[..self.text.floor_char_boundary(start)];
        let column = before.chars().rev().take_while(|c| *c != '\n').count();
        Some((before.matches('\n').count() + 1, column + 1))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = printable(&self.message);
        let file = printable(&self.file);
        let notes: Vec<String> = self.notes.iter().map(|note| printable(note)).collect();
        let (severity, report) = match self.severity {
            Severity::Error => ("error", Report::error()),
            Severity::Warning => ("warning", Report::warning()),
        };
        let Some(span) = &self.span else {
            write!(out, "{severity}: {message}")?;
            if !message.contains(&*file) {
                write!(out, "\n  in {file}")?;
            }
            let mut notes = notes.iter();
            return notes.try_for_each(|note| write!(out, "\n  = {note}"));
        };
        // A prefix of the text must not end inside a CRLF, which is shown as one character.
        let prefix =
            |at: usize| self.text[..self.text.floor_char_boundary(at)].trim_end_matches('\r');
        let shown = |at: usize| printable(prefix(at)).len();
        let text = printable(&self.text);
        let excerpt = Excerpt::new(&file, &text, shown(span.start)..shown(span.end));
        let label = Label::primary((), excerpt.span.clone()).with_message(printable(&self.label));
        let report = report.with_message(message).with_labels(vec![label]).with_notes(notes);
        let text = term::emit_into_string(&term::Config::default(), &excerpt, &report)
            .map_err(|_| fmt::Error)?;
        out.write_str(text.trim_end())
    }
}

impl std::error::Error for Diagnostic {}

/// Byte range of line `line` (from 0) of `text`, without its newline.
pub fn line_range(text: &str, line: usize) -> Option<Range<usize>> {
    let content = text.lines().nth(line)?;
    let start = content.as_ptr().addr() - text.as_ptr().addr();
    Some(start..start + content.len())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn crlf_line_ends_are_not_shown() {
        let text = "one\r\ntwo wrong\r\né\r\n";
        let mut diagnostic = Box::new(Diagnostic::new("no", "f.wgsl"));
        diagnostic.text = text.to_owned();
        let shown = |span: Range<usize>| diagnostic.clone().at(span).to_string();
        let start = text.find("wrong").expect("there");
        let lines = shown(start..start + 5);
        assert!(lines.contains("2 │ two wrong\n  │     ^^^^^"), "{lines}");
        // A span may end inside of a CRLF.
        assert_eq!(shown(start..start + 6), lines);
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
            let is_active = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!shown.contains(is_active), "{shown:?}");
            assert!(shown.contains("m\\u{1b}[2J"), "{shown}");
        }
        let shown = diagnostic.to_string();
        let caret = shown.lines().find(|line| line.contains('^'));
        let line = shown.lines().find(|line| line.contains("x = 1"));
        let (caret, line) = (caret.expect("caret"), line.expect("line"));
        assert_eq!(caret.find('^'), line.find("x = 1"), "{shown}");
    }
}
