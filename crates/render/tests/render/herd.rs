//! The herd: every animal follows its gait, stays in its cell of the lattice, and is
//! drawn as if every ray tested all animals.

use crate::common::SceneRenderer;
use crate::common::compute::Compute;
use tarsus_render::{Frame, Picture};

const TEXT: &str = include_str!("../../../../shaders/herd.wgsl");

/// The scene, with parameters that each shader invocation sets itself.
fn with_own_parameters() -> String {
    let bound = "@group(1) @binding(0) var<uniform> params";
    assert!(TEXT.contains(bound));
    TEXT.replace(bound, "var<private> params")
}

const SECONDS: u32 = 24;
const LOOP_DISTANCE: f32 = 40.0;
const CELL_SIZE: [f32; 2] = [5.4, 3.5];
const LEGS: usize = 4;

/// Values of the parameters that legs and bounds depend on.
#[derive(Clone, Copy, Debug)]
struct WalkParameters {
    gait: u32,
    stride: f32,
    duty: f32,
    height: f32,
    bend: f32,
    nod: f32,
}

/// The scene's defaults, and the ends of its sliders.
const PARAMETER_SETS: [WalkParameters; 5] = [
    WalkParameters::new(0, 1.9, 0.64, 1.5, 1.0, 1.0),
    WalkParameters::new(1, 2.0, 0.55, 1.54, 1.1, 2.0),
    WalkParameters::new(2, 1.6, 0.72, 1.36, 0.98, 0.0),
    WalkParameters::new(1, 1.6, 0.55, 1.36, 1.1, 2.0),
    WalkParameters::new(0, 2.0, 0.72, 1.5, 1.02, 2.0),
];

impl WalkParameters {
    const fn new(gait: u32, stride: f32, duty: f32, height: f32, bend: f32, nod: f32) -> Self {
        Self { gait, stride, duty, height, bend, nod }
    }

    /// WGSL statements that set these parameters; all others stay zero.
    fn choose(self) -> String {
        let Self { gait, stride, duty, height, bend, nod } = self;
        format!(
            "params.count = 10000u;
             params.gait = {gait}u;
             params.stride = {stride:?};
             params.duty = {duty:?};
             params.height = {height:?};
             params.bend = {bend:?};
             params.nod = {nod:?};
             // Half of the sets with a pointer, from which the animals move away.
             pointed = vec3f(0.5, 0.4, f32(params.nod > 1.5));"
        )
    }
}

/// Cells near the centre and far away, in all directions.
fn some_cells() -> Vec<[f32; 2]> {
    let near = (-2..=2).flat_map(|x| (-2..=2).map(move |y| [x as f32, y as f32]));
    let far = [[50.0, 50.0], [-50.0, 49.0], [37.0, -50.0], [-49.0, -17.0], [3.0, 41.0]];
    near.chain(far).collect()
}

/// One leg at one time, computed on the GPU.
struct Leg {
    target: [f32; 3],
    stance: bool,
    drawn: [f32; 3],
    reach: f32,
    ground: f32,
    reached: bool,
}

