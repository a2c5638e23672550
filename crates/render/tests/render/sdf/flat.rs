//! The flat shapes: a call of each, and its outline made of corners, arcs and parametric
//! curves.

use super::reference::{Curve, Shape, arc, both_sides, corners, line, moved, polygon, v2};
use super::{Guarantee, Row};

fn exact(call: &'static str, outline: Vec<Curve>) -> Row {
    Row::new(call, Guarantee::Exact, Shape::Flat(outline))
}

fn unsigned(call: &'static str, curve: Vec<Curve>) -> Row {
    Row::new(call, Guarantee::Unsigned, Shape::Flat(curve))
}

fn rectangle(x: f64, y: f64) -> Vec<Curve> {
    polygon(&[v2(-x, -y), v2(x, -y), v2(x, y), v2(-x, y)])
}

fn regular(sides: u32, apothem: f64) -> Vec<Curve> {
    let half = 180.0 / f64::from(sides);
    let radius = apothem / half.to_radians().cos();
    polygon(&corners(sides, half - 90.0, [radius; 2]))
}

fn star(tips: u32, outer: f64, inner: f64) -> Vec<Curve> {
    polygon(&corners(2 * tips, 90.0, [outer, inner]))
}

fn stairs(x: f64, y: f64, count: u32) -> Vec<Curve> {
    let mut outline = vec![v2(0.0, 0.0)];
    for i in 0..count {
        let (n, next) = (f64::from(i), f64::from(i + 1));
        outline.extend([v2(n * x, next * y), v2(next * x, next * y)]);
    }
    outline.push(v2(f64::from(count) * x, 0.0));
    polygon(&outline)
}

/// Cross whose bars extend to `arm` from the centre and are `half` wide on either side.
fn cross(arm: f64, half: f64) -> Vec<Curve> {
    let quarter = [v2(arm, -half), v2(arm, half), v2(half, half)];
    let turned = |i: u32| {
        let by = glam::DVec2::from_angle((90.0 * f64::from(i)).to_radians());
        quarter.map(|corner| by.rotate(corner))
    };
    polygon(&(0..4).flat_map(turned).collect::<Vec<_>>())
}

