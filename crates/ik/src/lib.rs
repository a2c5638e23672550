//! Closed-form inverse kinematics of limbs with two or three bones.
//!
//! Arms, legs, cranes and desk lamps have a fixed start joint, two bones of known length
//! and a target for the end joint. The position of the joint between the bones has a
//! closed form that takes one division, one square root and no angles. This crate makes
//! that formula robust: in the plane and in space, in `f32` and `f64`, for one limb or
//! many, with every degenerate case defined and every error bounded.
//!
//! | task | item |
//! |---|---|
//! | joints of an arm or a leg; soft reach, hinge limits, stretch | [`TwoBone`] |
//! | rotations for a rig; weights, poles, hinge axis, the hand's rotation | [`BindPose`] |
//! | feet on slopes, rolled about heel or toe | [`Foot`] |
//! | three bones: birds, dogs | [`ThreeBone`] |
//! | legs of insects: coxa, femur, tibia, tarsus | [`chain`] |
//! | thousands of limbs per frame | [`batch`] |
//! | twist joints along a forearm | [`twist_share`] |
//! | tails and tentacles, by iteration | [`fabrik`] |
//! | the same in a shader | [`WGSL`] |
//!
//! ```
//! use tarsus_ik::glam::Vec2;
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
//! A leg in space takes a **pole vector**, the direction its knee bends to:
//!
//! ```
//! use tarsus_ik::glam::Vec3;
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
//! // Out of reach, the bones keep their lengths and `end` stops short of the target.
//! let far = leg.solve(hip, Vec3::new(0.1, 0.0, 0.9), forward)?;
//! assert!(!far.reached);
//! assert!(far.end.distance(hip) < leg.reach());
//! # Ok::<(), tarsus_ik::Error>(())
//! ```
//!
//! A [`batch`] solves thousands of limbs per frame, from slices of vectors or a structure of
//! arrays:
//!
//! ```
//! use tarsus_ik::glam::Vec3;
//! use tarsus_ik::TwoBone;
//! use tarsus_ik::batch::{Batch, Joints};
//!
//! // Two arms, targets relative to the shoulders, elbows hanging down.
//! let arms = [TwoBone::new(0.35, 0.3)?; 2];
//! let (mut elbows, mut hands) = ([Vec3::ZERO; 2], [Vec3::ZERO; 2]);
//! let mut reached = [false; 2];
//! let met = Batch {
//!     limbs: &arms,
//!     target: &[Vec3::new(0.5, 0.2, 0.0), Vec3::X * 2.0][..],
//!     bend: &[Vec3::NEG_Y; 2][..],
//! }
//! .solve_space(Joints {
//!     mid: &mut elbows[..],
//!     end: &mut hands[..],
//!     reached: &mut reached,
//!     bend: None,
//! })?;
//! assert_eq!((met, reached), (1, [true, false]));
//! assert!(elbows[0].y < 0.2); // below the line
//! assert!((hands[1].x - 0.65).abs() < 1e-6); // straight
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The derivation
//!
//! Put the start joint at the origin and the target at p. The mid joint x is at the
//! distance r1 from the origin and r2 from p:
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
//! These are two circles (in space, spheres). Subtracting one equation from the other
//! eliminates |x|²:
//!
//! ```text
//! x·p = ½w        w = |p|² + r1² − r2²
//! ```
//!
//! so the foot q of the perpendicular from x to the line is q = p·w/(2h), with h = |p|².
//! The height b of x above the line follows from the first circle: b² = r1² − |q|² =
//! s/(4h), where s = 4r1²h − w². Hence
//!
//! ```text
//! x = (w·p ± √s·perp(p))/(2h)
//! ```
//!
//! with perp(x, y) = (−y, x) and two solutions, one per **side** of the line: + is
//! [`Side::Left`]. In space the solutions form a circle around the line, and perp(p) becomes
//! the vector of length |p| that is perpendicular to p on the side of the pole: (p × pole) ×
//! p, rescaled. The derivation is Inigo Quilez's,
//! from [Simple Inverse Kinematics](https://iquilezles.org/articles/simpleik/).
//!
//! # The same formula, rearranged
//!
//! s is 16 times the squared area of the triangle 0, x, p. By Heron's formula it is also
//! a product, and the difference of squares in w factors too:
//!
//! ```text
//! w = h + (r1 − r2)(r1 + r2)
//! s = ((r1 + r2)² − h)(h − (r1 − r2)²)
//! ```
//!
//! In real numbers nothing has changed; in floating point everything has. r1² − r2²
//! cancels for nearly equal bones and 4r1²h − w² for a nearly straight limb, while sums
//! and differences of the *inputs* lose nothing. [`forms`] has four ways to write the
//! formula: a and b are the article's two transcriptions, c1 is the factored form, and c5
//! is the factored form in units of the reach. d is the law of cosines with `acos` and
//! `atan2`, which most engines use.
//!
//! # The numbers
//!
//! Largest error of the mid joint in units of u·L, over 400,000 inputs per region, where
//! u = 2⁻²⁴ is the unit roundoff of `f32` and L = r1 + r2:
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
//! Bones are 0.1 to 2 long, unless the row says otherwise, and targets are at random
//! positions of the range |r1 − r2| to r1 + r2: in its middle eight tenths; 1e-6 to 0.1 bone
//! lengths from the start; up to 10 times the bones' difference of 1e-6 to 1e-2; in the
//! middle again; 1e-7 to 1e-2 of the range from one of its ends; and in the middle. `cargo
//! run --release -p tarsus-render --example accuracy` in the repository prints this table,
//! and the same table for the shader module on the GPU, which is equally accurate. Form a is
//! compared with the nearer of the two solutions: it offsets along perp(q), and q points
//! backward when r2² > r1² + h, so there the limb bends to the other side.
//!
//! - **Lengths.** Rigid bones keep their lengths, |x| = r1 and |x − p| = r2, to within
//!   8uL, everywhere.
//! - **Position.** |x − exact| ≤ C·u·L·max(1, L/b), where b is the height above the line;
//!   the largest C over the table's inputs is 1.31. Near full extension and full fold,
//!   where b → 0, no `f32` solver is more accurate than √u·L: x moves by that much when
//!   the last digit of p changes.
//! - **Scale.** Lengths are scaled to about 1 by a power of two, which is exact. Light
//!   years and ångströms give the same digits.
//! - **Cost.** Nanoseconds per limb in `f32` on one server core, with baseline x86-64
//!   (SSE2). `cargo bench -p tarsus-ik` measures your own machine:
//!
//! | | SSE2 |
//! |---|---|
//! | b over slices | 0.77 |
//! | c1 over slices | 0.75 |
//! | d over slices | 37 to 41 |
//! | [`Batch::solve_plane`](batch::Batch::solve_plane) | 2.7 |
//! | [`Batch::solve_space`](batch::Batch::solve_space) | 4.4 |
//! | … with soft reach | 7.0 |
//! | [`Batch::solve_poses`](batch::Batch::solve_poses) | 18 |
//! | [`TwoBone::solve`] in the plane | 11 |
//! | [`TwoBone::solve`] in space | 21 |
//! | [`BindPose::solve`] | 51 |
//! | ozz-animation's algorithm, with rotations | 165 |
//! | FABRIK, 10 iterations | 410 to 590 |
//!
//! `f64` has the same bounds with u = 2⁻⁵³.
//!
//! # Out of reach
//!
//! Targets farther than r1 + r2 or nearer than |r1 − r2| have no solution. The
//! [`ReachPolicy`] chooses the result:
//!
//! | | too far | too near, in the hole | `end` |
//! |---|---|---|---|
//! | [`Meet`](ReachPolicy::Meet) | straight, mid at p·w/(2h) | folded, mid at p·w/(2h), which diverges as \|p\| → 0 | the target |
//! | [`Clamp`](ReachPolicy::Clamp) | straight toward the target | folded flat | the nearest point within reach |
//! | [`Fail`](ReachPolicy::Fail) | [`Error::TooFar`] | [`Error::TooNear`] | |
//!
//! The policies agree on both boundaries, and the joints move continuously across them. A
//! target is within reach if |r1 − r2|² ≤ h ≤ (r1 + r2)² in floating point, without a
//! tolerance, so a target computed to lie *on* the boundary may fall on either side.
//!
//! Near full extension the height b varies as the square root of the remaining reach, and
//! the knee visibly snaps. [Soft reach](soft_reach) slows the target down before that
//! happens.
//!
//! # Limits
//!
//! - **More than three bones.** [`ThreeBone`] and [`chain`] are closed forms. Spines, tails
//!   and tentacles have more degrees of freedom; [`fabrik`] iterates.
//! - **Joint limits.** The triangle has no freedom left to respect them, apart from the
//!   pole and the hinge: [`TwoBone::with_hinge_limits`] moves the target.
//! - **Orientation of the end.** The foot's rotation is not solved. [`Foot`] places the
//!   ankle so that the foot fits; then solve for the ankle.
//! - **Poles that move near the line.** For [`TwoBone::solve`], a pole that crosses the line
//!   start–target flips the limb instantly. [`BindPose::solve`] knows the limb's pose and
//!   fades the pole out near the line.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod batch;
pub mod chain;
mod error;
pub mod fabrik;
mod foot;
pub mod forms;
mod numbers;
mod policy;
mod pose;
mod reach;
mod real;
#[cfg(feature = "serde")]
mod saved;
mod three_bone;
mod triangle;
mod turn;
mod two_bone;
mod vector;

/// The vector types of the solver.
pub use glam;

pub use error::{BatchError, Error};
pub use foot::{Foot, Footing, PlacedFoot};
pub use numbers::{Real, Side, SpaceVector, Vector};
pub use policy::ReachPolicy;
pub use pose::{BindPose, EndRotation, Goal, Pole, Posed, twist_share};
pub use reach::soft_reach;
pub use three_bone::{ThreeBone, ThreeBoneSolution};
pub use turn::Turn;
pub use two_bone::{Solution, TwoBone};

/// Source of the same solver for shaders, `src/ik.wgsl`.
///
/// The module has no imports and no bindings. With naga_oil, as in Bevy, add it as a
/// composable module and `#import tarsus::ik`; elsewhere, drop the first line,
/// `#define_import_path`, and prepend the rest to your shader.
///
/// ```
/// let (path, module) = tarsus_ik::WGSL.split_once('\n').expect("more than a line");
/// assert_eq!(path, "#define_import_path tarsus::ik");
/// assert!(module.contains("fn solve2_clamp("));
/// ```
pub const WGSL: &str = include_str!("ik.wgsl");

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
