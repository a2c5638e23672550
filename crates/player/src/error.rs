//! Parse errors of snapshots and timelines.

use thiserror::Error;

/// An error in a snapshot or a timeline, and its line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{reason}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct ParseError {
    /// Line of the file, from 1, if the error belongs to a single line.
    pub line: Option<usize>,
    /// Description of the error.
    pub reason: String,
}

impl ParseError {
    /// Converts a JSON error in a part that begins after `lines` lines of the file.
    pub(super) fn json(error: &serde_json::Error, lines: usize) -> Self {
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or(&message);
        Self { line: Some(lines + error.line().max(1)), reason: reason.to_owned() }
    }
}
