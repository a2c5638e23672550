//! Contents of a scene's channels, decoded and uploaded to the GPU.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;

use super::sound::ChannelTexels;
use tarsus_media::{ChannelError, ChannelInfo, ChannelLimits, Channels};
use tarsus_player::live::LiveChannels;
use tarsus_render::Renderer;
use tarsus_shader::Program;

/// Replacement files by channel name.
pub(super) type Replacements = BTreeMap<String, PathBuf>;

/// The `replacements` for channels that `program` has. The others are kept for other
/// scenes.
pub(super) fn applicable_replacements(
    program: &Program,
    replacements: &Replacements,
) -> Replacements {
    let has = |name: &String| {
        let mut channels = program.channels.iter();
        channels.any(|channel| channel.name == *name)
    };
    let mut replacements = replacements.clone();
    replacements.retain(|name, _| has(name));
    replacements
}

/// The channels read last, so that unchanged files are not read again.
pub(super) type ChannelCache = Arc<Mutex<Channels>>;

/// Reads the channels of `program`, applying the replacements for channels it has.
///
/// # Errors
/// [`ChannelError`] of the first channel that cannot be read.
pub(super) fn open_channels(
    cache: &Mutex<Channels>,
    program: &Program,
    replacements: &Replacements,
    limits: &wgpu::Limits,
) -> Result<Channels, ChannelError> {
    let replacements = applicable_replacements(program, replacements);
    let limits = ChannelLimits {
        side: limits.max_texture_dimension_2d,
        volume_side: limits.max_texture_dimension_3d,
    };
    let mut last = cache.lock();
    let opened = last.reopen(&program.channels, &replacements, limits)?;
    *last = opened.share();
    Ok(opened)
}

/// Seconds of decoding before a note is shown; most frames are decoded sooner.
const NOTE_DELAY: f64 = 0.3;

/// The channels of one scene, at one point in time.
pub(super) struct SceneChannels {
    channels: Channels,
    /// Latest contents, if the scene has a sound that may read them.
    latest: Option<ChannelTexels>,
    /// The channel whose video is being decoded, and the real time since when.
    awaited: Option<(usize, f64)>,
    /// Error that has not been reported yet.
    error: Option<String>,
}

impl SceneChannels {
    /// Creates the state for the channels of `program`.
    pub(super) fn new(channels: Channels, program: &Program) -> Self {
        Self {
            channels,
            latest: program.sound.is_some().then(ChannelTexels::new),
            awaited: None,
            error: None,
        }
    }

    /// Note for the overlay at real time `now`, while decoding takes long.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        let (number, since) = self.awaited?;
        let name = self.info(number)?.name;
        (now - since >= NOTE_DELAY).then(|| format!("decoding `{name}` …"))
    }

    /// Takes the error since the last call, if any.
    pub(super) fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }

    /// Contents of the channels, for the scene's sound.
    pub(super) fn sound_texels(&self) -> ChannelTexels {
        self.latest.clone().unwrap_or_default()
    }

    /// Describes a channel.
    pub(super) fn info(&self, index: usize) -> Option<ChannelInfo> {
        self.channels.info(index)
    }
}

impl LiveChannels for SceneChannels {
    /// Decodes videos up to a scene time in seconds. Returns true once [`Self::upload`] to
    /// that time does not block; until then the shown frame waits, not the window. `now` is
    /// real time in seconds.
    fn prepare(&mut self, time: f64, now: f64) -> bool {
        let awaited = self.channels.prepare(time).unwrap_or_else(|error| {
            self.error = Some(format!("error: {error}"));
            None
        });
        self.awaited = awaited.map(|number| match self.awaited {
            Some((before, since)) if before == number => (number, since),
            _ => (number, now),
        });
        self.awaited.is_none()
    }

    /// Encodes uploads of all contents that have changed at a scene time in seconds. On
    /// failure the previous contents stay.
    fn upload(&mut self, encoder: &mut wgpu::CommandEncoder, renderer: &mut Renderer, time: f64) {
        let texels = match self.channels.update(time) {
            Ok(texels) => texels,
            Err(error) => return self.error = Some(format!("error: {error}")),
        };
        for (index, texels) in texels {
            if let Err(error) = renderer.set_channel(encoder, index, &texels) {
                let name = self.info(index).map(|info| info.name).unwrap_or_default();
                self.error = Some(format!("error: cannot draw channel `{name}`: {error}"));
            }
            if let Some(latest) = &mut self.latest {
                latest.insert(index, texels);
            }
        }
    }

    /// Hash of the files of all channels; `None` without channels.
    fn hash(&self) -> Option<String> {
        self.channels.hash().map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::{Scene, compose};

    const SCENE: &str = "\
/// video \"clip.mp4\"
@group(2) @binding(0) var clip: texture_2d<f32>;
fn main_image(p: vec2f) -> vec4f { return textureLoad(clip, vec2i(p), 0); }
";

    #[test]
    fn slow_video_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let film = folder.path().join("clip.mp4");
        let made = std::process::Command::new("ffmpeg")
            .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x36:r=25:d=2"])
            .args(["-pix_fmt", "yuv420p"])
            .arg(&film)
            .status();
        assert!(made.expect("ffmpeg").success());
        let path = folder.path().join("scene.wgsl");
        std::fs::write(&path, SCENE).expect("written");
        let scene = Scene::read(&path).expect("a scene");
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let limits = wgpu::Limits::default();
        let cache = ChannelCache::default();
        let opened = open_channels(&cache, &program, &Replacements::new(), &limits);
        let mut channels = SceneChannels::new(opened.expect("channels"), &program);

        assert!(!channels.prepare(1.5, 10.0), "its decoder just begins");
        assert_eq!(channels.note(10.1), None, "most frames are there sooner");
        let note = channels.note(10.5).expect("a note");
        assert_eq!(note, "decoding `clip` …");
        while !channels.prepare(1.5, 11.0) {
            std::thread::yield_now();
        }
        assert_eq!((channels.note(12.0), channels.take_error()), (None, None));
    }
}
