//! The solids: a call of each, and its surface made of faces, profiles and tubes.

use std::f64::consts::PI;

use glam::DVec3;

use super::flat::uneven_capsule;
use super::reference::{
    Curve, Inside, Patch, Path, Shape, arc, box_faces, convex, corners, ellipsoid, line, polygon,
    triangle, v2, v3,
};
use super::{Guarantee, Row};

const UP: DVec3 = DVec3::Y;

fn exact(call: &'static str, shape: Shape) -> Row {
    Row::new(call, Guarantee::Exact, shape).within(3e-5)
}

fn bound(call: &'static str, inside: impl Fn(DVec3) -> bool + 'static) -> Row {
    Row::new(call, Guarantee::Bound, Shape::Members(Box::new(inside)))
}

fn upright(call: &'static str, profile: Vec<Curve>) -> Row {
    exact(call, Shape::Revolved(profile, DVec3::ZERO, UP))
}

/// A chain of lines through `corners`.
fn chain(corners: &[[f64; 2]]) -> Vec<Curve> {
    let between = |w: &[[f64; 2]]| line(v2(w[0][0], w[0][1]), v2(w[1][0], w[1][1]));
    corners.windows(2).map(between).collect()
}

fn tube(path: impl Fn(f64) -> DVec3 + 'static, radius: f64) -> Shape {
    let path: Path = Box::new(path);
    Shape::Tube(path, radius)
}

fn surface(patches: Vec<Patch>) -> Shape {
    let nothing: Inside = Box::new(|_| false);
    Shape::Solid(patches, nothing)
}

/// True for points in the twelve bars of a box frame.
fn in_frame(p: DVec3, half: DVec3, width: f64) -> bool {
    let near = |axis: usize| (half[axis] - width..half[axis]).contains(&p[axis].abs());
    let within = |axis: usize| p[axis].abs() < half[axis];
    (0..3).filter(|&axis| near(axis)).count() >= 2 && (0..3).all(within)
}

pub fn everyday() -> Vec<Row> {
    let (a, b) = (v3(-0.6, -0.4, 0.2), v3(0.5, 0.6, -0.3));
    let capsule = tube(move |t| a.lerp(b, t), 0.25);
    vec![
        upright("sdf::sphere(p, 0.8)", vec![arc(v2(0.0, 0.0), 0.8, -90.0, 90.0)]),
        exact("sdf::capsule(p, vec3f(-0.6, -0.4, 0.2), vec3f(0.5, 0.6, -0.3), 0.25)", capsule),
        upright("sdf::torus(p, 0.7, 0.2)", vec![arc(v2(0.7, 0.0), 0.2, 0.0, 360.0)]),
        exact(
            "sdf::box(p, vec3f(0.7, 0.5, 0.3))",
            convex(box_faces(DVec3::ZERO, v3(0.7, 0.5, 0.3)), DVec3::ZERO),
        ),
        exact(
            "sdf::ground_plane(p)",
            Shape::Solid(
                vec![Box::new(|u, v| 20.0 * v3(u - 0.5, 0.0, v - 0.5))],
                Box::new(|p| p.y < 0.0),
            ),
        ),
        Row::new(
            "sdf::ellipsoid(p, vec3f(0.9, 0.5, 0.3))",
            Guarantee::BoundOutside,
            Shape::Solid(
                ellipsoid(v3(0.9, 0.5, 0.3)),
                Box::new(|p| (p / v3(0.9, 0.5, 0.3)).length() < 1.0),
            ),
        ),
        Row::new(
            // A taper of 0.25: too large by a factor of at most sqrt(1 + 1/16).
            "sdf::tapered_capsule(p, vec3f(0.0, -0.4, 0.0), vec3f(0.0, 0.6, 0.0), 0.4, 0.15) / 1.0308",
            Guarantee::BoundOutside,
            Shape::Revolved(
                vec![
                    arc(v2(0.0, -0.4), 0.4, -90.0, 0.0),
                    line(v2(0.4, -0.4), v2(0.15, 0.6)),
                    arc(v2(0.0, 0.6), 0.15, 0.0, 90.0),
                ],
                DVec3::ZERO,
                UP,
            ),
        ),
    ]
}

