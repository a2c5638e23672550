//! Why a text is no moment or timeline.

use thiserror::Error;

/// What is wrong with a moment or a timeline, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{reason}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct ParseError {
    /// The line of the text, from 1, where the mistake is in one line.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl ParseError {
    /// A mistake in the JSON of a part that begins after `lines` lines of the text.
    pub(super) fn json(error: &serde_json::Error, lines: usize) -> Self {
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or(&message);
        Self {
            line: Some(lines + error.line().max(1)),
            reason: reason.to_owned(),
        }
    }
}
