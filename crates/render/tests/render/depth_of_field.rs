//! Camera lenses, `tarsus::depth_of_field`.

use crate::common::SceneRenderer;
use crate::common::floats::Floats;
use glam::DVec3;
use tarsus_render::Frame;

const SIZE: (u32, u32) = (24, 16);
const APERTURE: f64 = 0.3;
const FOCUS: f64 = 7.0;

/// A scene that returns `value`: the origin or direction of its rays, the point in focus
/// on the pinhole's ray, or the point on the lens.
fn scene(value: &str) -> Floats {
    let text = format!(
        "#import tarsus::{{camera, depth_of_field, frame}}
         fn main_image(frag_coord: vec2f) -> vec4f {{
             let eye = camera::look_at(
                 vec3f(1.0, 2.0, 5.0), vec3f(0.5, 0.3, 0.1), vec3f(0.0, 1.0, 0.0), 0.4);
             let optics = depth_of_field::Optics({APERTURE:?}, {FOCUS:?});
             let sight = depth_of_field::sight(eye, frag_coord, optics);
             let away = camera::ray_direction(eye, frame::centred(frag_coord));
             let in_focus = eye.position - away * {FOCUS:?} / dot(away, eye.world_from_view[2]);
             let through = transpose(eye.world_from_view) * (sight.origin - eye.position);
             return vec4f({value}, 1.0);
         }}"
    );
    Floats::new(&text, &[], SIZE)
}

fn vectors(scene: &Floats, frame: &Frame) -> Vec<DVec3> {
    let pixels = scene.read(frame).into_iter();
    pixels.map(|[x, y, z, _]| DVec3::new(x.into(), y.into(), z.into())).collect()
}

#[test]
fn pixel_samples_meet_in_focal_plane() {
    let [origin, direction, in_focus, through] =
        ["sight.origin", "sight.direction", "in_focus", "through"].map(scene);
    let mut turns = Vec::new();
    for index in 0..40 {
        let mut frame = Frame::new(SIZE, 0, 60.0).at_time(1.0);
        frame.set_sample(index);
        // The sample stays at the pixel centre: another position has another focus point.
        frame.sample_offset = [0.0; 2];
        let radius = f64::hypot(frame.lens[0].into(), frame.lens[1].into()) * APERTURE;
        let [origin, direction, in_focus, through] =
            [&origin, &direction, &in_focus, &through].map(|scene| vectors(scene, &frame));
        for i in 0..origin.len() {
            let to_focus = in_focus[i] - origin[i];
            let beside = to_focus.cross(direction[i]).length();
            assert!(beside < 2e-5, "{index} {i}: {beside}");
            assert!(to_focus.dot(direction[i]) > 0.0);
            assert!((direction[i].length() - 1.0).abs() < 1e-5);
            // The origin lies in the plane of the lens, at the sample's distance from its
            // centre.
            assert!(through[i].z.abs() < 2e-6);
            assert!((through[i].truncate().length() - radius).abs() < 2e-6);
        }
        turns.push(through[0].truncate().angle_to(through[1].truncate()));
    }
    // Neighbouring pixels use different points of the lens.
    assert!(turns[1].abs() > 0.1 && turns.iter().skip(1).all(|t| (t - turns[1]).abs() < 1e-3));
}

/// Mean difference of neighbouring pixels in the average of `samples` samples.
fn detail(scene: &SceneRenderer, samples: u32) -> f64 {
    let size = (96, 54);
    let mut sum = vec![0.0; 4 * 96 * 54];
    for index in 0..samples {
        let mut frame = Frame::new(size, 0, 60.0).at_time(3.0);
        frame.set_sample(index);
        let bytes = scene.draw(&frame).rgba;
        sum.iter_mut().zip(bytes).for_each(|(sum, byte)| *sum += f64::from(byte));
    }
    let neighbours = sum.iter().zip(&sum[4..]);
    neighbours.map(|(a, b)| (a - b).abs()).sum::<f64>() / f64::from(samples)
}

#[test]
fn open_lens_blurs_only_multiple_samples() {
    for name in ["creature", "strider", "herd"] {
        let mut scene = SceneRenderer::built_in(name);
        scene.set("focus=6");
        let sharp = (scene.at_time((96, 54), 3.0).rgba, detail(&scene, 24));
        scene.set("aperture=0.2");
        assert_eq!(scene.at_time((96, 54), 3.0).rgba, sharp.0, "{name}");
        let blurred = detail(&scene, 24);
        assert!(blurred < 0.9 * sharp.1, "{name}: {blurred} {}", sharp.1);
    }
}
