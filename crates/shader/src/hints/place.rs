//! The explanation of an error as the hints build it, and its location in the author's
//! source.

use std::ops::Range;

use super::super::tokens::Token;

/// Message of `explain` for a `return` without a value.
pub(crate) const NO_VALUE: &str = "no value is returned";

/// Message of `explain` for a `return` with a value of another type.
pub(crate) const OTHER_TYPE: &str = "this is not of the type that the function returns";

/// Explanation of an error, improved by hints.
pub(crate) struct Explanation {
    pub message: String,
    pub label: String,
    /// Byte range in the author's source.
    pub span: Option<Range<usize>>,
    pub notes: Vec<String>,
    /// The undefined name, if that is the error.
    pub identifier: Option<String>,
}

impl Explanation {
    pub(super) fn hint(&mut self, hint: impl Into<String>) {
        self.notes = vec![format!("hint: {}", hint.into())];
    }

    pub(super) fn replace(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.message = message.into();
        self.label.clear();
        self.hint(hint);
    }
}

/// The author's source with its tokens. `at` is the index of the token where the error
/// starts.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) all: &'a [Token<'a>],
    pub(super) at: usize,
}

impl<'a> Place<'a> {
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| token.text)
    }

    pub(super) fn here(&self) -> &'a str {
        self.word(self.at)
    }

    pub(super) fn before(&self) -> &'a str {
        self.at.checked_sub(1).map_or("", |at| self.word(at))
    }

    pub(super) fn span(&self, at: usize) -> Option<Range<usize>> {
        self.all.get(at).map(|token| token.span.clone())
    }

    /// Index of the token before the last declaration of `name` above the error: `let`,
    /// `var` or `const`, or `(` or `,` before a parameter.
    pub(super) fn declared_by(&self, name: &str) -> Option<usize> {
        let is_declared = |&at: &usize| {
            self.word(at) == name
                && at > 0
                && (matches!(self.word(at - 1), "let" | "var" | "const")
                    || (self.word(at + 1) == ":" && matches!(self.word(at - 1), "(" | ",")))
        };
        (0..self.at).rev().find(is_declared).map(|at| at - 1)
    }

    /// Name of the variable that the value at the error is assigned to, else the first word
    /// of the value.
    pub(super) fn made(&self) -> &'a str {
        match self.before() {
            "=" => self.word(self.at.wrapping_sub(2)),
            _ => self.here(),
        }
    }

    /// Integer type of `name`, if it is declared as an integer.
    pub(super) fn is_whole(&self, name: &str) -> Option<&'static str> {
        let at = self.declared_by(name)? + 2;
        let value = self.word(at + 1);
        let is_integer = |suffix: &str| {
            let digits = value.strip_suffix(suffix);
            let is_number = digits.is_some_and(|digits| {
                !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
            });
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
}

/// Token range of argument `number` (from 1) of the call that the error starts at.
pub(super) fn argument_of_call(place: &Place<'_>, number: usize) -> Option<Range<usize>> {
    let near = place.all.len().min(place.at + 8);
    let open = (place.at..near).find(|&at| place.word(at) == "(")?;
    let mut depth = 0usize;
    let mut first = open + 1;
    let mut count = 1;
    for at in open..place.all.len() {
        match place.word(at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 1 => {
                if count == number {
                    return Some(first..at);
                }
                count += 1;
                first = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            return (count == number && first < at).then_some(first..at);
        }
    }
    None
}

/// Token range of the statement that the error starts in.
pub(super) fn line_of(place: &Place<'_>) -> Option<Range<usize>> {
    let is_end = |at: &usize| matches!(place.word(*at), ";" | "{" | "}");
    let first = (0..place.at).rev().find(is_end).map_or(0, |at| at + 1);
    let last = (place.at..place.all.len()).find(is_end)?;
    (first < last).then_some(first..last)
}
