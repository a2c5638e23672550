//! The spider, whose walk is kept in a buffer: no pointer path makes its feet slide, float
//! or overreach, a click leads it to a goal, and the walk repeats.

use tarsus_shader::Buffer;

use crate::common::assert_snapshot;
use crate::common::compute::Compute;
use crate::common::running::Running;

const SPIDER: &str = include_str!("../../../../shaders/spider.wgsl");
const LOOP_SECONDS: f64 = 30.0;

/// Number of random pointer paths.
fn path_count() -> usize {
    std::env::var("TARSUS_PATHS").map_or(10_000, |count| count.parse().expect("a number of paths"))
}

/// Walks one random path per input (x = seed) with the functions of `per_frame` and buffer
/// a, which read `walk_texels` instead of the buffer. Returns the largest slide of a standing foot, its
/// largest distance from the ground, the largest stretch of a leg and the largest gap
/// between a leg and its foot; then the number of frames with two neighbours in the air,
/// the fewest standing feet, the way and the number of steps. Paths are short because
/// llvmpipe ends all loops of an invocation after 65,535 iterations.
const PATHS: &str = "
var<private> params: Params;
var<private> walk_texels: array<vec4f, LAST + 1u>;

fn texel(index: u32) -> vec4f { return walk_texels[index]; }

fn leg_step(leg: u32) -> Step {
    return Step(walk_texels[FEET + 2u * leg], walk_texels[FEET + 2u * leg + 1u]);
}

// One frame: the body, then all legs, as the buffer's texels see them.
fn advance(led: vec3f, wander: vec2f, seconds: f32) {
    for (var i = 0u; i < FEET; i++) { state[i] = walk_texels[i]; }
    let leaning = walker::body_over_feet(0.0, 0u);
    let has_begun = walk_texels[LAST].w == 1.0;
    if has_begun { move_body(led, wander, seconds); }
    for (var i = 0u; i < FEET; i++) { walk_texels[i] = state[i]; }
    for (var leg = 0u; leg < walker::LEGS; leg++) {
        let next = next_step(
            leg, leg_step(leg), state[BODY], state[MOTION], state[GOAL], has_begun, seconds);
        walk_texels[FEET + 2u * leg] = next.start;
        walk_texels[FEET + 2u * leg + 1u] = next.end;
    }
    walk_texels[LAST].w = 1.0;
}

fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {
    let seed = u32(input[0].x) * 4096u;
    let random = noise::random_of(seed);
    params.speed = mix(0.5, 2.2, random.x);
    params.stride = mix(0.6, 1.3, random.y);
    params.height = mix(0.57, 0.9, random.z);
    params.bend = random.w;
    let seconds = 1.0 / mix(15.0, 60.0, noise::random_of(seed + 1u).x);
    walk_texels[BODY] = START;
    walk_texels[POSTURE].x = terrain::height(START.xy);
    advance(vec3f(0.0), vec2f(0.0), seconds);
    var led = vec3f(0.0);
    var drift = vec2f(0.0);
    var change = 0.0;
    var worst = vec4f(0.0);
    var total = vec4f(0.0, 8.0, 0.0, 0.0);
    for (var n = 2u; n < 92u; n++) {
        // A click, a drag in some direction, or a release, after random times.
        change -= seconds;
        if change < 0.0 {
            let next = noise::random_of(seed + n);
            change = 4.0 * next.x * next.x;
            let goal = state[BODY].xy + (next.yz - 0.5) * 14.0;
            led = vec3f(goal.x, clamp(goal.y, -VALLEY, VALLEY), step(0.3, next.w));
            drift = (noise::random_of(seed + n + 2048u).xy - 0.5) * 8.0 * step(0.6, next.w);
        }
        led = vec3f(led.x + seconds * drift.x,
            clamp(led.y + seconds * drift.y, -VALLEY, VALLEY), led.z);
        let before = walk_texels;
        advance(led, vec2f(terrain::PERIOD, 0.0), seconds);
        total.z += distance(before[BODY].xy, state[BODY].xy);
        let body = body_in(state[BODY], state[POSTURE]);
        var standing = 0u;
        for (var leg = 0u; leg < walker::LEGS; leg++) {
            let step = leg_step(leg);
            let foot = foot_between(step.start, step.end);
            let last = foot_between(before[FEET + 2u * leg], before[FEET + 2u * leg + 1u]);
            let bones = walker::solve(leg, walk::to_body(body, foot.position), foot.roll);
            let lengths = walker::plan(walker::row_of(leg)).lengths;
            let stretch = distance(bones.trochanter, bones.ankle) / (lengths.femur + lengths.tibia);
            let miss = distance(walk::to_world(body, bones.foot), foot.position);
            let gap = foot.position.y - terrain::height(foot.position.xz);
            let slide = select(0.0, distance(last.position, foot.position), foot.stance && last.stance);
            standing |= u32(foot.stance) << leg;
            total.w += f32(!foot.stance && last.stance);
            worst = max(worst, vec4f(
                slide, select(max(-gap, 0.0), abs(gap), foot.stance), stretch, miss));
        }
        // Neighbours: rows of one side, and both legs of a row.
        let air = ~standing & 0xFFu;
        let side_by_side = (air & (air >> 1u) & 0x77u) | (air & (air >> 4u));
        total.x += f32(side_by_side != 0u);
        total.y = min(total.y, f32(countOneBits(standing)));
    }
    return array<vec4f, 2>(worst, total);
}";