pub fn flat_faces() -> Vec<Row> {
    let pyramid = {
        let base = [v3(-0.6, 0.0, -0.6), v3(0.6, 0.0, -0.6), v3(0.6, 0.0, 0.6), v3(-0.6, 0.0, 0.6)];
        let apex = v3(0.0, 0.9, 0.0);
        let mut faces = vec![[base[0], base[1], base[2]], [base[0], base[3], base[2]]];
        faces.extend((0..4).map(|i| [base[i], base[(i + 1) % 4], apex]));
        convex(faces, v3(0.0, 0.2, 0.0))
    };
    let octahedron = || {
        let tip = |axis: usize, side: f64| {
            let mut p = DVec3::ZERO;
            p[axis] = 0.9 * side;
            p
        };
        let face = |i: u32| {
            let side = |axis: u32| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
            [tip(0, side(0)), tip(1, side(1)), tip(2, side(2))]
        };
        convex((0..8).map(face).collect(), DVec3::ZERO)
    };
    // A regular polygon whose inscribed circle has the radius `apothem`.
    let regular = |sides: u32, start: f64, apothem: f64| {
        let radius = apothem / (PI / f64::from(sides)).cos();
        polygon(&corners(sides, start, [radius; 2]))
    };
    let (a, b, c, d) =
        (v3(-0.7, -0.2, 0.5), v3(0.6, -0.5, 0.4), v3(0.5, 0.7, -0.6), v3(-0.56, 0.62, -0.28));
    vec![
        exact(
            "sdf3::plane(p, vec3f(0.6, 0.8, 0.0), 0.3)",
            Shape::Solid(
                vec![Box::new(|u, v| {
                    0.3 * v3(0.6, 0.8, 0.0)
                        + 20.0 * (u - 0.5) * v3(0.8, -0.6, 0.0)
                        + 20.0 * (v - 0.5) * DVec3::Z
                })],
                Box::new(|p| 0.6 * p.x + 0.8 * p.y < 0.3),
            ),
        ),
        exact("sdf3::rounded_box(p, vec3f(0.8, 0.6, 0.5), 0.2)", rounded_box()),
        Row::new(
            "sdf3::box_frame(p, vec3f(0.8, 0.6, 0.7), 0.2)",
            Guarantee::ExactOutside,
            frame(v3(0.8, 0.6, 0.7), 0.2),
        )
        .within(3e-5),
        bound("sdf3::box_frame(p, vec3f(0.7, 0.7, 0.7), 0.3)", |p| {
            in_frame(p, DVec3::splat(0.7), 0.3)
        }),
        exact(
            "sdf3::from_box(abs(p) - vec3f(0.3, 0.6, 0.5))",
            convex(box_faces(DVec3::ZERO, v3(0.3, 0.6, 0.5)), DVec3::ZERO),
        ),
        exact("sdf3::triangular_prism(p, 0.4, 0.5)", Shape::Prism(regular(3, 270.0, 0.4), 0.5)),
        exact("sdf3::hexagonal_prism(p, 0.6, 0.3)", Shape::Prism(regular(6, 0.0, 0.6), 0.3)),
        exact(
            "sdf3::rhombic_prism(p, vec2f(0.9, 0.4), 0.3)",
            Shape::Prism(polygon(&[v2(0.9, 0.0), v2(0.0, 0.4), v2(-0.9, 0.0), v2(0.0, -0.4)]), 0.3),
        ),
        exact("sdf3::octahedron(p, 0.9)", octahedron()),
        bound("sdf3::octahedron_bound(p, 0.9)", |p| p.abs().element_sum() < 0.9),
        exact("sdf3::pyramid(p, 0.6, 0.9)", pyramid),
        Row::new(
            "sdf3::triangle(p, vec3f(-0.7, -0.2, 0.5), vec3f(0.6, -0.5, 0.4), vec3f(0.5, 0.7, -0.6))",
            Guarantee::Unsigned,
            surface(triangle(a, b, c)),
        )
        .within(3e-5),
        Row::new(
            "sdf3::quad(p, vec3f(-0.7, -0.2, 0.5), vec3f(0.6, -0.5, 0.4), vec3f(0.5, 0.7, -0.6), vec3f(-0.56, 0.62, -0.28))",
            Guarantee::Unsigned,
            surface(triangle(a, b, c).into_iter().chain(triangle(a, c, d)).collect()),
        )
        .within(3e-5),
    ]
}

