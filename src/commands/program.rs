//! Programs, and parameter values from the command line.

use anyhow::{Error, Result, anyhow};

use super::UsageError;
use crate::message::Message;
use tarsus_shader::{ComposeError, Diagnostic, Library, Program, Scene, Values};

/// Composes a scene.
///
/// # Errors
/// The scene's file and, on further lines, the diagnostic.
pub(super) fn compose(scene: &Scene, library: &Library, definitions: &[&str]) -> Result<Program> {
    tarsus_shader::compose(scene, library, definitions).map_err(|error| compose_error(scene, error))
}

/// Error that names the file of a scene that cannot be composed.
pub(super) fn compose_error(scene: &Scene, error: ComposeError) -> Error {
    if error.debug_view_needs_rays {
        let Diagnostic { message, notes, .. } = *error.diagnostic;
        anyhow!("{}: {message}; {}", scene.file, notes.join("; "))
    } else {
        anyhow!("{} does not compile\n{error}", scene.file)
    }
}

/// Applies the assignments given with `flag` to the parameters of `program`.
pub(super) fn values(
    flag: &str,
    assignments: &[String],
    program: &Program,
) -> Result<Values, UsageError> {
    let mut values = Values::default();
    for assignment in assignments {
        let assigned = program.parameters.assign(&mut values, assignment);
        assigned.map_err(|error| UsageError(format!("cannot use `{flag}`: {error}")))?;
    }
    Ok(values)
}

/// Applies the assignments given with `--set`, and prints warnings about values outside of
/// their range.
pub(super) fn set_values(assignments: &[String], program: &Program) -> Result<Values, UsageError> {
    let values = values("--set", assignments, program)?;
    for warning in program.parameters.range_warnings(&values) {
        eprintln!("{}", Message::Warning(warning));
    }
    Ok(values)
}

/// Prints the warnings about a program's source.
pub(super) fn print_warnings(program: &Program) {
    for warning in &program.warnings {
        eprintln!("{warning}");
    }
}
