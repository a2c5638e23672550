//! Solver for insect legs: coxa, femur, tibia and tarsus.
//!
//! ```text
//!            knee
//!            ╱╲
//!     femur ╱  ╲
//!          ╱    ╲ tibia
//!  ●━━━━━━●      ╲
//! hip     tro-    ● ankle
//!  coxa  chanter  ┃ tarsus
//!                 ● foot
//! ```
//!
//! A walking insect holds the coxa level and swings it fore and aft; femur and tibia bend
//! in the upright plane through it; the tarsus meets the ground in a fixed direction. The
//! whole leg is therefore one two-bone solve between two segments of known position,
//! without iteration. `solve_leg` in [`WGSL`](super::WGSL) is the same solver.
//!
//! ```
//! use tarsus_ik::glam::Vec3;
//! use tarsus_ik::chain::{LegLengths, LegMount};
//!
//! let lengths = LegLengths { coxa: 0.2, femur: 0.6, tibia: 0.7, tarsus: 0.2 };
//! let mount = LegMount {
//!     hip: Vec3::ZERO,
//!     up: Vec3::Y,
//!     rest_direction: Vec3::X,
//!     tarsus_direction: Vec3::NEG_Y,
//! };
//! let foot = Vec3::new(0.9, -0.5, 0.3);
//! let leg = lengths.solve(&mount, foot)?;
//! assert!(leg.reached);
//! assert!((leg.foot - foot).length() < 1e-6);
//! assert!(leg.knee.y > leg.ankle.y);
//! # Ok::<(), tarsus_ik::Error>(())
//! ```

use super::numbers::{Float, Real, SpaceVector};
use super::two_bone::{Framing, TwoBone, check_finite, check_length};
use super::{Error, Solution};

/// Lengths of a leg's four segments, from the body outward, in the same unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegLengths<T> {
    /// From the hip to the trochanter, level with the body; may be 0.
    pub coxa: T,
    /// From the trochanter to the knee.
    pub femur: T,
    /// From the knee to the ankle.
    pub tibia: T,
    /// From the ankle to the foot, in a fixed direction; may be 0.
    pub tarsus: T,
}

/// Place and posture of a leg. Points and directions are in the same frame; directions may
/// have any length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegMount<V> {
    /// Joint between body and coxa.
    pub hip: V,
    /// Axis that the coxa yaws about.
    pub up: V,
    /// Direction of the leg at rest, used as the yaw when the ankle is exactly above or
    /// below the hip. If it is 0 or along `up`, an arbitrary level direction is used.
    pub rest_direction: V,
    /// Direction from the ankle to the foot.
    pub tarsus_direction: V,
}

/// Joints of a leg, in the frame of the call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Leg<V> {
    /// Joint between body and coxa.
    pub hip: V,
    /// Joint between coxa and femur.
    pub trochanter: V,
    /// Joint between femur and tibia.
    pub knee: V,
    /// Joint between tibia and tarsus.
    pub ankle: V,
    /// Tip of the tarsus: on the target, if that is within reach.
    pub foot: V,
    /// True if the foot is on the target.
    pub reached: bool,
}

impl<T: Real> LegLengths<T> {
    /// Places a leg's foot on `foot_target`.
    ///
    /// 1. The tarsus ends on the target and points along `tarsus_direction`, which
    ///    places the ankle.
    /// 2. The coxa yaws about `up` through the hip until it points at the ankle:
    ///    outward = (a − up(a·up)), normalised, with a = ankle − hip and the unit vector up.
    ///    An ankle that passes below the hip therefore turns the leg round.
    /// 3. Femur and tibia are two rigid bones in the upright plane of the coxa, solved with
    ///    [`ReachPolicy::Clamp`](super::ReachPolicy::Clamp). Seen with outward to the right
    ///    and up upward, they bend to the left of the line trochanter–ankle: the knee is
    ///    above the line while the ankle is farther out than the trochanter, beside it for an
    ///    ankle straight below the trochanter, and below it for one nearer to the body.
    ///
    /// Out of reach, the segments keep their lengths and `foot` stops short of the target.
    ///
    /// # Errors
    /// [`Error::Length`] unless femur and tibia are finite and positive and coxa and tarsus
    /// finite and non-negative; [`Error::NotFinite`] for NaN and infinity;
    /// [`Error::NoDirection`] if `up` or `tarsus_direction` is 0; [`Error::Overflow`] if a
    /// joint overflows the float type.
    pub fn solve<V: SpaceVector<Real = T>>(
        &self,
        mount: &LegMount<V>,
        foot_target: V,
    ) -> Result<Leg<V>, Error> {
        let (hip, rest_direction) = (mount.hip, mount.rest_direction);
        check_finite(foot_target, "foot_target")?;
        check_finite(hip, "hip")?;
        check_finite(rest_direction, "rest_direction")?;
        let up = mount.up.checked_direction("up")?;
        let tarsus_direction = mount.tarsus_direction.checked_direction("tarsus_direction")?;
        check_segment(self.coxa, "coxa")?;
        check_segment(self.tarsus, "tarsus")?;

        let tarsus = tarsus_direction * self.tarsus;
        let ankle_in_hip = foot_target - tarsus - hip;
        if !ankle_in_hip.is_finite() {
            return Err(Error::Overflow);
        }

        // Yaw by projection: the direction of the ankle without its upward component.
        let outward_at_rest = rest_direction.level_direction(up, up.any_perpendicular());
        let outward = ankle_in_hip.level_direction(up, outward_at_rest);

        // Outward and up span the upright plane; its normal × v rotates v by 90° from outward
        // toward up.
        let normal = outward.cross(up);
        let trochanter = hip + outward * self.coxa;
        let ankle_target = trochanter + (ankle_in_hip - outward * self.coxa);
        let plane = Upright { outward, up, normal };
        // The arguments are finite, so the only error left is an overflow.
        let Solution { mid: knee, end: ankle, reached, .. } = self
            .two_bone()?
            .place(trochanter, ankle_target, plane, |placed| placed.solution)
            .map_err(|_| Error::Overflow)?;
        let foot = ankle + tarsus;
        if !foot.is_finite() {
            return Err(Error::Overflow);
        }
        Ok(Leg { hip, trochanter, knee, ankle, foot, reached })
    }

    fn two_bone(&self) -> Result<TwoBone<T>, Error> {
        check_length(self.femur, "femur")?;
        check_length(self.tibia, "tibia")?;
        TwoBone::new(self.femur, self.tibia)
    }
}

/// The frame of femur and tibia.
#[derive(Clone, Copy)]
struct Upright<V> {
    outward: V,
    up: V,
    normal: V,
}

impl<V: SpaceVector> Framing<V> for Upright<V> {
    #[inline(always)]
    fn frame(self, p: V, h: V::Real) -> (V, V) {
        if h < V::Real::COINCIDENT { (self.outward, self.up) } else { (p, self.normal.cross(p)) }
    }
}

fn check_segment<T: Real>(length: T, segment: &'static str) -> Result<(), Error> {
    if length >= T::ZERO && length.is_finite() { Ok(()) } else { Err(Error::Length { segment }) }
}
