//! Degenerate inputs: modules return usable numbers where a direction, distance, width or
//! spread vanishes.

use tarsus_render::{Depth, Frame};
use tarsus_scenes::MODULES;

use crate::common::compute::Compute;
use crate::common::floats::Floats;

fn evaluate<const N: usize>(source: &str, inputs: &[[f32; 4]]) -> Vec<[[f32; 4]; N]> {
    let inputs: Vec<[[f32; 4]; 1]> = inputs.iter().map(|&input| [input]).collect();
    Compute::shared().evaluate::<1, N>(source, &inputs)
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

#[test]
fn sky_is_finite_with_zenith_sun() {
    let source = "#import tarsus::shading
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    return array<vec4f, 1>(vec4f(shading::sky(input[0].xyz, vec3f(0.0, 1.0, 0.0)), 0.0));
}";
    let directions =
        [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.6, 0.0, -0.8, 0.0]];
    for (direction, [color]) in directions.iter().zip(evaluate::<1>(source, &directions)) {
        let in_range = color[..3].iter().all(|c| (0.0..10.0).contains(c));
        assert!(in_range, "{color:?} toward {direction:?}");
    }
}

#[test]
fn degenerate_cameras_have_orthonormal_axes() {
    let source = "#import tarsus::camera
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {
    let made = camera::look_at(input[0].xyz, vec3f(1.0, 2.0, 3.0), vec3f(0.0, 1.0, 0.0), 0.5);
    let axes = made.world_from_view;
    return array<vec4f, 4>(vec4f(axes[0], 0.0), vec4f(axes[1], 0.0), vec4f(axes[2], 0.0),
        vec4f(camera::ray_direction(made, vec2f(0.3, -0.2)), 0.0));
}";
    let positions =
        [[1.0, 7.0, 3.0, 0.0], [1.0, -7.0, 3.0, 0.0], [1.0, 2.0, 3.0, 0.0], [4.0, 2.0, 3.0, 0.0]];
    for (position, [x, y, z, ray]) in positions.iter().zip(evaluate::<4>(source, &positions)) {
        for axis in [x, y, z, ray] {
            // Unit vectors in f32.
            assert!((dot(axis, axis) - 1.0).abs() < 1e-5, "{axis:?} from {position:?}");
        }
        let skew = dot(x, y).abs() + dot(y, z).abs() + dot(z, x).abs();
        assert!(skew < 1e-5, "from {position:?}: {skew}");
    }
}

/// Marches to a sphere of radius 1 and measures the light: x is the height of the ray's
/// origin, y and z its span, and w the distance at which the shadow ray starts.
const AT_A_BALL: &str = "#import tarsus::raymarch
#import tarsus::bounds
override fn raymarch::map(p: vec3f) -> f32 { return length(p) - 1.0; }
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {
    let origin = vec3f(0.0, input[0].x, 0.0);
    let hit = raymarch::march(origin, vec3f(0.0, -1.0, 0.0), input[0].y, input[0].z, 0.01);
    let visible = raymarch::soft_shadow(
        origin, vec3f(0.0, 1.0, 0.0), input[0].w, 4.0, 0.05);
    return array<vec4f, 2>(
        vec4f(hit.distance, hit.coverage, visible, hit.normal.y), vec4f(hit.normal, 0.0));
}";

#[test]
fn ray_on_surface_hits_at_start() {
    let [[on, normal], ..] = evaluate::<2>(AT_A_BALL, &[[1.0, 0.0, 5.0, 0.0]])[..] else {
        panic!("no answer")
    };
    // Rays are traced to half a pixel inside, which is next to nothing here.
    assert!(on[0] < 1e-5 && on[1] == 1.0, "the hit is where the ray starts: {on:?}");
    assert!((normal[1] - 1.0).abs() < 1e-3, "{normal:?}");
    // Half of the light's disc is above the tangent plane.
    assert!((0.4..=1.0).contains(&on[2]), "{} of the light", on[2]);
}

#[test]
fn missed_ray_ends_with_its_span() {
    let answers = evaluate::<2>(
        AT_A_BALL,
        &[
            // The span `bounds::EMPTY`, and one that ends before the sphere.
            [3.0, 1e9, -1e9, 0.1],
            [3.0, 0.0, 1.0, 0.1],
        ],
    );
    let [empty, short] = [answers[0][0], answers[1][0]];
    assert_eq!(empty[..2], [0.0, 0.0]);
    assert_eq!(short[..2], [1.0, 0.0]);
}