/// Computes the legs of the animals in `cells` at the fractions `phases` of the period;
/// indexed by cell, time and leg.
fn legs(
    compute: &Compute,
    parameters: WalkParameters,
    cells: &[[f32; 2]],
    phases: &[f32],
) -> Vec<Vec<Vec<Leg>>> {
    let (text, choose) = (with_own_parameters(), parameters.choose());
    let source = format!(
        "{text}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 3> {{
    {choose}
    let animal = crowd::animal_in(input[0].xy);
    let leg = u32(input[0].z);
    let turn = input[0].w;
    let pose = crowd::pose_at(animal, turn);
    let foot = quadruped::foot_at(animal, leg, turn);
    let bones = quadruped::leg_to(crowd::to_body(pose, foot), leg);
    let lengths = walker::plan(walker::row_of(leg)).lengths;
    let reach = distance(bones.hip, bones.ankle) / (lengths.femur + lengths.tibia);
    return array<vec4f, 3>(
        vec4f(foot, f32(quadruped::step_of(animal, leg, turn).stance)),
        vec4f(crowd::to_world(pose, bones.foot), reach),
        vec4f(swells::height(foot.xz), f32(bones.reached), 0.0, 0.0),
    );
}}"
    );
    let mut inputs = Vec::new();
    for cell in cells {
        for &turn in phases {
            inputs.extend((0..LEGS).map(|leg| [[cell[0], cell[1], leg as f32, turn]]));
        }
    }
    let legs: Vec<Leg> = compute
        .evaluate::<1, 3>(&source, &inputs)
        .iter()
        .map(|[foot, drawn, other]| Leg {
            target: [foot[0], foot[1], foot[2]],
            stance: foot[3] == 1.0,
            drawn: [drawn[0], drawn[1], drawn[2]],
            reach: drawn[3],
            ground: other[0],
            reached: other[1] == 1.0,
        })
        .collect();
    let mut legs = legs.into_iter();
    cells
        .iter()
        .map(|_| phases.iter().map(|_| legs.by_ref().take(LEGS).collect()).collect())
        .collect()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    square.sqrt()
}

fn check_leg(leg: &Leg, place: &str) {
    assert!(leg.reached && leg.reach < 0.98, "{place} overreaches: {}", leg.reach);
    // Coordinates up to 300 have an error of 1.5e-5 each, through two changes of space.
    let miss = distance(leg.target, leg.drawn);
    assert!(miss < 2e-4, "{place} misses its foot by {miss}");
    let gap = leg.target[1] - leg.ground;
    if leg.stance {
        assert_eq!(gap, 0.0, "{place} floats by {gap}");
    } else {
        assert!(gap >= 0.0, "{place} is in the ground by {gap}");
    }
}

#[test]
fn standing_feet_are_fixed_and_reached() {
    let compute = Compute::shared();
    let rate = 60;
    let cells = some_cells();
    // 60 seconds.
    let count = 60 * rate;
    let phases: Vec<f32> = (0..count).map(|n| n as f32 / (SECONDS * rate) as f32).collect();
    for parameters in PARAMETER_SETS {
        let mut stood = 0;
        for (cell, moments) in cells.iter().zip(legs(compute, parameters, &cells, &phases)) {
            for (n, moment) in moments.iter().enumerate() {
                let down = moment.iter().filter(|leg| leg.stance).count();
                let place = format!("{parameters:?}: {cell:?} at moment {n}");
                assert!(down >= 2, "{place} stands on {down} feet");
                stood += down;
                for (leg, now) in moment.iter().enumerate() {
                    let place = format!("{place}: leg {leg}");
                    check_leg(now, &place);
                    let Some(before) = n.checked_sub(1).map(|last| &moments[last][leg]) else {
                        continue;
                    };
                    // A swing is longer than the sampling interval: standing in two
                    // successive samples is one stance.
                    if before.stance && now.stance {
                        assert_eq!(before.target, now.target, "{place} slides");
                    }
                    let speed = distance(before.target, now.target) * rate as f32;
                    let most = 3.3 / (1.0 - parameters.duty);
                    assert!(speed < most, "{place} jumps: speed {speed}");
                }
            }
        }
        let share = stood as f32 / count as f32 / (LEGS * cells.len()) as f32;
        assert!(
            (share - parameters.duty).abs() < 0.01,
            "{parameters:?}: feet stand {share} of the time"
        );
    }
}

