//! Operations on shapes: repeated, mirrored and twisted shapes compared with the
//! reference, and the properties of smooth unions.

use glam::DVec3;

use super::reference::{Curve, Shape, arc, corners, line, polygon, v2, v3};
use super::{Guarantee, Row};
use crate::common::compute::Compute;
use crate::common::random::Random;

fn exact(call: &'static str, shape: Shape) -> Row {
    Row::new(call, Guarantee::Exact, shape).within(3e-5)
}

fn of_members(
    call: &'static str,
    guarantee: Guarantee,
    inside: impl Fn(DVec3) -> bool + 'static,
) -> Row {
    Row::new(call, guarantee, Shape::Members(Box::new(inside)))
}

fn in_box(p: DVec3, half: DVec3) -> bool {
    p.abs().cmplt(half).all()
}

/// Membership of a point in each of the two shapes that are joined below.
fn in_both(p: DVec3) -> (bool, bool) {
    (p.distance(v3(0.3, 0.1, 0.0)) < 0.7, in_box(p + v3(0.4, 0.1, -0.1), v3(0.5, 0.4, 0.6)))
}

/// Membership in the joined shape, given membership in each of the two.
type Joined = fn(bool, bool) -> bool;

const JOINED: [(&str, Joined); 4] = [
    (
        "sdf::sharp_union(sdf::sphere(p - vec3f(0.3, 0.1, 0.0), 0.7), sdf::box(p + vec3f(0.4, 0.1, -0.1), vec3f(0.5, 0.4, 0.6)))",
        |a, b| a || b,
    ),
    (
        "sdf::sharp_difference(sdf::sphere(p - vec3f(0.3, 0.1, 0.0), 0.7), sdf::box(p + vec3f(0.4, 0.1, -0.1), vec3f(0.5, 0.4, 0.6)))",
        |a, b| a && !b,
    ),
    (
        "sdf::sharp_intersection(sdf::sphere(p - vec3f(0.3, 0.1, 0.0), 0.7), sdf::box(p + vec3f(0.4, 0.1, -0.1), vec3f(0.5, 0.4, 0.6)))",
        |a, b| a && b,
    ),
    (
        "sdf::sharp_xor(sdf::sphere(p - vec3f(0.3, 0.1, 0.0), 0.7), sdf::box(p + vec3f(0.4, 0.1, -0.1), vec3f(0.5, 0.4, 0.6)))",
        |a, b| a != b,
    ),
];

pub fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = JOINED
        .into_iter()
        .map(|(call, joined)| {
            of_members(call, Guarantee::Bound, move |p| {
                let (a, b) = in_both(p);
                joined(a, b)
            })
        })
        .collect();
    rows.extend(of_distances());
    rows.extend(of_space());
    rows
}

fn of_distances() -> Vec<Row> {
    let star = [0.8, 0.35];
    let ring: Vec<Curve> =
        vec![arc(v2(0.0, 0.0), 0.5, -90.0, 90.0), arc(v2(0.0, 0.0), 0.7, -90.0, 90.0)];
    vec![
        exact(
            "sdf_ops::round_edges(sdf::torus(p, 0.7, 0.1), 0.15)",
            Shape::Revolved(vec![arc(v2(0.7, 0.0), 0.25, 0.0, 360.0)], DVec3::ZERO, DVec3::Y),
        ),
        exact(
            "sdf_ops::onion(sdf::sphere(p, 0.6), 0.1)",
            Shape::Revolved(ring, DVec3::ZERO, DVec3::Y),
        ),
        exact(
            "sdf_ops::extrude(sdf2::star(vec2f(p.z, p.x), 6u, 0.8, 0.35), p.y, 0.4)",
            Shape::Prism(polygon(&corners(12, 0.0, star)), 0.4),
        ),
        of_members(
            "sdf_ops::displace(sdf::sphere(p, 0.8), 0.1 * sin(5.0 * p.x), 0.5)",
            Guarantee::Bound,
            |p| p.length() - 0.8 + 0.1 * (5.0 * p.x).sin() < 0.0,
        ),
        exact(
            "sdf_ops::scale_distance(sdf::torus(p / 1.5, 0.5, 0.15), 1.5)",
            Shape::Revolved(vec![arc(v2(0.75, 0.0), 0.225, 0.0, 360.0)], DVec3::ZERO, DVec3::Y),
        ),
    ]
}

