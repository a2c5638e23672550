//! The wave equation of `tarsus::waves`: comparison with f64 on the CPU, and invariants.

use tarsus_render::{Frame, Inputs, Renderer, SAMPLE_FORMAT};
use tarsus_shader::Buffer;

use crate::common::compute::Compute;
use crate::common::drawing::{advance, buffer, draw_upwards};
use crate::common::random::Random;
use crate::common::{compose, gpu, renderer};

/// Picture size; holds a field of 22 blocks per side, which are 44 cells.
const SIZE: (u32, u32) = (37, 23);
const CELLS: i64 = 44;
const CELL: f64 = 0.05;
const STEP: f64 = 1.0 / 120.0;
const SPEED: f64 = 1.1;
const DISPERSION: f64 = 0.002;
const VISCOSITY: f64 = 0.004;

/// A scene with one step per frame, starting from heights that contain every wave number.
fn scene(damping: f64) -> String {
    format!(
        "
#import tarsus::frame::frame
#import tarsus::buffers
#import tarsus::waves
const STEP: f32 = {STEP};
fn blocks() -> i32 {{ return min(i32(frame.resolution.x), i32(frame.resolution.y) - 1); }}
fn first(cell: vec2i) -> f32 {{ return f32((cell.x * cell.x * 31 + cell.y * 17) % 100) / 100.0; }}
fn kept(block: vec2i, next: vec4f) -> vec4f {{
    return select(vec4f(0.0), next, waves::is_inside(block, blocks()));
}}
fn buffer_a(frag_coord: vec2f) -> vec4f {{
    let block = waves::block_of(frag_coord);
    let medium = waves::medium_of({SPEED}, {DISPERSION}, {damping}, {VISCOSITY}, {CELL}, STEP);
    let next = waves::next_velocity(
        waves::load_around(buffers::buffer_b, block, blocks()),
        waves::load_around(buffers::buffer_a, block, blocks()),
        medium, vec4f(0.0), vec4f(0.0), STEP);
    return kept(block, next);
}}
fn buffer_b(frag_coord: vec2f) -> vec4f {{
    let block = waves::block_of(frag_coord);
    let cell = 2 * block;
    if frame.index == 0u {{
        return kept(block, vec4f(
            first(cell), first(cell + vec2i(1, 0)), first(cell + vec2i(0, 1)), first(cell + 1)));
    }}
    let next = waves::next_height(
        waves::load(buffers::buffer_b, block, blocks()),
        waves::load(buffers::buffer_a, block, blocks()), STEP);
    return kept(block, next);
}}
fn main_image(frag_coord: vec2f) -> vec4f {{ return vec4f(0.0); }}
"
    )
}

/// Values of a field, cell by cell from the lower left corner.
type Field = Vec<f64>;

/// Heights and velocities on the GPU.
struct Running {
    renderer: Renderer,
    index: u32,
}

impl Running {
    fn new(text: &str) -> Self {
        let program = compose(text, "waves.wgsl", &[]);
        let renderer = renderer(gpu(), &program, SAMPLE_FORMAT);
        Self { renderer, index: 0 }
    }

    fn advance(&mut self) {
        let inputs = Inputs::new(Frame::new(SIZE, self.index, 60.0));
        advance(&mut self.renderer, &inputs);
        self.index += 1;
    }

    fn field(&self, which: Buffer) -> Field {
        let texels = buffer(&self.renderer, which);
        let cell = |index: i64| {
            let (x, y) = (index % CELLS, index / CELLS);
            let texel = (y / 2 + 1) * i64::from(SIZE.0) + x / 2;
            f64::from(texels[texel as usize][(2 * (y % 2) + x % 2) as usize])
        };
        (0..CELLS * CELLS).map(cell).collect()
    }
}

fn at(field: &[f64], x: i64, y: i64) -> f64 {
    let inside = (0..CELLS).contains(&x) && (0..CELLS).contains(&y);
    if inside { field[(y * CELLS + x) as usize] } else { 0.0 }
}

/// Sum over four offsets from a cell, minus four times the cell.
fn differences(value: impl Fn(i64, i64) -> f64, x: i64, y: i64, offsets: [(i64, i64); 4]) -> f64 {
    let sum: f64 = offsets.iter().map(|(dx, dy)| value(x + dx, y + dy)).sum();
    sum - 4.0 * value(x, y)
}

