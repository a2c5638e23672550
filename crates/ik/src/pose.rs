//! Rotations for rigs: from a given pose to the solution.

use super::Error;
use super::numbers::{Float, SpaceVector};
use super::policy::ReachPolicy;
use super::triangle::Margins;
use super::turn::Turn;
use super::two_bone::{Framing, Solution, SolvedFrame, TwoBone, check_finite};

/// A rig's limb in a given pose: its bind pose, or the pose of this frame's animation.
///
/// ```
/// use tarsus_ik::glam::{Quat, Vec3};
/// use tarsus_ik::{BindPose, EndRotation, Goal, Pole};
///
/// // A leg hanging down, its knee a little forward (+z).
/// let hip = Vec3::new(0.0, 1.0, 0.0);
/// let (knee, ankle) = (Vec3::new(0.0, 0.5, 0.05), Vec3::new(0.0, 0.0, 0.0));
/// let leg = BindPose::new(hip, knee, ankle, Vec3::Z)?;
///
/// let step = Vec3::new(0.1, 0.2, 0.3);
/// let goal = Goal::new(hip, step)
///     .with_pole(Pole::Point(Vec3::new(0.0, 0.5, 4.0)))
///     .with_end_rotation(EndRotation::Keep); // the foot stays level
/// let posed = leg.solve(&goal)?;
///
/// // Forward kinematics with the rotations gives the same joints.
/// let (start, mid, end) = (posed.start_rotation, posed.mid_rotation, posed.end_rotation);
/// let thigh = start * (knee - hip);
/// let shin = start * mid * (ankle - knee);
/// assert!((hip + thigh - posed.solution.mid).length() < 1e-6);
/// assert!((hip + thigh + shin - step).length() < 1e-6);
/// assert!((start * mid * end).abs_diff_eq(Quat::IDENTITY, 1e-6));
///
/// // Half of the way from the pose to the solution.
/// let half = leg.solve(&goal.with_weight(0.5))?;
/// assert!(half.solution.end.z > 0.0 && half.solution.end.z < 0.3);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
///
/// Joints between start and mid, or between mid and end, that stay rigid need no mention:
/// the first bone is the line from the start to the hinge, the second the line from the
/// hinge to the end, whatever is in between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindPose<V: SpaceVector> {
    limb: TwoBone<V::Real>,
    first: V,
    second: V,
    /// Unit normal of the plane the limb bends in, line × bend: the hinge axis.
    normal: V,
    /// Rotation from the first bone's direction and `normal` to x and y.
    from_bind_pose: V::Quat,
    /// Angle from the first bone to the second, in the direction of the bend.
    bend: Turn<V::Real>,
    /// Unit vector of the bend, perpendicular to the line start–end.
    across: V,
    /// True if the hinge axis is not perpendicular to the bones.
    is_tilted: bool,
    /// Smallest and largest distance by hinge limits, without those of a tilted hinge.
    limits: [V::Real; 2],
}

/// The parts of the bones perpendicular to a tilted hinge axis, and the squared distance
/// along the axis from start to end, which no bend changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tilted<T> {
    r1: T,
    r2: T,
    offset: T,
}

/// Direction that a limb bends to.
#[doc(alias = "hint")]
#[doc(alias = "joint_target")]
#[doc(alias = "magnet")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pole<V> {
    /// The bend of the pose, carried along by the shortest arc from its line start–end to
    /// the line start–target. It jumps only where these are opposite.
    #[default]
    Pose,
    /// A direction, of any length.
    Direction(V),
    /// A point, in the frame of the start and the target.
    Point(V),
}

/// Rotation of the end joint: a hand or a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EndRotation<Q> {
    /// The end joint turns with the second bone.
    #[default]
    Follow,
    /// The end joint keeps its rotation of the pose.
    Keep,
    /// The end joint is turned from its rotation of the pose by a unit quaternion in the
    /// frame of the pose: `wanted * in_pose.inverse()` for the rotation `wanted` of a hand
    /// that has the rotation `in_pose` in the pose.
    Set(Q),
}

