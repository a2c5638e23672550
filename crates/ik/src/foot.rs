//! Feet on the ground: slope, and roll about heel and toe.

use super::Error;
use super::numbers::{Float, SpaceVector};
use super::pose::frame_rotation;
use super::turn::Turn;
use super::two_bone::check_finite;

/// A foot in its bind pose, with the sole flat on the ground. Points are relative to the
/// ankle.
///
#[doc = include_str!("figures/foot.md")]
///
/// ```
/// use tarsus_ik::glam::Vec3;
/// use tarsus_ik::{Foot, Footing, Turn};
///
/// let foot = Foot {
///     heel: Vec3::new(0.0, -0.1, -0.05),
///     toe: Vec3::new(0.0, -0.1, 0.15),
///     up: Vec3::Y,
/// };
/// let footing = Footing { point: Vec3::ZERO, normal: Vec3::Y, heading: Vec3::Z };
/// let flat = foot.place(&footing, Turn::NONE)?;
/// assert!(flat.ankle.distance(Vec3::new(0.0, 0.1, 0.0)) < 1e-6);
///
/// // Pushing off: the heel rises, the toe stays.
/// let rolled = foot.place(&footing, Turn::from_radians(0.5)?)?;
/// assert!(rolled.ankle.y > 0.1 && rolled.ankle.z > 0.0);
/// let toe = rolled.ankle + rolled.rotation * foot.toe;
/// assert!(toe.distance(Vec3::new(0.0, 0.0, 0.15)) < 1e-6);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Foot<V> {
    /// Point of the sole that the foot rolls about backward.
    pub heel: V,
    /// Point of the sole that the foot rolls about forward: toe or ball.
    pub toe: V,
    /// Direction away from the ground, of any length.
    pub up: V,
}

/// A place for a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footing<V> {
    /// Point of the ground under the ankle of the flat foot.
    pub point: V,
    /// Normal of the ground, of any length.
    pub normal: V,
    /// Direction of the toe, of any length; only its part along the ground counts.
    pub heading: V,
}

/// A placed foot: the target of its leg, and the rotation for
/// [`EndRotation::Set`](super::EndRotation::Set).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedFoot<V: SpaceVector> {
    /// Position of the ankle.
    pub ankle: V,
    /// Rotation from the bind pose.
    pub rotation: V::Quat,
}

impl<V: SpaceVector> Foot<V> {
    /// Lays the sole on the ground and rolls it: about the toe by a positive angle, which
    /// lifts the heel, or about the heel by a negative one, which lifts the toe. The point
    /// rolled about stays where it is in the flat foot, so the foot does not slide.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity; [`Error::NoDirection`] if heel and toe
    /// coincide, if a direction is 0, or if `up` is along the sole or the heading along the
    /// normal; [`Error::Overflow`] if the sole or the ankle overflows the float type.
    pub fn place(&self, footing: &Footing<V>, roll: Turn<V::Real>) -> Result<PlacedFoot<V>, Error> {
        check_finite(self.heel, "heel")?;
        check_finite(footing.point, "point")?;
        check_finite(self.toe, "toe")?;
        let sole = self.toe - self.heel;
        if !sole.is_finite() {
            return Err(Error::Overflow);
        }
        let forward = sole.checked_direction("toe")?;
        let sole_up = perpendicular(self.up, forward, "up")?;
        let normal = footing.normal.checked_direction("normal")?;
        let heading = perpendicular(footing.heading, normal, "heading")?;

        // Rotations from x and y, and the roll about the axis to the left of the foot, which
        // lowers the toe.
        let from = V::quaternion(frame_rotation(forward, sole_up));
        let to = V::quaternion(frame_rotation(heading, normal));
        let level = to * V::conjugate(from);
        let half = roll.half();
        let [x, y, z] = (normal.cross(heading) * half.sin()).components();
        let rotation = V::quaternion([x, y, z, half.cos()]) * level;

        let pivot = if roll.sin() < V::Real::ZERO { self.heel } else { self.toe };
        let under_ankle = sole_up * sole_up.dot(self.heel);
        let fixed = footing.point + V::rotate(level, pivot - under_ankle);
        let ankle = fixed - V::rotate(rotation, pivot);
        if ankle.is_finite() { Ok(PlacedFoot { ankle, rotation }) } else { Err(Error::Overflow) }
    }
}

/// Unit vector of the part of v perpendicular to the unit vector n.
fn perpendicular<V: SpaceVector>(v: V, n: V, argument: &'static str) -> Result<V, Error> {
    let across = n.cross(v.checked_direction(argument)?);
    let limit = V::Real::PARALLEL * V::Real::PARALLEL;
    if across.dot(across) <= limit {
        return Err(Error::NoDirection { argument });
    }
    across.cross(n).checked_direction(argument)
}
