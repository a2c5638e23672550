//! Measures the error of each form of the solution against the exact one.
//!
//! `cargo run --release --example accuracy` prints, per region of inputs, the largest
//! error of the mid joint in units of u·L, where u = 2⁻²⁴ is the unit roundoff of `f32`
//! and L = r1 + r2 the reach. It prints one table for `tarsus::ik` on the CPU and one for
//! `ik.wgsl` on the GPU that captures use. A number as argument sets the inputs per
//! region; `--no-default-features --features std` skips the GPU.
//!
//! **The exact solution** is computed in `f64` from the same `f32` inputs. The products
//! and sums of two `f32` at the start of the formula, r1 ± r2 and the squares of the
//! coordinates, are exact in `f64` (24 + 24 bits of 53) unless their exponents differ by
//! more than 5; the rest is the factored formula with unit roundoff 2⁻⁵³. Its error is
//! 2⁻²⁹ of those measured here: both formats share the bound C·u·L·max(1, L/b), so where
//! the `f32` error is 1 uL the reference's is 2·10⁻⁹ uL.
//!
//! **The regions** are those of the documentation of [`tarsus::ik`], which contains the
//! table.

#[path = "../tests/render/common/compute.rs"]
mod compute;
#[path = "../../ik/benches/ik/law_of_cosines.rs"]
mod law_of_cosines;

use glam::Vec2;
use law_of_cosines::law_of_cosines;
use tarsus_ik::{ReachPolicy, Side, TwoBone, forms};

/// A target within reach, relative to the start, and the lengths of two bones.
#[derive(Clone, Copy)]
struct Limb {
    p: [f32; 2],
    r1: f32,
    r2: f32,
}

/// Maps limbs to their mid joints.
type Solve = dyn Fn(&[Limb]) -> Vec<[f32; 2]>;

/// A formula for the mid joint on the left of the line start–target.
struct Form {
    name: &'static str,
    solve: Box<Solve>,
    /// Whether the form may bend to either side; it is then compared with the nearer
    /// solution.
    either_side: bool,
}

fn form(name: &'static str, solve: impl Fn(&[Limb]) -> Vec<[f32; 2]> + 'static) -> Form {
    Form { name, solve: Box::new(solve), either_side: false }
}

/// A class of inputs.
struct Region {
    name: &'static str,
    draw: fn(&mut Uniform) -> Limb,
}

/// The forms in Rust; the last is the library's solver.
fn on_the_cpu() -> Vec<Form> {
    vec![
        Form { either_side: true, ..form("a (1)", |limbs| each(limbs, forms::article_first)) },
        form("b", |limbs| each(limbs, forms::article_fast)),
        form("c1", |limbs| each(limbs, forms::factored)),
        form("c5", |limbs| each(limbs, forms::factored_scaled)),
        form("d", |limbs| each(limbs, law_of_cosines)),
        form("TwoBone", |limbs| each(limbs, two_bone)),
    ]
}

/// The forms in WGSL. The last is the library's solver.
fn on_the_adapter() -> Vec<Form> {
    let compute = compute::Compute::shared();
    let wgsl = |name, call: &str| {
        let call = call.to_owned();
        form(name, move |limbs| on_adapter(compute, &call, limbs))
    };
    vec![
        Form { either_side: true, ..wgsl("a (1)", "solve_article_first(p, r1, r2)") },
        wgsl("b", "solve_article_fast(p, r1, r2)"),
        wgsl("c1", "solve_factored(p, r1, r2)"),
        wgsl("solve2", "solve2_meet(p, r1, r2, 1.0).mid"),
    ]
}
fn on_adapter(compute: &compute::Compute, call: &str, limbs: &[Limb]) -> Vec<[f32; 2]> {
    let source = format!(
        "#import tarsus::ik
fn evaluate(limb: array<vec4f, 1>) -> array<vec4f, 1> {{
    let p = limb[0].xy;
    let r1 = limb[0].z;
    let r2 = limb[0].w;
    return array<vec4f, 1>(vec4f(ik::{call}, 0.0, 0.0));
}}"
    );
    let inputs: Vec<[[f32; 4]; 1]> =
        limbs.iter().map(|&Limb { p: [x, y], r1, r2 }| [[x, y, r1, r2]]).collect();
    let answers = compute.evaluate::<1, 1>(&source, &inputs);
    answers.iter().map(|[[x, y, ..]]| [*x, *y]).collect()
}

