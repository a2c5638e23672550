//! The `studio` module's JavaScript interface, as documented in the crate:
//! everything that reads scene sources.

use serde_json::json;
use wasm_bindgen::prelude::*;

use super::files::parse_files;
use super::{catalog, convert, files, js_error};
use tarsus_shader::{DebugView, Values};

/// Returns the built-in scenes, as JSON.
#[wasm_bindgen]
pub fn scenes() -> String {
    catalog::scenes()
}

/// Returns the modules that scenes can import, as JSON.
#[wasm_bindgen]
pub fn library() -> String {
    catalog::modules()
}

/// Returns the names of the debug views, as JSON.
#[wasm_bindgen(js_name = debugViews)]
pub fn debug_views() -> String {
    json!(DebugView::ALL.map(DebugView::name)).to_string()
}

/// Composes a scene with a debug view for `Viewer.load`, as JSON.
///
/// # Errors
/// Throws if `files` is not valid JSON, or if there is no such debug view.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "strings of JavaScript are given away")]
pub fn compose(
    files: &str,
    #[wasm_bindgen(js_name = debugView)] debug_view: Option<String>,
) -> Result<String, JsError> {
    files::compose_files(files, debug_view.as_deref()).map_err(js_error)
}

/// Exports a scene to Shadertoy, as JSON. `values` are parameter values as returned by
/// `Viewer.values`.
///
/// # Errors
/// Throws if the scene cannot be exported.
#[wasm_bindgen(js_name = toShadertoy)]
pub fn to_shadertoy(files: &str, values: &str) -> Result<String, JsError> {
    let values: Values = serde_json::from_str(values)
        .map_err(|wrong| js_error(format!("cannot read the values: {wrong}")))?;
    let files = parse_files(files).map_err(js_error)?;
    convert::shadertoy_files(&files, &values).map_err(js_error)
}
