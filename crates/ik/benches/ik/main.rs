//! What the closed form costs beside the usual alternatives.
//!
//! `cargo bench --bench ik` runs every solver over the same limbs and then
//! prints how the times compare, each pair measured alternately in one run.
//!
//! The published crate with the same purpose is `rebirth-ik`: a closed-form
//! two-bone solver with a pole, for any engine, without dependencies. Others
//! need a game engine or a nightly compiler to build, or iterate over robots'
//! joint angles. It works on single limbs, so it is compared with the batch,
//! which answers the same question, and with the single solver.

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
    // Cargo passes --bench to measure; listing and testing print no ratios.
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

/// Mid joints in the plane; the last two find end joint and reach as well.
const PLANE: [Named; 7] = [
    Named("a  article, first", solvers::article_first),
    Named("b  article, fast", solvers::article_fast),
    Named("c1 factored", solvers::factored),
    Named("c5 factored, scaled", solvers::factored_scaled),
    Named("d  law of cosines", solvers::cosines),
    Named("batch::solve_plane", solvers::plane_batch),
    Named("TwoBone::solve", solvers::plane_single),
];

/// Mid and end joints in space; the last three find rotations as well.
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

/// One comparison: the time of the first over the time of the second, and the
/// ratio it should keep to.
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

/// Other programs can only make a round longer, so the shortest is the one to
/// believe; alternating gives both the same chance of a quiet machine.
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