/// Goal of a rig's limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal<V: SpaceVector> {
    start: V,
    target: V,
    pole: Pole<V>,
    pole_weight: V::Real,
    twist: Turn<V::Real>,
    end_rotation: EndRotation<V::Quat>,
    weight: V::Real,
}

impl<V: SpaceVector> Goal<V> {
    /// A goal with full weights that keeps the bend of the pose. The start joint may differ
    /// from the pose's.
    #[must_use]
    pub fn new(start: V, target: V) -> Self {
        Self {
            start,
            target,
            pole: Pole::Pose,
            pole_weight: V::Real::ONE,
            twist: Turn::NONE,
            end_rotation: EndRotation::Follow,
            weight: V::Real::ONE,
        }
    }

    /// Sets the direction to bend to.
    #[must_use]
    pub fn with_pole(self, pole: Pole<V>) -> Self {
        Self { pole, ..self }
    }

    /// Sets the weight of the pole against [`Pole::Pose`], from 0 to 1.
    #[must_use]
    pub fn with_pole_weight(self, pole_weight: V::Real) -> Self {
        Self { pole_weight, ..self }
    }

    /// Turns the bend about the line start–target, by the right-hand rule.
    #[must_use]
    #[doc(alias = "twist_angle")]
    pub fn with_twist(self, twist: Turn<V::Real>) -> Self {
        Self { twist, ..self }
    }

    /// Sets the rotation of the end joint.
    #[must_use]
    pub fn with_end_rotation(self, end_rotation: EndRotation<V::Quat>) -> Self {
        Self { end_rotation, ..self }
    }

    /// Sets the weight of the solution against the pose, from 0 to 1.
    #[must_use]
    #[doc(alias = "alpha")]
    pub fn with_weight(self, weight: V::Real) -> Self {
        Self { weight, ..self }
    }
}

/// A solved limb with the rotations that pose its rig.
///
/// The rotations are unit quaternions in the frame of the pose, for example model space.
/// `end_rotation` turns the hand or foot about the end joint; then `mid_rotation` turns the
/// second bone about the mid joint, as a pure hinge; then `start_rotation` turns the whole
/// limb about its start joint. Directions in the pose map to
///
/// ```text
/// first bone   → start_rotation · first
/// second bone  → start_rotation · mid_rotation · second
/// hand or foot → start_rotation · mid_rotation · end_rotation · v
/// ```
///
/// So a joint with the rotation R in the pose gets, in the same frame, the rotation
///
/// ```text
/// start joint  → start_rotation · R
/// mid joint    → start_rotation · mid_rotation · R
/// end joint    → start_rotation · mid_rotation · end_rotation · R
/// ```
///
/// For local rotations: a joint whose parent has the rotation P in the pose takes the
/// correction P⁻¹ · rotation · P in front of its local rotation, with its own of the three
/// rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Posed<V: SpaceVector> {
    /// Positions of the joints.
    pub solution: Solution<V>,
    /// Rotation of the whole limb about its start joint.
    pub start_rotation: V::Quat,
    /// Rotation of the second bone about the mid joint, applied before `start_rotation`.
    pub mid_rotation: V::Quat,
    /// Rotation of the end joint, applied before `mid_rotation`.
    pub end_rotation: V::Quat,
}

