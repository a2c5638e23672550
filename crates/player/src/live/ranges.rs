//! Ranges of texture values that are displayed from black to white. Pure.
//!
//! Values between 0 and 1 are displayed unchanged, so colours look as they do in the
//! scene. If some values are larger, or all are small, white becomes a power of two that
//! covers them. The power is shared by red, green and blue to keep hues. If some values
//! are negative, they are not colours: then each component has its own white, and
//! components with negative values display 0 as the middle between black and white.

/// One in this many values may lie outside the range: scenes store unrelated data in
/// single texels.
const VALUES_PER_OUTLIER: usize = 400;
/// Negative values below this fraction of the largest value are rounding errors.
const ROUNDING: f32 = 1.0 / 65536.0;
/// Colours whose largest component is below this are too dark to see.
const DARK: f32 = 1.0 / 16.0;

/// Display range of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    /// True if black is minus white instead of 0.
    is_signed: bool,
    /// Exponent of the power of two that is white.
    white: i32,
}

/// Display ranges of red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges([Span; 3]);

impl Default for Ranges {
    /// Displays values unchanged.
    fn default() -> Self {
        Self([Span { is_signed: false, white: 0 }; 3])
    }
}

impl Ranges {
    /// Chooses ranges for these texels. The last ranges are kept if they nearly fit, so
    /// that moving pictures do not flicker.
    pub fn choose(texels: &[[f32; 4]], last: &Self) -> Self {
        let bounds = [0, 1, 2].map(|component| bounds(texels, component));
        let largest = bounds.iter().fold(0.0, |most: f32, bounds| most.max(bounds.1));
        let is_signed = |bounds: &(f32, f32)| -bounds.0 > ROUNDING * largest;
        let is_color = !bounds.iter().any(is_signed);
        Self([0, 1, 2].map(|component| {
            let (bounds, last) = (bounds[component], last.0[component]);
            if is_signed(&bounds) {
                Span::choose(true, bounds.1.max(-bounds.0), last)
            } else {
                Span::choose(false, if is_color { largest } else { bounds.1 }, last)
            }
        }))
    }

    /// Offsets added to red, green and blue after scaling by [`Self::factors`].
    pub fn offsets(&self) -> [f32; 3] {
        self.0.map(|span| if span.is_signed { 0.5 } else { 0.0 })
    }

    /// Scale factors of red, green and blue.
    pub fn factors(&self) -> [f32; 3] {
        self.0.map(|span| 2f32.powi(-span.white - i32::from(span.is_signed)))
    }

    /// Describes the ranges, or returns `None` if values are displayed unchanged.
    pub fn describe(&self) -> Option<String> {
        let [red, green, blue] = self.0;
        let is_one = red == green && green == blue;
        if *self == Self::default() {
            None
        } else if is_one {
            Some(red.describe())
        } else {
            Some(self.0.map(Span::describe).join("  "))
        }
    }
}

impl Span {
    /// Chooses a range for values of at most `high` in magnitude.
    fn choose(is_signed: bool, high: f32, last: Self) -> Self {
        let needed = exponent(high);
        let larger = Self { is_signed, white: needed + 1 };
        let is_usual = !is_signed && (high == 0.0 || (DARK..=1.0).contains(&high));
        if last == larger {
            larger
        } else {
            Self { is_signed, white: if is_usual { 0 } else { needed } }
        }
    }

    fn describe(self) -> String {
        let power = |exponent: i32| match exponent {
            0..=20 => (1 << exponent).to_string(),
            -10..0 => format!("1/{}", 1 << -exponent),
            _ => format!("2^{exponent}"),
        };
        let start = if self.is_signed { "±" } else { "0–" };
        format!("{start}{}", power(self.white))
    }
}

/// Minimum and maximum of a component, ignoring rare outliers and always including 0.
fn bounds(texels: &[[f32; 4]], component: usize) -> (f32, f32) {
    let values = texels.iter().map(|texel| texel[component]);
    let mut values: Vec<f32> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f32::total_cmp);
    let rare = values.len() / VALUES_PER_OUTLIER;
    let low = values.get(rare).map_or(0.0, |low| low.min(0.0));
    let high = values.iter().rev().nth(rare);
    (low, high.map_or(0.0, |high| high.max(0.0)))
}

