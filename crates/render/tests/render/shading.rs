//! Bearings of directions, `tarsus::shading`.

use crate::common::compute::Compute;

#[test]
fn bearings_match_atan2() {
    let source = "#import tarsus::shading
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    return array<vec4f, 1>(vec4f(shading::bearing(input[0].xyz)));
}";
    let around = (0..1440).map(|n| f64::from(n).to_radians() / 4.0 - 3.1);
    let directions = around.flat_map(|angle| {
        let (z, x) = angle.sin_cos();
        [1e-12, 0.3, 1.0, 1e12].map(|length| [(x * length) as f32, 0.7, (z * length) as f32, 0.0])
    });
    let axes = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0]];
    let axes = axes.map(|[x, z]| [x, -0.2, z, 0.0]);
    let inputs: Vec<[[f32; 4]; 1]> = directions.chain(axes).map(|at| [at]).collect();
    for ([[x, _, z, _]], [actual]) in
        inputs.iter().zip(Compute::shared().evaluate::<1, 1>(source, &inputs))
    {
        let turns = f64::from(*z).atan2(f64::from(*x)) / std::f64::consts::TAU;
        let off = (f64::from(actual[0]) - turns).abs();
        // Half a turn to the left equals half a turn to the right.
        let off = off.min((off - 1.0).abs());
        assert!(off < 2e-6, "({x}, {z}): {} is not {turns}", actual[0]);
    }
}
