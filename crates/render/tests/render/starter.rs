//! The scene that `tarsus new` writes: its feet stand still, and it is short.

use crate::common::compute::Compute;

const STARTER: &str = include_str!("../../../../src/commands/new/starter.wgsl");

#[test]
fn starter_fits_forty_lines() {
    assert!(STARTER.lines().count() <= 40);
    assert_eq!(STARTER.matches("// try this: ").count(), 3);
}

#[test]
fn starter_feet_stand_on_ground() {
    // Ten strides, 100 samples each.
    let inputs: Vec<[[f32; 4]; 1]> =
        (0..2000).map(|n| [[(n / 2) as f32 * 0.006, (n % 2) as f32 * 0.5, 0.0, 0.0]]).collect();
    let source = format!(
        "{STARTER}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    let foot = foot(input[0].y, input[0].x);
    let cycle = input[0].x / STRIDE + input[0].y;
    return array<vec4f, 1>(vec4f(foot, foot.y - ground(foot.x), fract(cycle)));
}}"
    );
    let feet = Compute::shared().evaluate::<1, 1>(&source, &inputs);
    let stands = |foot: &[f32; 4]| foot[3] < 0.6;
    for (last, now) in feet.iter().zip(&feet[2..]) {
        let (last, now) = (last[0], now[0]);
        assert!(now[2] > 0.0, "a foot is {} above the ground", now[2]);
        if stands(&last) && stands(&now) && last[3] < now[3] {
            assert_eq!(last[..2], now[..2], "a standing foot moves");
            assert!((now[2] - 0.02).abs() < 1e-5, "a foot floats by {}", now[2]);
        }
    }
}