impl<V: SpaceVector> BindPose<V> {
    /// Creates a pose from its joints, which determine the lengths and the hinge axis.
    /// `pole` is the direction, of any length, that the limb bends to in this pose; it is
    /// only used if the three joints are collinear.
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
            V::bend_direction(first, cross).unit_or(cross)
        };
        let sine = if straight { V::Real::ZERO } else { sine };
        let bend = Turn::new(first.dot(second), sine)?;
        let pose = Self {
            limb,
            first: mid - start,
            second: end - mid,
            normal,
            from_bind_pose: V::conjugate(V::quaternion(frame_rotation(first, normal))),
            bend,
            across: first,
            is_tilted: false,
            limits: limb.limits(),
        };
        Ok(pose.with_reference())
    }

    /// The pose with the bend of [`Pole::Pose`].
    fn with_reference(self) -> Self {
        let line = self.line();
        Self { across: V::bend_direction(line, self.normal.cross(line)), ..self }
    }

    /// Unit direction from start to end.
    fn line(&self) -> V {
        (self.first + self.second).unit_or(self.first.unit_or(V::X))
    }

    /// Replaces the hinge axis, for bones that are straight in this pose or bent the wrong
    /// way, and for hinges that are not perpendicular to the bones. A positive rotation
    /// about the axis straightens the limb: the default axis is line × bend, with the line
    /// start–end and the direction that the limb bends to.
    ///
    /// A tilted hinge turns the second bone on a cone. The limb then reaches only those
    /// distances that the cone permits, as if by hinge limits, and meets them exactly.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity; [`Error::NoDirection`] if the axis is 0
    /// or parallel to a bone; [`Error::HingeLimits`], [`Error::SoftReach`] or
    /// [`Error::Overflow`] if the distances that a tilted hinge permits do not fit the
    /// settings of the limb.
    pub fn with_hinge(self, axis: V) -> Result<Self, Error> {
        check_finite(axis, "hinge axis")?;
        let axis = axis.unit_or(V::default());
        let (first_across, first) = across_hinge(axis, self.first, "first bone")?;
        let (second_across, second) = across_hinge(axis, self.second, "second bone")?;
        let (r1, r2) = self.limb.lengths();
        let parallel = V::Real::PARALLEL;
        if first_across <= parallel * r1 || second_across <= parallel * r2 {
            return Err(Error::NoDirection { argument: "hinge axis" });
        }
        let bend = Turn::new(first.dot(second), second.cross(first).dot(axis))?;
        let along = axis.dot(self.first).abs().max(axis.dot(self.second).abs());
        let pose = Self {
            normal: axis,
            from_bind_pose: V::conjugate(V::quaternion(frame_rotation(first, axis))),
            bend,
            is_tilted: along > parallel * r1,
            ..self
        };
        pose.with_reference().narrowed()
    }

    /// The shape of a tilted hinge.
    fn tilt(&self) -> Result<Tilted<V::Real>, Error> {
        Ok(Tilted {
            r1: across_hinge(self.normal, self.first, "first bone")?.0,
            r2: across_hinge(self.normal, self.second, "second bone")?.0,
            offset: self.normal.dot(self.first) + self.normal.dot(self.second),
        })
    }

    /// Replaces the reach policy.
    #[must_use]
    pub fn with_policy(self, policy: ReachPolicy) -> Self {
        Self { limb: self.limb.with_policy(policy), ..self }
    }

    /// Changes the settings of the limb: soft reach, hinge limits, stretch. The limits
    /// count [`Solution::bend`], from the line start–mid to the line mid–end. `change` must
    /// keep the lengths of the bones.
    ///
    /// ```
    /// # use tarsus_ik::glam::Vec3;
    /// # use tarsus_ik::{BindPose, Turn};
    /// let leg = BindPose::new(Vec3::Y, Vec3::Y * 0.5, Vec3::ZERO, Vec3::Z)?
    ///     .with_limb(|limb| limb.with_soft_reach(0.95)?.with_stretch(1.0, 1.05))?;
    /// assert_eq!(leg.limb().reach(), 1.0);
    /// # Ok::<(), tarsus_ik::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `change`, and those of [`with_hinge`](Self::with_hinge) if the hinge is tilted.
    pub fn with_limb(
        self,
        change: impl FnOnce(TwoBone<V::Real>) -> Result<TwoBone<V::Real>, Error>,
    ) -> Result<Self, Error> {
        let limb = change(self.limb)?;
        // Limits that are still those of the limb may be due to a tilted hinge.
        let is_kept = limb.limits() == self.limb.limits();
        let limits = if is_kept { self.limits } else { limb.limits() };
        Self { limb, limits, ..self }.narrowed()
    }

    /// Restricts the distance of the end joint to the hinge limits and to the cone of a tilted
    /// hinge.
    fn narrowed(self) -> Result<Self, Error> {
        let [mut near, mut far] = self.limits;
        if self.is_tilted {
            let Tilted { r1, r2, offset } = self.tilt()?;
            let distance =
                |r: V::Real| V::from_fn(|axis| [r, offset, V::Real::ZERO][axis]).length();
            (near, far) = (near.max(distance(r1 - r2)), far.min(distance(r1 + r2)));
        }
        Ok(Self { limb: self.limb.with_limits(near, far)?, ..self })
    }

    /// Inputs of the rotations in a batch: normal of the bend, rotation from the pose to x
    /// and y, and bend; `None` if the hinge is tilted.
    pub(super) fn rotation_inputs(&self) -> Option<(V, V::Quat, Turn<V::Real>)> {
        let inputs = (self.normal, self.from_bind_pose, self.bend);
        (!self.is_tilted).then_some(inputs)
    }

    /// The limb without its pose.
    #[must_use]
    pub fn limb(&self) -> &TwoBone<V::Real> {
        &self.limb
    }

    /// Places the joints as [`TwoBone::solve`] does, and computes the rotations from the
    /// pose, weighted as the goal says.
    ///
    /// # The pole near the line
    /// A pole along the line start–target gives no direction to bend to. Within 7.2° of the
    /// line (sine 1/8) the pole therefore fades out, and the limb bends more and more as
    /// [`Pole::Pose`]. With the unit vectors l along the pose's line and n along the line
    /// start–target, a ⊥ l along the pose's bend, and q ⊥ n along the pole's part across
    /// n, the bend is
    ///
    /// ```text
    /// (1 − k)·b + k·q, normalised        b = a − (l + n)·(n·a)/(1 + l·n)
    /// k = pole weight · min(1, 64 sin²)  sin = |n × pole|/|pole|
    /// ```
    ///
    /// where b, the bend of [`Pole::Pose`], is a itself if l and n are opposite, less its
    /// part along n. If the sum is 0 to rounding, the bend is b.
    ///
    /// A pole that crosses the line does not flip the limb: while the pole's side is within
    /// 120° of the pose's, a small rotation of the pole turns the bend by at most 75 times as
    /// much, at any distance from the line. Only a pole opposite to the pose's bend still
    /// turns the limb right round, within the fading cone, as some side has to be chosen.
    ///
    /// # Weights
    #[doc = include_str!("figures/weights.md")]
    ///
    /// Rotations are weighted as by ozz-animation, by normalised linear interpolation from no
    /// rotation along the shortest arc: the start's and the mid's each become, with the
    /// weight k and ±q such that w ≥ 0,
    ///
    /// ```text
    /// (1 − k)·(0, 0, 0, 1) + k·q, normalised
    /// ```
    ///
    /// With a weight below 1 the joints follow from the weighted rotations, the bones keep
    /// their lengths, or as much of their stretch as the weight leaves, and `reached` is
    /// false. With any weight, [`EndRotation::Keep`] is the inverse of start · mid, and
    /// [`EndRotation::Set`] that inverse times the weighted rotation of its argument.
    ///
    /// Under [`ReachPolicy::Meet`] the rotations point the bones along the solution; the
    /// rig has to lengthen them.
    ///
    /// # Errors
    /// Same as [`TwoBone::solve`]; [`Error::Weight`] if a weight is not from 0 to 1;
    /// [`Error::NotFinite`] for a rotation of the end with NaN or infinity,
    /// [`Error::NoDirection`] for one that is 0.
    #[inline]
    pub fn solve(&self, goal: &Goal<V>) -> Result<Posed<V>, Error> {
        let one = V::Real::ONE;
        let is_plain = !self.is_tilted
            && !self.limb.eases()
            && goal.weight == one
            && goal.pole_weight == one
            && goal.twist == Turn::NONE
            && matches!(goal.end_rotation, EndRotation::Follow);
        let line = goal.target - goal.start;
        if !is_plain || !line.is_finite() {
            return self.solve_any(goal);
        }
        let pole = match goal.pole {
            Pole::Pose => return self.solve_any(goal),
            Pole::Direction(pole) => pole,
            Pole::Point(point) => point - goal.start,
        };
        let scaled = self.limb.scaled(line);
        let h = scaled.p.dot(scaled.p);
        let strong = StrongPole::new(scaled.p, h, pole);
        // No square has lost digits, and none of a product of two.
        let low = V::Real::ONE / (V::Real::MILLION * V::Real::MILLION);
        let is_ordinary = strong.sine_square > low && strong.sine_square < V::Real::ONE / low;
        if !(strong.is_valid && is_ordinary && h > low) {
            return self.solve_any(goal);
        }
        let normal = strong.normal * strong.unit;
        self.limb.place_scaled(scaled, goal.start, goal.target, strong, |placed| {
            self.rotate(&placed, normal)
        })
    }

    /// [`solve`](Self::solve) for any pose and goal.
    #[inline(never)]
    fn solve_any(&self, goal: &Goal<V>) -> Result<Posed<V>, Error> {
        let (zero, one) = (V::Real::ZERO, V::Real::ONE);
        for weight in [goal.weight, goal.pole_weight] {
            if !(weight >= zero && weight <= one) {
                return Err(Error::Weight);
            }
        }
        let (pole, pole_weight) = match goal.pole {
            Pole::Pose => (V::default(), zero),
            Pole::Direction(pole) => (pole, goal.pole_weight),
            Pole::Point(point) => (point - goal.start, goal.pole_weight),
        };
        check_finite(pole, "pole")?;
        if let EndRotation::Set(rotation) = goal.end_rotation {
            check_rotation::<V>(rotation)?;
        }
        let framing =
            Posing { line: self.line(), across: self.across, pole, pole_weight, twist: goal.twist };
        let tilted = if self.is_tilted { Some(self.tilt()?) } else { None };
        let posed = self.limb.place(goal.start, goal.target, framing, |placed| {
            let posed = match tilted {
                None => {
                    let normal = placed.line.cross(placed.across).unit_or(self.normal);
                    self.rotate(&placed, normal)
                }
                Some(tilted) => self.rotate_tilted(&placed, tilted, goal.start),
            };
            if goal.weight == one && goal.end_rotation == EndRotation::Follow {
                return posed;
            }
            self.weigh(posed, goal)
        })?;
        let Solution { mid, end, .. } = posed.solution;
        if mid.is_finite() && end.is_finite() { Ok(posed) } else { Err(Error::Overflow) }
    }

    /// Rotations about a hinge perpendicular to the bones, for the unit normal of the bend.
    #[inline(always)]
    fn rotate(&self, placed: &SolvedFrame<V>, normal: V) -> Posed<V> {
        let SolvedFrame { solution, triangle, line, across } = *placed;
        let first = line * triangle.along + across * triangle.across;
        // A tiny first bone can round to 0, and the line is perpendicular to the normal, too.
        let first = if first == V::default() { line } else { first }.unit_or(V::X);
        Posed {
            solution,
            start_rotation: V::quaternion(frame_rotation(first, normal)) * self.from_bind_pose,
            mid_rotation: self.hinge_rotation(solution.bend),
            end_rotation: V::identity(),
        }
    }

    /// Rotations about a tilted hinge: it bends until the end joint has its distance, and
    /// the line start–end of that shape turns to the line of the solution.
    #[cold]
    fn rotate_tilted(
        &self,
        placed: &SolvedFrame<V>,
        tilted: Tilted<V::Real>,
        start: V,
    ) -> Posed<V> {
        let solution = placed.solution;
        let unit = self.limb.reach().scale().scale_reciprocal();
        let [r1, r2, offset] =
            [tilted.r1, tilted.r2, tilted.offset].map(|length| length * unit * solution.stretch);
        let end = (solution.end - start) * unit;
        let bend = Margins::new(end.dot(end) - offset * offset, r1, r2).bend();
        let mid_rotation = self.hinge_rotation(bend);
        let shape = self.first + V::rotate(mid_rotation, self.second);
        let from = frame_along(shape, self.normal);
        let to = frame_along(placed.line, placed.line.cross(placed.across));
        let start_rotation = V::quaternion(to) * V::conjugate(V::quaternion(from));
        let mid = start + V::rotate(start_rotation, self.first * solution.stretch);
        Posed {
            solution: Solution { mid, ..solution },
            start_rotation,
            mid_rotation,
            end_rotation: V::identity(),
        }
    }

    /// The second bone turns about −normal by the bend; the hinge rotation is the difference
    /// between the bend of the pose and that of the solution.
    #[inline(always)]
    fn hinge_rotation(&self, bend: Turn<V::Real>) -> V::Quat {
        let hinge = self.bend.plus(bend.reversed()).half();
        let [x, y, z] = (self.normal * hinge.sin()).components();
        V::quaternion([x, y, z, hinge.cos()])
    }

    /// Applies the weight and the rotation of the end joint.
    #[cold]
    fn weigh(&self, posed: Posed<V>, goal: &Goal<V>) -> Posed<V> {
        let mut posed = posed;
        if goal.weight != V::Real::ONE {
            posed = self.blend(posed, goal);
        }
        let limb = posed.start_rotation * posed.mid_rotation;
        match goal.end_rotation {
            EndRotation::Follow => {}
            EndRotation::Keep => posed.end_rotation = V::conjugate(limb),
            EndRotation::Set(rotation) => {
                posed.end_rotation = V::conjugate(limb) * weighted::<V>(rotation, goal.weight);
            }
        }
        posed
    }

    /// A solution on the way from the pose, with the joints by forward kinematics.
    fn blend(&self, posed: Posed<V>, goal: &Goal<V>) -> Posed<V> {
        let (weight, one) = (goal.weight, V::Real::ONE);
        let start_rotation = weighted::<V>(posed.start_rotation, weight);
        let mid_rotation = weighted::<V>(posed.mid_rotation, weight);
        let (r1, r2) = self.limb.lengths();
        let Solution { mid, end, .. } = posed.solution;
        let stretched = |bone: V, length: V::Real| {
            let full = length_and_direction(bone, "bone").map_or(length, |(length, _)| length);
            one + (full / length - one) * weight
        };
        let first = self.first * stretched(mid - goal.start, r1);
        let second = self.second * stretched(end - mid, r2);
        let mid = goal.start + V::rotate(start_rotation, first);
        let end = mid + V::rotate(start_rotation * mid_rotation, second);
        let [x, y, z, w] = V::parts(mid_rotation);
        let axis = self.normal.components();
        let half = Turn::from_unit(w, x * axis[0] + y * axis[1] + z * axis[2]);
        let solution = Solution {
            mid,
            end,
            reached: false,
            stretch: one + (posed.solution.stretch - one) * weight,
            bend: self.bend.plus(half.plus(half).reversed()),
        };
        Posed { solution, start_rotation, mid_rotation, ..posed }
    }
}