/// Exponent of the smallest power of two that is not less than `value`.
fn exponent(value: f32) -> i32 {
    value.log2().ceil().clamp(-100.0, 100.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texels: &[[f32; 4]]) -> Ranges {
        Ranges::choose(texels, &Ranges::default())
    }

    fn describe(texels: &[[f32; 4]]) -> Option<String> {
        of(texels).describe()
    }

    #[test]
    fn colours_are_displayed_unchanged() {
        assert_eq!(describe(&[]), None);
        assert_eq!(describe(&[[0.0; 4]]), None);
        assert_eq!(describe(&[[0.0, 0.1, 1.0, -9.0], [0.2, 0.0, 0.0, 9.0]]), None);
        assert_eq!(describe(&[[-1e-6, 0.9, 0.2, 0.0]]), None, "rounding");
        assert_eq!(describe(&[[f32::NAN, f32::INFINITY, 0.5, 0.0]]), None);
    }

    #[test]
    fn extreme_values_get_their_own_range() {
        for (texel, expected) in [
            ([0.0, 3.0, 1.0], "0–4"),
            ([700.0, 0.0, 0.0], "0–1024"),
            ([0.01, 0.0, 0.02], "0–1/32"),
            ([-0.01, -0.012, -0.0155], "±1/64"),
            ([-5.0, 0.5, 1e-9], "±8  0–1  0–2^-29"),
            ([-1e30, 1e-30, 0.0], "±2^100  0–2^-99  0–1"),
            ([-0.01, 5.0, 0.0], "±1/64  0–8  0–1"),
        ] {
            let [red, green, blue] = texel;
            let words = describe(&[[red, green, blue, 0.0], [0.0; 4]]);
            assert_eq!(words.as_deref(), Some(expected), "{texel:?}");
        }
    }

    #[test]
    fn values_map_between_black_and_white() {
        let shown = |texels: &[[f32; 4]]| {
            let ranges = of(texels);
            let (factors, offsets) = (ranges.factors(), ranges.offsets());
            let texels = texels.iter();
            let shown = texels.map(|texel| [0, 1, 2].map(|c| offsets[c] + factors[c] * texel[c]));
            shown.collect::<Vec<_>>()
        };
        let found = shown(&[[-0.25, 0.0, 8.0, 0.0], [0.0, 6.0, 0.0, 0.0], [0.125; 4]]);
        assert_eq!(found[0], [0.0, 0.0, 1.0]);
        assert_eq!(found[1], [0.5, 0.75, 0.0]);
        assert_eq!(found[2], [0.75, 0.015625, 0.015625]);
    }

    #[test]
    fn outliers_are_ignored() {
        let mut texels = vec![[0.5, -0.5, 0.0, 0.0]; 2000];
        texels[3] = [1e6; 4];
        texels[1999] = [-1e6; 4];
        assert_eq!(describe(&texels).as_deref(), Some("0–1  ±1/2  0–1"));
    }

    #[test]
    fn range_shrinks_with_hysteresis() {
        let of = |high: f32, last: &Ranges| Ranges::choose(&[[-high, high, 0.0, 0.0]], last);
        let first = of(3.0, &Ranges::default());
        assert_eq!(first.describe().as_deref(), Some("±4  0–4  0–1"));
        assert_eq!(of(1.9, &first), first);
        assert_eq!(of(0.9, &first).describe().as_deref(), Some("±1  0–1  0–1"));
        assert_eq!(of(5.0, &first).describe().as_deref(), Some("±8  0–8  0–1"));
        let colors = |high: f32, last: &Ranges| Ranges::choose(&[[high; 4]], last);
        let bright = colors(1.5, &Ranges::default());
        assert_eq!(colors(0.9, &bright), bright);
        assert_eq!(colors(0.4, &bright), Ranges::default());
    }
}
