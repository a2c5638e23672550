//! The explanation of an error as the hints build it, and its location in the author's
//! source.

use std::ops::Range;

use super::super::source_map::SourceMap;
use super::super::tokens::{Token, is_word};

/// Message of `explain` for a `return` without a value.
pub(crate) const MISSING_RETURN_VALUE: &str = "no value is returned";

/// Message of `explain` for a `return` with a value of another type.
pub(crate) const WRONG_RETURN_TYPE: &str = "this does not have the function's return type";

/// Explanation of an error, improved by hints.
#[derive(Default)]
pub(crate) struct Explanation {
    pub message: String,
    pub label: String,
    /// Byte range in the author's source.
    pub span: Option<Range<usize>>,
    pub notes: Vec<String>,
    /// Number of the argument that is wrong, from 1, in the call at the error.
    pub argument: Option<usize>,
    /// Labels of the front end at other places of the error.
    pub details: Vec<String>,
}

impl Explanation {
    /// Creates an explanation with a hint.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        let mut explanation = Self::default();
        explanation.replace(message, hint);
        explanation
    }

    pub(super) fn starts_with(&self, beginning: &str) -> bool {
        self.message.starts_with(beginning)
    }

    /// The name in quotes at the end of a message with this beginning.
    pub(super) fn name_after(&self, beginning: &str) -> Option<String> {
        let name = self.message.strip_prefix(beginning)?.strip_prefix(" `")?;
        Some(name.strip_suffix('`')?.to_owned())
    }

    /// Sets the hint. Returns `Some`, the result of a rule that applies.
    pub(super) fn hint(&mut self, hint: impl Into<String>) -> Option<()> {
        self.notes = vec![format!("hint: {}", hint.into())];
        Some(())
    }

    /// Sets message and hint. Returns `Some`, the result of a rule that applies.
    pub(super) fn replace(
        &mut self,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Option<()> {
        self.message = message.into();
        self.label.clear();
        self.hint(hint)
    }
}

/// The author's source with its tokens. `at` is the index of the token where the error
/// starts.
pub(super) struct ErrorSite<'a> {
    pub sources: &'a SourceMap,
    pub text: &'a str,
    pub all: &'a [Token<'a>],
    pub at: usize,
}

impl<'a> ErrorSite<'a> {
    /// Text of token `at`; empty outside of the source.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| token.text)
    }

    pub(super) fn token(&self) -> &'a str {
        self.word(self.at)
    }

    /// The name at the error with its modules, such as `walker::view`.
    pub(super) fn path(&self) -> &'a str {
        self.path_at(self.at)
    }

    /// The name at token `at` with its modules.
    pub(super) fn path_at(&self, at: usize) -> &'a str {
        let start = self.span(at).map_or(self.text.len(), |span| span.start);
        let rest = &self.text[start..];
        let is_part = |c: char| is_word(c) || c == ':';
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    }

    pub(super) fn previous(&self) -> &'a str {
        self.word(self.at.wrapping_sub(1))
    }

    /// True if token `at` is not inside of braces.
    pub(super) fn is_outside_functions(&self, at: usize) -> bool {
        let before = self.all.iter().take(at);
        before.fold(0, |depth, token| token.depth_after(depth)) == 0
    }

    /// Index of the first token from the error on that satisfies `is_it`.
    pub(super) fn find(&self, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        (self.at..self.all.len()).find(|&at| is_it(at))
    }

    pub(super) fn span(&self, at: usize) -> Option<Range<usize>> {
        self.all.get(at).map(|token| token.span.clone())
    }

    /// Byte range of a range of tokens.
    pub(super) fn span_of(&self, tokens: &Range<usize>) -> Option<Range<usize>> {
        Some(self.span(tokens.start)?.start..self.span(tokens.end - 1)?.end)
    }

    /// Index of the token before the last declaration of `name` above the error: `let`,
    /// `var` or `const`, or `(` or `,` before a parameter.
    pub(super) fn declaration_keyword(&self, name: &str) -> Option<usize> {
        let is_declared = |&at: &usize| match self.word(at.wrapping_sub(1)) {
            "let" | "var" | "const" => self.word(at) == name,
            "(" | "," => self.word(at) == name && self.word(at + 1) == ":",
            _ => false,
        };
        (0..self.at).rev().find(is_declared).map(|at| at - 1)
    }

    /// Type of `name` as the last declaration above the error gives it, by `name: Type` or
    /// `name = Type(…)`.
    pub(super) fn declared_type(&self, name: &str) -> Option<&'a str> {
        let is_declared = |&at: &usize| {
            let keyword = self.word(at.wrapping_sub(1));
            let has_keyword = matches!(keyword, "let" | "var" | "const");
            self.word(at) == name && (has_keyword || self.word(at + 1) == ":")
        };
        let at = (0..self.at).rev().find(is_declared)?;
        matches!(self.word(at + 1), ":" | "=").then(|| self.path_at(at + 2))
    }

    /// Integer type of `name`, if it is declared as an integer.
    pub(super) fn integer_type(&self, name: &str) -> Option<&'static str> {
        let at = self.declaration_keyword(name)? + 2;
        let value = self.word(at + 1);
        let is_integer = |suffix: &str| {
            let digits = value.strip_suffix(suffix).unwrap_or_default();
            let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
            is_number && self.word(at + 2) != "."
        };
        match self.word(at) {
            ":" if value == "i32" => Some("i32"),
            ":" if value == "u32" => Some("u32"),
            "=" if is_integer("u") || value == "u32" => Some("u32"),
            "=" if is_integer("") || is_integer("i") || value == "i32" => Some("i32"),
            _ => None,
        }
    }

    /// Token range of argument `number` (from 1) of the call that the error starts at.
    pub(super) fn argument(&self, number: usize) -> Option<Range<usize>> {
        let open = self.find(|at| self.word(at) == "(").filter(|at| *at < self.at + 8)?;
        let mut depth = 0;
        let mut first = open + 1;
        let mut count = 1;
        for at in open..self.all.len() {
            depth = self.all[at].depth_after(depth);
            let is_comma = depth == 1 && self.word(at) == ",";
            if depth == 0 || (is_comma && count == number) {
                return (count == number && first < at).then_some(first..at);
            }
            if is_comma {
                count += 1;
                first = at + 1;
            }
        }
        None
    }

    /// True if the error is in the condition of an `if` or a loop.
    pub(super) fn is_condition(&self) -> bool {
        let statement = self.statement().unwrap_or(0..0);
        let mut words = (statement.start..self.at).map(|at| self.word(at));
        words.any(|word| matches!(word, "if" | "while" | "for"))
    }

    /// Token range of the statement that the error starts in.
    pub(super) fn statement(&self) -> Option<Range<usize>> {
        let is_end = |at: usize| matches!(self.word(at), ";" | "{" | "}");
        let before = (0..self.at).rev().find(|&at| is_end(at));
        let first = before.map_or(0, |at| at + 1);
        let last = self.find(is_end)?;
        (first < last).then_some(first..last)
    }
}
