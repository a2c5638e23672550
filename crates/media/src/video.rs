//! Frame-accurate access to videos.
//!
//! A video has a constant frame rate, and frame n is shown from time n / rate on.
//! Sequential access reads the next frame from ffmpeg; other access restarts ffmpeg, which
//! yields the same frame as sequential decoder would.

use std::path::PathBuf;

use super::error::MediaError;
use super::frames::Frames;
use super::video_info::VideoInfo;
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::ChannelShape;

/// Seconds that are skipped by decoding rather than seeking.
const MAX_SKIP_SECONDS: f64 = 2.0;
/// Fraction of a frame by which times are rounded up, since 0.1 + 0.2 is not exactly 0.3.
const ROUNDING: f64 = 1e-6;

/// A video and its decoder.
pub(super) struct Video {
    path: PathBuf,
    info: VideoInfo,
    is_flipped: bool,
    /// The running decoder.
    frames: Option<Frames>,
}

impl Video {
    pub(super) fn new(path: PathBuf, info: VideoInfo, is_flipped: bool) -> Self {
        Self { path, info, is_flipped, frames: None }
    }

    /// The same video with a decoder of its own.
    pub(super) fn share(&self) -> Self {
        Self::new(self.path.clone(), self.info.clone(), self.is_flipped)
    }

    /// Width, height and layers of the texels.
    pub(super) fn size(&self) -> [u32; 3] {
        let (width, height) = self.info.size;
        [width, height, 1]
    }

    /// The frame index at a time in seconds. The video loops; times before 0 show its first
    /// frame.
    pub(super) fn frame_at(&self, time: f64) -> u64 {
        let frame = (time.max(0.0) * self.info.rate.fps() + ROUNDING).floor() as u64;
        frame % self.info.frames
    }

    /// The texels of a frame, last row first; with `is_flipped`, first row first. If it is not
    /// decoded yet, blocks until it is (`waits`) or returns `None`.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if ffmpeg cannot decode it.
    pub(super) fn texels(&mut self, frame: u64, waits: bool) -> Result<Option<Texels>, MediaError> {
        let mut frames = self.frames_to(frame)?;
        let bytes = frames.get(frame, waits)?;
        self.frames = Some(frames);
        Ok(bytes.map(|bytes| {
            let mut texels = Texels { size: self.size(), format: TexelFormat::Rgba8, bytes };
            if !self.is_flipped {
                texels.flip(ChannelShape::Texture2d);
            }
            texels
        }))
    }

    /// A decoder that will reach a frame: the current one if possible, otherwise one that
    /// starts there.
    fn frames_to(&mut self, frame: u64) -> Result<Frames, MediaError> {
        match self.frames.take() {
            Some(frames) if self.reaches(frame, frames.next) => Ok(frames),
            _ => Frames::start(&self.path, &self.info, frame),
        }
    }

    /// True if decoding on from frame `next` reaches the frame soon, or seeking is impossible.
    fn reaches(&self, frame: u64, next: u64) -> bool {
        let short = (MAX_SKIP_SECONDS * self.info.rate.fps()) as u64;
        frame >= next && (frame <= next + short || !self.info.is_seekable)
    }
}

#[cfg(test)]
mod tests {
    use super::super::video_info::probe;
    use super::*;
    use std::path::Path;

    use crate::tests::ffmpeg;

    /// 40 frames of 64x48 pixels at 10 per second. In frame n, the upper half has
    /// brightness 5 n, the lower half is black, and a white bar is on the left.
    const INPUT: &[&str] = &[
        "-f",
        "lavfi",
        "-i",
        "color=black:s=64x48:r=10:d=4,format=gray,\
         geq=lum='if(lt(X,16),255,if(lt(Y,24),5*N,0))'",
    ];
    const H264: &[&str] =
        &["-c:v", "libx264", "-g", "12", "-bf", "2", "-crf", "10", "-pix_fmt", "yuv420p"];

    fn sample(folder: &Path, name: &str, codec: &[&str]) -> Video {
        let path = folder.join(name);
        ffmpeg(INPUT, codec, &path);
        open(&path, false)
    }

    fn open(path: &Path, is_flipped: bool) -> Video {
        let info = probe(path, 4096).expect("a video");
        Video::new(path.to_path_buf(), info, is_flipped)
    }

    /// A frame, decoded while this waits.
    fn texels(video: &mut Video, frame: u64) -> Texels {
        video.texels(frame, true).expect("decoded").expect("a frame")
    }

    /// Red component of a texel.
    fn red(texels: &Texels, x: usize, y: usize) -> i32 {
        i32::from(texels.bytes[4 * (y * 64 + x)])
    }

    #[test]
    fn frames_are_upright_and_on_time() {
        let folder = tempfile::tempdir().expect("folder");
        let mut video = sample(folder.path(), "a.mp4", H264);
        assert_eq!(video.size(), [64, 48, 1]);
        for (time, number) in [(0.0, 0), (0.05, 0), (0.1, 1), (0.1 + 0.2, 3), (3.9999, 39)] {
            assert_eq!(video.frame_at(time), number, "{time}");
            let texels = texels(&mut video, number);
            let upper = red(&texels, 40, 47 - 4);
            // Video has only 219 levels of grey, and compression loses a few.
            assert!((upper - 5 * number as i32).abs() < 6, "{number}: {upper}");
            assert!(red(&texels, 40, 4) < 6, "the first row is the lowest");
            assert!(red(&texels, 4, 4) > 245, "the bar stands at the left");
        }
        let mut flipped = open(&folder.path().join("a.mp4"), true);
        let texels = texels(&mut flipped, 30);
        assert!(red(&texels, 40, 4) > 140 && red(&texels, 40, 43) < 6);
    }

