//! The signed distance library compared with a reference that searches for the nearest
//! point.

mod flat;
mod ops;
mod page;
mod reference;
mod solid;

use std::fmt::Write as _;

use glam::DVec3;
use tarsus_scenes::MODULES;
use tarsus_shader::{ItemKind, items};

use crate::common::compute::Compute;
use crate::common::random::Random;
use reference::{ReferenceDistance, Shape};

/// Guarantee of a distance function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// The exact signed distance.
    Exact,
    /// The exact distance to a curve or surface without an inside.
    Unsigned,
    /// Exact outside; inside only the sign is right.
    ExactOutside,
    /// Never more than the distance, with a gradient of at most 1.
    Bound,
    /// Never more than the distance.
    Below,
    /// Never more than the distance outside; inside only the sign is right.
    BoundOutside,
}

/// One call of a function, with its expected shape.
pub struct Row {
    call: &'static str,
    guarantee: Guarantee,
    shape: Shape,
    /// Largest permitted error: f32 rounding for coordinates of about 2 and a few square
    /// roots.
    tolerance: f64,
}

impl Row {
    pub fn new(call: &'static str, guarantee: Guarantee, shape: Shape) -> Self {
        let tolerance = 1e-5;
        Self { call, guarantee, shape, tolerance }
    }

    /// Sets the permitted error.
    fn within(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    fn is_flat(&self) -> bool {
        matches!(self.shape, Shape::Flat(_))
    }
}

const IMPORTS: &str = "
#import tarsus::sdf
#import tarsus::sdf2
#import tarsus::sdf2_curves
#import tarsus::sdf3
#import tarsus::sdf3_round
#import tarsus::sdf_ops

fn bent_quadrilateral(p: vec2f) -> f32 {
    var corners = array<vec2f, 4>(
        vec2f(-0.8, -0.6), vec2f(0.9, -0.4), vec2f(-0.1, 0.0), vec2f(0.3, 0.9));
    var outline = sdf2::no_edges();
    for (var i = 0u; i < 4u; i++) {
        outline = sdf2::add_edge(outline, p, corners[i], corners[(i + 1u) % 4u]);
    }
    return sdf2::outline_distance(outline);
}
";

/// One shader for all rows: xyz is the point, w the row. A `switch` would be nested too
/// deep for Mesa's software renderer.
fn shader(rows: &[Row]) -> String {
    let mut cases = String::new();
    for (i, row) in rows.iter().enumerate() {
        let point = if row.is_flat() { "point.xy" } else { "point" };
        let _ = writeln!(cases, "    if row == {i}u {{ let p = {point}; d = {}; }}", row.call);
    }
    format!(
        "{IMPORTS}
fn distance_of(row: u32, point: vec3f) -> f32 {{
    var d = 0.0;
{cases}    return d;
}}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    return array<vec4f, 1>(vec4f(distance_of(u32(input[0].w), input[0].xyz)));
}}"
    )
}

/// Points around a shape: anywhere, near its surface, and where coordinates are 0.
fn points(row: &Row, reference: &ReferenceDistance<'_>) -> Vec<DVec3> {
    let mut random = Random(row.call.len() as u64);
    let mut anywhere =
        |size: f64| DVec3::from_array(std::array::from_fn(|_| random.between(-size, size)));
    let mut points: Vec<DVec3> = (0..160).map(|_| anywhere(1.6)).collect();
    points.extend(reference.on_surface().into_iter().map(|p| p + anywhere(0.05)));
    for at in [0.0, 0.35, -0.35, 1.1, -1.1] {
        points.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| at * axis));
    }
    points.extend([0.4, -0.4].map(DVec3::splat));
    if row.is_flat() {
        points.iter_mut().for_each(|p| p.z = 0.0);
    }
    // Rounded to f32, so that GPU and reference get the same points.
    points.into_iter().map(|p| p.as_vec3().as_dvec3()).collect()
}

/// Distance of the neighbouring points from which a slope is computed.
const STEP: f64 = 0.01;

/// The six neighbours of p along the axes.
fn neighbours(p: DVec3) -> impl Iterator<Item = DVec3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let around = axes.into_iter().flat_map(move |axis| [p - STEP * axis, p + STEP * axis]);
    around.map(|q| q.as_vec3().as_dvec3())
}

/// The steepest slope between any two of the points, by the distances returned there.
fn steepest(actual: &[(DVec3, f64)]) -> f64 {
    let slope = |&(p, d): &(DVec3, f64), &(q, e): &(DVec3, f64)| (d - e).abs() / p.distance(q);
    let pairs =
        actual.iter().enumerate().flat_map(|(i, a)| actual[..i].iter().map(move |b| slope(a, b)));
    pairs.fold(0.0, f64::max)
}

