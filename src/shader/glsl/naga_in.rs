//! GLSL by naga's own front end: where the reference compiler is left out, and behind it.
//!
//! It takes less than the compilers of browsers do, so the text is put into words that
//! it knows.

use naga::front::glsl::{Frontend, Options};
use naga::{Module, ShaderStage};

use super::prelude::Surroundings;

/// Compiles a pass.
///
/// # Errors
/// A log as the reference compiler's, a line for each error.
pub(super) fn compile(surroundings: &Surroundings<'_>) -> Result<Module, String> {
    let text = surroundings.whole("#version 450\n");
    let mut frontend = Frontend::default();
    let parsed = frontend.parse(&Options::from(ShaderStage::Fragment), &text);
    parsed.map_err(|errors| errors.emit_to_string(&text))
}