/// The scene, extended by `PATHS`, without its bindings.
fn paths_source() -> String {
    let mut source = SPIDER.to_owned();
    for (text, replacement) in [
        ("@group(1) @binding(0) var<uniform> params: Params;", ""),
        ("fn texel(index: u32)", "fn stored_texel(index: u32)"),
    ] {
        assert!(source.contains(text), "{text}");
        source = source.replace(text, replacement);
    }
    source + PATHS
}

#[test]
fn feet_never_slide_on_pointer_paths() {
    let seeds: Vec<_> = (0..path_count()).map(|n| [[n as f32, 0.0, 0.0, 0.0]]).collect();
    let results = Compute::shared().evaluate::<1, 2>(&paths_source(), &seeds);
    let (mut way, mut steps) = (0.0, 0.0);
    for (n, [worst, total]) in results.iter().enumerate() {
        let [slide, gap, stretch, miss] = *worst;
        assert!(slide == 0.0, "path {n}: a foot slides by {slide}");
        assert!(gap < 1e-3, "path {n}: a foot is {gap} off the ground");
        assert!(stretch < 0.98, "path {n}: a leg is stretched to {stretch}");
        assert!(miss < 1e-4, "path {n}: a leg misses its foot by {miss}");
        assert!(total[0] == 0.0, "path {n}: two neighbours are in the air");
        assert!(total[1] >= 4.0, "path {n}: {} feet stand", total[1]);
        way += total[2];
        steps += total[3];
    }
    let paths = results.len() as f32;
    assert!(way > 0.5 * paths && steps > 10.0 * paths, "no test: {way} units, {steps} steps");
}

/// The spider, running at 30 frames per second.
fn running(size: (u32, u32)) -> Running {
    Running::new(SPIDER, size, 30.0)
}

/// Texel `index` of the walk.
fn texel(spider: &Running, index: usize) -> [f32; 4] {
    spider.buffer(Buffer::A)[index / 5 * spider.size.0 as usize + index % 5]
}

const BODY: usize = 0;
const MOTION: usize = 1;
const GOAL: usize = 2;

/// Vector from `a` to `b`, the short way around the ground's period along x.
fn way(a: [f32; 4], b: [f32; 4]) -> [f32; 2] {
    let x = b[0] - a[0];
    [x - 32.0 * (x / 32.0).round(), b[1] - a[1]]
}

fn distance(a: [f32; 4], b: [f32; 4]) -> f32 {
    let [x, z] = way(a, b);
    x.hypot(z)
}

#[test]
fn click_leads_spider_to_goal() {
    let mut spider = running((160, 90));
    spider.advance(30);
    spider.mouse = [30.0, 40.0, 30.0, -40.0];
    spider.advance(2);
    spider.mouse = [0.0; 4];
    let (start, goal) = (texel(&spider, BODY), texel(&spider, GOAL));
    assert!(distance(start, goal) > 2.0, "no test: from {start:?} to {goal:?}");
    spider.advance(150);
    let (end, motion) = (texel(&spider, BODY), texel(&spider, MOTION));
    assert!(distance(texel(&spider, GOAL), goal) < 1e-4);
    let away = distance(end, goal);
    assert!((0.9..1.1).contains(&away), "stops {away} from the goal");
    // It faces the goal and stands still.
    let [x, z] = way(end, goal);
    let ahead = (x * end[2] + z * end[3]) / away;
    assert!(ahead > 0.99 && motion[2] > 0.5, "{ahead}, {motion:?}");
    // Later it wanders on.
    spider.advance(240);
    assert!(distance(texel(&spider, GOAL), goal) > 0.5);
}

#[test]
fn spider_loops_without_error() {
    let mut spider = running((128, 72));
    let frames = (LOOP_SECONDS * 30.0) as u32;
    // At the start of a loop and some time after it, in two loops.
    let mut pictures = Vec::new();
    for shown in [frames, frames + 100, 2 * frames, 2 * frames + 100] {
        spider.advance(shown + 1 - spider.index);
        pictures.push(spider.picture());
    }
    let quality = |a: usize, b: usize| pictures[a].psnr_db(&pictures[b]);
    let repeats = quality(0, 2).min(quality(1, 3));
    assert!(repeats > 45.0, "{repeats} dB from loop to loop");
    assert!(quality(0, 1) < 30.0, "it moves: {} dB", quality(0, 1));
}

#[test]
fn spider_matches_snapshot() {
    let mut spider = running((160, 90));
    spider.advance(91);
    assert_snapshot("spider", &spider.picture());
}