pub fn straight() -> Vec<Row> {
    vec![
        exact("sdf2::circle(p, 0.8)", vec![arc(v2(0.0, 0.0), 0.8, 0.0, 360.0)]),
        unsigned(
            "sdf2::segment(p, vec2f(-0.7, 0.4), vec2f(0.5, -0.6))",
            vec![line(v2(-0.7, 0.4), v2(0.5, -0.6))],
        ),
        exact("sdf2::box(p, vec2f(0.9, 0.5))", rectangle(0.9, 0.5)),
        exact(
            "sdf2::rounded_box(p, vec2f(0.9, 0.6), vec4f(0.6, 0.3, 0.0, 0.15))",
            vec![
                arc(v2(0.3, 0.0), 0.6, 0.0, 90.0),
                line(v2(0.3, 0.6), v2(-0.6, 0.6)),
                arc(v2(-0.6, 0.3), 0.3, 90.0, 180.0),
                line(v2(-0.9, 0.3), v2(-0.9, -0.6)),
                line(v2(-0.9, -0.6), v2(0.75, -0.6)),
                arc(v2(0.75, -0.45), 0.15, 270.0, 360.0),
                line(v2(0.9, -0.45), v2(0.9, 0.0)),
            ],
        ),
        exact(
            "sdf2::chamfer_box(p, vec2f(0.9, 0.6), 0.35)",
            polygon(&[
                v2(0.9, -0.25),
                v2(0.9, 0.25),
                v2(0.55, 0.6),
                v2(-0.55, 0.6),
                v2(-0.9, 0.25),
                v2(-0.9, -0.25),
                v2(-0.55, -0.6),
                v2(0.55, -0.6),
            ]),
        ),
        exact(
            "sdf2::oriented_box(p, vec2f(-0.6, -0.8), vec2f(0.3, 0.4), 0.5)",
            moved(rectangle(0.75, 0.25), 1.2f64.atan2(0.9).to_degrees(), v2(-0.15, -0.2)),
        ),
        exact(
            "sdf2::rhombus(p, vec2f(1.0, 0.5))",
            polygon(&[v2(1.0, 0.0), v2(0.0, 0.5), v2(-1.0, 0.0), v2(0.0, -0.5)]),
        ),
        exact(
            "sdf2::trapezoid(p, 0.9, 0.3, 0.6)",
            polygon(&[v2(-0.9, -0.6), v2(0.9, -0.6), v2(0.3, 0.6), v2(-0.3, 0.6)]),
        ),
        exact(
            "sdf2::trapezoid(p, 0.1, 1.0, 0.4)",
            polygon(&[v2(-0.1, -0.4), v2(0.1, -0.4), v2(1.0, 0.4), v2(-1.0, 0.4)]),
        ),
        exact(
            "sdf2::parallelogram(p, 0.5, 0.4, 0.6)",
            polygon(&[v2(-1.1, -0.4), v2(-0.1, -0.4), v2(1.1, 0.4), v2(0.1, 0.4)]),
        ),
        exact(
            "sdf2::parallelogram(p, 0.8, 0.3, -0.35)",
            polygon(&[v2(-0.45, -0.3), v2(1.15, -0.3), v2(0.45, 0.3), v2(-1.15, 0.3)]),
        ),
        exact("sdf2::equilateral_triangle(p, 0.45)", regular(3, 0.45)),
        exact(
            "sdf2::isosceles_triangle(p, 0.5, 1.1)",
            polygon(&[v2(-0.5, 0.0), v2(0.5, 0.0), v2(0.0, 1.1)]),
        ),
        exact(
            "sdf2::triangle(p, vec2f(-0.9, -0.3), vec2f(0.2, 1.0), vec2f(0.8, -0.7))",
            polygon(&[v2(-0.9, -0.3), v2(0.2, 1.0), v2(0.8, -0.7)]),
        ),
        exact(
            "bent_quadrilateral(p)",
            polygon(&[v2(-0.8, -0.6), v2(0.9, -0.4), v2(-0.1, 0.0), v2(0.3, 0.9)]),
        ),
        exact("sdf2::regular_polygon(p, 7u, 0.7)", regular(7, 0.7)),
        exact("sdf2::regular_polygon(p, 4u, 0.6)", regular(4, 0.6)),
        exact("sdf2::pentagon(p, 0.7)", regular(5, 0.7)),
        exact("sdf2::hexagon(p, 0.7)", regular(6, 0.7)),
        exact("sdf2::octagon(p, 0.7)", regular(8, 0.7)),
        exact("sdf2::star(p, 5u, 1.0, 0.5)", star(5, 1.0, 0.5)),
        exact("sdf2::star(p, 8u, 0.9, 0.8)", star(8, 0.9, 0.8)),
        exact(
            "sdf2::pentagram(p, 1.0)",
            // The inner radius, where two edges of the pentagram cross.
            star(5, 1.0, 72f64.to_radians().cos() / 36f64.to_radians().cos()),
        ),
        exact("sdf2::hexagram(p, 0.9)", star(6, 0.9, 0.9 / 3f64.sqrt())),
        exact("sdf2::cross_bars(p, 0.9, 0.25)", cross(0.9, 0.25)),
        exact("sdf2::stairs(p, vec2f(0.25, 0.2), 4u)", stairs(0.25, 0.2, 4)),
        exact("sdf2::stairs(p, vec2f(0.1, 0.5), 3u)", stairs(0.1, 0.5, 3)),
        exact("sdf2::stairs(p, vec2f(0.5, 0.07), 2u)", stairs(0.5, 0.07, 2)),
    ]
}

/// Half angle in degrees of the part of a circle of radius `radius` beyond `height`.
fn half_angle(radius: f64, height: f64) -> f64 {
    (height / radius).acos().to_degrees()
}

fn pie(radius: f64, half: f64) -> Vec<Curve> {
    let end = radius * v2(half.sin(), half.cos());
    both_sides(vec![
        line(v2(0.0, 0.0), end),
        arc(v2(0.0, 0.0), radius, 90.0, 90.0 - half.to_degrees()),
    ])
}

fn cut_disk(radius: f64, height: f64) -> Vec<Curve> {
    let half = half_angle(radius, height);
    let x = (radius * radius - height * height).sqrt();
    vec![arc(v2(0.0, 0.0), radius, 90.0 - half, 90.0 + half), line(v2(-x, height), v2(x, height))]
}

