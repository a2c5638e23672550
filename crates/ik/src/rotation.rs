//! Rotations for rigs: two quaternions from the bind pose to the solution.

use super::Error;
use super::numbers::{Float, SpaceVector};
use super::policy::ReachPolicy;
use super::turn::Turn;
use super::two_bone::{Framing, Solution, SolvedFrame, TwoBone, check_finite};

/// A rig's limb in its bind pose.
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
/// // Forward kinematics with the rotations gives the same joints.
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
    /// Unit normal of the plane the limb bends in: line × bend.
    normal: V,
    /// Rotation from `first` and `normal` to x and y.
    from_bind_pose: V::Quat,
    /// Angle from the first bone to the second, in the direction of the bend.
    bend: Turn<V::Real>,
}

/// A solved limb with the rotations that pose its rig.
///
/// Both rotations are unit quaternions in the frame of the bind pose, for example model
/// space. `mid_rotation` turns the second bone about the mid joint, as a pure hinge; then
/// `start_rotation` turns the whole limb about its start joint. Directions in the bind
/// pose map to
///
/// ```text
/// first bone  → start_rotation · first
/// second bone → start_rotation · mid_rotation · second
/// ```
///
/// A joint whose parent has the bind rotation P in the same frame takes the local
/// correction P⁻¹ · rotation · P in front of its local bind rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Posed<V: SpaceVector> {
    /// Positions of the joints.
    pub solution: Solution<V>,
    /// Rotation of the whole limb about its start joint.
    pub start_rotation: V::Quat,
    /// Rotation of the second bone about the mid joint, applied before `start_rotation`.
    pub mid_rotation: V::Quat,
}

impl<V: SpaceVector> BindPose<V> {
    /// Creates a bind pose from its joints, which determine the lengths. `pole` is the
    /// direction, of any length, that the limb bends to in this pose; it is only used if
    /// the three joints are collinear.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity; [`Error::Length`] if two consecutive
    /// joints coincide; [`Error::Overflow`] if a bone's length overflows the float type.
    pub fn new(start: V, mid: V, end: V, pole: V) -> Result<Self, Error> {
        check_finite(start, "start")?;
        check_finite(mid, "mid")?;
        check_finite(end, "end")?;
        check_finite(pole, "pole")?;
        let (r1, first) = length_and_direction(mid - start, "first bone")?;
        let (r2, second) = length_and_direction(end - mid, "second bone")?;
        let limb = TwoBone::new(r1, r2)?;

        // The second bone turns away from the bend, so second × first points to the side
        // of line × bend.
        let cross = second.cross(first);
        let sine = cross.dot(cross).sqrt();
        let straight = sine < V::Real::PARALLEL;
        let normal = if straight {
            first.cross(V::bend_direction(first, pole))
        } else {
            cross.unit_or(first.any_perpendicular())
        };
        let bend = Turn::new(
            first.dot(second),
            if straight { V::Real::ZERO } else { sine },
        )?;
        let from_bind_pose = V::conjugate(V::quaternion(frame_rotation(first, normal)));
        Ok(Self {
            limb,
            first,
            normal,
            from_bind_pose,
            bend,
        })
    }

    /// Replaces the reach policy.
    #[must_use]
    pub fn with_policy(self, policy: ReachPolicy) -> Self {
        Self {
            limb: self.limb.with_policy(policy),
            ..self
        }
    }

    /// Enables soft reach from the distance `d0` on; see [`TwoBone::with_soft_reach`].
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless 0 ≤ `d0` < r1 + r2.
    pub fn with_soft_reach(self, d0: V::Real) -> Result<Self, Error> {
        Ok(Self {
            limb: self.limb.with_soft_reach(d0)?,
            ..self
        })
    }

    /// Inputs of the rotations: normal of the bend, rotation from the pose to x and y,
    /// and bend.
    pub(super) fn rotation_inputs(&self) -> (V, V::Quat, Turn<V::Real>) {
        (self.normal, self.from_bind_pose, self.bend)
    }

    /// The limb without its pose.
    #[must_use]
    pub fn limb(&self) -> &TwoBone<V::Real> {
        &self.limb
    }

