//! The diagram matches the solver: its drawn joints and numbers are read back from the
//! pixels and compared with an f64 reference.

mod joints;
mod numbers;
mod page;
mod reference;
mod sweeps;

use crate::common::{SceneRenderer, assert_snapshot};
use page::distance;
use tarsus_render::Picture;

/// With nearly equal bones, the article's fast form loses digits close to the start.
/// Which digits depends on the driver, so this is not a snapshot.
#[test]
fn error_field_is_bright_near_cancellation() {
    let mut scene = SceneRenderer::built_in("ik_field");
    scene.set("show=error").set("r2=0.799").set("zoom=1");
    let picture = scene.at_time((160, 90), 0.0);
    let middle = [80.0, 45.0];
    let mean = |from: f64, to: f64| {
        let at = |i: u32| [f64::from(i % 160) + 0.5, f64::from(i / 160) + 0.5];
        let inside = (0..160 * 90).filter(|&i| (from..to).contains(&distance(at(i), middle)));
        let levels: Vec<f64> =
            inside.map(|i| f64::from(picture.pixel(i % 160, i / 160)[0])).collect();
        levels.iter().sum::<f64>() / levels.len() as f64
    };
    // Red rises along the scale. Each band is four times as far out as the previous one,
    // which in theory reduces the error by a factor of four.
    let bands = [mean(2.0, 4.0), mean(8.0, 16.0), mean(32.0, 45.0)];
    assert!(bands[0] > 1.5 * bands[1] && bands[1] > 1.5 * bands[2], "{bands:?}");
}

#[test]
fn scenes_match_snapshots() {
    const SMALL: (u32, u32) = (160, 90);
    let diagram = SceneRenderer::built_in("ik_diagram");
    // Without the readouts: the last digit of a residual depends on the driver.
    assert_snapshot("ik_diagram", &left_part(&diagram.at_time(SMALL, 1.0), 106));
    let mut light = SceneRenderer::built_in("ik_diagram");
    light.set("theme=light").set("policy=meet");
    assert_snapshot("ik_diagram_light", &light.at_time(SMALL, 9.0));
    let field = SceneRenderer::built_in("ik_field");
    assert_snapshot("ik_field", &field.at_time(SMALL, 1.0));
}

fn left_part(picture: &Picture, width: u32) -> Picture {
    let rows = picture.rgba.chunks_exact(4 * picture.width as usize);
    let rgba = rows.flat_map(|row| row[..4 * width as usize].to_vec());
    Picture { width, height: picture.height, rgba: rgba.collect() }
}
