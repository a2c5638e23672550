//! Closed-form two-bone inverse kinematics.
//!
//! Arms, legs, cranes and desk lamps: a start joint that stays, two bones of
//! known lengths, and a target that the end joint should meet. Where does the
//! joint between the bones go? There is a formula, it needs one division and
//! one square root, and it knows no angle. This module is that formula made
//! safe to build on: for the plane and for space, in `f32` and `f64`, for one
//! limb or many, with every degenerate case decided and every error bounded.
//! [`WGSL`] is the same solver for shaders.
//!
//! ```
//! use glam::Vec2;
//! use tarsus_ik::{Side, TwoBone};
//!
//! let arm = TwoBone::new(3.0, 4.0)?;
//! let solved = arm.solve(Vec2::ZERO, Vec2::new(5.0, 0.0), Side::Left)?;
//! assert!(solved.reached);
//! assert!((solved.mid - Vec2::new(1.8, 2.4)).length() < 1e-6);
//! assert!(solved.bend.cos().abs() < 1e-6); // a right angle, as 3² + 4² = 5²
//! # Ok::<(), tarsus_ik::Error>(())
//! ```
//!
//! A character's leg in space says with a **pole vector** where its knee goes:
//!
//! ```
//! use glam::Vec3;
//! use tarsus_ik::TwoBone;
//!
//! // y is up, the character looks along +z, lengths are in metres.
//! let leg = TwoBone::new(0.45, 0.42)?.with_soft_reach(0.85)?;
//! let hip = Vec3::new(0.1, 0.9, 0.0);
//! let forward = Vec3::Z;
//!
//! let step = leg.solve(hip, Vec3::new(0.1, 0.1, 0.2), forward)?;
//! assert!(step.reached);
//! assert!(step.mid.z > 0.1); // the knee is in front
//!
//! // Out of reach the leg keeps its lengths and says where it ends.
//! let stretch = leg.solve(hip, Vec3::new(0.1, 0.0, 0.9), forward)?;
//! assert!(!stretch.reached);
//! assert!(stretch.end.distance(hip) < leg.reach());
//! # Ok::<(), tarsus_ik::Error>(())
//! ```
//!
//! A rig wants rotations, not points: [`BindPose`]. Thousands of limbs a frame
//! want slices:
//!
//! ```
//! use tarsus_ik::ReachPolicy;
//! use tarsus_ik::batch::{SpaceJoints, SpaceLimbs, solve_space};
//!
//! // Two arms, one coordinate per slice, targets relative to the shoulders.
//! let target = [[0.5_f32, 2.0], [0.2, 0.0], [0.0, 0.0]];
//! let pole = [[0.0_f32; 2], [-1.0; 2], [0.0; 2]]; // elbows hang down
//! let limbs = SpaceLimbs {
//!     target: target.each_ref().map(|axis| axis.as_slice()),
//!     r1: &[0.35; 2],
//!     r2: &[0.3; 2],
//!     pole: pole.each_ref().map(|axis| axis.as_slice()),
//!     soft_from: None,
//! };
//! let (mut mid, mut end, mut reached) = ([[0.0; 2]; 3], [[0.0; 2]; 3], [false; 2]);
//! let met = solve_space(
//!     &limbs,
//!     ReachPolicy::Clamp,
//!     &mut SpaceJoints {
//!         mid: mid.each_mut().map(|axis| axis.as_mut_slice()),
//!         end: end.each_mut().map(|axis| axis.as_mut_slice()),
//!         reached: &mut reached,
//!         bend: None,
//!     },
//! )?;
//! assert_eq!((met, reached), (1, [true, false]));
//! assert!(mid[1][0] < 0.2); // the first elbow is below the line
//! assert!((end[0][1] - 0.65).abs() < 1e-6); // the second arm is straight
//! # Ok::<(), tarsus_ik::BatchError>(())
//! ```
//!
//! [`batch`] has the rest. Insects want a coxa and a tarsus around the two
//! bones: [`chain`].
//!
//! # The derivation
//!
//! Put the start joint at the origin and the target at p. The mid joint x is
//! r1 from the one and r2 from the other:
//!
//! ```text
//!                    x
//!                   ╱│╲              |x|²     = r1²
//!               r1 ╱ │ ╲ r2          |x − p|² = r2²
//!                 ╱  │b ╲
//!                ╱   │   ╲
//!               0────q────p
//! ```
//!
#![doc = include_str!("figure.md")]
//!
//! Two circles (in space, spheres). Their difference has no square of x in it,
//!
//! ```text
//! x·p = ½w        w = |p|² + r1² − r2²
//! ```
//!
//! so the foot q of x on the line is q = p·w/(2h), with h = |p|². Its height b
//! over the line follows from the first circle: b² = r1² − |q|² = s/(4h), where
//! s = 4r1²h − w². And so
//!
//! ```text
//! x = (w·p ± √s·perp(p))/(2h)
//! ```
//!
//! with two solutions, one per **side** of the line. In space they are a whole
//! circle around the line, and perp(p) becomes the vector of length |p| that is
//! perpendicular to p on the side of the pole, (p × pole) × p normalised.
//! This way to the solution is Inigo Quilez's, in
//! [Simple Inverse Kinematics](https://iquilezles.org/articles/simpleik/).
//!
//! # The same formula, written differently
//!
//! s is 16 times the squared area of the triangle 0, x, p; by Heron's formula
//! it is also a product, and so is the difference of two squares in w:
//!
//! ```text
//! w = h + (r1 − r2)(r1 + r2)
//! s = ((r1 + r2)² − h)(h − (r1 − r2)²)
//! ```
//!
//! In real numbers nothing has changed. In floating point everything has:
//! r1² − r2² loses the digits of two nearly equal bones, and 4r1²h − w² those
//! of a nearly straight limb, while sums and differences of the *given* numbers
//! lose nothing that was ever there. [`forms`] has the four ways to write it:
//! a and b are the article's two transcriptions, c1 the factored form and c5
//! the same in units of the reach. d is what most engines have instead, the law
//! of cosines with `acos` and `atan2`.
//!
//! # The numbers
//!
//! Largest error of the mid joint in units of u·L, of 400,000 inputs per
//! region, with u = 2⁻²⁴ the rounding unit of `f32` and L = r1 + r2:
//!
//! | | a | b | c1 | c5 | [`TwoBone`] | d |
//! |---|---|---|---|---|---|---|
//! | generic interior | 50 | 45 | 3.4 | 3.9 | 3.4 | 68 |
//! | r1 = r2, target close to the start | 1.8 | 1.0e3 | 2.2 | 2.1 | 2.4 | 1.0e3 |
//! | r1 ≈ r2, target close to the start | 6.4e5 | 6.4e5 | 2.4 | 2.6 | 2.6 | 6.4e5 |
//! | length ratios of 1e±2 to 1e±6 | 1.0e4 | 9.2e3 | 4.3 | 3.8 | 4.5 | 1.0e4 |
//! | near full extension or full fold | 4.2e4 | 4.2e4 | 3.8e3 | 4.2e3 | 3.8e3 | 4.2e4 |
//! | lengths of 1e9 to 1e18 | 54 | 59 % not finite | 93 % not finite | 3.8 | 3.7 | 63 |
//!
//! `cargo run --release --example accuracy` prints this table, and the same for
//! the shader module on the adapter, whose numbers are as good. Form a is given
//! the nearer of both sides: it offsets along perp(q), and q points backward
//! when r2² > r1² + h, so that it bends to the other side there.
//!
//! - **Lengths.** Rigid bones keep their lengths, |x| = r1 and |x − p| = r2, to
//!   8uL, everywhere.
//! - **Position.** |x − exact| ≤ C·u·L·max(1, L/b), b the height over the
//!   line; the largest C in the table's inputs is 1.31. Near full extension and
//!   full fold, b → 0, no solver in `f32` does better than
//!   √u·L: there x moves by that when p moves by its last digit.
//! - **Scale.** Lengths are brought to a size near 1 by a power of two, which
//!   rounds nothing. Light years and ångströms have the same digits.
//! - **Cost.** Nanoseconds per limb in `f32` on one server core, with the vectors
//!   every x86-64 has and with AVX2; `cargo bench --no-default-features
//!   --features std --bench ik` has yours:
//!
//! | | SSE2 | AVX2 |
//! |---|---|---|
//! | b over slices | 0.66 | 0.34 |
//! | c1 over slices | 0.62 | 0.32 |
//! | d over slices | 23 | 24 |
//! | [`batch::solve_plane`] | 2.1 | 1.1 |
//! | [`batch::solve_space`] | 3.1 | 1.7 |
//! | [`batch::solve_poses`] | 13 | 7.8 |
//! | [`TwoBone::solve`] in the plane | 9.2 | 7.7 |
//! | [`TwoBone::solve`] in space | 23 | 21 |
//! | [`BindPose::solve`] | 66 | 55 |
//!
//! `f64` has the same bounds with u = 2⁻⁵³.
//!
//! # Out of reach
//!
//! Targets farther than r1 + r2 or nearer than |r1 − r2| have no solution, and
//! what to do about it is the caller's choice, a [`ReachPolicy`]:
//!
//! | | too far | too near, in the hole | `end` |
//! |---|---|---|---|
//! | [`Stretch`](ReachPolicy::Stretch) | straight, both bones lengthen | folded, the mid joint runs away as \|p\| → 0 | the target |
//! | [`Clamp`](ReachPolicy::Clamp) | straight toward the target | folded flat | as near as it gets |
//! | [`None`](ReachPolicy::None) | [`Error::TooFar`] | [`Error::TooNear`] | |
//!
//! At both boundaries the policies agree, and the joints move continuously
//! across them. Whether the target was within reach is the comparison
//! |r1 − r2|² ≤ h ≤ (r1 + r2)² in floating point; it takes no tolerance, and a
//! target computed to lie *on* the boundary may fall to either side.
//!
//! Near full extension the height b goes like the root of what is left of the
//! reach, and the knee visibly snaps. [Soft reach](soft_reach) slows the target
//! down before it gets there.
//!
//! # When not to use it
//!
//! - **More than two bones.** A fixed segment before or after is fine
//!   ([`chain`] does both). A spine, a tail or a tentacle has more freedom than
//!   two bones, and wants FABRIK or CCD.
//! - **Joint limits.** The triangle leaves no freedom to respect them with,
//!   except the pole. `bend` tells how near to straight or to folded a knee
//!   is; keeping it from there means moving the target, as soft reach does.
//! - **Orientation of the end.** The foot's own rotation is not solved; place
//!   the ankle such that the foot fits, then solve for the ankle.
//! - **Moving poles near the line.** A pole that crosses the line start–target
//!   turns the limb around at once. That is geometry and no solver's fault;
//!   keep poles at a distance, or derive them from the body.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod batch;
pub mod chain;
mod error;
pub mod forms;
mod numbers;
mod policy;
mod real;
mod rotation;
mod soft;
mod triangle;
mod turn;
mod two_bone;
mod vector;

pub use error::{BatchError, Error};
pub use numbers::{Real, Side, SpaceVector, Vector};
pub use policy::ReachPolicy;
pub use rotation::{BindPose, Posed};
pub use soft::soft_reach;
pub use turn::Turn;
pub use two_bone::{Solution, TwoBone};

/// The source of `shaders/lib/ik.wgsl`: the same solver for shaders.
///
/// It imports nothing and binds nothing. With naga_oil, as in Bevy, add it as a
/// composable module and `#import tarsus::ik`; anywhere else drop the first
/// line, the `#define_import_path`, and put the rest in front of your shader.
///
/// ```
/// let (path, module) = tarsus_ik::WGSL.split_once('\n').expect("more than a line");
/// assert_eq!(path, "#define_import_path tarsus_ik");
/// assert!(module.contains("fn solve2_clamp("));
/// ```
pub const WGSL: &str = include_str!("ik.wgsl");
