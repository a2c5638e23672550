//! Cost of the closed form compared with the usual alternatives.
//!
//! `cargo bench -p tarsus-ik` prints the time of every solver on the same limbs, then
//! ratios of times, each pair measured alternately in one run.
//!
//! The published crate for the same purpose is `rebirth-ik`: a closed-form two-bone
//! solver with a pole, engine-independent and without dependencies. Other crates need a
//! game engine or a nightly compiler, or iterate over a robot's joint angles.
//! `rebirth-ik` solves single limbs; it is compared with both the batch and the single
//! solver.

mod iterative;
mod law_of_cosines;
mod limbs;
mod ozz;
mod solvers;
mod uniform;

use std::hint::black_box;
use std::time::{Duration, Instant};

use limbs::{COUNT, Joints, Limbs};
use solvers::Solver;

fn main() {
    check_alternatives(&Limbs::new(false));
    // Cargo passes --bench to measure, and not when the benchmark is run as a test.
    if std::env::args().any(|arg| arg == "--bench") {
        print_times("in the plane", &PLANE, &Limbs::new(true));
        print_times("in space", &SPACE, &Limbs::new(false));
        print_ratios();
    }
}

/// Checks that the solvers written for comparison place the same joints as the crate.
fn check_alternatives(limbs: &Limbs) {
    let (mut ours, mut theirs) = (Joints::new(), Joints::new());
    solvers::space_single(limbs, &mut ours);
    solvers::ozz_rotations(limbs, &mut theirs);
    for axis in 0..3 {
        let joints = ours.mid[axis].iter().chain(&ours.end[axis]);
        let others = theirs.mid[axis].iter().chain(&theirs.end[axis]);
        for (a, b) in joints.zip(others) {
            assert!((a - b).abs() < 0.01, "ozz: {a} {b}");
        }
    }
}

#[derive(Clone, Copy)]
struct Named(&'static str, Solver);

/// Solvers of the mid joint in the plane. The last two also compute the end joint and the
/// reach.
const PLANE: [Named; 7] = [
    Named("a  article, first", solvers::article_first),
    Named("b  article, fast", solvers::article_fast),
    Named("c1 factored", solvers::factored),
    Named("c5 factored, scaled", solvers::factored_scaled),
    Named("d  law of cosines", solvers::cosines),
    Named("Batch::solve_plane", solvers::plane_batch),
    Named("TwoBone::solve", solvers::plane_single),
];

/// Solvers of the mid and end joint in space. The last four also
/// compute rotations.
const SPACE: [Named; 11] = [
    Named("CCD", solvers::space_ccd),
    Named("FABRIK", solvers::space_fabrik),
    Named("FABRIK, 10 iterations", solvers::space_fabrik_ten),
    Named("rebirth-ik", solvers::rebirth_ik),
    Named("Batch::solve_space", solvers::space_batch),
    Named("  with soft reach", solvers::soft_batch),
    Named("TwoBone::solve", solvers::space_single),
    Named("rebirth-ik + rotations", solvers::rebirth_ik_rotations),
    Named("ozz + rotations", solvers::ozz_rotations),
    Named("BindPose::solve", solvers::rotations),
    Named("Batch::solve_poses", solvers::rotations_batch),
];

fn print_times(place: &str, solvers: &[Named], limbs: &Limbs) {
    println!("\nTime per limb {place}, minimum of {ROUNDS} rounds:\n");
    for Named(name, solver) in solvers {
        let mut joints = Joints::new();
        let rounds = (0..ROUNDS).map(|_| time(*solver, limbs, &mut joints));
        let least = rounds.min().unwrap_or_default();
        println!("{name:>22} {:8.2} ns", nanoseconds_per_limb(least));
    }
}

/// A comparison of two solvers: the time of `slow` over the time of `fast`, and the
/// expected ratio.
struct Ratio {
    slow: Named,
    fast: Named,
    flat: bool,
    expected: &'static str,
}

const fn ratio(slow: Named, fast: Named, flat: bool, expected: &'static str) -> Ratio {
    Ratio { slow, fast, flat, expected }
}

fn print_ratios() {
    let [_, fast, factored, _, cosines, plane_batch, plane_single] = PLANE;
    let [
        ccd,
        fabrik,
        fabrik_ten,
        rebirth_ik,
        space_batch,
        _,
        space_single,
        rebirth_ik_rotations,
        ozz_rotations,
        rotations,
        poses,
    ] = SPACE;
    let ratios = [
        ratio(factored, fast, true, "at most 1.05"),
        ratio(cosines, factored, true, "at least 10"),
        ratio(cosines, plane_batch, true, "at least 5"),
        ratio(cosines, plane_single, true, ""),
        ratio(rebirth_ik, space_batch, false, "at least 5"),
        ratio(rebirth_ik, space_single, false, ""),
        ratio(rebirth_ik_rotations, poses, false, "at least 2"),
        ratio(rebirth_ik_rotations, rotations, false, ""),
        ratio(rebirth_ik, poses, false, "at least 2"),
        ratio(ozz_rotations, poses, false, ""),
        ratio(ozz_rotations, rotations, false, ""),
        ratio(fabrik, space_batch, false, ""),
        ratio(fabrik_ten, space_batch, false, ""),
        ratio(ccd, space_batch, false, ""),
    ];
    println!("\nTime per limb, minimum of {ROUNDS} alternating rounds:\n");
    for Ratio { slow, fast, flat, expected } in ratios {
        let (a, b) = time_alternating(&slow, &fast, &Limbs::new(flat));
        println!(
            "{:>22} {:8.2} ns / {:<20} {:7.2} ns = {:7.2}  {expected}",
            slow.0,
            nanoseconds_per_limb(a),
            fast.0,
            nanoseconds_per_limb(b),
            nanoseconds_per_limb(a) / nanoseconds_per_limb(b),
        );
    }
}

/// Rounds per comparison; the shortest one counts, because other processes can only make
/// a round longer. Alternating gives both solvers the same chance of a quiet machine.
const ROUNDS: usize = 300;

fn time_alternating(slow: &Named, fast: &Named, limbs: &Limbs) -> (Duration, Duration) {
    let mut joints = Joints::new();
    (0..ROUNDS).fold((Duration::MAX, Duration::MAX), |(a, b), _| {
        let slow = time(slow.1, limbs, &mut joints);
        let fast = time(fast.1, limbs, &mut joints);
        (a.min(slow), b.min(fast))
    })
}

fn time(solver: Solver, limbs: &Limbs, joints: &mut Joints) -> Duration {
    let begin = Instant::now();
    solver(black_box(limbs), joints);
    black_box(joints);
    begin.elapsed()
}

fn nanoseconds_per_limb(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9 / COUNT as f64
}