const ADJACENT: [(i64, i64); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i64, i64); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// ∇² in cells: two thirds of the four adjacent cells, one third of the four diagonal
/// cells, whose squared distance is 2.
fn laplacian(field: &[f64], x: i64, y: i64) -> f64 {
    let value = |x, y| at(field, x, y);
    (2.0 * differences(value, x, y, ADJACENT) + 0.5 * differences(value, x, y, DIAGONAL)) / 3.0
}

/// ∇⁴ in cells: one Laplacian after another.
fn bilaplacian(field: &[f64], x: i64, y: i64) -> f64 {
    let across = |x, y| 0.5 * differences(|x, y| at(field, x, y), x, y, DIAGONAL);
    differences(across, x, y, ADJACENT)
}

/// Acceleration by tension and stiffness of the surface, without damping.
fn acceleration(field: &[f64], x: i64, y: i64) -> f64 {
    SPEED.powi(2) / CELL.powi(2) * laplacian(field, x, y)
        - DISPERSION / CELL.powi(4) * bilaplacian(field, x, y)
}

/// A field of `next` for inner cells, and 0 for cells on the edge.
fn inside(next: impl Fn(i64, i64) -> f64) -> Field {
    let within = 2..CELLS - 2;
    let cell = |index: i64| {
        let (x, y) = (index % CELLS, index / CELLS);
        if within.contains(&x) && within.contains(&y) { next(x, y) } else { 0.0 }
    };
    (0..CELLS * CELLS).map(cell).collect()
}

fn next_velocities(heights: &[f64], velocities: &[f64], damping: f64) -> Field {
    inside(|x, y| {
        let viscous = VISCOSITY / CELL.powi(2) * laplacian(velocities, x, y);
        let gained = STEP * (acceleration(heights, x, y) + viscous);
        let half = 0.5 * STEP * damping;
        ((1.0 - half) * at(velocities, x, y) + gained) / (1.0 + half)
    })
}

#[test]
fn waves_match_f64_for_100_steps() {
    let damping = 0.7;
    let mut running = Running::new(&scene(damping));
    running.advance();
    let mut heights = running.field(Buffer::B);
    let mut velocities = vec![0.0; heights.len()];
    assert!(heights.iter().any(|height| *height > 0.9), "it starts high");
    for _ in 0..100 {
        running.advance();
        velocities = next_velocities(&heights, &velocities, damping);
        heights = heights
            .iter()
            .zip(&velocities)
            .map(|(height, velocity)| height + STEP * velocity)
            .collect();
    }
    // Heights are up to 1 and velocities up to 1 over the shortest period, about 4 steps:
    // 80. A step has an error of a few halves of the last bit of its largest term, 1e-5,
    // and no mode grows: over 100 steps these add up to 1e-4 at most.
    for (buffer, expected) in [(Buffer::B, &heights), (Buffer::A, &velocities)] {
        let scale = expected.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        for (found, expected) in running.field(buffer).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4 * scale, "{found} {expected}");
        }
    }
}

/// Discrete energy: ½ Σ v² + ½ Σ hₙ A hₙ₊₁, where −A h is the acceleration.
fn energy(before: &[f64], after: &[f64], velocities: &[f64]) -> f64 {
    let potential = (0..CELLS * CELLS).map(|index| {
        let (x, y) = (index % CELLS, index / CELLS);
        -at(before, x, y) * acceleration(after, x, y)
    });
    let kinetic = velocities.iter().map(|velocity| velocity * velocity);
    0.5 * (potential.sum::<f64>() + kinetic.sum::<f64>())
}

#[test]
fn energy_decreases_with_every_step() {
    for damping in [0.0, 0.7, 30.0] {
        let mut running = Running::new(&scene(damping));
        running.advance();
        let mut before = running.field(Buffer::B);
        let mut last = f64::INFINITY;
        let mut first = 0.0;
        for step in 0..60 {
            running.advance();
            let after = running.field(Buffer::B);
            let now = energy(&before, &after, &running.field(Buffer::A));
            first = if step == 0 { now } else { first };
            assert!(now > 0.0, "{damping}: {now} after step {step}");
            assert!(now < last, "{damping}: {last} to {now} in step {step}");
            (before, last) = (after, now);
        }
        assert!(last < 0.9 * first, "{damping}: from {first} to {last}");
    }
}

