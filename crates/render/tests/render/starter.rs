//! The scene that `tarsus new` writes: it is short, walks to the pointer, and its feet stand still.

use tarsus_shader::Buffer;

use crate::common::compute::Compute;
use crate::common::running::Running;

const STARTER: &str = include_str!("../../../../src/commands/new/starter.wgsl");

#[test]
fn starter_fits_forty_lines() {
    assert!(STARTER.lines().count() <= 40);
    assert_eq!(STARTER.matches("// try this: ").count(), 3);
}

#[test]
fn starter_feet_stand_on_ground() {
    // 60 seconds.
    let inputs: Vec<[[f32; 4]; 1]> =
        (0..13_334).map(|n| [[(n / 2) as f32 * 0.006, (n % 2) as f32 * 0.5, 0.0, 0.0]]).collect();
    let source = format!(
        "{STARTER}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {{
    let walked = input[0].x;
    let foot = foot(input[0].y, walked);
    let cycle = walked / STRIDE + input[0].y;
    let hip = vec2f(walked, ground(walked) + 0.6);
    return array<vec4f, 2>(vec4f(foot, foot.y - ground(foot.x), fract(cycle)),
        vec4f(distance(foot, hip) / 0.72, 0.0, 0.0, 0.0));
}}"
    );
    let feet = Compute::shared().evaluate::<1, 2>(&source, &inputs);
    let stands = |foot: &[[f32; 4]; 2]| foot[0][3] < 0.6;
    assert!(feet.chunks(2).all(|feet| feet.iter().any(stands)), "no foot is down");
    for (last, now) in feet.iter().zip(&feet[2..]) {
        let is_same_stance = stands(last) && stands(now) && last[0][3] < now[0][3];
        let ([last, _], [now, [stretch, ..]]) = (last, now);
        assert!(*stretch < 0.98, "a leg is stretched to {stretch}");
        assert!(now[2] > 0.0, "a foot is {} above the ground", now[2]);
        if is_same_stance {
            assert_eq!(last[..2], now[..2], "a standing foot moves");
            assert!((now[2] - 0.02).abs() < 1e-5, "a foot floats by {}", now[2]);
        }
    }
}

#[test]
fn starter_walks_to_pointer_and_stands() {
    let mut creature = Running::new(STARTER, (160, 90), 60.0);
    for (pixel, facing) in [(140.0, 1.0), (20.0, -1.0), (95.0, 1.0)] {
        creature.mouse = [pixel, 40.0, pixel, 40.0];
        creature.advance(300);
        let goal = (2.0 * pixel - 160.0) / 90.0;
        let [_, _, place, faces] = creature.buffer(Buffer::A)[0];
        // Within half of the distance between two places where both feet stand.
        assert!((place - goal).abs() < 0.2, "at {place}: expected {goal}");
        assert!(faces * facing > 0.95, "faces {faces}");
        for phase in [0.0, 0.5] {
            let cycle = place / 0.6 + phase;
            let progress = cycle - cycle.floor();
            assert!(progress < 0.6, "at {place}, a foot is in the air");
        }
    }
}
