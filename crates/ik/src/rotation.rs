//! Rotations for rigs: two quaternions that carry a bind pose to the solution.

use super::Error;
use super::numbers::Float;
use super::numbers::SpaceVector;
use super::policy::ReachPolicy;
use super::turn::Turn;
use super::two_bone::{Placed, Solution, TwoBone, check_finite};

/// A limb of a rig in its bind pose: what the rotations start from.
///
/// ```
/// use glam::Vec3;
/// use tarsus_ik::{BindPose, Turn};
///
/// // A leg hanging down, its knee a little forward (+z).
/// let hip = Vec3::new(0.0, 1.0, 0.0);
/// let (knee, ankle) = (Vec3::new(0.0, 0.5, 0.05), Vec3::new(0.0, 0.0, 0.0));
/// let leg = BindPose::new(hip, knee, ankle, Vec3::Z)?;
///
/// let step = Vec3::new(0.1, 0.2, 0.3);
/// let posed = leg.solve(hip, step, Vec3::Z, Turn::NONE)?;
///
/// // Forward kinematics with the rotations ends at the same joints.
/// let thigh = posed.start_rotation * (knee - hip);
/// let shin = posed.start_rotation * posed.mid_rotation * (ankle - knee);
/// assert!((hip + thigh - posed.solution.mid).length() < 1e-6);
/// assert!((hip + thigh + shin - step).length() < 1e-6);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindPose<V: SpaceVector> {
    limb: TwoBone<V::Real>,
    /// Unit direction of the first bone.
    first: V,
    /// Unit normal of the plane the limb bends in, line × bend.
    normal: V,
    /// Carries `first` and `normal` to x and y.
    from_bind: V::Quat,
    /// The angle from the first bone to the second, the way the limb bends.
    bend: Turn<V::Real>,
}

/// A solved limb with the rotations that pose its rig.
///
/// Both rotations are unit quaternions in the frame of the bind pose (model
/// space, say). Turn the whole limb about its start joint by
/// `start_rotation`; the second bone has by then been turned about the mid
/// joint by `mid_rotation`, a pure hinge. So, of two bind pose directions,
///
/// ```text
/// first bone  → start_rotation · first
/// second bone → start_rotation · mid_rotation · second
/// ```
///
/// A joint whose parent has the bind rotation P, in the same frame, takes the
/// local correction P⁻¹ · rotation · P in front of its local bind rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed<V: SpaceVector> {
    /// Where the joints are.
    pub solution: Solution<V>,
    /// Turns the limb about its start joint.
    pub start_rotation: V::Quat,
    /// Turns the second bone about the mid joint, before `start_rotation`.
    pub mid_rotation: V::Quat,
}

impl<V: SpaceVector> BindPose<V> {
    /// The bind pose with these joints. Lengths are taken from it. `pole` is
    /// the direction, any length, that the limb bends to in this pose; it only
    /// counts if the three joints are on one line and do not tell.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity, [`Error::Length`] if two
    /// consecutive joints are one point, [`Error::Overflow`] if a bone is too
    /// long for the float type.
    pub fn new(start: V, mid: V, end: V, pole: V) -> Result<Self, Error> {
        check_finite(start, "start")?;
        check_finite(mid, "mid")?;
        check_finite(end, "end")?;
        check_finite(pole, "pole")?;
        let (r1, first) = length_and_direction(mid - start, "first bone")?;
        let (r2, second) = length_and_direction(end - mid, "second bone")?;
        let limb = TwoBone::new(r1, r2)?;

        // The second bone turns away from the bend, so second × first is on
        // the side of line × bend.
        let cross = second.cross(first);
        let sine = cross.dot(cross).sqrt();
        let straight = sine < V::Real::PARALLEL;
        let normal = if straight {
            first.cross(V::bend_across(first, pole))
        } else {
            cross.unit_or(first.any_perpendicular())
        };
        let bend = Turn::new(
            first.dot(second),
            if straight { V::Real::ZERO } else { sine },
        )?;
        let from_bind = V::conjugate(V::quaternion(frame_rotation(first, normal)));
        Ok(Self {
            limb,
            first,
            normal,
            from_bind,
            bend,
        })
    }

    /// The same bind pose with another reach policy.
    #[must_use]
    pub fn with_policy(self, policy: ReachPolicy) -> Self {
        Self {
            limb: self.limb.with_policy(policy),
            ..self
        }
    }

    /// The same bind pose with its reach eased from the distance `d0` on; see
    /// [`TwoBone::with_soft_reach`].
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless 0 ≤ `d0` < r1 + r2.
    pub fn with_soft_reach(self, d0: V::Real) -> Result<Self, Error> {
        Ok(Self {
            limb: self.limb.with_soft_reach(d0)?,
            ..self
        })
    }

    /// What rotations start from: the normal of the bend, the rotation from the
    /// pose to x and y, and the bend.
    pub(super) fn parts(&self) -> (V, V::Quat, Turn<V::Real>) {
        (self.normal, self.from_bind, self.bend)
    }