#[test]
fn animals_repeat_after_a_period() {
    let compute = Compute::shared();
    let cells = some_cells();
    for (cell, moments) in cells.iter().zip(legs(compute, PARAMETER_SETS[0], &cells, &[0.0, 1.0])) {
        for (begin, again) in moments[0].iter().zip(&moments[1]) {
            let [x, y, z] = begin.target;
            // The phase of a cycle is accurate to 1e-6 of about 20, a swing's speed is
            // about 100 units per period, and coordinates are accurate to 3e-5.
            let away = distance([x + LOOP_DISTANCE, y, z], again.target);
            assert!(away < 1e-3, "{cell:?}: {away}");
            assert_eq!(begin.stance, again.stance, "{cell:?}");
        }
    }
}

/// Animals that stay in their own cells never touch, and a ray that tests only the
/// animals of the cells it crosses misses none.
#[test]
fn animals_stay_within_their_bounds() {
    let compute = Compute::shared();
    for parameters in PARAMETER_SETS {
        check_bounds(compute, parameters);
    }
}

fn check_bounds(compute: &Compute, parameters: WalkParameters) {
    let (text, choose) = (with_own_parameters(), parameters.choose());
    let source = format!(
        "{text}
#import tarsus::{{grid, sdf}}
fn farthest(so_far: vec2f, p: vec3f, radius: f32, middle: vec2f) -> vec2f {{
    return max(so_far, abs(p.xz - middle) + radius);
}}
fn out_of_capsule(p: vec3f, radius: f32) -> f32 {{
    let nearest = mix(HEAD_LOW, HEAD_HIGH, sdf::along_segment(p, HEAD_LOW, HEAD_HIGH));
    return distance(p, nearest) + radius - head_radius();
}}
fn out_of_box(p: vec3f, radius: f32, leg: u32) -> f32 {{
    let around = quadruped::box_around(walker::row_of(leg));
    let middle = around.middle * vec3f(1.0, 1.0, walker::side_of(leg));
    let beyond = abs(p - middle) + radius - around.half_size;
    let ahead = select(1.0, -1.0, walker::row_of(leg) == 1u);
    let past_reach = quadruped::past_reach(p, middle.x, ahead) + 1.2 * radius;
    return max(max(beyond.x, past_reach), max(beyond.y, beyond.z));
}}
fn worst(so_far: vec2f, beyond: f32, part: f32) -> vec2f {{
    return select(so_far, vec2f(beyond, part), beyond > so_far.x);
}}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {{
    {choose}
    let cell = input[0].xy;
    let turn = input[0].w;
    let middle = grid::cell_centre(cell, crowd::formation().cell) + vec2f(swells::LENGTH * turn, 0.0);
    let animal = crowd::animal_in(cell);
    let pose = crowd::pose_at(animal, turn);
    let head = head_of(crowd::cycle_of(animal, turn), animal.tint);
    var far = farthest(vec2f(0.0), crowd::to_world(pose, on_head(head, MUZZLE)), 0.06, middle);
    far = farthest(far, crowd::to_world(pose, RUMP - vec3f(RUMP_SIZE.x, 0.0, 0.0)), 0.0, middle);
    far = farthest(far, crowd::to_world(pose, TAIL_TIP + vec3f(0.0, 0.0, 0.08)), 0.04, middle);
    var height = 0.0;
    for (var side = -1.0; side < 2.0; side += 2.0) {{
        let mirror = vec3f(1.0, 1.0, side);
        let tip = crowd::to_world(pose, on_head(head, HORN_TIP * mirror));
        far = farthest(far, tip, 0.01, middle);
        height = max(height, tip.y - swells::height(tip.xz));
        far = farthest(far, crowd::to_world(pose, CHEST + vec3f(0.0, 0.0, CHEST_SIZE.z * side)), 0.0, middle);
        far = farthest(far, crowd::to_world(pose, RUMP + vec3f(0.0, 0.0, RUMP_SIZE.z * side)), 0.0, middle);
    }}
    // The largest excess, and the number of its part.
    var beyond = worst(vec2f(-1.0), out_of_capsule(head.poll, 0.115), 0.0);
    beyond = worst(beyond, out_of_capsule(on_head(head, MUZZLE), 0.06), 1.0);
    for (var side = -1.0; side < 2.0; side += 2.0) {{
        let mirror = vec3f(1.0, 1.0, side);
        beyond = worst(beyond, out_of_capsule(on_head(head, HORN_TIP * mirror), 0.006), 2.0);
        beyond = worst(beyond, out_of_capsule(on_head(head, EAR_TIP * mirror), 0.018), 3.0);
    }}
    for (var leg = 0u; leg < walker::LEGS; leg++) {{
        let bones = quadruped::leg_to(crowd::to_body(pose, quadruped::foot_at(animal, leg, turn)), leg);
        far = farthest(far, crowd::to_world(pose, bones.knee), 0.065, middle);
        far = farthest(far, crowd::to_world(pose, bones.ankle), 0.04, middle);
        far = farthest(far, crowd::to_world(pose, bones.foot), 0.06, middle);
        // The thigh above the elbow or stifle is in the trunk.
        let part = 10.0 * f32(leg + 1u);
        let radii = walker::radii(leg);
        beyond = worst(beyond, out_of_box(bones.trochanter, radii.femur, leg), part);
        let middle_of_upper = mix(bones.trochanter, bones.knee, 0.5);
        beyond = worst(
            beyond, out_of_box(middle_of_upper, 0.5 * (radii.femur + radii.knee), leg), part + 1.0);
        beyond = worst(beyond, out_of_box(bones.knee, radii.knee, leg), part + 2.0);
        beyond = worst(beyond, out_of_box(bones.ankle, radii.ankle, leg), part + 3.0);
        beyond = worst(beyond, out_of_box(bones.foot, radii.foot, leg), part + 4.0);
    }}
    return array<vec4f, 2>(vec4f(far, crowd::formation().cell), vec4f(beyond.x, height, rays::MAX_HEIGHT, beyond.y));
}}"
    );
    let mut inputs = Vec::new();
    for x in -50..=50 {
        for y in -50..=50 {
            // 24 times for every cell, different from cell to cell.
            let begin = ((7 * x + 3 * y) as f32 / 101.0).rem_euclid(1.0);
            inputs.extend((0..24).map(|n| [[x as f32, y as f32, 0.0, (begin + n as f32) / 24.0]]));
        }
    }
    let mut most = [0.0f32; 2];
    for (input, [actual, other]) in inputs.iter().zip(compute.evaluate::<1, 2>(&source, &inputs)) {
        assert_eq!(actual[2..], CELL_SIZE);
        let [beyond, height, tallest, part] = other;
        assert!(
            beyond <= 0.0,
            "{parameters:?}, {input:?}: part {part} leaves its bound by {beyond}"
        );
        assert!(height < tallest, "{parameters:?}, {input:?}: {height} high");
        for axis in 0..2 {
            // A ray skips 0.01 at every border, and between samples an animal and its
            // swinging feet advance a little.
            let room = 0.5 * CELL_SIZE[axis] - actual[axis];
            assert!(room > 0.02, "{parameters:?}, {input:?} has {room} left along axis {axis}");
            most[axis] = most[axis].max(actual[axis]);
        }
    }
    // The cells must not be much larger than necessary either.
    assert!(most[0] > 2.2 && most[1] > 1.3, "{most:?}");
}

