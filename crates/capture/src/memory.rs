//! Estimates the memory use of a run in advance. The figures are upper bounds of what the
//! program allocates, plus measured allowances for the driver and for ffmpeg. Textures count
//! as memory, as they do with software renderers.

use super::ffmpeg;
use super::picture_file::PictureForm;
use super::spec::CaptureSpec;
use super::tiles::Tiles;
use tarsus_media::Channels;
use tarsus_render::{checkpoint_bytes, state_bytes};
use tarsus_shader::Program;

/// Program, scene and driver, in bytes.
const BASE_BYTES: u64 = 160 << 20;

/// Textures and buffers in the target's format: the render target and three readback
/// buffers.
const TARGET_COPIES: u64 = 4;

/// Bytes per pixel of the 32-bit float textures for averaging: one sample and two sums.
const AVERAGING_BYTES_PER_PIXEL: u64 = 3 * 16;

/// Pictures of an uncompressed video in memory at once: incomplete, queued, written, and its
/// planes in another colour space.
const STREAM_PICTURES: u64 = 4;

/// Pictures of another video in memory at once: incomplete, queued, compared and compressed, and
/// two to spare.
const VIDEO_PICTURES: u64 = 6;

/// Smallest useful tile side, in pixels.
const MIN_TILE: u32 = 256;

/// Bytes a scene needs in addition to its pictures: the state it keeps between frames, if
/// checkpoints are read or written, copies of it on the GPU and in transfer, and approximately
/// the texels of its channels, in memory, on the GPU and in transfer.
pub fn scene_bytes(spec: &CaptureSpec, program: &Program, channels: &Channels) -> u64 {
    let copies = if spec.checkpoints.is_some() { 3 } else { 0 };
    let state = state_bytes(program, spec.size) + copies * checkpoint_bytes(program, spec.size);
    let texels = channels.infos().filter_map(|info| info.texels).map(|(size, format)| {
        let texels: u64 = size.iter().map(|&side| u64::from(side)).product();
        // Two copies, and one with mipmaps (a third more).
        texels * format.bytes() as u64 * 10 / 3
    });
    state + texels.sum::<u64>()
}

/// Estimates the peak memory use of a run, in bytes; `scene` is the result of
/// [`scene_bytes`]. The estimate grows with neither the number of frames nor that of
/// samples.
pub fn estimate(spec: &CaptureSpec, scene: u64) -> u64 {
    let format = spec.output.format;
    if format.is_sound() {
        return BASE_BYTES;
    }
    let depth = spec.quality.depth;
    let pixel = depth.pixel_bytes();
    let (width, height) = Tiles::new(spec.size, spec.tile, pixel).largest;
    let pixels = u64::from(width) * u64::from(height);
    let averaging = if spec.quality.is_average() { AVERAGING_BYTES_PER_PIXEL } else { 0 };
    let targets = pixels * (TARGET_COPIES * pixel as u64 + averaging);
    let form = PictureForm::new(spec);
    let frames = spec.frame_count();
    let encoding = if format.is_stream() {
        STREAM_PICTURES * form.bytes() as u64
    } else if format.is_video() {
        VIDEO_PICTURES * form.bytes() as u64 + ffmpeg::memory_bytes(format, spec.size)
    } else {
        let band = u64::from(spec.size.0) * u64::from(height) * pixel as u64;
        form.memory_bytes(spec.threads.min(frames.max(1)), frames, band)
    };
    BASE_BYTES + scene + targets + encoding
}

/// Reduces the threads, then the tile size, until the run fits into `limit` bytes; returns
/// false if even the minimum of both does not. Neither changes a picture.
#[must_use]
pub fn fit(spec: &mut CaptureSpec, scene: u64, limit: u64) -> bool {
    while estimate(spec, scene) > limit {
        if spec.threads > 1 {
            spec.threads -= 1;
        } else if spec.tile > MIN_TILE {
            spec.tile = (spec.tile.min(spec.size.0.max(spec.size.1)) / 2).max(MIN_TILE);
        } else {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::spec::FrameSelection;

    fn spec(size: (u32, u32), frames: u32, output: &str, threads: usize) -> CaptureSpec {
        CaptureSpec {
            size,
            frames: FrameSelection::Frames(0..frames),
            output: Output::parse(output, None).expect("an output"),
            threads,
            ..CaptureSpec::default()
        }
    }

    #[test]
    fn memory_is_independent_of_frame_count() {
        let bytes =
            |size, frames, output: &str, threads| estimate(&spec(size, frames, output, threads), 0);
        let (hd, uhd) = ((1920, 1080), (3840, 2160));
        assert_eq!(bytes(hd, 300, "out", 4), bytes(hd, 300_000, "out", 4));
        assert!(bytes(hd, 300, "out", 4) < bytes(uhd, 300, "out", 4));
        assert!(bytes(hd, 300, "out", 4) < bytes(hd, 300, "out", 16));
        let one = |threads| bytes(hd, 1, "a.png", threads);
        assert_eq!(one(4), one(16), "one is busy");
        let poster = bytes((20_000, 12_000), 1, "a.png", 1);
        assert!(poster < 20_000 * 12_000 * 4, "a poster is not held");
    }

    #[test]
    fn memory_includes_ffmpeg() {
        let bytes = |output: &str| estimate(&spec((1920, 1080), 300, output, 4), 0);
        let pixels = 1920 * 1080;
        assert!(bytes("a.mp4") > bytes("a.apng") + 230 * pixels);
        assert!(bytes("a.webm") > bytes("a.apng") + 140 * pixels);
    }

    #[test]
    fn fit_keeps_largest_possible_settings() {
        let with_threads = |threads| spec((3840, 2160), 600, "out", threads);
        let all = estimate(&with_threads(16), 0);
        let fitted = |scene, limit| {
            let mut spec = with_threads(16);
            fit(&mut spec, scene, limit).then_some(spec)
        };
        let settings = |limit| fitted(0, limit).map(|spec| (spec.threads, spec.tile));
        assert_eq!(settings(all), Some((16, 2048)));
        let with_scene = fitted(1, all).expect("it fits");
        assert_eq!(with_scene.threads, 15, "the scene counts");
        assert_eq!(settings(all - 1), Some((15, 2048)));
        let one = estimate(&with_threads(1), 0);
        let (threads, tile) = settings(one - 1).expect("smaller tiles");
        assert!(threads == 1 && tile < 2048);
        assert_eq!(settings(100 << 20), None);
        for limit in [330, 500, 900].map(|mebibytes: u64| mebibytes << 20) {
            let spec = fitted(0, limit).expect("it fits");
            assert!(estimate(&spec, 0) <= limit);
        }
    }
}
