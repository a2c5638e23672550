//! The still picture of a page, shown before the player runs and where it cannot run.

use std::io::Cursor;

use crate::commands::page_pictures::data_url;
use crate::commands::site::Site;
use tarsus_player::SceneState;
use tarsus_render::{FORMAT, Gpu, GpuOptions, Picture, Renderer, render_picture};
use tarsus_shader::{Program, Scene, Values};

/// Size of the rendered picture in pixels; that of a scene that declares another fits into it.
const SIZE: (u32, u32) = (960, 540);
/// Number of frames that fill the buffers.
const FRAMES: u32 = 60;
/// An empty data URL.
const EMPTY_URL: &str = "data:,";

/// Data URL of the still picture: that of the gallery for a built-in scene, otherwise one
/// rendered here, or an empty one if no adapter is available.
pub(super) fn poster(site: &Site, scene: &Scene, program: &Program, values: &Values) -> String {
    let known = site.file(&format!("stills/{}.webp", scene.name));
    match known.filter(|_| scene.path.is_none() && values.is_empty()) {
        Some(bytes) => data_url("image/webp", &bytes),
        None => render_still(program, values).unwrap_or_else(|| EMPTY_URL.to_owned()),
    }
}

fn render_still(program: &Program, values: &Values) -> Option<String> {
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).ok()?;
    let renderer = Renderer::new(&gpu.device, &gpu.queue, program, &[FORMAT]);
    let mut renderer = pollster::block_on(renderer).ok()?;
    let size = program.size.map_or(SIZE, fit);
    let state = |index: u32| SceneState {
        values: values.clone(),
        ..SceneState::at(f64::from(index) / 60.0, index, 60.0)
    };
    let mut last = 0;
    if renderer.has_state() {
        for index in 0..FRAMES {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            renderer.advance(&mut encoder, &state(index).inputs(program, size), None);
            gpu.queue.submit([encoder.finish()]);
        }
        last = FRAMES - 1;
    }
    let picture = render_picture(&gpu, &mut renderer, &state(last).inputs(program, size)).ok()?;
    jpeg(picture).map(|bytes| data_url("image/jpeg", &bytes))
}

/// Reduces a size to at most [`SIZE`], keeping its shape.
fn fit((width, height): (u32, u32)) -> (u32, u32) {
    let factor = |side: u32, limit: u32| f64::from(limit) / f64::from(side);
    let factor = factor(width, SIZE.0).min(factor(height, SIZE.1)).min(1.0);
    let side = |side: u32| ((f64::from(side) * factor) as u32).max(1);
    (side(width), side(height))
}

fn jpeg(picture: Picture) -> Option<Vec<u8>> {
    let image = image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba)?;
    let image = image::DynamicImage::from(image).into_rgb8();
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Jpeg).ok()?;
    Some(bytes.into_inner())
}
