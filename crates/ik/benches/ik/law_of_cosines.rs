//! The textbook solution, used by most engines: angles from the law of cosines, the
//! position from the angles.

/// Mid joint of a limb in the plane that bends to the left. Out of reach, the cosines are
/// clamped.
#[inline(always)]
pub(crate) fn law_of_cosines(p: [f32; 2], r1: f32, r2: f32) -> [f32; 2] {
    let h = p[0] * p[0] + p[1] * p[1];
    let at_start = ((h + r1 * r1 - r2 * r2) / (2.0 * r1 * h.sqrt())).clamp(-1.0, 1.0).acos();
    let angle = p[1].atan2(p[0]) + at_start;
    [r1 * angle.cos(), r1 * angle.sin()]
}