const REGIONS: [Region; 6] = [
    Region { name: "generic interior", draw: generic },
    Region { name: "r1 = r2, target close to the start", draw: equal_and_close },
    Region { name: "r1 ≈ r2, target close to the start", draw: similar_and_close },
    Region { name: "length ratios of 1e±2 to 1e±6", draw: extreme_ratio },
    Region { name: "near full extension or full fold", draw: near_boundary },
    Region { name: "lengths of 1e9 to 1e18", draw: huge },
];

fn main() {
    let inputs = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(400_000);
    println!("Largest error of the mid joint in u·L, {inputs} inputs per region.");
    println!("In brackets the share of inputs whose result is not finite.");
    println!("(1): on either side of the line; a bends right where q points backward.");
    println!("(2): over max(1, L/b), b the height of the mid joint over the line.");
    print_table("On the CPU", inputs, &on_the_cpu());
    print_table("On the adapter", inputs, &on_the_adapter());
}

/// Prints a row per region and a column per form, plus the bound for the last form.
fn print_table(title: &str, inputs: usize, forms: &[Form]) {
    let (last, bounded) = (&forms[forms.len() - 1], "over bound (2)".to_owned());
    let names = forms.iter().map(|form| form.name.to_owned());
    println!();
    print_row(title, names.chain([bounded]));
    for region in REGIONS {
        let mut uniform = Uniform(1);
        let limbs: Vec<Limb> = (0..inputs).map(|_| (region.draw)(&mut uniform)).collect();
        let mut cells: Vec<String> = forms
            .iter()
            .map(|form| Errors::of(&limbs, &(form.solve)(&limbs), form.either_side).to_string())
            .collect();
        let bounded = Errors::of(&limbs, &(last.solve)(&limbs), false).over_bound;
        cells.push(format!("{bounded:.2}"));
        print_row(region.name, cells);
    }
}

fn print_row(name: &str, cells: impl IntoIterator<Item = String>) {
    print!("{name:<36}");
    for cell in cells {
        print!("{cell:>16}");
    }
    println!();
}

fn each(limbs: &[Limb], solve: impl Fn([f32; 2], f32, f32) -> [f32; 2]) -> Vec<[f32; 2]> {
    limbs.iter().map(|limb| solve(limb.p, limb.r1, limb.r2)).collect()
}

/// The library's solver, stretching like the bare forms.
fn two_bone(p: [f32; 2], r1: f32, r2: f32) -> [f32; 2] {
    TwoBone::new(r1, r2)
        .map(|limb| limb.with_policy(ReachPolicy::Meet))
        .and_then(|limb| limb.solve(Vec2::ZERO, Vec2::from(p), Side::Left))
        .map_or([f32::NAN; 2], |solved| solved.mid.to_array())
}

// ---------------------------------------------------------------------------
// Errors

/// Largest errors over a set of limbs.
#[derive(Default)]
struct Errors {
    /// In units of u·L.
    largest: f64,
    /// In units of u·L·max(1, L/b).
    over_bound: f64,
    /// Fraction of results that are NaN or infinite.
    not_finite: f64,
}

impl Errors {
    fn of(limbs: &[Limb], found: &[[f32; 2]], either_side: bool) -> Self {
        let unit = f64::from(f32::EPSILON) / 2.0;
        let mut errors = Self::default();
        for (limb, found) in limbs.iter().zip(found) {
            let Some(Exact { left, right, height }) = exact(limb) else {
                continue;
            };
            let reach = f64::from(limb.r1) + f64::from(limb.r2);
            let off_from = |exact: [f64; 2]| {
                (f64::from(found[0]) - exact[0]).hypot(f64::from(found[1]) - exact[1])
            };
            let off =
                if either_side { off_from(left).min(off_from(right)) } else { off_from(left) };
            let error = off / (unit * reach);
            if error.is_finite() {
                errors.largest = errors.largest.max(error);
                errors.over_bound = errors.over_bound.max(error / (reach / height).max(1.0));
            } else {
                errors.not_finite += 1.0 / limbs.len() as f64;
            }
        }
        errors
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.largest < 1e3 {
            write!(f, "{:.1}", self.largest)?;
        } else {
            write!(f, "{:.1e}", self.largest)?;
        }
        if self.not_finite > 0.0 {
            write!(f, " ({:.0} %)", 100.0 * self.not_finite)?;
        }
        Ok(())
    }
}

/// Exact mid joints on both sides of the line start–target, and their height above it.
struct Exact {
    left: [f64; 2],
    right: [f64; 2],
    height: f64,
}

