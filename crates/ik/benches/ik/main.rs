//! Cost of the closed form compared with the usual alternatives.
//!
//! `cargo bench --bench ik` runs every solver on the same limbs, then prints ratios of
//! times, each pair measured alternately in one run.
//!
//! The published crate for the same purpose is `rebirth-ik`: a closed-form two-bone
//! solver with a pole, engine-independent and without dependencies. Other crates need a
//! game engine or a nightly compiler, or iterate over a robot's joint angles.
//! `rebirth-ik` solves single limbs; it is compared with both the batch and the single
//! solver.

mod iterative;
mod law_of_cosines;
mod limbs;
mod solvers;

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::counter::ItemsCount;

use limbs::{COUNT, Joints, Limbs};
use solvers::Solver;

fn main() {
    divan::main();
    // Cargo passes --bench to measure. Listing and testing print no ratios.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--bench"] {
        print_ratios();
    }
}

struct Named(&'static str, Solver);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Solvers of the mid joint in the plane. The last two also compute the end joint and the
/// reach.
const PLANE: [Named; 7] = [
    Named("a  article, first", solvers::article_first),
    Named("b  article, fast", solvers::article_fast),
    Named("c1 factored", solvers::factored),
    Named("c5 factored, scaled", solvers::factored_scaled),
    Named("d  law of cosines", solvers::cosines),
    Named("batch::solve_plane", solvers::plane_batch),
    Named("TwoBone::solve", solvers::plane_single),
];

/// Solvers of the mid and end joint in space. The last three also compute rotations.
const SPACE: [Named; 8] = [
    Named("CCD", solvers::space_ccd),
    Named("FABRIK", solvers::space_fabrik),
    Named("rebirth-ik", solvers::published),
    Named("batch::solve_space", solvers::space_batch),
    Named("TwoBone::solve", solvers::space_single),
    Named("rebirth-ik + rotations", solvers::published_rotations),
    Named("BindPose::solve", solvers::rotations),
    Named("batch::solve_poses", solvers::rotations_batch),
];

#[divan::bench(args = PLANE)]
fn plane(bencher: divan::Bencher<'_, '_>, solver: &Named) {
    measure(bencher, solver, &Limbs::new(true));
}

#[divan::bench(args = SPACE)]
fn space(bencher: divan::Bencher<'_, '_>, solver: &Named) {
    measure(bencher, solver, &Limbs::new(false));
}

fn measure(bencher: divan::Bencher<'_, '_>, solver: &Named, limbs: &Limbs) {
    let mut joints = Joints::new();
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        solver.1(black_box(limbs), &mut joints);
        black_box(&mut joints);
    });
}

/// A comparison of two solvers: the time of `slow` over the time of `fast`, and the
/// expected ratio.
struct Ratio {
    slow: Named,
    fast: Named,
    flat: bool,
    wanted: &'static str,
}

const fn ratio(slow: Named, fast: Named, flat: bool, wanted: &'static str) -> Ratio {
    Ratio {
        slow,
        fast,
        flat,
        wanted,
    }
}

fn print_ratios() {
    let [_, fast, factored, _, cosines, plane_batch, plane_single] = PLANE;
    let [
        ccd,
        fabrik,
        published,
        space_batch,
        space_single,
        published_rotations,
        rotations,
        poses,
    ] = SPACE;
    let again = |named: &Named| Named(named.0, named.1);
    let ratios = [
        ratio(again(&factored), fast, true, "at most 1.05"),
        ratio(again(&cosines), factored, true, "at least 10"),
        ratio(again(&cosines), plane_batch, true, "at least 10"),
        ratio(cosines, plane_single, true, ""),
        ratio(again(&published), again(&space_batch), false, "at least 10"),
        ratio(again(&published), space_single, false, ""),
        ratio(
            again(&published_rotations),
            again(&poses),
            false,
            "at least 2",
        ),
        ratio(published_rotations, rotations, false, ""),
        ratio(published, poses, false, "at least 2"),
        ratio(fabrik, again(&space_batch), false, ""),
        ratio(ccd, space_batch, false, ""),
    ];
    println!("\nTime per limb, shortest of {ROUNDS} rounds that alternate between the two:\n");
    for Ratio {
        slow,
        fast,
        flat,
        wanted,
    } in ratios
    {
        let (a, b) = alternate(&slow, &fast, &Limbs::new(flat));
        let per_limb = |time: Duration| time.as_secs_f64() * 1e9 / COUNT as f64;
        println!(
            "{:>22} {:8.2} ns / {:<20} {:7.2} ns = {:7.2}  {wanted}",
            slow.0,
            per_limb(a),
            fast.0,
            per_limb(b),
            per_limb(a) / per_limb(b),
        );
    }
}

/// Rounds per comparison; the shortest one counts, because other processes can only make
/// a round longer. Alternating gives both solvers the same chance of a quiet machine.
const ROUNDS: usize = 300;

fn alternate(slow: &Named, fast: &Named, limbs: &Limbs) -> (Duration, Duration) {
    let mut joints = Joints::new();
    let mut time = |solver: Solver| {
        let begin = Instant::now();
        solver(black_box(limbs), &mut joints);
        black_box(&mut joints);
        begin.elapsed()
    };
    (0..ROUNDS).fold((Duration::MAX, Duration::MAX), |(a, b), _| {
        (a.min(time(slow.1)), b.min(time(fast.1)))
    })
}