fn band(radius: f64, half: f64, thickness: f64) -> [Curve; 2] {
    let end = 90.0 - half.to_degrees();
    [radius - thickness, radius + thickness].map(|r| arc(v2(0.0, 0.0), r, 90.0, end))
}

/// An arc about +y with half circles around its ends.
fn round_arc(radius: f64, half: f64, thickness: f64) -> Vec<Curve> {
    let end = radius * v2(half.sin(), half.cos());
    let degrees = 90.0 - half.to_degrees();
    let cap = arc(end, thickness, degrees, degrees - 180.0);
    both_sides(band(radius, half, thickness).into_iter().chain([cap]).collect())
}

fn horseshoe(radius: f64, half: f64, legs: f64, thickness: f64) -> Vec<Curve> {
    let out = v2(half.sin(), half.cos());
    let down = legs * v2(half.cos(), -half.sin());
    let [inner, outer] = [radius - thickness, radius + thickness].map(|r| r * out);
    let mut right: Vec<Curve> = band(radius, half, thickness).into();
    if legs > 0.0 {
        right.extend([line(inner, inner + down), line(outer, outer + down)]);
    }
    right.push(line(inner + down, outer + down));
    both_sides(right)
}

fn vesica(radius: f64, offset: f64) -> Vec<Curve> {
    let half = half_angle(radius, offset);
    both_sides(vec![arc(v2(-offset, 0.0), radius, -half, half)])
}

fn moon(radius: f64, bite: f64, offset: f64) -> Vec<Curve> {
    // Angles of the triangle of both centres and a tip, by the law of cosines.
    let angle = |near: f64, far: f64| {
        let cosine = (near * near + offset * offset - far * far) / (2.0 * near * offset);
        cosine.acos().to_degrees()
    };
    let (outer, inner) = (angle(radius, bite), 180.0 - angle(bite, radius));
    vec![
        arc(v2(0.0, 0.0), radius, outer, 360.0 - outer),
        arc(v2(offset, 0.0), bite, inner, 360.0 - inner),
    ]
}

fn rounded_cross(x: f64, y: f64) -> Vec<Curve> {
    // Radius of the circle that touches the x axis at x and passes through (0, y).
    let radius = (x * x + y * y) / (2.0 * y);
    let end = 270.0 - (x / radius).clamp(-1.0, 1.0).asin().to_degrees();
    let upper = |flip: f64| -> Curve {
        let curve = arc(v2(x, radius), radius, 270.0, end);
        Box::new(move |t| v2(1.0, flip) * curve(t))
    };
    both_sides(vec![upper(1.0), upper(-1.0)])
}

fn rounded_x(reach: f64, radius: f64) -> Vec<Curve> {
    let long = 2f64.sqrt() * reach;
    let arm = |turn: f64| {
        let bar = vec![
            line(v2(radius, radius), v2(long, radius)),
            arc(v2(long, 0.0), radius, -90.0, 90.0),
            line(v2(radius, -radius), v2(long, -radius)),
        ];
        moved(bar, turn, v2(0.0, 0.0))
    };
    [45.0, 135.0, 225.0, 315.0].into_iter().flat_map(arm).collect()
}

fn egg(bottom: f64, top: f64) -> Vec<Curve> {
    let offset = bottom - top;
    both_sides(vec![
        arc(v2(0.0, 0.0), bottom, -90.0, 0.0),
        arc(v2(-offset, 0.0), bottom + offset, 0.0, 60.0),
        arc(v2(0.0, 3f64.sqrt() * offset), top, 60.0, 90.0),
    ])
}

fn heart(height: f64) -> Vec<Curve> {
    let half = 0.5 * height;
    both_sides(vec![
        line(v2(0.0, 0.0), v2(half, half)),
        arc(v2(0.5 * half, 1.5 * half), half / 2f64.sqrt(), -45.0, 135.0),
    ])
}

pub fn uneven_capsule(lower: f64, upper: f64, height: f64) -> Vec<Curve> {
    let lean = ((lower - upper) / height).asin().to_degrees();
    let at = |centre: f64, radius: f64| {
        let angle = lean.to_radians();
        v2(0.0, centre) + radius * v2(angle.cos(), angle.sin())
    };
    vec![
        arc(v2(0.0, 0.0), lower, -90.0, lean),
        line(at(0.0, lower), at(height, upper)),
        arc(v2(0.0, height), upper, lean, 90.0),
    ]
}