    #[test]
    fn video_loops_at_its_end() {
        let folder = tempfile::tempdir().expect("folder");
        let mut video = sample(folder.path(), "a.mp4", H264);
        assert_eq!([4.0, 5.25, 40.1, -3.0].map(|time| video.frame_at(time)), [0, 12, 1, 0]);
        let last = texels(&mut video, 39);
        assert!(red(&last, 40, 43) > 180);
        let first = texels(&mut video, 0);
        assert!(red(&first, 40, 43) < 6);
    }

    #[test]
    fn seeking_yields_same_frame_as_reading() {
        let folder = tempfile::tempdir().expect("folder");
        let vp9 = &["-c:v", "libvpx-vp9", "-g", "15", "-cpu-used", "8"][..];
        let late = &["-c:v", "libx264", "-g", "12", "-bf", "2", "-output_ts_offset", "2.5"][..];
        // Without a length in its header, as a browser records it.
        let live = &["-c:v", "libx264", "-g", "12", "-bf", "2", "-live", "1"][..];
        for (name, codec) in [
            ("a.mp4", H264),
            ("b.mp4", late),
            ("a.mkv", H264),
            ("b.mkv", late),
            ("c.mkv", live),
            ("a.webm", vp9),
            ("a.ts", H264),
            ("a.gif", &[]),
            ("a.apng", &[]),
        ] {
            let mut reading_on = sample(folder.path(), name, codec);
            assert_eq!(reading_on.info.frames, 40, "{name}");
            let frames: Vec<Texels> = (0..40).map(|frame| texels(&mut reading_on, frame)).collect();
            let path = folder.path().join(name);
            for frame in [39, 7, 24, 11] {
                let jumped = texels(&mut open(&path, false), frame);
                assert!(jumped == frames[frame as usize], "{name}: frame {frame}");
                let again = texels(&mut reading_on, frame);
                assert!(again == frames[frame as usize], "{name}: frame {frame} again");
            }
        }
    }

    /// Polls like an event loop.
    fn polled(video: &mut Video, frame: u64) -> Texels {
        loop {
            match video.texels(frame, false).expect("a frame") {
                Some(texels) => return texels,
                None => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn polled_frame_equals_blocking_frame() {
        let folder = tempfile::tempdir().expect("folder");
        let mut waiting = sample(folder.path(), "a.mp4", H264);
        let mut polling = open(&folder.path().join("a.mp4"), false);
        for frame in [0, 1, 5, 39, 2, 2, 30] {
            let expected = texels(&mut waiting, frame);
            assert!(polled(&mut polling, frame) == expected, "frame {frame}");
        }
        std::fs::write(&polling.path, b"gone").expect("written");
        let error = loop {
            match polling.texels(0, false) {
                Ok(texels) => assert!(texels.is_none(), "nothing is there"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.starts_with("`ffmpeg` failed: "), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn polling_never_waits() {
        let folder = tempfile::tempdir().expect("folder");
        let mut video = sample(folder.path(), "a.mp4", H264);
        texels(&mut video, 0);
        let process = video.frames.as_ref().map(Frames::id);
        let signal = |signal: &str| {
            let process = process.expect("it runs").to_string();
            let mut kill = std::process::Command::new("kill");
            let sent = kill.args([signal, &process]).status();
            assert!(sent.expect("kill").success());
        };
        signal("-STOP");
        // More data than pipe and channel hold, so it cannot be ready while ffmpeg is
        // stopped.
        for _ in 0..100 {
            assert!(video.texels(19, false).expect("not yet").is_none());
        }
        signal("-CONT");
        let upper = red(&polled(&mut video, 19), 40, 43);
        assert!((upper - 95).abs() < 6, "{upper}");
    }

    #[test]
    fn dropped_video_ends_ffmpeg() {
        let folder = tempfile::tempdir().expect("folder");
        let mut video = sample(folder.path(), "a.mp4", H264);
        texels(&mut video, 3);
        let process = video.frames.as_ref().map(Frames::id);
        let stat = format!("/proc/{}", process.expect("it runs"));
        assert!(!cfg!(target_os = "linux") || Path::new(&stat).exists());
        drop(video);
        assert!(!Path::new(&stat).exists(), "ended and waited for");
    }

    #[test]
    fn invalid_video_error_is_one_sentence() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.mp4");
        ffmpeg(INPUT, H264, &path);
        let whole = std::fs::read(&path).expect("a video");
        let message = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            let error = probe(&path, 4096).expect_err("rejected").to_string();
            assert!(error.starts_with("it is not a video: ") && !error.contains('\n'), "{error}");
        };
        message(b"fn main_image");
        message(&whole[..40]);
        let noise: Vec<u8> =
            (0..4096).map(|at| tarsus_render::noise::random(3, at) as u8).collect();
        message(&noise);
        ffmpeg(&["-f", "lavfi", "-i", "sine=d=1"], &["-f", "wav"], &path);
        let error = probe(&path, 4096).expect_err("rejected").to_string();
        assert_eq!(error, "it has no video stream");
    }

    #[test]
    fn overwritten_video_fails_to_decode() {
        let folder = tempfile::tempdir().expect("folder");
        let mut video = sample(folder.path(), "a.mp4", H264);
        std::fs::write(&video.path, b"gone").expect("written");
        let error = video.texels(0, true).expect_err("no frame").to_string();
        assert!(error.starts_with("`ffmpeg` failed: ") && !error.contains('\n'), "{error}");
    }
}