/// Evaluates the function body `body`, which takes a vec4f `given`, on the GPU.
fn evaluate(body: &str, inputs: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let source = format!(
        "
#import tarsus::waves
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    let given = input[0];
{body}
}}"
    );
    let inputs: Vec<_> = inputs.iter().map(|input| [*input]).collect();
    let found = Compute::shared().evaluate::<1, 1>(&source, &inputs);
    found.into_iter().map(|[found]| found).collect()
}

#[test]
fn operators_match_plane_waves() {
    let body = "
    // The blocks around (0, 0) of cos(k x + phase).
    var blocks: array<vec4f, 9>;
    for (var i = 0; i < 9; i++) {
        let corner = 2.0 * vec2f(f32(i % 3 - 1), f32(i / 3 - 1));
        let angle = dot(given.xy, corner) + given.z;
        blocks[i] = cos(angle + vec4f(0.0, given.x, given.y, given.x + given.y));
    }
    let h = waves::Around(blocks[0], blocks[1], blocks[2], blocks[3], blocks[4], blocks[5],
        blocks[6], blocks[7], blocks[8]);
    return array<vec4f, 1>(vec4f(waves::laplacian(h).w, waves::bilaplacian(h).w, h.centre.w, 0.0));";
    let mut random = Random(5);
    let inputs: Vec<[f32; 4]> = (0..200)
        .map(|_| {
            let (length, turn) =
                (random.between(0.3, 0.6), random.between(0.0, std::f64::consts::TAU));
            let phase = random.between(0.0, std::f64::consts::TAU);
            [length * turn.cos(), length * turn.sin(), phase, 0.0].map(|value| value as f32)
        })
        .collect();
    for ([x, y, ..], [laplacian, bilaplacian, value, _]) in
        inputs.iter().zip(evaluate(body, &inputs))
    {
        let squared = f64::from(x * x + y * y);
        let [laplacian, bilaplacian, value] = [laplacian, bilaplacian, value].map(f64::from);
        // The relative errors of the operators are at most k²/12 and k²/4, plus f32
        // rounding.
        let off = (laplacian + squared * value).abs();
        assert!(off < squared * squared / 12.0 + 3e-6, "{laplacian} at {x} {y}");
        let off = (bilaplacian - squared.powi(2) * value).abs();
        assert!(off < squared.powi(3) / 4.0 + 3e-6, "{bilaplacian} at {x} {y}");
    }
}

#[test]
fn any_medium_is_stable() {
    let body = "
    let medium = waves::medium_of(given.x, given.y, 0.0, given.z, 0.05, given.w);
    return array<vec4f, 1>(vec4f(medium.tension, medium.stiffness, medium.viscosity, 0.0));";
    let mut random = Random(9);
    let mut wide = |exponent: f64| 10f64.powf(random.between(-exponent, exponent)) as f32;
    let inputs: Vec<[f32; 4]> = (0..400)
        .map(|_| [wide(3.0), 1e-3 * wide(3.0), 1e-3 * wide(3.0), 1e-3 * wide(2.0)])
        .collect();
    let mut lowered = 0;
    for (input, found) in inputs.iter().zip(evaluate(body, &inputs)) {
        let [speed, dispersion, viscosity, step] = input.map(f64::from);
        let [tension, stiffness, viscous, _] = found.map(f64::from);
        assert!(tension > 0.0 && stiffness >= 0.0 && viscous > 0.0, "{found:?}");
        let sum = step.powi(2) * (16.0 / 3.0 * tension + 16.0 * stiffness)
            + 2.0 * step * 16.0 / 3.0 * viscous;
        assert!(sum <= 3.7, "{sum} for {input:?}");
        // Values that are already stable must not be lowered.
        let requested = step.powi(2)
            * (16.0 / 3.0 * speed.powi(2) / CELL.powi(2) + 16.0 * dispersion / CELL.powi(4))
            + 2.0 * step * 16.0 / 3.0 * viscosity / CELL.powi(2);
        if requested < 0.5 {
            let whole = [speed.powi(2) / CELL.powi(2), viscosity / CELL.powi(2)];
            assert!((tension / whole[0] - 1.0).abs() < 1e-4, "{found:?} for {input:?}");
            assert!((viscous / whole[1] - 1.0).abs() < 1e-4, "{found:?} for {input:?}");
        } else {
            lowered += 1;
        }
    }
    assert!((50..350).contains(&lowered), "{lowered} of 400");
}