#[test]
fn cells_are_numbered_outward() {
    let compute = Compute::shared();
    let source = "#import tarsus::grid
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    let cell = input[0].xy;
    let order = grid::ring_index(cell);
    let at = grid::cell_at(grid::cell_centre(cell, vec2f(5.0, 3.0)) + input[0].zw, vec2f(5.0, 3.0));
    return array<vec4f, 1>(vec4f(order, grid::ring_count(order + 1.0), at));
}";
    let mut inputs = Vec::new();
    for x in -50..=50 {
        for y in -50..=50 {
            // Points all over a cell of 5 by 3 map to it.
            let offset = [0.35 * (x % 7) as f32, 0.45 * (y % 4) as f32];
            inputs.push([[x as f32, y as f32, offset[0], offset[1]]]);
        }
    }
    let mut seen = vec![false; inputs.len()];
    for ([input], [actual]) in inputs.iter().zip(compute.evaluate::<1, 1>(source, &inputs)) {
        let ring = input[0].abs().max(input[1].abs());
        let order = actual[0] as usize;
        assert!(!seen[order], "{input:?} and another cell are number {order}");
        seen[order] = true;
        assert_eq!(actual[1], ring, "the ring of {input:?}, number {order}");
        assert_eq!(actual[2..], input[..2], "the cell of a point of {input:?}");
    }
    assert!(seen.iter().all(|&seen| seen));
}

