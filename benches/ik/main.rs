//! scratch
mod iterative;
mod law_of_cosines;
mod limbs;
mod solvers;
use std::time::Instant;
fn main() {
    let flat = limbs::Limbs::new(true);
    let sp = limbs::Limbs::new(false);
    let mut j = limbs::Joints::new();
    let list: &[(&str, bool, solvers::Solver)] = &[
        ("first", true, solvers::article_first),
        ("fast", true, solvers::article_fast),
        ("factored", true, solvers::factored),
        ("scaled", true, solvers::factored_scaled),
        ("cosines", true, solvers::cosines),
        ("plane_batch", true, solvers::plane_batch),
        ("plane_single", true, solvers::plane_single),
        ("space_batch", false, solvers::space_batch),
        ("space_single", false, solvers::space_single),
        ("ccd", false, solvers::space_ccd),
        ("fabrik", false, solvers::space_fabrik),
        ("published", false, solvers::published),
    ];
    for (n, f, s) in list {
        let l = if *f { &flat } else { &sp };
        let mut best = f64::MAX;
        for _ in 0..60 {
            let t = Instant::now();
            s(std::hint::black_box(l), &mut j);
            std::hint::black_box(&mut j);
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("{n:14} {:.2} ns", best / 4096.0 * 1e9);
    }
}
