//! A composed scene in the form passed from the studio to the player.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use tarsus_shader::{DebugView, Program, unpack};

/// A composed scene.
pub struct Composed {
    /// Name of the scene as in snapshots: the name of a built-in scene or a file.
    pub main: String,
    /// The debug view, if any.
    pub debug_view: Option<DebugView>,
    /// The composed program.
    pub program: Program,
}

/// The JSON object `{ok, diagnostics, main, debugView, program}` with a packed program.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Packed<'a> {
    #[serde(skip_deserializing)]
    pub(super) ok: bool,
    #[serde(skip_deserializing)]
    pub(super) diagnostics: Value,
    pub(super) main: String,
    pub(super) debug_view: Option<DebugView>,
    #[serde(borrow)]
    pub(super) program: &'a RawValue,
}

impl Composed {
    /// Parses a scene written by the studio or by `tarsus export`.
    ///
    /// # Errors
    /// Returns a message of one sentence if the JSON is invalid.
    pub fn parse(json: &str) -> Result<Self, String> {
        let packed: Packed<'_> = serde_json::from_str(json)
            .map_err(|error| format!("cannot read the scene: {error}"))?;
        Ok(Self {
            main: packed.main,
            debug_view: packed.debug_view,
            program: unpack(packed.program.get())?,
        })
    }
}

/// Returns the title of a scene: its name without folders and extension, so that a built-in
/// scene and a file with its source have the same one.
pub fn title_of(main: &str) -> String {
    let stem = Path::new(main).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
