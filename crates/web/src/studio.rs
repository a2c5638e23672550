//! What JavaScript calls of the studio, as the documentation of the crate lists
//! it: everything that reads sources.

use serde_json::json;
use wasm_bindgen::prelude::*;

use super::files::PageFiles;
use super::{catalog, convert, files};
use tarsus_shader::{Lens, Values};

/// The built-in scenes, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn scenes() -> String {
    catalog::scenes()
}

/// The modules that scenes import, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn library() -> String {
    catalog::modules()
}

/// Names of the lenses, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn lenses() -> String {
    json!(Lens::ALL.map(Lens::name)).to_string()
}

/// Composes a scene as seen through a lens, for `Viewer.load`, as JSON.
///
/// # Errors
/// When `files` is no JSON of files, or there is no such lens.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "strings of JavaScript are given away"
)]
pub fn compose(files: &str, lens: Option<String>) -> Result<String, JsError> {
    files::compose_files(files, lens.as_deref()).map_err(error)
}

/// What is wrong with a scene, as JSON.
///
/// # Errors
/// When `files` is no JSON of files.
#[wasm_bindgen]
pub fn check(files: &str) -> Result<String, JsError> {
    files::check(files).map_err(error)
}

/// A scene for another program, as JSON: `to` is `shadertoy`, `glsl` or `wgsl`, `values`
/// those of its parameters as `Viewer.values` gives them.
///
/// # Errors
/// When it cannot be written that way.
#[wasm_bindgen(js_name = exportTo)]
pub fn export_to(files: &str, to: &str, values: &str) -> Result<String, JsError> {
    let values: Values = serde_json::from_str(values)
        .map_err(|wrong| error(format!("cannot read the values: {wrong}")))?;
    let files = PageFiles::parse(files).map_err(error)?;
    convert::export_to(&files, to, &values).map_err(error)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn error(message: String) -> JsError {
    JsError::new(&message)
}