/// The frame of a limb that bends to a weighted pole, turned about the line.
#[derive(Clone, Copy)]
struct Posing<V: SpaceVector> {
    /// Line and bend of the pose.
    line: V,
    across: V,
    pole: V,
    pole_weight: V::Real,
    twist: Turn<V::Real>,
}

impl<V: SpaceVector> Posing<V> {
    /// The frame for a weak pole or one near the line: the pose's bend, blended with the
    /// pole. If start and target coincide there is no line to blend about.
    #[cold]
    fn weak_frame(self, p: V, h: V::Real, sine_square: V::Real) -> (V, V) {
        if h < V::Real::COINCIDENT {
            let has_pole = self.pole != V::default();
            return V::frame(p, h, if has_pole { self.pole } else { self.across });
        }
        let n = p.unit_or(self.line);
        let one = V::Real::ONE;
        // The shortest arc from the pose's line l to n takes v ⊥ l to v − (l + n)(n·v)/(1 + l·n).
        let cos = one + self.line.dot(n);
        let carried = if cos > V::Real::PARALLEL {
            self.across - (self.line + n) * (n.dot(self.across) / cos)
        } else {
            self.across
        };
        let reference = V::bend_direction(n, carried);
        let toward_pole = n.cross(self.pole.rescaled()).cross(n).unit_or(V::default());
        let weight = self.pole_weight * (sine_square / fade_square::<V>()).min(one);
        let blend = reference * (one - weight) + toward_pole * weight;
        let is_opposite = blend.dot(blend) <= V::Real::PARALLEL;
        V::frame(p, h, if is_opposite { reference } else { blend })
    }
}