    /// The limb without its pose.
    #[must_use]
    pub fn limb(&self) -> TwoBone<V::Real> {
        self.limb
    }

    /// Places the joints as [`TwoBone::solve`] does, turns the bend about the
    /// line start–target by `twist`, and finds the rotations from the bind
    /// pose to there. The twist is counted by the right hand along the line;
    /// [`Turn::NONE`] leaves the mid joint at the pole.
    ///
    /// `start` need not be where it is in the bind pose. Under
    /// [`ReachPolicy::Stretch`] the rotations point the bones along the
    /// solution, and lengthening them is the rig's.
    ///
    /// # Errors
    /// Those of [`TwoBone::solve`].
    #[inline]
    pub fn solve(
        &self,
        start: V,
        target: V,
        pole: V,
        twist: Turn<V::Real>,
    ) -> Result<Posed<V>, Error> {
        check_finite(start, "start")?;
        check_finite(pole, "pole")?;
        let placed = self.limb.place(start, target, |p, h| {
            let (line, across) = V::frame(p, h, pole);
            (line, twisted(line, across, twist))
        })?;

        let Placed {
            solution,
            triangle,
            line,
            across,
        } = placed;
        let normal = line.cross(across).unit_or(self.normal);
        let first = (line * triangle.along + across * triangle.across).unit_or(self.first);
        let start_rotation = V::quaternion(frame_rotation(first, normal)) * self.from_bind;
        // The second bone turns about −normal by the bend; from what it has in
        // the bind pose to what it has in the solution.
        let hinge = self.bend.plus(solution.bend.reversed()).half();
        let [x, y, z] = (self.normal * hinge.sin()).components();
        let mid_rotation = V::quaternion([x, y, z, hinge.cos()]);
        Ok(Posed {
            solution: placed.solution,
            start_rotation,
            mid_rotation,
        })
    }
}

/// `across` turned about `line` by the twist; both have one length.
#[inline(always)]
fn twisted<V: SpaceVector>(line: V, across: V, twist: Turn<V::Real>) -> V {
    if twist == Turn::NONE {
        return across;
    }
    let third = line.unit_or(line).cross(across);
    across * twist.cos() + third * twist.sin()
}

/// The rotation that carries x and y to a pair of perpendicular unit vectors, a
/// bone's direction and its bend normal.
///
/// Its matrix M has them and their cross product as columns. Of a rotation by θ
/// about the unit axis a
///
/// ```text
/// M = cos θ·1 + sin θ·[a]× + (1 − cos θ)·a aᵀ
/// q = (sin ½θ·a, cos ½θ)
/// 4q_w² = 1 + m00 + m11 + m22        4q_x² = 1 + m00 − m11 − m22     …
/// 4q_w q_x = m21 − m12               4q_x q_y = m10 + m01            …
/// ```
///
/// One square root gives the largest component, which is at least ½, and one
/// division by it the other three (Shepperd 1978). As x, y, z and w.
#[inline(always)]
pub(super) fn frame_rotation<V: SpaceVector>(direction: V, normal: V) -> [V::Real; 4] {
    let one = V::Real::ONE;
    let [m00, m10, m20] = direction.components();
    let [m01, m11, m21] = normal.components();
    let [m02, m12, m22] = direction.cross(normal).components();

    // Each component squared, and the products of two, all times 4.
    let (xx, yy) = (one + m00 - m11 - m22, one - m00 + m11 - m22);
    let (zz, ww) = (one - m00 - m11 + m22, one + m00 + m11 + m22);
    let (xy, xz, yz) = (m10 + m01, m02 + m20, m21 + m12);
    let (xw, yw, zw) = (m21 - m12, m02 - m20, m10 - m01);

    // The products with the largest component, chosen by value and not by
    // branch. The choice is between x and y if z² + w² < ½, else z and w.
    let choose = |yes: bool, a: V::Real, b: V::Real| if yes { a } else { b };
    let (low, x_over_y, z_over_w) = (m22 < V::Real::ZERO, m00 > m11, m00 < -m11);
    let of = |in_x, in_y, in_z, in_w| {
        choose(
            low,
            choose(x_over_y, in_x, in_y),
            choose(z_over_w, in_z, in_w),
        )
    };
    let (x, y) = (of(xx, xy, xz, xw), of(xy, yy, yz, yw));
    let (z, w) = (of(xz, yz, zz, zw), of(xw, yw, zw, ww));
    let square = of(xx, yy, zz, ww);
    let scale = V::Real::HALF / square.sqrt();
    [x * scale, y * scale, z * scale, w * scale]
}

fn length_and_direction<V: SpaceVector>(
    bone: V,
    segment: &'static str,
) -> Result<(V::Real, V), Error> {
    if !bone.is_finite() {
        return Err(Error::Overflow);
    }
    let scale = bone.largest().scale();
    let scaled = bone * scale.scale_reciprocal();
    let length = scaled.dot(scaled).sqrt();
    if length == V::Real::ZERO {
        return Err(Error::Length { segment });
    }
    Ok((length * scale, scaled * (V::Real::ONE / length)))
}