fn of_space() -> Vec<Row> {
    let (low, high) = (v3(0.0, -0.4, 0.0), v3(0.0, 0.4, 0.0));
    let sides = [-1.0, 1.0];
    let line_of = |spacing: f64, count: i32| -> Vec<DVec3> {
        (-count..=count).map(|i| v3(spacing * f64::from(i), 0.0, 0.0)).collect()
    };
    let turned = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 5.0;
        0.8 * v3(angle.cos(), 0.0, angle.sin())
    };
    vec![
        exact(
            "sdf2::box(sdf_ops::revolve(p, 0.7), vec2f(0.25, 0.15))",
            Shape::Revolved(
                vec![
                    line(v2(0.45, -0.15), v2(0.95, -0.15)),
                    line(v2(0.95, -0.15), v2(0.95, 0.15)),
                    line(v2(0.95, 0.15), v2(0.45, 0.15)),
                    line(v2(0.45, 0.15), v2(0.45, -0.15)),
                ],
                DVec3::ZERO,
                DVec3::Y,
            ),
        ),
        Row::new(
            "sdf::sphere(sdf_ops::elongate(p, vec3f(0.0, 0.4, 0.0)), 0.5)",
            Guarantee::ExactOutside,
            Shape::Tube(Box::new(move |t| low.lerp(high, t)), 0.5),
        )
        .within(3e-5),
        of_members(
            "sdf::sphere(sdf_ops::elongate(p, vec3f(0.3, 0.2, 0.4)), 0.4)",
            Guarantee::Bound,
            |p| (p - p.clamp(v3(-0.3, -0.2, -0.4), v3(0.3, 0.2, 0.4))).length() < 0.4,
        ),
        exact(
            "sdf::sphere(sdf_ops::mirror(p, vec3f(0.6, 0.8, 0.0)) - vec3f(0.5, 0.4, 0.2), 0.4)",
            Shape::Balls(vec![v3(0.5, 0.4, 0.2), v3(-0.244, -0.592, 0.2)], 0.4),
        ),
        exact(
            "sdf::sphere(sdf_ops::mirror_axes(p, vec3f(1.0, 0.0, 1.0)) - vec3f(0.6, 0.1, 0.5), 0.3)",
            Shape::Balls(
                sides.into_iter().flat_map(|x| sides.map(|z| v3(0.6 * x, 0.1, 0.5 * z))).collect(),
                0.3,
            ),
        ),
        exact(
            "sdf::sphere(p - 0.8 * sdf_ops::cell(p, vec3f(0.8, 0.0, 0.0)), 0.3)",
            Shape::Balls(line_of(0.8, 4), 0.3),
        ),
        exact(
            "sdf::sphere(sdf_ops::repeat(p, vec3f(0.9, 0.0, 0.0)), 0.35)",
            Shape::Balls(line_of(0.9, 4), 0.35),
        ),
        exact(
            "sdf::sphere(sdf_ops::repeat_limited(p, vec3f(0.7, 0.0, 0.6), vec3f(-1.0, 0.0, 0.0), vec3f(1.0, 0.0, 1.0)), 0.25)",
            Shape::Balls(
                (-1..=1).flat_map(|x| [0.0, 0.6].map(|z| v3(0.7 * f64::from(x), 0.0, z))).collect(),
                0.25,
            ),
        ),
        exact(
            "sdf::sphere(sdf_ops::repeat_mirrored(p, vec3f(0.9, 0.0, 0.0)) - vec3f(0.25, 0.1, 0.0), 0.2)",
            Shape::Balls(
                (-4..=4)
                    .map(|i| {
                        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
                        v3(0.9 * f64::from(i) + 0.25 * side, 0.1, 0.0)
                    })
                    .collect(),
                0.2,
            ),
        ),
        exact(
            "sdf::sphere(sdf_ops::repeat_rotational(p, 5u) - vec3f(0.8, 0.0, 0.0), 0.3)",
            Shape::Balls((0..5).map(turned).collect(), 0.3),
        ),
        of_members(
            "sdf_ops::twist_bound(2.0, 0.5) * sdf::box(sdf_ops::twist(p, 2.0), vec3f(0.4, 0.7, 0.3))",
            Guarantee::Below,
            |p| {
                let (s, c) = (2.0 * p.y).sin_cos();
                in_box(v3(c * p.x - s * p.z, p.y, s * p.x + c * p.z), v3(0.4, 0.7, 0.3))
            },
        ),
        of_members(
            "sdf_ops::bend_bound(0.6, 0.83) * sdf::box(sdf_ops::bend(p, 0.6), vec3f(0.8, 0.2, 0.3))",
            Guarantee::Below,
            |p| {
                let (s, c) = (0.6 * p.x).sin_cos();
                in_box(v3(c * p.x - s * p.y, s * p.x + c * p.y, p.z), v3(0.8, 0.2, 0.3))
            },
        ),
    ]
}