/// Squared sine of the angle between pole and line below which the pole fades out: (1/8)².
#[inline(always)]
pub(super) fn fade_square<V: SpaceVector>() -> V::Real {
    let eighth = V::Real::HALF * V::Real::HALF * V::Real::HALF;
    eighth * eighth
}

/// The frame of a limb that bends to a pole away from the line.
#[derive(Clone, Copy)]
struct StrongPole<V: SpaceVector> {
    /// The line × the pole, and the reciprocal of its length.
    normal: V,
    unit: V::Real,
    /// Squared length of `normal`, and the product of those of line and pole.
    sine_square: V::Real,
    squares: V::Real,
    /// True if the pole is finite and does not fade out.
    is_valid: bool,
}

impl<V: SpaceVector> StrongPole<V> {
    /// `h` is the squared length of the line.
    #[inline(always)]
    fn new(line: V, h: V::Real, pole: V) -> Self {
        let normal = line.cross(pole);
        let (sine_square, squares) = (normal.dot(normal), h * pole.dot(pole));
        let is_valid = sine_square >= fade_square::<V>() * squares && sine_square > V::Real::ZERO;
        let unit = (V::Real::ONE / sine_square).sqrt();
        Self { normal, unit, sine_square, squares, is_valid }
    }
}

impl<V: SpaceVector> Framing<V> for StrongPole<V> {
    /// As in `bend_direction`, for a pole that is not parallel to p.
    #[inline(always)]
    fn frame(self, p: V, _: V::Real) -> (V, V) {
        (p, self.normal.cross(p) * self.unit)
    }
}

