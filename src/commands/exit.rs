//! How a command ends.

use thiserror::Error;

/// Exit code of an interrupted run, as shells count it.
#[cfg(not(unix))]
pub(super) const INTERRUPTED: u8 = 130;

/// The command line is wrong in a way only the command can see.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);