#[test]
fn distances_keep_their_documented_guarantees() {
    let mut rows = flat::straight();
    rows.extend(flat::curved());
    rows.extend(solid::everyday());
    rows.extend(solid::flat_faces());
    rows.extend(solid::round());
    rows.extend(ops::rows());
    every_function_is_called(&rows);
    let undocumented = page::undocumented_guarantees(&rows).concat();
    assert!(undocumented.is_empty(), "{undocumented}");

    let references: Vec<ReferenceDistance<'_>> =
        rows.iter().map(|row| ReferenceDistance::new(&row.shape)).collect();
    let mut asked: Vec<(usize, DVec3)> = Vec::new();
    for (i, (row, reference)) in rows.iter().zip(&references).enumerate() {
        for p in points(row, reference) {
            asked.push((i, p));
            if row.guarantee == Guarantee::Bound {
                asked.extend(neighbours(p).map(|q| (i, q)));
            }
        }
    }
    let inputs: Vec<[[f32; 4]; 1]> =
        asked.iter().map(|&(i, p)| [p.as_vec3().extend(i as f32).to_array()]).collect();
    let answers = Compute::shared().evaluate::<1, 1>(&shader(&rows), &inputs);
    let mut answered = asked.iter().zip(answers);

    let mut wrong: Vec<String> = vec![String::new(); rows.len()];
    while let Some((&(i, p), [[actual, ..]])) = answered.next() {
        let row = &rows[i];
        let mut error = check(row, &references[i], p, f64::from(actual));
        if row.guarantee == Guarantee::Bound {
            let around: Vec<(DVec3, f64)> =
                (&mut answered).take(6).map(|(&(_, q), [[d, ..]])| (q, f64::from(d))).collect();
            let slope = steepest(&around);
            // Rounding of the distances, divided by the step.
            if slope > 1.0 + 1e-4 {
                error = Some(format!("has the slope {slope}"));
            }
        }
        if let Some(error) = error
            && wrong[i].is_empty()
        {
            wrong[i] = format!("{} at {p} {error}\n", row.call);
        }
    }
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Describes the error of a returned distance, if it violates the function's guarantee.
fn check(row: &Row, reference: &ReferenceDistance<'_>, p: DVec3, actual: f64) -> Option<String> {
    if !actual.is_finite() {
        return Some(format!("is {actual}"));
    }
    let distance = reference.distance(p);
    let inside = row.guarantee != Guarantee::Unsigned && reference.is_inside(p);
    // The reference determines signs from chains of short lines.
    if distance > 1e-3 && (actual < 0.0) != inside {
        return Some(format!("is {actual}, but {}", if inside { "inside" } else { "outside" }));
    }
    let off = actual.abs() - distance;
    let is_exact = match row.guarantee {
        Guarantee::Exact | Guarantee::Unsigned => true,
        Guarantee::ExactOutside => !inside,
        Guarantee::Bound | Guarantee::Below | Guarantee::BoundOutside => false,
    };
    let by_sign_alone =
        matches!(row.guarantee, Guarantee::ExactOutside | Guarantee::BoundOutside) && inside;
    let is_wrong =
        if is_exact { off.abs() > row.tolerance } else { off > row.tolerance && !by_sign_alone };
    is_wrong.then(|| format!("is {actual}, not {distance}"))
}

/// Functions that are parts of shapes or do not return a distance; `ops` tests the
/// latter's properties.
const UNTESTED_HELPERS: &[&str] = &[
    "sdf2::from_segment",
    "sdf2::cross2",
    "sdf2::mirrored_to",
    "sdf2::with_sign",
    "sdf2::edge_above",
    "sdf2::edge_of_star",
    "sdf2_curves::cubic_root",
    "sdf2_curves::nearest_on_bezier",
    "sdf3::squared_from_edge",
    "sdf3_round::profile",
    "sdf3_round::profile_between",
    "sdf::along_segment",
    "sdf::from_segment",
    "sdf::nearness",
    "sdf::smooth_union",
    "sdf::smooth_difference",
    "sdf::smooth_intersection",
    "sdf::smooth_xor",
    "sdf::smooth_weight",
    "sdf::cubic_union",
    "sdf::cubic_difference",
    "sdf::cubic_intersection",
    "sdf::cubic_weight",
];

fn every_function_is_called(rows: &[Row]) {
    let mut called: String = rows.iter().map(|row| row.call).collect();
    called.push_str(IMPORTS);
    let missing: Vec<String> = MODULES
        .iter()
        .filter(|(module, _)| module.starts_with("tarsus::sdf"))
        .flat_map(|(module, text)| {
            let short = module.trim_start_matches("tarsus::").to_owned();
            let functions = items(text);
            let functions = functions.into_iter().filter(|item| item.kind == ItemKind::Function);
            functions.map(move |item| format!("{short}::{}", item.name))
        })
        .filter(|name| {
            !called.contains(&format!("{name}(")) && !UNTESTED_HELPERS.contains(&name.as_str())
        })
        .collect();
    assert!(missing.is_empty(), "not tested: {missing:?}");
}