fn rounded_box() -> Shape {
    let core = v3(0.6, 0.4, 0.3);
    let mut patches: Vec<Patch> = Vec::new();
    // A sphere around each corner, a cylinder around each edge, and the faces, moved
    // outward.
    for i in 0..8u32 {
        let side = |axis: u32| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let corner = core * v3(side(0), side(1), side(2));
        // An eighth of a sphere: a triangle, projected onto it.
        let eighth = triangle(DVec3::X, DVec3::Y, DVec3::Z).into_iter().map(|flat| -> Patch {
            Box::new(move |u, v| corner + 0.2 * flat(u, v).normalize() * corner.signum())
        });
        patches.extend(eighth);
    }
    for axis in 0..3 {
        for i in 0..4u32 {
            let mut middle = core;
            middle[(axis + 1) % 3] *= if i & 1 == 1 { 1.0 } else { -1.0 };
            middle[(axis + 2) % 3] *= if i & 2 == 2 { 1.0 } else { -1.0 };
            patches.push(Box::new(move |u, v| {
                let angle = 0.5 * PI * v;
                let mut p = middle;
                p[axis] = core[axis] * (2.0 * u - 1.0);
                p[(axis + 1) % 3] += 0.2 * angle.cos() * middle[(axis + 1) % 3].signum();
                p[(axis + 2) % 3] += 0.2 * angle.sin() * middle[(axis + 2) % 3].signum();
                p
            }));
        }
        for side in [-1.0, 1.0] {
            patches.push(Box::new(move |u, v| {
                let mut p = core * (2.0 * v3(u, u, u) - 1.0);
                p[axis] = side * (core[axis] + 0.2);
                p[(axis + 2) % 3] = core[(axis + 2) % 3] * (2.0 * v - 1.0);
                p
            }));
        }
    }
    let inside = move |p: DVec3| (p - p.clamp(-core, core)).length() < 0.2;
    Shape::Solid(patches, Box::new(inside))
}

fn frame(half: DVec3, width: f64) -> Shape {
    let mut patches = Vec::new();
    for axis in 0..3 {
        for i in 0..4u32 {
            let mut middle = half - 0.5 * width;
            let mut bar = DVec3::splat(0.5 * width);
            middle[axis] = 0.0;
            bar[axis] = half[axis];
            middle[(axis + 1) % 3] *= if i & 1 == 1 { 1.0 } else { -1.0 };
            middle[(axis + 2) % 3] *= if i & 2 == 2 { 1.0 } else { -1.0 };
            let faces = box_faces(middle, bar);
            patches.extend(faces.into_iter().flat_map(|[a, b, c]| triangle(a, b, c)));
        }
    }
    Shape::Solid(patches, Box::new(move |p| in_frame(p, half, width)))
}

