//! Parameter values from the command line.

use super::exit::UsageError;
use tarsus_shader::{Overrides, Program, Values};

/// Applies the assignments given with `flag` to the parameters of `program`.
pub(super) fn values(
    flag: &str,
    assignments: &[String],
    program: &Program,
) -> Result<Values, UsageError> {
    Overrides::parse(assignments)
        .and_then(|overrides| overrides.apply(program))
        .map_err(|error| UsageError(format!("cannot use `{flag}`: {error}")))
}
