//! A scene on its way from the studio, which composes it, to the player.

use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use tarsus_shader::{Lens, Program, unpack};

/// A composed scene.
pub struct Composed {
    /// Its name, as moments have it: that of a built-in scene or of a file.
    pub main: String,
    /// What it is seen through.
    pub lens: Option<Lens>,
    /// What was composed.
    pub program: Program,
}

/// `{main, lens, program}`, where the program is packed.
#[derive(Deserialize)]
struct Packed<'a> {
    main: String,
    lens: Option<Lens>,
    #[serde(borrow)]
    program: &'a RawValue,
}

impl Composed {
    /// Reads what a studio wrote, or `tarsus export`.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(json: &str) -> Result<Self, String> {
        let packed: Packed<'_> = serde_json::from_str(json)
            .map_err(|error| format!("cannot read the scene: {error}"))?;
        Ok(Self {
            main: packed.main,
            lens: packed.lens,
            program: unpack(packed.program.get())?,
        })
    }

    /// Its name for people: without folders and ending.
    #[must_use]
    pub fn title(&self) -> String {
        title_of(&self.main)
    }
}

/// The name of a scene for people: a built-in one, and a file with its text to edit,
/// have the same.
#[must_use]
pub fn title_of(main: &str) -> String {
    let stem = Path::new(main).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