pub fn round() -> Vec<Row> {
    let (a, b) = (v3(-0.5, -0.6, 0.3), v3(0.4, 0.6, -0.1));
    let along = b - a;
    let length = along.length();
    let middle = 0.5 * (a + b);
    let between = |call, profile| exact(call, Shape::Revolved(profile, middle, along));
    let half = 0.5 * length;
    let spindle = (half * half - 0.0625) / 0.5;
    let spindle_angle = (spindle / (spindle + 0.25)).acos().to_degrees();
    vec![
        upright("sdf3_round::infinite_cylinder(p, 0.6)", chain(&[[0.6, -6.0], [0.6, 6.0]])),
        upright(
            "sdf3_round::cylinder(p, 0.5, 0.7)",
            chain(&[[0.0, -0.7], [0.5, -0.7], [0.5, 0.7], [0.0, 0.7]]),
        ),
        between(
            "sdf3_round::cylinder_between(p, vec3f(-0.5, -0.6, 0.3), vec3f(0.4, 0.6, -0.1), 0.3)",
            chain(&[[0.0, -half], [0.3, -half], [0.3, half], [0.0, half]]),
        ),
        upright(
            "sdf3_round::rounded_cylinder(p, 0.6, 0.5, 0.2)",
            vec![
                line(v2(0.0, -0.5), v2(0.4, -0.5)),
                arc(v2(0.4, -0.3), 0.2, -90.0, 0.0),
                line(v2(0.6, -0.3), v2(0.6, 0.3)),
                arc(v2(0.4, 0.3), 0.2, 0.0, 90.0),
                line(v2(0.4, 0.5), v2(0.0, 0.5)),
            ],
        ),
        upright(
            "sdf3_round::infinite_cone(p, 0.5)",
            chain(&[[0.0, 0.0], [9.0 * 0.5f64.sin(), -9.0 * 0.5f64.cos()]]),
        ),
        upright("sdf3_round::cone(p, 0.6, 1.0)", chain(&[[0.0, 0.0], [0.6, 0.0], [0.0, 1.0]])),
        upright(
            "sdf3_round::capped_cone(p, 0.7, 0.3, 0.5)",
            chain(&[[0.0, -0.5], [0.7, -0.5], [0.3, 0.5], [0.0, 0.5]]),
        ),
        between(
            "sdf3_round::capped_cone_between(p, vec3f(-0.5, -0.6, 0.3), vec3f(0.4, 0.6, -0.1), 0.5, 0.2)",
            chain(&[[0.0, -half], [0.5, -half], [0.2, half], [0.0, half]]),
        ),
        upright("sdf3_round::round_cone(p, 0.5, 0.2, 0.8)", uneven_capsule(0.5, 0.2, 0.8)),
        exact(
            "sdf3_round::round_cone_between(p, vec3f(-0.5, -0.6, 0.3), vec3f(0.4, 0.6, -0.1), 0.2, 0.45)",
            Shape::Revolved(uneven_capsule(0.2, 0.45, length), a, along),
        ),
        upright(
            "sdf3_round::solid_angle(p, 0.9, 0.7)",
            vec![
                line(v2(0.0, 0.0), 0.9 * v2(0.7f64.sin(), 0.7f64.cos())),
                arc(v2(0.0, 0.0), 0.9, 90.0 - 0.7f64.to_degrees(), 90.0),
            ],
        ),
        upright(
            "sdf3_round::cut_sphere(p, 0.9, -0.3)",
            vec![
                line(v2(0.0, -0.3), v2(0.72f64.sqrt(), -0.3)),
                arc(v2(0.0, 0.0), 0.9, -(0.3f64 / 0.9).asin().to_degrees(), 90.0),
            ],
        ),
        upright("sdf3_round::hollow_cut_sphere(p, 0.8, 0.3, 0.1)", {
            let rim = (0.3f64 / 0.8).asin().to_degrees();
            vec![
                arc(v2(0.0, 0.0), 0.7, -90.0, rim),
                arc(v2(0.0, 0.0), 0.9, -90.0, rim),
                arc(v2(0.55f64.sqrt(), 0.3), 0.1, rim, rim + 180.0),
            ]
        }),
        upright("sdf3_round::death_star(p, 0.8, 0.6, 0.7)", {
            // Height of the rim, by the law of cosines.
            let rim: f64 = (0.64 - 0.36 + 0.49) / 1.4;
            vec![
                arc(v2(0.0, 0.0), 0.8, -90.0, (rim / 0.8).asin().to_degrees()),
                arc(v2(0.0, 0.7), 0.6, ((rim - 0.7) / 0.6).asin().to_degrees(), -90.0),
            ]
        }),
        between(
            "sdf3_round::vesica_between(p, vec3f(-0.5, -0.6, 0.3), vec3f(0.4, 0.6, -0.1), 0.25)",
            vec![arc(v2(-spindle, 0.0), spindle + 0.25, -spindle_angle, spindle_angle)],
        ),
        exact(
            "sdf3_round::ellipsoid(p, vec3f(0.9, 0.5, 0.3))",
            Shape::Solid(
                ellipsoid(v3(0.9, 0.5, 0.3)),
                Box::new(|p| (p / v3(0.9, 0.5, 0.3)).length() < 1.0),
            ),
        )
        .within(1e-4),
        exact(
            "sdf3_round::capped_torus(p, 0.7, 0.2, 1.9)",
            tube(
                |t| {
                    let angle = 1.9 * (2.0 * t - 1.0);
                    0.7 * v3(angle.sin(), angle.cos(), 0.0)
                },
                0.2,
            ),
        ),
        exact("sdf3_round::link(p, 0.3, 0.5, 0.15)", link()),
        exact(
            "sdf3_round::bezier_tube(p, vec3f(-0.8, -0.5, 0.1), vec3f(0.2, 1.2, 0.6), vec3f(0.8, -0.3, -0.4), 0.12)",
            {
                let (a, b, c) = (v3(-0.8, -0.5, 0.1), v3(0.2, 1.2, 0.6), v3(0.8, -0.3, -0.4));
                tube(move |t| a.lerp(b, t).lerp(b.lerp(c, t), t), 0.12)
            },
        ),
    ]
}

/// Two half circles and the two bars between them.
fn link() -> Shape {
    let middle = |t: f64| {
        let part = (4.0 * t).floor().min(3.0);
        let along = 4.0 * t - part;
        let turn = PI * along;
        match part as u32 {
            0 => v3(0.5, 0.6 * along - 0.3, 0.0),
            1 => v3(0.5 * turn.cos(), 0.3 + 0.5 * turn.sin(), 0.0),
            2 => v3(-0.5, 0.3 - 0.6 * along, 0.0),
            _ => v3(-0.5 * turn.cos(), -0.3 - 0.5 * turn.sin(), 0.0),
        }
    };
    tube(middle, 0.15)
}
