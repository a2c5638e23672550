//! Exit codes and usage errors.

use thiserror::Error;

/// Exit code of a run that failed.
pub(super) const FAILED: u8 = 1;
/// Exit code of a wrong command line.
pub(super) const USAGE: u8 = 2;

/// Exit code of an interrupted run, following the convention of shells.
#[cfg(not(unix))]
pub(super) const INTERRUPTED: u8 = 130;

/// A command-line error that only the command can detect.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// Fails with a [`UsageError`].
///
/// # Errors
/// Always.
pub(super) fn usage<T>(message: impl Into<String>) -> anyhow::Result<T> {
    Err(UsageError(message.into()).into())
}