fn wave(radius: f64, half: f64) -> Vec<Curve> {
    let (x, y) = (radius * half.sin(), radius * half.cos());
    let turn = half.to_degrees();
    let piece = |i: i32| {
        let side = if i.rem_euclid(2) == 0 { 1.0 } else { -1.0 };
        let middle = v2(2.0 * x * f64::from(i), -side * y);
        arc(middle, radius, side * (90.0 - turn), side * (90.0 + turn))
    };
    (-8..=8).map(piece).collect()
}

fn parabola(bend: f64, from: f64, to: f64) -> Curve {
    Box::new(move |t| {
        let x = from + t * (to - from);
        v2(x, bend * x * x)
    })
}

fn bezier(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Vec<Curve> {
    let [a, b, c] = [a, b, c].map(|p| v2(p[0], p[1]));
    vec![Box::new(move |t| a.lerp(b, t).lerp(b.lerp(c, t), t))]
}

pub fn curved() -> Vec<Row> {
    vec![
        exact("sdf2_curves::pie(p, 0.9, 0.6)", pie(0.9, 0.6)),
        exact("sdf2_curves::pie(p, 0.9, 2.4)", pie(0.9, 2.4)),
        exact("sdf2_curves::cut_disk(p, 0.9, 0.4)", cut_disk(0.9, 0.4)),
        exact("sdf2_curves::cut_disk(p, 0.9, -0.5)", cut_disk(0.9, -0.5)),
        unsigned(
            "sdf2_curves::from_arc(p, 0.8, 2.2)",
            both_sides(vec![arc(v2(0.0, 0.0), 0.8, 90.0, 90.0 - 2.2f64.to_degrees())]),
        ),
        exact("sdf2_curves::arc(p, 0.8, 0.9, 0.12)", round_arc(0.8, 0.9, 0.12)),
        exact("sdf2_curves::arc(p, 0.8, 2.5, 0.1)", round_arc(0.8, 2.5, 0.1)),
        exact("sdf2_curves::ring(p, 0.8, 0.9, 0.2)", horseshoe(0.8, 0.9, 0.0, 0.2)),
        exact("sdf2_curves::ring(p, 0.8, 2.3, 0.15)", horseshoe(0.8, 2.3, 0.0, 0.15)),
        exact("sdf2_curves::horseshoe(p, 0.6, 1.2, 0.5, 0.15)", horseshoe(0.6, 1.2, 0.5, 0.15)),
        exact("sdf2_curves::horseshoe(p, 0.7, 2.1, 0.2, 0.1)", horseshoe(0.7, 2.1, 0.2, 0.1)),
        exact("sdf2_curves::vesica(p, 1.0, 0.5)", vesica(1.0, 0.5)),
        exact("sdf2_curves::vesica_segment(p, vec2f(-0.6, -0.5), vec2f(0.6, 0.4), 0.3)", {
            let half = 0.5 * 1.2f64.hypot(0.9);
            let offset = (half * half - 0.09) / 0.6;
            let turn = 0.9f64.atan2(1.2).to_degrees() - 90.0;
            moved(vesica(offset + 0.3, offset), turn, v2(0.0, -0.05))
        }),
        exact("sdf2_curves::moon(p, 0.9, 0.7, 0.4)", moon(0.9, 0.7, 0.4)),
        exact("sdf2_curves::moon(p, 0.6, 0.9, 0.6)", moon(0.6, 0.9, 0.6)),
        exact(
            "sdf2_curves::moon(p, 0.9, 0.3, 0.2)",
            vec![arc(v2(0.0, 0.0), 0.9, 0.0, 360.0), arc(v2(0.2, 0.0), 0.3, 0.0, 360.0)],
        ),
        exact("sdf2_curves::rounded_cross(p, vec2f(1.0, 1.0))", rounded_cross(1.0, 1.0)),
        exact("sdf2_curves::rounded_cross(p, vec2f(1.0, 0.6))", rounded_cross(1.0, 0.6)),
        exact("sdf2_curves::rounded_x(p, 0.6, 0.2)", rounded_x(0.6, 0.2)),
        exact("sdf2_curves::egg(p, 0.7, 0.2)", egg(0.7, 0.2)),
        exact("sdf2_curves::heart(p, 1.0)", heart(1.0)),
        exact(
            "sdf2_curves::uneven_capsule(p, 0.5, 0.2, 0.8)",
            both_sides(uneven_capsule(0.5, 0.2, 0.8)),
        ),
        exact(
            "sdf2_curves::uneven_capsule(p, 0.1, 0.6, 0.7)",
            both_sides(uneven_capsule(0.1, 0.6, 0.7)),
        ),
        exact(
            "sdf2_curves::uneven_capsule(p, 0.8, 0.2, 0.5)",
            vec![arc(v2(0.0, 0.0), 0.8, 0.0, 360.0)],
        ),
        exact(
            "sdf2_curves::tunnel(p, 0.5, 0.7)",
            both_sides(vec![
                arc(v2(0.0, 0.0), 0.5, 0.0, 90.0),
                line(v2(0.5, 0.0), v2(0.5, -0.7)),
                line(v2(0.5, -0.7), v2(0.0, -0.7)),
            ]),
        ),
        exact(
            "sdf2_curves::tunnel(p, 0.8, 0.2)",
            both_sides(vec![
                arc(v2(0.0, 0.0), 0.8, 0.0, 90.0),
                line(v2(0.8, 0.0), v2(0.8, -0.2)),
                line(v2(0.8, -0.2), v2(0.0, -0.2)),
            ]),
        ),
        unsigned("sdf2_curves::circle_wave(p, 0.5, 1.0)", wave(0.5, 1.0)),
        unsigned("sdf2_curves::circle_wave(p, 0.4, 2.0)", wave(0.4, 2.0)),
        exact(
            "sdf2_curves::ellipse(p, vec2f(1.0, 0.6))",
            vec![Box::new(|t| {
                let angle = std::f64::consts::TAU * t;
                v2(angle.cos(), 0.6 * angle.sin())
            })],
        )
        .within(1e-4),
        exact(
            "sdf2_curves::ellipse(p, vec2f(0.2, 1.1))",
            vec![Box::new(|t| {
                let angle = std::f64::consts::TAU * t;
                v2(0.2 * angle.cos(), 1.1 * angle.sin())
            })],
        )
        .within(1e-4),
        exact("sdf2_curves::parabola(p, 0.7)", vec![parabola(0.7, -6.0, 6.0)]),
        exact("sdf2_curves::parabola(p + vec2f(0.0, 0.8), 5.0)", {
            moved(vec![parabola(5.0, -3.0, 3.0)], 0.0, v2(0.0, -0.8))
        }),
        exact(
            "sdf2_curves::parabola_segment(p, 0.8, 0.9)",
            vec![
                line(v2(-0.8, 0.0), v2(0.8, 0.0)),
                Box::new(|t| {
                    let x = 0.8 * (2.0 * t - 1.0);
                    v2(x, 0.9 - 0.9 * (x / 0.8) * (x / 0.8))
                }),
            ],
        ),
        unsigned(
            "sdf2_curves::quadratic_bezier(p, vec2f(-0.9, -0.4), vec2f(0.1, 1.4), vec2f(0.7, -0.8))",
            bezier([-0.9, -0.4], [0.1, 1.4], [0.7, -0.8]),
        ),
        unsigned(
            "sdf2_curves::quadratic_bezier(p, vec2f(-0.9, 0.0), vec2f(0.9, 0.3), vec2f(-0.8, 0.2))",
            bezier([-0.9, 0.0], [0.9, 0.3], [-0.8, 0.2]),
        ),
        unsigned(
            "sdf2_curves::quadratic_bezier(p, vec2f(-0.8, -0.4), vec2f(0.0, 0.0), vec2f(0.8, 0.4))",
            bezier([-0.8, -0.4], [0.0, 0.0], [0.8, 0.4]),
        ),
        exact("sdf2_curves::hyperbola(p, 0.4)", {
            let branch = |side: f64| -> Curve {
                Box::new(move |t| {
                    let u = 4.0 * (2.0 * t - 1.0);
                    v2(0.4 * u.sinh(), side * 0.4 * u.cosh())
                })
            };
            vec![branch(1.0), branch(-1.0)]
        }),
    ]
}
