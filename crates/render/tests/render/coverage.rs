//! Coverage of cone-shaped rays by spheres, whose outline and surface are known.

use crate::common::compute::Compute;

const RADIUS: f32 = 0.5;
const FAR: f32 = 10.0;
const SPREAD: f32 = 0.01;

/// Hits of beams along z that pass the centre of a sphere at the distances `aside`:
/// coverage and distance, then the normal; for the sphere as an ellipsoid and as a
/// tapered capsule.
fn hits(aside: &[f32]) -> Vec<[[f32; 4]; 4]> {
    let source = format!(
        "#import tarsus::coverage
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {{
    let beam = coverage::Beam(vec3f(input[0].x, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), 0.0, {SPREAD});
    let middle = vec3f(0.0, 0.0, {FAR}.0);
    let ball = coverage::ellipsoid(beam, middle, vec3f({RADIUS}));
    let capsule = coverage::tapered_capsule(beam, middle, middle + vec3f(0.0, 0.0, 1e-4), {RADIUS}, {RADIUS});
    return array<vec4f, 4>(
        vec4f(ball.coverage, ball.distance, 0.0, 0.0),
        vec4f(ball.normal, 0.0),
        vec4f(capsule.coverage, capsule.distance, 0.0, 0.0),
        vec4f(capsule.normal, 0.0),
    );
}}"
    );
    let inputs: Vec<[[f32; 4]; 1]> = aside.iter().map(|&x| [[x, 0.0, 0.0, 0.0]]).collect();
    Compute::shared().evaluate::<1, 4>(&source, &inputs)
}

#[test]
fn sphere_coverage_matches_outline() {
    let aside: Vec<f32> = (0..=120).map(|n| 0.01 * n as f32 - 0.6).collect();
    for (x, [ball, _, capsule, _]) in aside.iter().zip(hits(&aside)) {
        let expected = ((RADIUS - x.abs()) / (SPREAD * FAR) + 0.5).clamp(0.0, 1.0);
        for (name, actual) in [("ball", ball[0]), ("capsule", capsule[0])] {
            // f32 coordinates of 10, divided by a ray width of 0.1.
            let off = (actual - expected).abs();
            assert!(off < 1e-4, "{name} {x} aside: {actual}, not {expected}");
        }
    }
}

#[test]
fn sphere_hits_match_its_surface() {
    // Beams that the sphere covers; others see the middle of their covered part.
    let aside: Vec<f32> = (0..=44).map(|n| 0.02 * n as f32 - 0.44).collect();
    for (x, actual) in aside.iter().zip(hits(&aside)) {
        let depth = (RADIUS * RADIUS - x * x).sqrt();
        for (place, normal) in [(actual[0], actual[1]), (actual[2], actual[3])] {
            // The capsule has a length of 1e-4.
            let off = (place[1] - (FAR - depth)).abs();
            assert!(off < 3e-4, "{x} aside: at {}", place[1]);
            let expected = [x / RADIUS, 0.0, -depth / RADIUS];
            for (actual, expected) in normal.iter().zip(expected) {
                assert!((actual - expected).abs() < 1e-3, "{x} aside: {normal:?}");
            }
        }
    }
}

#[test]
fn thin_capsule_coverage_fades_with_width() {
    let source = "#import tarsus::coverage
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    let beam = coverage::Beam(vec3f(0.0), vec3f(0.0, 0.0, 1.0), input[0].x, 0.0);
    let a = vec3f(0.0, -1.0, 5.0);
    return array<vec4f, 1>(vec4f(coverage::tapered_capsule(beam, a, -a + vec3f(0.0, 0.0, 10.0), 0.02, 0.02).coverage));
}";
    let widths = [0.01, 0.04, 0.08, 0.4, 4.0];
    let inputs: Vec<[[f32; 4]; 1]> = widths.iter().map(|&w| [[w, 0.0, 0.0, 0.0]]).collect();
    for (width, [actual]) in widths.iter().zip(Compute::shared().evaluate::<1, 1>(source, &inputs))
    {
        let expected = (0.04 / width).min(1.0);
        assert!((actual[0] - expected).abs() < 1e-5, "{width} wide: {}, not {expected}", actual[0]);
    }
}
