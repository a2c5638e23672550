//! Debug views and the shader definitions that enable them.

use std::fmt;

/// What to show in place of a scene's colours; see `shaders/lib/lens.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lens {
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
}

impl Lens {
    /// All debug views, in the order of the L key.
    pub const ALL: [Self; 5] = [
        Self::Steps,
        Self::Normals,
        Self::Depth,
        Self::Isolines,
        Self::Overshoot,
    ];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Normals => "normals",
            Self::Depth => "depth",
            Self::Isolines => "isolines",
            Self::Overshoot => "overshoot",
        }
    }

    /// Debug view with the given name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lens| lens.name() == name)
    }

    /// Debug view after `lens`, or before it. `None`, no debug view, comes between the last
    /// and the first.
    #[must_use]
    pub fn turned(lens: Option<Self>, forward: bool) -> Option<Self> {
        let places = Self::ALL.len() + 1;
        let here = lens.map_or(0, |lens| 1 + lens as usize);
        let there = here + if forward { 1 } else { places - 1 };
        (there % places).checked_sub(1).map(|at| Self::ALL[at])
    }

    /// Definitions to pass to [`super::compose`].
    #[must_use]
    pub fn definitions(self) -> [&'static str; 2] {
        let own = match self {
            Self::Steps => "LENS_STEPS",
            Self::Normals => "LENS_NORMALS",
            Self::Depth => "LENS_DEPTH",
            Self::Isolines => "LENS_ISOLINES",
            Self::Overshoot => "LENS_OVERSHOOT",
        };
        ["LENS", own]
    }
}

impl fmt::Display for Lens {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_cycles_through_all_and_none() {
        let mut lens = None;
        for expected in Lens::ALL.map(Some).into_iter().chain([None]) {
            let before = lens;
            lens = Lens::turned(before, true);
            assert_eq!(lens, expected);
            assert_eq!(Lens::turned(lens, false), before);
        }
    }
}
