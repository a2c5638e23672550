//! Alternative forms of the same solution, for comparison.
//!
//! All of these compute the article's geometry in the plane: they return the mid joint x
//! for a target `p` relative to the start joint and bones `r1` and `r2`, bend to the
//! left, and lengthen the bones when the target is out of reach. They agree in real numbers
//! but not in floating point; see the [numbers](super#the-numbers). They are here to compare
//! and to copy. [`TwoBone`](super::TwoBone) uses [`factored`].
//!
//! These are bare formulas: no argument is checked, `p` = 0 divides by zero, and all but
//! [`factored_scaled`] overflow or underflow `f32` for lengths beyond 1e±9.
//! [`WGSL`](super::WGSL) has the first three as `solve_article_first`,
//! `solve_article_fast` and `solve_factored`.
//!
//! ```
//! use tarsus_ik::forms;
//!
//! // A 3-4-5 triangle: the right angle is at the mid joint.
//! let x = forms::factored([5.0_f32, 0.0], 3.0, 4.0);
//! assert!((x[0] - 1.8).abs() < 1e-6 && (x[1] - 2.4).abs() < 1e-6);
//! ```

use super::numbers::Real;

/// The article's first transcription, from its formulas 1, 2 and 3.
///
/// ```text
/// q = p(½ + ½(r1² − r2²)/|p|²)
/// x = q + perp(q)·√(r1²/|q|² − 1)
/// ```
///
/// The offset is along the perpendicular of q, not of p, and q points backward when r2² >
/// r1² + |p|²: there the limb bends to the *right*, and at q = 0 the result is NaN.
#[must_use]
#[inline(always)]
pub fn article_first<T: Real>(p: [T; 2], r1: T, r2: T) -> [T; 2] {
    let h = p[0] * p[0] + p[1] * p[1];
    let k = T::HALF + T::HALF * (r1 * r1 - r2 * r2) / h;
    let q = [p[0] * k, p[1] * k];
    let s = (r1 * r1 / (q[0] * q[0] + q[1] * q[1]) - T::ONE).max(T::ZERO).sqrt();
    [q[0] - q[1] * s, q[1] + q[0] * s]
}

/// The article's second transcription, with a single division.
///
/// ```text
/// h = p·p        w = h + r1² − r2²        s = 4r1²h − w²
/// x = (w·p + perp(p)·√s)/(2h)
/// ```
///
/// r1² − r2² cancels for bones of nearly equal length, and 4r1²h − w² near full extension
/// and full fold; x loses its digits there.
#[must_use]
#[inline(always)]
pub fn article_fast<T: Real>(p: [T; 2], r1: T, r2: T) -> [T; 2] {
    let h = p[0] * p[0] + p[1] * p[1];
    let w = h + r1 * r1 - r2 * r2;
    let four = T::TWO * T::TWO;
    let s = (four * r1 * r1 * h - w * w).max(T::ZERO).sqrt();
    let inverse = T::HALF / h;
    [(w * p[0] - p[1] * s) * inverse, (w * p[1] + p[0] * s) * inverse]
}

/// The second transcription with both differences factored.
///
/// ```text
/// w = h + (r1 − r2)(r1 + r2)
/// s = ((r1 + r2)² − h)(h − (r1 − r2)²)
/// ```
///
/// Neither cancels beyond the rounding of its operands. s is 16 times the squared area of
/// the triangle, by Heron's formula.
#[must_use]
#[inline(always)]
pub fn factored<T: Real>(p: [T; 2], r1: T, r2: T) -> [T; 2] {
    let h = p[0] * p[0] + p[1] * p[1];
    let (sum, difference) = (r1 + r2, r1 - r2);
    let w = h + difference * sum;
    let s = ((sum * sum - h) * (h - difference * difference)).max(T::ZERO).sqrt();
    let inverse = T::HALF / h;
    [(w * p[0] - p[1] * s) * inverse, (w * p[1] + p[0] * s) * inverse]
}

/// [`factored`] in units of the reach L = r1 + r2, for any scale.
///
/// ```text
/// p' = p/L        δ = (r1 − r2)/L        h = p'·p'        w = h + δ
/// s = (1 − h)(h − δ²)        x = L·(w·p' + perp(p')·√s)/(2h)
/// ```
///
/// The difference is taken before the division: dividing first would round r1 and r2
/// separately, and two nearly equal lengths would cancel.
#[must_use]
#[inline(always)]
pub fn factored_scaled<T: Real>(p: [T; 2], r1: T, r2: T) -> [T; 2] {
    let reach = r1 + r2;
    let unit = T::ONE / reach;
    let p = [p[0] * unit, p[1] * unit];
    let difference = (r1 - r2) * unit;
    let h = p[0] * p[0] + p[1] * p[1];
    let w = h + difference;
    let s = ((T::ONE - h) * (h - difference * difference)).max(T::ZERO).sqrt();
    let inverse = T::HALF * reach / h;
    [(w * p[0] - p[1] * s) * inverse, (w * p[1] + p[0] * s) * inverse]
}