/// Number of connected patches of at least `least` bright pixels.
fn patches(picture: &Picture, least: usize) -> usize {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let mut bright: Vec<bool> = picture.rgba.chunks_exact(4).map(|p| p[0] > 127).collect();
    let mut count = 0;
    for start in 0..bright.len() {
        let mut size = 0;
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !std::mem::take(&mut bright[at]) {
                continue;
            }
            size += 1;
            let (x, y) = (at % width, at / width);
            for (x, y) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                if x < width && y < height {
                    open.push(y * width + x);
                }
            }
        }
        count += usize::from(size >= least);
    }
    count
}

/// The scene, with its picture replaced by the fraction of each pixel that animals cover.
fn silhouettes() -> SceneRenderer {
    let text = TEXT.replace(
        "    return plain::main_image(frag_coord);",
        "    let ray = plain::camera_ray(frag_coord);
    let beam = coverage::Beam(ray.origin, ray.direction, 0.0, ray.pixel);
    let within = rays::view_span(ray.origin, ray.direction, ray.to_ground, 200.0);
    let found = rays::intersect(beam, within, plain::now());
    return vec4f(vec3f(1.0 - found.uncovered), 1.0);",
    );
    assert_ne!(text, TEXT);
    SceneRenderer::of_text(&text, "silhouettes.wgsl")
}

fn from_above(size: (u32, u32), time_secs: f64) -> Frame {
    let mut frame = Frame::new(size, 0, 60.0).at_time(time_secs);
    frame.orbit = [0.0, 1.25, 0.12, 0.0];
    frame
}

#[test]
fn animal_count_matches_parameter() {
    let mut scene = silhouettes();
    for count in [1, 2, 5, 9, 10, 26] {
        scene.set(&format!("count={count}"));
        for time in [0.0, 7.3] {
            let picture = scene.draw(&from_above((480, 270), time));
            assert_eq!(patches(&picture, 8), count, "at {time} s");
        }
    }
}

#[test]
fn grid_traversal_matches_testing_all_animals() {
    let mut fast = SceneRenderer::built_in("herd");
    let mut plain = SceneRenderer::defined(TEXT, "herd.wgsl", &["REFERENCE"]);
    let views =
        [[0.0, 0.0, 1.0, 0.0], [1.9, -0.2, 1.0, 0.0], [-2.1, 0.1, 2.5, 0.0], [0.4, 1.1, 0.4, 0.0]];
    for count in [1, 9, 50] {
        fast.set(&format!("count={count}"));
        plain.set(&format!("count={count}"));
        for (n, orbit) in views.into_iter().enumerate() {
            let mut frame = Frame::new((320, 180), 0, 60.0).at_time(1.0 + 5.7 * n as f64);
            frame.orbit = orbit;
            // Rounding differs: where a pixel is half animal and half ground, a tiny
            // difference decides which of them the shadow is computed for.
            let agreement = fast.draw(&frame).psnr_db(&plain.draw(&frame));
            assert!(agreement > 50.0, "{count} animals, view {n}: {agreement} dB");
        }
    }
}