/// Returns `None` if rounding to `f32` has moved the target out of reach.
fn exact(limb: &Limb) -> Option<Exact> {
    let [x, y] = limb.p.map(f64::from);
    let (r1, r2) = (f64::from(limb.r1), f64::from(limb.r2));
    let (sum, difference, h) = (r1 + r2, r1 - r2, x * x + y * y);
    let s = (sum * sum - h) * (h - difference * difference);
    if s <= 0.0 {
        return None;
    }
    let (along, across) = (0.5 * (h + difference * sum) / h, 0.5 * s.sqrt() / h);
    Some(Exact {
        left: [along * x - across * y, along * y + across * x],
        right: [along * x + across * y, along * y - across * x],
        height: across * h.sqrt(),
    })
}

// ---------------------------------------------------------------------------
// Inputs

/// Uniform numbers in [0, 1), reproducible (splitmix64).
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// 10 raised to a uniform exponent.
    fn power(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(self.between(low, high))
    }

    fn coin(&mut self) -> bool {
        self.next() < 0.5
    }

    /// A target at this distance in a random direction.
    fn limb(&mut self, distance: f64, r1: f32, r2: f32) -> Limb {
        let (sin, cos) = self.between(0.0, std::f64::consts::TAU).sin_cos();
        Limb { p: [(distance * cos) as f32, (distance * sin) as f32], r1, r2 }
    }

    /// A target at the fraction `share` of the way from the hole to the reach.
    fn limb_within(&mut self, share: f64, r1: f32, r2: f32) -> Limb {
        let (r1_wide, r2_wide) = (f64::from(r1), f64::from(r2));
        let (hole, reach) = ((r1_wide - r2_wide).abs(), r1_wide + r2_wide);
        self.limb(hole + (reach - hole) * share, r1, r2)
    }
}

/// Bones of length 0.1 to 2, target at least a tenth of the range away from each
/// boundary.
fn generic(uniform: &mut Uniform) -> Limb {
    let (r1, r2) = (uniform.between(0.1, 2.0) as f32, uniform.between(0.1, 2.0) as f32);
    let share = uniform.between(0.1, 0.9);
    uniform.limb_within(share, r1, r2)
}

/// Equal bones, target at 1e-6 to 0.1 bone lengths from the start.
fn equal_and_close(uniform: &mut Uniform) -> Limb {
    let r = uniform.between(0.1, 2.0) as f32;
    let distance = f64::from(r) * uniform.power(-6.0, -1.0);
    uniform.limb(distance, r, r)
}

/// Bones that differ by 1e-6 to 1e-2 of their length, target up to 10 times the
/// difference away.
fn similar_and_close(uniform: &mut Uniform) -> Limb {
    let r1 = uniform.between(0.1, 2.0) as f32;
    let r2 = (f64::from(r1) * (1.0 + uniform.power(-6.0, -2.0))) as f32;
    let distance = (f64::from(r2) - f64::from(r1)) * uniform.between(1.1, 10.0);
    if uniform.coin() { uniform.limb(distance, r1, r2) } else { uniform.limb(distance, r2, r1) }
}

/// Bones with length ratios of 1e2 to 1e6.
fn extreme_ratio(uniform: &mut Uniform) -> Limb {
    let long = uniform.between(0.1, 2.0) as f32;
    let short = (f64::from(long) * uniform.power(-6.0, -2.0)) as f32;
    let share = uniform.between(0.1, 0.9);
    if uniform.coin() {
        uniform.limb_within(share, long, short)
    } else {
        uniform.limb_within(share, short, long)
    }
}

/// Target 1e-7 to 1e-2 of the range away from a boundary.
fn near_boundary(uniform: &mut Uniform) -> Limb {
    let (r1, r2) = (uniform.between(0.1, 2.0) as f32, uniform.between(0.1, 2.0) as f32);
    let gap = uniform.power(-7.0, -2.0);
    let share = if uniform.coin() { gap } else { 1.0 - gap };
    uniform.limb_within(share, r1, r2)
}

/// Generic limbs, scaled by 1e9 to 1e18.
fn huge(uniform: &mut Uniform) -> Limb {
    let scale = uniform.power(9.0, 18.0);
    let r1 = (scale * uniform.between(0.1, 2.0)) as f32;
    let r2 = (scale * uniform.between(0.1, 2.0)) as f32;
    let share = uniform.between(0.1, 0.9);
    uniform.limb_within(share, r1, r2)
}