/// Evaluates the functions of two distances for `a`, `b` and `k`: union, difference,
/// intersection, exclusive or, and the weight of the union, of the given `kind`.
fn joined(kind: &str, inputs: &[[f32; 3]]) -> Vec<[[f32; 4]; 2]> {
    let xor = if kind == "smooth" { "sdf::smooth_xor(a, b, k)" } else { "0.0" };
    let source = format!(
        "#import tarsus::sdf
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {{
    let a = input[0].x;
    let b = input[0].y;
    let k = input[0].z;
    return array<vec4f, 2>(
        vec4f(sdf::{kind}_union(a, b, k), sdf::{kind}_difference(a, b, k),
            sdf::{kind}_intersection(a, b, k), {xor}),
        vec4f(sdf::{kind}_weight(a, b, k), sdf::nearness(a, b, k), 0.0, 0.0),
    );
}}"
    );
    let inputs: Vec<[[f32; 4]; 1]> = inputs.iter().map(|&[a, b, k]| [[a, b, k, 0.0]]).collect();
    Compute::shared().evaluate::<1, 2>(&source, &inputs)
}

#[test]
fn smooth_unions_are_sharp_outside_fillet() {
    let mut inputs = Vec::new();
    for k in [0.0, -0.5, 1e-30, 0.25] {
        for a in [-1.0, -0.25, 0.0, 0.5] {
            for b in [-1.0, -0.25, 0.0, 0.5] {
                inputs.push([a, b, k]);
            }
        }
    }
    for kind in ["smooth", "cubic"] {
        for ([a, b, k], [[union, difference, intersection, xor], [weight, ..]]) in
            inputs.iter().zip(joined(kind, &inputs))
        {
            let place = format!("{kind} {a} {b} {k}");
            let is_sharp = (a - b).abs() >= k.max(0.0) && (a + b).abs() >= k.max(0.0);
            if !is_sharp {
                continue;
            }
            assert_eq!(union, a.min(*b), "{place}");
            assert_eq!(intersection, a.max(*b), "{place}");
            assert_eq!(difference, a.max(-b), "{place}");
            // The weight is between 0 and 1 if both are equal, and always finite.
            let expected = if b < a { 1.0 } else { 0.0 };
            assert_eq!(weight, expected, "{place}");
            assert!(xor.is_finite(), "{place}");
        }
    }
}

#[test]
fn smooth_unions_are_bounds() {
    let mut random = Random(7);
    let mut inputs = Vec::new();
    for _ in 0..2000 {
        let mut number = || random.between(-1.0, 1.0) as f32;
        let (a, b, k) = (number(), number(), number().abs() + 0.05);
        // The point, and b shifted to either side.
        inputs.extend([[a, b, k], [a, b - 1e-2, k], [a, b + 1e-2, k]]);
    }
    for kind in ["smooth", "cubic"] {
        let answers = joined(kind, &inputs);
        for (input, around) in inputs.chunks(3).zip(answers.chunks(3)) {
            let [a, b, k] = input[0];
            let [[union, difference, intersection, xor], [weight, ..]] = around[0];
            let place = format!("{kind} {a} {b} {k}");
            // Distances of about 1 in f32.
            let unit = 1e-6;
            assert!(union <= a.min(b) + unit, "{place}: {union}");
            assert!(intersection >= a.max(b) - unit, "{place}: {intersection}");
            assert!(difference >= a.max(-b) - unit, "{place}: {difference}");
            if kind == "smooth" {
                let sharp = a.min(b).max(-a.max(b));
                assert!(xor >= sharp - 0.5 * k - unit, "{place}: {xor}");
            }
            // The fillet's depth: a quarter or a sixth of its size.
            let depth = if kind == "smooth" { 0.25 } else { 1.0 / 6.0 };
            assert!(union >= a.min(b) - depth * k - unit, "{place}: {union}");
            let slope = (around[2][0][0] - around[1][0][0]) / 2e-2;
            // A kink in the curvature within the step costs step / k.
            assert!((slope - weight).abs() < 1e-2 / k + 1e-3, "{place}: {slope}, not {weight}");
        }
    }
}
