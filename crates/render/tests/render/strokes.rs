//! Strokes drawn by `tarsus::plot`.

use crate::common::SceneRenderer;

const STROKE: &str = "
#import tarsus::plot
struct Params {
    /// Width in pixels [0, 10] = 1
    width: f32,
    /// Where it ends [0, 100] = 0,0
    end: vec2f,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(frag_coord: vec2f) -> vec4f {
    let d = plot::segment(frag_coord, vec2f(20.3, 20.6), params.end);
    return vec4f(vec3f(plot::stroke(d, params.width, 1.0)), 1.0);
}
";

/// A stroke covers its length times its width, whether thin or thick, level or slanted.
#[test]
fn stroke_covers_its_area() {
    let mut scene = SceneRenderer::of_text(STROKE, "stroke.wgsl");
    for width in [0.5, 1.0, 1.7, 3.0, 6.0] {
        for end in [[99.1, 20.6], [90.7, 61.2], [52.9, 88.8]] {
            scene.set(&format!("width={width}")).set(&format!("end={},{}", end[0], end[1]));
            let picture = scene.at_time((120, 110), 0.0);
            let sum: u32 = picture.rgba.chunks_exact(4).map(|p| u32::from(p[0])).sum();
            let covered = f64::from(sum) / 255.0;
            let length = f64::hypot(end[0] - 20.3, end[1] - 20.6);
            // The round ends add a disc in two halves. With a width of about a pixel, it
            // is drawn up to 0.4 pixels larger, because its edge is not straight within a
            // pixel.
            let exact = width * length + 0.25 * std::f64::consts::PI * width * width;
            let off = covered - exact;
            assert!(off.abs() < 0.02 * exact + 0.5, "{width} {end:?}: {off} of {exact}");
        }
    }
}
