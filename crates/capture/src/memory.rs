//! Estimates the memory use of a run in advance. The figures are upper bounds of what the
//! program allocates, plus a measured allowance for the driver. Textures count as memory,
//! as they do with software renderers.

use super::job::RenderSettings;
use super::picture_file::PictureForm;
use super::plan::Plan;
use super::tiles::Tiles;
use tarsus_render::{SavedState, state_bytes};
use tarsus_shader::Program;

/// Program, scene and driver, in bytes.
const BASE: u64 = 160 << 20;

/// Textures and buffers in the target's format: the render target and three readback
/// buffers.
const TARGETS: u64 = 4;

/// Bytes per pixel of the 32-bit float textures for averaging: one sample and two sums.
const SUMS: u64 = 3 * 16;

/// Pictures that a video encoder holds at once: incomplete, queued, assembled, compared and
/// compressed.
const FILM_PICTURES: u64 = 6;

/// Smallest useful tile side, in pixels.
const LEAST_TILE: u32 = 256;

/// Bytes a scene needs in addition to its pictures of `size`: the state it keeps between
/// frames and, if checkpoints are read or written, copies of it on the GPU and in transfer.
#[must_use]
pub fn of_scene(program: &Program, size: (u32, u32), has_checkpoints: bool) -> u64 {
    let kinds = program.passes.iter().map(|pass| pass.kind);
    let contents: u64 = kinds
        .filter(|kind| kind.is_state())
        .map(|kind| SavedState::content_bytes(kind, size))
        .sum();
    let copies = if has_checkpoints { 3 } else { 0 };
    state_bytes(program, size) + copies * contents
}

/// Estimates the peak memory use of a run of `plan`, in bytes; `scene` is the result of
/// [`of_scene`]. The estimate grows with neither the number of frames nor that of samples.
#[must_use]
pub fn estimate(plan: &Plan, settings: &RenderSettings, scene: u64) -> u64 {
    if plan.format.is_sound() {
        return BASE;
    }
    let RenderSettings {
        quality,
        tile,
        threads,
    } = *settings;
    let pixel = quality.depth.pixel_bytes();
    let (width, height) = Tiles::new(plan.size, tile, pixel).largest();
    let pixels = u64::from(width) * u64::from(height);
    let sums = if quality.is_average() { SUMS } else { 0 };
    let targets = pixels * (TARGETS * pixel as u64 + sums);
    let band = u64::from(plan.size.0) * u64::from(height) * pixel as u64;
    let form = PictureForm {
        format: plan.format,
        size: plan.size,
        depth: quality.depth,
    };
    let frames = plan.len();
    let encoding = if plan.format.is_stream() {
        2 * band + form.bytes() as u64
    } else if plan.format.is_film() {
        FILM_PICTURES * form.bytes() as u64
    } else {
        form.memory(threads.min(frames.max(1)), frames, band)
    };
    BASE + scene + targets + band + encoding
}

/// Reduces the threads, then the tile size, until the run fits into `limit` bytes; `None`
/// if even the minimum of both does not. Neither changes a picture.
#[must_use]
pub fn fit(
    plan: &Plan,
    settings: &RenderSettings,
    scene: u64,
    limit: u64,
) -> Option<RenderSettings> {
    let mut settings = *settings;
    while estimate(plan, &settings, scene) > limit {
        if settings.threads > 1 {
            settings.threads -= 1;
        } else if settings.tile > LEAST_TILE {
            settings.tile = (settings.tile.min(plan.size.0.max(plan.size.1)) / 2).max(LEAST_TILE);
        } else {
            return None;
        }
    }
    Some(settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::plan::FrameSelection;
    use crate::quality::Quality;
    use crate::shard::Shard;

    fn plan(size: (u32, u32), frames: u32, output: &str) -> Plan {
        let output = Output::parse(output, None).expect("an output");
        let selection = FrameSelection::Frames(0..frames);
        Plan::new(size, 30.0, selection, output, Shard::default()).expect("a plan")
    }

    fn settings(threads: usize) -> RenderSettings {
        RenderSettings {
            quality: Quality::PLAIN,
            tile: 2048,
            threads,
        }
    }

    #[test]
    fn memory_is_independent_of_frame_count() {
        let of = |size, frames, output: &str, threads| {
            estimate(&plan(size, frames, output), &settings(threads), 0)
        };
        let (hd, uhd) = ((1920, 1080), (3840, 2160));
        assert_eq!(of(hd, 300, "out", 4), of(hd, 300_000, "out", 4));
        assert!(of(hd, 300, "out", 4) < of(uhd, 300, "out", 4));
        assert!(of(hd, 300, "out", 4) < of(hd, 300, "out", 16));
        assert_eq!(of(hd, 1, "a.png", 4), of(hd, 1, "a.png", 16), "one is busy");
        let poster = of((20_000, 12_000), 1, "a.png", 1);
        assert!(poster < 20_000 * 12_000 * 4, "a poster is not held");
    }

    #[test]
    fn fit_keeps_largest_possible_settings() {
        let plan = plan((3840, 2160), 600, "out");
        let most = settings(16);
        let all = estimate(&plan, &most, 0);
        let fitted = |limit| fit(&plan, &most, 0, limit).map(|fit| (fit.threads, fit.tile));
        assert_eq!(fitted(all), Some((16, 2048)));
        let beside = fit(&plan, &most, 1, all).expect("it fits");
        assert_eq!(beside.threads, 15, "the scene counts");
        assert_eq!(fitted(all - 1), Some((15, 2048)));
        let one = estimate(&plan, &settings(1), 0);
        let (threads, tile) = fitted(one - 1).expect("smaller tiles");
        assert!(threads == 1 && tile < 2048);
        assert_eq!(fitted(100 << 20), None);
        for limit in [330, 500, 900].map(|mebibytes: u64| mebibytes << 20) {
            let fit = fit(&plan, &most, 0, limit).expect("it fits");
            assert!(estimate(&plan, &fit, 0) <= limit);
        }
    }
}
