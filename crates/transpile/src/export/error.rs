//! Errors of scene export.

use std::fmt::Display;

use naga::Module;
use naga::valid::ModuleInfo;
use thiserror::Error;

/// Reason why a scene cannot be exported: the part of it, and the reason.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("cannot export {0}")]
pub struct ExportError(pub(super) String);

impl ExportError {
    /// Error for a scene that is not valid.
    pub(crate) fn invalid(reason: impl Display) -> Self {
        Self(format!("the scene: {reason}"))
    }
}

/// Validates a module.
pub(crate) fn validate(module: &Module) -> Result<ModuleInfo, ExportError> {
    tarsus_shader::ir::validate(module).map_err(|reasons| ExportError::invalid(reasons.join(": ")))
}