impl<V: SpaceVector> Framing<V> for Posing<V> {
    #[inline(always)]
    fn frame(self, p: V, h: V::Real) -> (V, V) {
        let (n, pole) = (p.rescaled(), self.pole.rescaled());
        let strong = StrongPole::new(n, n.dot(n), pole);
        let is_strong =
            self.pole_weight == V::Real::ONE && strong.is_valid && h >= V::Real::COINCIDENT;
        let (line, across) = if is_strong {
            (p, strong.frame(n, h).1 * p.max_abs_component().scale())
        } else {
            self.weak_frame(p, h, strong.sine_square / strong.squares.max(V::Real::COINCIDENT))
        };
        // If start and target coincide, the line is not perpendicular to the bend.
        let axis = if h < V::Real::COINCIDENT { V::bend_direction(across, line) } else { line };
        (line, apply_twist(axis, across, self.twist))
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

fn check_rotation<V: SpaceVector>(rotation: V::Quat) -> Result<(), Error> {
    let parts = V::parts(rotation);
    let square = parts.into_iter().fold(V::Real::ZERO, |sum, part| sum + part * part);
    if !square.is_finite() {
        Err(Error::NotFinite { argument: "end rotation" })
    } else if square == V::Real::ZERO {
        Err(Error::NoDirection { argument: "end rotation" })
    } else {
        Ok(())
    }
}

/// The part of a unit quaternion's rotation that a weight leaves, along the shortest arc.
fn weighted<V: SpaceVector>(rotation: V::Quat, weight: V::Real) -> V::Quat {
    let one = V::Real::ONE;
    let [x, y, z, w] = V::parts(rotation);
    let sign = one.signed_as(w);
    let [x, y, z, w] = [x, y, z, w].map(|part| part * sign * weight);
    let w = w + (one - weight);
    let scale = one / (x * x + y * y + z * z + w * w).sqrt();
    V::quaternion([x, y, z, w].map(|part| part * scale))
}

/// Part `share` of the twist of a rotation about a bone, for a joint along the bone: a
/// forearm's twist joints at thirds of its length take a third and two thirds of the
/// hand's twist, and the skin does not wring at the wrist.
///
/// `rotation` is a unit quaternion, the hand's relative to the bone; `axis` is the bone's
/// direction in the same frame; `share` may be any number. For a rig, these are
/// [`Posed::end_rotation`] and the second bone's direction in the pose. The twist is the
/// rotation about the axis that remains when the shortest swing of the axis is undone, taken
/// along the shorter way; a half turn of the axis itself leaves none. With the quaternion (v,
/// w), or its negative if w < 0, and the unit vector a of the axis, the result is
///
/// ```text
/// (a·sin(share·φ), cos(share·φ))        φ = atan2(v·a, w)
/// ```
///
/// ```
/// use tarsus_ik::glam::{Quat, Vec3};
/// use tarsus_ik::twist_share;
///
/// let hand = Quat::from_rotation_y(0.3) * Quat::from_rotation_x(1.2);
/// let third = twist_share(hand, Vec3::X, 1.0 / 3.0)?;
/// assert!(third.abs_diff_eq(Quat::from_rotation_x(0.4), 1e-6));
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotFinite`] for NaN and infinity; [`Error::NoDirection`] if the axis is 0.
pub fn twist_share<V: SpaceVector>(
    rotation: V::Quat,
    axis: V,
    share: V::Real,
) -> Result<V::Quat, Error> {
    let axis = axis.checked_direction("axis")?;
    let [x, y, z, w] = V::parts(rotation);
    let [ax, ay, az] = axis.components();
    let half = (x * ax + y * ay + z * az) * V::Real::ONE.signed_as(w);
    let half = match Turn::new(w.abs(), half) {
        Err(Error::NoDirection { .. }) => Turn::NONE,
        half => half?,
    };
    let part = Turn::from_radians(half.angle() * share)?;
    let [x, y, z] = (axis * part.sin()).components();
    Ok(V::quaternion([x, y, z, part.cos()]))
}

/// Length and direction of the part of a bone that is perpendicular to a hinge axis.
fn across_hinge<V: SpaceVector>(
    axis: V,
    bone: V,
    segment: &'static str,
) -> Result<(V::Real, V), Error> {
    // By two cross products, as in `bend_direction`.
    length_and_direction(axis.cross(bone).cross(axis), segment)
        .map_err(|_| Error::NoDirection { argument: "hinge axis" })
}

/// Rotation from x and y to a direction and the perpendicular part of a normal.
fn frame_along<V: SpaceVector>(direction: V, normal: V) -> [V::Real; 4] {
    let direction = direction.unit_or(V::X);
    let across = direction.cross(normal.rescaled()).cross(direction);
    frame_rotation(direction, across.unit_or(direction.any_perpendicular()))
}

/// Rotation from x and y to two perpendicular unit vectors: a bone's direction and its
/// bend normal. Returns x, y, z and w.
///
/// The columns of its matrix M are these vectors and their cross product. For a rotation
/// by θ about the unit axis a
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

    // Products with the largest component: x or y if z² + w² < ½, else z or w. Weights of 0
    // and 1 select them exactly; compilers turn a choice among scalars into branches, which
    // no processor predicts.
    let weight = |yes: bool| if yes { one } else { V::Real::ZERO };
    let low = weight(m22 < V::Real::ZERO);
    let (in_x, in_z) = (low * weight(m00 > m11), (one - low) * weight(m00 < -m11));
    let (in_y, in_w) = (low - in_x, one - low - in_z);
    let select = |x, y, z, w| x * in_x + y * in_y + z * in_z + w * in_w;
    let (x, y) = (select(xx, xy, xz, xw), select(xy, yy, yz, yw));
    let (z, w) = (select(xz, yz, zz, zw), select(xw, yw, zw, ww));
    let square = select(xx, yy, zz, ww);
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