#[test]
fn body_over_paired_feet_stays_level() {
    // The x of the feet and of their midpoint are separate inputs, so that a compiler
    // cannot see that they are equal.
    let source = "#import tarsus::walk
fn evaluate(input: array<vec4f, 2>) -> array<vec4f, 1> {
    var support = walk::no_support();
    let left = vec2f(input[1].x, -input[0].y);
    let right = vec2f(input[1].y, input[0].y);
    support = walk::add_foot(support, left, input[0].z);
    support = walk::add_foot(support, right, input[0].w);
    let place = walk::Place(walk::point_at(3.0), walk::direction_at(3.0));
    let body = walk::body_at(support, vec2f(input[0].x, 0.0), place, 1.0, 1.0);
    let ahead = body.world_from_body[0];
    return array<vec4f, 1>(vec4f(ahead, body.world_from_body[2].y));
}";
    let mut inputs = Vec::new();
    for i in 0..200 {
        let n = i as f32;
        let x = 0.013 * n;
        inputs.push([[x, 0.11 + 0.003 * n, 0.17 * n, 0.17 * n + 0.02], [x, x, 0.0, 0.0]]);
    }
    let answers = Compute::shared().evaluate::<2, 1>(source, &inputs);
    for ([input, _], [[_, nod, _, roll]]) in inputs.iter().zip(answers) {
        assert_eq!(nod, 0.0, "{input:?}");
        // The sideways slope is that between the feet: 0.02 over their distance.
        let slope = 0.02 / (2.0 * input[1]);
        let expected = slope / slope.hypot(1.0);
        assert!((roll - expected).abs() < 1e-3, "{input:?}: {roll}, not {expected}");
    }
}

#[test]
fn dither_is_half_an_output_step() {
    let scene = "#import tarsus::shading
fn main_image(p: vec2f) -> vec4f { return vec4f(shading::dither_gradient_noise(p)); }";
    let floats = Floats::new(scene, &[], (64, 64));
    for depth in [Depth::Eight, Depth::Sixteen, Depth::Float] {
        let mut frame = Frame::new((64, 64), 0, 60.0);
        assert_eq!(frame.output_step, Depth::Eight.step());
        frame.output_step = depth.step();
        let noise = floats.read(&frame);
        let most = noise.iter().map(|pixel| pixel[0].abs()).fold(0.0, f32::max);
        let half = 0.5 * depth.step();
        assert!(most <= half && most >= 0.9 * half, "{depth:?}: {most}");
    }
}

#[test]
fn period_is_defined_in_one_module() {
    let owners: Vec<&str> = MODULES
        .iter()
        .filter(|(_, text)| text.contains("const PERIOD:"))
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(owners, ["tarsus::terrain"]);
}

#[test]
fn shadows_end_at_light_shadow_distance() {
    // A trunk and a limb, both spheres 3 above the point; x selects one, y is the shadow
    // distance.
    let source = "#import tarsus::bounds
#import tarsus::parts
#import tarsus::raymarch
#import tarsus::walk
#import tarsus::rays
override fn raymarch::map(p: vec3f) -> f32 { return length(p - vec3f(0.0, 3.0, 0.0)) - 0.8; }
override fn parts::map(p: vec3f) -> f32 { return length(p - vec3f(0.0, 3.0, 0.0)) - 0.8; }
override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return bounds::Span(0.0, 9.0);
}
var<private> is_limb: bool;
override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    if is_limb {
        return rays::Candidates(bounds::EMPTY, 1u);
    }
    return rays::Candidates(bounds::Span(0.0, 9.0), 0u);
}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    is_limb = input[0].x > 0.0;
    rays::body = walk::Body(vec3f(0.0), mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    let up = vec3f(0.0, 1.0, 0.0);
    let light = rays::DiscLight(up, 0.05, input[0].y);
    return array<vec4f, 1>(vec4f(rays::visibility_at(vec3f(0.0), up, 0.0, 5.0, light).soft_shadow));
}";
    let inputs = [[0.0, 8.0], [0.0, 2.0], [1.0, 8.0], [1.0, 2.0]].map(|[a, b]| [a, b, 0.0, 0.0]);
    let visible: Vec<f32> = evaluate::<1>(source, &inputs).iter().map(|[v]| v[0]).collect();
    assert_eq!(visible, [0.0, 1.0, 0.0, 1.0]);
}
