//! Debug views and the shader definitions that enable them.

use std::fmt;
use std::str::FromStr;

/// A view shown instead of a scene's colours; see the module `tarsus::debug_view`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DebugView {
    /// Heat map of distance function evaluations per pixel.
    Steps,
    /// Normals as colours.
    Normals,
    /// Distance from the camera, from dark to bright.
    Depth,
    /// Contour lines of distance from the camera.
    Isolines,
    /// Points where a step landed inside a surface because the distance function
    /// overestimates.
    Overshoot,
    /// Bounds that the camera's rays enter, and what they cut off.
    Bounds,
    /// Infinities and NaN in magenta over the grey picture.
    #[serde(rename = "nan")]
    NonFinite,
}

impl DebugView {
    /// All debug views, in the order of the L key.
    pub const ALL: [Self; 7] = [
        Self::Steps,
        Self::Normals,
        Self::Depth,
        Self::Isolines,
        Self::Overshoot,
        Self::Bounds,
        Self::NonFinite,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Normals => "normals",
            Self::Depth => "depth",
            Self::Isolines => "isolines",
            Self::Overshoot => "overshoot",
            Self::Bounds => "bounds",
            Self::NonFinite => "nan",
        }
    }

    /// Meaning of its colours, in one line.
    pub fn legend(self) -> &'static str {
        match self {
            Self::Steps => "steps: violet 64, red 128, yellow 192, white 256 or more",
            Self::Normals => "red x, green y, blue z; half is 0, black has no normal",
            Self::Depth => "black 0, half bright 5.8, white no surface",
            Self::Isolines => "a line every 0.25 units, a strong one every unit",
            Self::Overshoot => "magenta: a step went half a pixel or more into a surface",
            Self::Bounds => "blue: inside bounds of parts; magenta: a part is cut off at its bound",
            Self::NonFinite => "magenta: infinity or NaN",
        }
    }

    /// Debug view after `view`, or before it. `None`, no debug view, comes between the last
    /// and the first.
    pub fn cycled(view: Option<Self>, forward: bool) -> Option<Self> {
        let count = Self::ALL.len() + 1;
        let current = view.map_or(0, |view| 1 + view as usize);
        let next = current + if forward { 1 } else { count - 1 };
        (next % count).checked_sub(1).map(|at| Self::ALL[at])
    }

    /// Definitions to pass to [`super::compose`] for `view`, or for the scene's colours.
    pub fn definitions(view: Option<Self>) -> &'static [&'static str] {
        match view {
            None => &[],
            Some(Self::Steps) => &["DEBUG_VIEW", "DEBUG_VIEW_STEPS"],
            Some(Self::Normals) => &["DEBUG_VIEW", "DEBUG_VIEW_NORMALS"],
            Some(Self::Depth) => &["DEBUG_VIEW", "DEBUG_VIEW_DEPTH"],
            Some(Self::Isolines) => &["DEBUG_VIEW", "DEBUG_VIEW_ISOLINES"],
            Some(Self::Overshoot) => &["DEBUG_VIEW", "DEBUG_VIEW_OVERSHOOT"],
            Some(Self::Bounds) => &["DEBUG_VIEW", "DEBUG_VIEW_BOUNDS"],
            Some(Self::NonFinite) => &["NON_FINITE"],
        }
    }

    /// True if `definitions` select a debug view of rays.
    pub fn needs_rays(definitions: &[&str]) -> bool {
        definitions.contains(&"DEBUG_VIEW")
    }

    /// True if `definitions` select [`Self::NonFinite`].
    pub fn shows_non_finite(definitions: &[&str]) -> bool {
        definitions.contains(&"NON_FINITE")
    }
}

impl FromStr for DebugView {
    type Err = String;

    /// Returns the debug view of this name.
    fn from_str(name: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|view| view.name() == name);
        let expected = || format!("expected one of {}", Self::ALL.map(Self::name).join(", "));
        named.ok_or_else(expected)
    }
}

impl fmt::Display for DebugView {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_visits_all_and_none() {
        let mut view = None;
        for expected in DebugView::ALL.map(Some).into_iter().chain([None]) {
            let before = view;
            view = DebugView::cycled(before, true);
            assert_eq!(view, expected);
            assert_eq!(DebugView::cycled(view, false), before);
        }
    }

    #[test]
    fn stored_names_are_those_of_the_command_line() {
        let read = |name: &str| serde_json::from_value(name.into()).ok();
        for view in DebugView::ALL {
            assert_eq!(serde_json::to_value(view).ok(), Some(view.name().into()));
            assert_eq!(read(view.name()), Some(view));
        }
    }
}
