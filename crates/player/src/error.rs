//! Errors in snapshots and timelines.

use thiserror::Error;

/// An error in a snapshot or a timeline: a description that names the line or the time, if it
/// belongs to one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ParseError(pub String);

impl From<serde_json::Error> for ParseError {
    fn from(error: serde_json::Error) -> Self {
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or(&message);
        Self(format!("line {}: {reason}", error.line().max(1)))
    }
}