#[test]
fn dip_push_balances_surface_tension() {
    // Minus the Laplacian of (3 q − 1) (1 − q)³, q = x² + y².
    let radii: Vec<f32> = (0..40).map(|i| i as f32 / 32.0).collect();
    let inputs: Vec<[f32; 4]> = radii.iter().map(|r| [r * r; 4]).collect();
    let body = "
    return array<vec4f, 1>(vec4f(waves::dip(given).x, waves::dip_push(given).y, 0.0, 0.0));";
    let dip = |r: f64| (3.0 * r * r - 1.0) * (1.0 - r * r).max(0.0).powi(3);
    for (radius, found) in radii.iter().zip(evaluate(body, &inputs)) {
        let radius = f64::from(*radius);
        assert!((f64::from(found[0]) - dip(radius)).abs() < 1e-6);
        let e = 1e-4;
        let aside = dip((radius * radius + e * e).sqrt());
        let laplacian =
            (dip(radius + e) + dip(radius - e) + 2.0 * aside - 4.0 * dip(radius)) / (e * e);
        // A difference over 1e-4 has an error of 2e-3 where the third derivative jumps.
        assert!((f64::from(found[1]) + laplacian).abs() < 4e-3, "{found:?} {radius}");
    }
}

#[test]
fn interpolated_slopes_match_parabola() {
    // A cubic B-spline reproduces slopes and curvatures of quadratic functions exactly.
    let text = "
#import tarsus::frame::frame
#import tarsus::buffers
#import tarsus::waves
fn bowl(cell: vec2f) -> f32 {
    let p = (cell - vec2f(22.0)) / 16.0;
    return p.x * p.x - 0.5 * p.y * p.y + 0.25 * p.x * p.y + 0.5 * p.x - p.y;
}
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let corner = 2.0 * vec2f(waves::block_of(frag_coord)) + 0.5;
    return vec4f(bowl(corner), bowl(corner + vec2f(1.0, 0.0)), bowl(corner + vec2f(0.0, 1.0)),
        bowl(corner + 1.0));
}
fn main_image(frag_coord: vec2f) -> vec4f {
    let cell = 4.0 + frag_coord / frame.resolution * 36.0;
    let p = (cell - vec2f(22.0)) / 16.0;
    let found = waves::surface_at(buffers::buffer_a, cell, 22);
    let slope = vec2f(2.0 * p.x + 0.25 * p.y + 0.5, -p.y + 0.25 * p.x - 1.0);
    return vec4f(
        length(16.0 * found.slope - slope),
        length(256.0 * found.curvature - vec3f(2.0, -1.0, 0.25)),
        // The spline smooths: it is above a parabola by a sixth of its curvature.
        found.height - bowl(cell) - (2.0 - 1.0) / 256.0 / 6.0,
        1.0,
    );
}
";
    let program = compose(text, "spline.wgsl", &[]);
    let mut renderer = renderer(gpu(), &program, SAMPLE_FORMAT);
    let inputs = Inputs::new(Frame::new(SIZE, 0, 60.0));
    advance(&mut renderer, &inputs);
    for [slope, curvature, height, _] in draw_upwards(&mut renderer, &inputs) {
        // Heights are up to 5, with 24 bits; curvatures are 256 times their differences.
        assert!(slope < 1e-4, "slope off by {slope}");
        assert!(curvature < 2e-3, "curvature off by {curvature}");
        assert!(height.abs() < 1e-5, "height off by {height}");
    }
}

#[test]
fn limited_values_are_finite() {
    let body = "
    // Bits of NaN and infinity, which no expression may have.
    let bits = bitcast<vec4u>(given);
    return array<vec4f, 1>(waves::clamp_finite(bitcast<vec4f>(bits), 0.25));";
    let inputs = [
        [0.0, 0.2, -0.25, 1e-9],
        [0.3, -7.0, 1e30, -1e30],
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN],
    ];
    let found = evaluate(body, &inputs);
    assert_eq!(found[0], inputs[0]);
    assert_eq!(found[1], [0.25, -0.25, 0.25, -0.25]);
    assert!(found[2].iter().all(|value| value.abs() <= 0.25), "{:?}", found[2]);
}
