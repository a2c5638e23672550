//! Distances to the curves of antennae and palps, compared with the nearest of many
//! spheres along the same parabola.

use crate::common::compute::Compute;

const BASE: f64 = 0.05;
const TIP: f64 = 0.02;

/// Point at the fraction `u` of a chord from -0.5 to 0.5 on x, on a parabola that rises
/// to `height` along z in the middle, and the radius of its tube there.
fn ball(height: f64, u: f64) -> ([f64; 3], f64) {
    let rise = 4.0 * height * u * (1.0 - u);
    ([u - 0.5, 0.0, rise], BASE + (TIP - BASE) * u)
}

fn nearest_ball(p: [f64; 3], height: f64) -> f64 {
    (0..=4000)
        .map(|n| {
            let (middle, radius) = ball(height, f64::from(n) / 4000.0);
            let square: f64 = (0..3).map(|k| (p[k] - middle[k]).powi(2)).sum();
            square.sqrt() - radius
        })
        .fold(f64::MAX, f64::min)
}

/// Evaluates `limb::curve_distance` at points of x, y, z and the curve's height.
fn actual(points: &[[f32; 4]]) -> Vec<f64> {
    let source = format!(
        "#import tarsus::limb
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    let control = vec3f(0.0, 0.0, 2.0 * input[0].w);
    let along = limb::curve(vec3f(-0.5, 0.0, 0.0), control, vec3f(0.5, 0.0, 0.0));
    return array<vec4f, 1>(vec4f(limb::curve_distance(input[0].xyz, along, {BASE}, {TIP})));
}}"
    );
    let inputs: Vec<[[f32; 4]; 1]> = points.iter().map(|&point| [point]).collect();
    Compute::shared()
        .evaluate::<1, 1>(&source, &inputs)
        .iter()
        .map(|[actual]| f64::from(actual[0]))
        .collect()
}

/// Points of an even grid, up to 1 from the chord's middle along each axis.
fn points(height: f32) -> Vec<[f32; 4]> {
    let steps = || (-6..=6).map(|n| n as f32 / 6.0);
    steps()
        .flat_map(|x| steps().flat_map(move |y| steps().map(move |z| [x, y, z, height])))
        .collect()
}

#[test]
fn curve_distance_is_a_lower_bound() {
    for height in [0.0, 0.05, 0.1, 0.19] {
        let points = points(height);
        for (point, actual) in points.iter().zip(actual(&points)) {
            let p = [0, 1, 2].map(|k| f64::from(point[k]));
            let distance = nearest_ball(p, f64::from(height));
            // Inside, only the sign matters.
            let most = distance.max(0.0) + 1e-3;
            assert!(actual <= most, "{point:?}: {actual}, the curve is {distance} away");
            // The distance is still large enough for a ray to approach in few steps.
            let least = 0.6 * distance.max(0.0) - BASE;
            assert!(actual >= least, "{point:?}: {actual} of {distance}");
        }
    }
}

#[test]
fn curve_surface_follows_parabola() {
    for height in [0.0, 0.1, 0.2, 0.3] {
        let on_it: Vec<[f32; 4]> = (1..20)
            .flat_map(|n| {
                let (middle, radius) = ball(f64::from(height), f64::from(n) / 20.0);
                [-1.0, 1.0].map(|side| {
                    let y = side * radius;
                    [middle[0] as f32, y as f32, middle[2] as f32, height]
                })
            })
            .collect();
        for (point, actual) in on_it.iter().zip(actual(&on_it)) {
            assert!(actual.abs() < 1e-5, "{point:?} is on the curve: {actual}");
        }
    }
}