    /// Places the joints as [`TwoBone::solve`] does, turns the bend about the line
    /// start–target by `twist`, and computes the rotations from the bind pose. The twist
    /// follows the right-hand rule along the line; [`Turn::NONE`] leaves the mid joint at
    /// the pole.
    ///
    /// `start` may differ from the bind pose. Under [`ReachPolicy::Stretch`] the
    /// rotations point the bones along the solution; the rig has to lengthen them.
    ///
    /// # Errors
    /// Same as [`TwoBone::solve`].
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
        let placed = self.limb.place(start, target, Twisted { pole, twist })?;

        let SolvedFrame {
            solution,
            triangle,
            line,
            across,
        } = placed;
        let normal = line.cross(across).unit_or(self.normal);
        let first = (line * triangle.along + across * triangle.across).unit_or(self.first);
        let start_rotation = V::quaternion(frame_rotation(first, normal)) * self.from_bind_pose;
        // The second bone turns about −normal by the bend; the hinge is the difference
        // between the bend of the bind pose and that of the solution.
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

/// The frame of a limb that bends to a pole, turned about the line.
#[derive(Clone, Copy)]
struct Twisted<V: SpaceVector> {
    pole: V,
    twist: Turn<V::Real>,
}

impl<V: SpaceVector> Framing<V> for Twisted<V> {
    #[inline(always)]
    fn frame(self, p: V, h: V::Real) -> (V, V) {
        let (line, across) = V::frame(p, h, self.pole);
        (line, apply_twist(line, across, self.twist))
    }
}

/// `across` turned about `line` by the twist; both vectors have the same length.
#[inline(always)]
fn apply_twist<V: SpaceVector>(line: V, across: V, twist: Turn<V::Real>) -> V {
    if twist == Turn::NONE {
        return across;
    }
    let third = line.unit_or(line).cross(across);
    across * twist.cos() + third * twist.sin()
}

/// Rotation from x and y to two perpendicular unit vectors: a bone's direction and its
/// bend normal. Returns x, y, z and w.
///
/// The columns of its matrix M are these vectors and their cross product. For a rotation
/// by θ about the unit axis a
/// about the unit axis a
///
/// ```text
/// M = cos θ·1 + sin θ·[a]× + (1 − cos θ)·a aᵀ
/// q = (sin ½θ·a, cos ½θ)
/// 4q_w² = 1 + m00 + m11 + m22        4q_x² = 1 + m00 − m11 − m22     …
/// 4q_w q_x = m21 − m12               4q_x q_y = m10 + m01            …
/// ```
///
/// One square root gives the largest component, which is at least ½, and one division by
/// it the other three (Shepperd 1978).
#[inline(always)]
pub(super) fn frame_rotation<V: SpaceVector>(direction: V, normal: V) -> [V::Real; 4] {
    let one = V::Real::ONE;
    let [m00, m10, m20] = direction.components();
    let [m01, m11, m21] = normal.components();
    let [m02, m12, m22] = direction.cross(normal).components();

    // 4 × the squares of the components, and 4 × the products of two.
    let (xx, yy) = (one + m00 - m11 - m22, one - m00 + m11 - m22);
    let (zz, ww) = (one - m00 - m11 + m22, one + m00 + m11 + m22);
    let (xy, xz, yz) = (m10 + m01, m02 + m20, m21 + m12);
    let (xw, yw, zw) = (m21 - m12, m02 - m20, m10 - m01);

    // Products with the largest component, selected without branches: x or y if z² + w² <
    // ½, else z or w.
    let choose = |yes: bool, a: V::Real, b: V::Real| if yes { a } else { b };
    let (low, x_over_y, z_over_w) = (m22 < V::Real::ZERO, m00 > m11, m00 < -m11);
    let select_products = |in_x, in_y, in_z, in_w| {
        choose(
            low,
            choose(x_over_y, in_x, in_y),
            choose(z_over_w, in_z, in_w),
        )
    };
    let (x, y) = (
        select_products(xx, xy, xz, xw),
        select_products(xy, yy, yz, yw),
    );
    let (z, w) = (
        select_products(xz, yz, zz, zw),
        select_products(xw, yw, zw, ww),
    );
    let square = select_products(xx, yy, zz, ww);
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
    let scale = bone.max_abs_component().scale();
    let scaled = bone * scale.scale_reciprocal();
    let length = scaled.dot(scaled).sqrt();
    if length == V::Real::ZERO {
        return Err(Error::Length { segment });
    }
    Ok((length * scale, scaled * (V::Real::ONE / length)))
}
