//! The contents of a scene's channels on their way to the adapter.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::sound::ChannelTexels;
use tarsus_media::{ChannelError, ChannelInfo, ChannelLimits, Channels};
use tarsus_render::{Renderer, Texels};
use tarsus_shader::Program;

/// Files in place of those that scenes name, by the name of the channel.
pub(super) type Replacements = BTreeMap<String, PathBuf>;

/// Those of `replacements` whose channel `program` has: they outlive a change of
/// scene.
pub(super) fn replaced(program: &Program, replacements: &Replacements) -> Replacements {
    let has = |name: &String| {
        let mut channels = program.channels.iter();
        channels.any(|channel| channel.name == *name)
    };
    let mut replacements = replacements.clone();
    replacements.retain(|name, _| has(name));
    replacements
}

/// What was read last: files that are unchanged are not read again.
#[derive(Clone, Default)]
pub(super) struct ChannelCache(Arc<Mutex<Option<Channels>>>);

impl ChannelCache {
    /// Reads the channels of `program`, with those of `replacements` that it has.
    ///
    /// # Errors
    /// [`ChannelError`] of the first channel that has no contents.
    pub(super) fn open(
        &self,
        program: &Program,
        replacements: &Replacements,
        limits: &wgpu::Limits,
    ) -> Result<Channels, ChannelError> {
        let channels = &program.channels;
        let replacements = replaced(program, replacements);
        let limits = ChannelLimits {
            side: limits.max_texture_dimension_2d,
            volume_side: limits.max_texture_dimension_3d,
        };
        // What a task that panicked has left there was whole before.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match &*last {
            Some(last) => last.reopen(channels, &replacements, limits)?,
            None => Channels::open(channels, &replacements, limits)?,
        };
        *last = Some(opened.reopen(channels, &replacements, limits)?);
        Ok(opened)
    }

    /// The files of the channels that were read last.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().map(Channels::files).unwrap_or_default()
    }
}

/// Seconds of decoding before anything is said: most frames are there sooner.
const DELAY: f64 = 0.3;

/// A channel whose film is being decoded.
struct Awaited {
    number: usize,
    /// Real time in seconds.
    since: f64,
    is_told: bool,
}

/// The channels of one scene, at one time.
pub(super) struct SceneChannels {
    channels: Channels,
    count: usize,
    /// What they hold, where the scene has a sound that may read it.
    latest: Option<BTreeMap<usize, Arc<Texels>>>,
    awaited: Option<Awaited>,
    /// What went wrong and was not told yet.
    error: Option<String>,
}

impl SceneChannels {
    /// The channels of `program`.
    pub(super) fn new(channels: Channels, program: &Program) -> Self {
        Self {
            channels,
            count: program.channels.len(),
            latest: program.sound.is_some().then(BTreeMap::new),
            awaited: None,
            error: None,
        }
    }

    /// Has films decoded up to a scene time in seconds; true once [`Self::follow`] to
    /// it does not wait. The frame that is shown waits instead of the window. `now` is real
    /// time in seconds.
    pub(super) fn prepare(&mut self, time: f64, now: f64) -> bool {
        let awaited = self.channels.prepare(time).unwrap_or_else(|error| {
            self.error = Some(format!("error: {error}"));
            None
        });
        self.awaited = awaited.map(|number| match self.awaited.take() {
            Some(before) if before.number == number => before,
            _ => Awaited {
                number,
                since: now,
                is_told: false,
            },
        });
        self.awaited.is_none()
    }

    /// What the overlay says at real time `now` while a film takes long.
    pub(super) fn note(&self, now: f64) -> Option<String> {
        let awaited = self.awaited.as_ref()?;
        let name = self.info(awaited.number)?.name;
        (now - awaited.since >= DELAY).then(|| format!("decoding `{name}` …"))
    }

    /// True once for each film that takes long: when there is something to say.
    pub(super) fn has_news(&mut self, now: f64) -> bool {
        let is_long = self.note(now).is_some();
        let awaited = self.awaited.as_mut().filter(|_| is_long);
        awaited.is_some_and(|awaited| !std::mem::replace(&mut awaited.is_told, true))
    }

    /// Encodes their contents at a scene time in seconds, as far as they are others
    /// than before. Where that fails, the last ones stay.
    pub(super) fn follow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        time: f64,
    ) {
        if self.count == 0 {
            return;
        }
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

    /// What went wrong since the last time.
    pub(super) fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }

    /// What the channels hold, for the scene's sound.
    pub(super) fn for_sound(&self) -> ChannelTexels {
        let latest = self.latest.iter().flatten();
        latest
            .map(|(index, texels)| (*index, Arc::clone(texels)))
            .collect()
    }

    /// A hash of the files of all channels; `None` without channels. It reads films
    /// once more.
    pub(super) fn hash(&self) -> Option<String> {
        (self.count > 0).then(|| self.channels.hash())
    }

    /// What a channel holds.
    pub(super) fn info(&self, index: usize) -> Option<ChannelInfo> {
        self.channels.info(index)
    }

    /// The files of all channels.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.channels.files()
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
    fn a_film_that_takes_long_is_told_once_until_it_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let film = folder.path().join("clip.mp4");
        let made = std::process::Command::new("ffmpeg")
            .args([
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc=s=64x36:r=25:d=2",
            ])
            .args(["-pix_fmt", "yuv420p"])
            .arg(&film)
            .status();
        assert!(made.expect("ffmpeg").success());
        let path = folder.path().join("scene.wgsl");
        std::fs::write(&path, SCENE).expect("written");
        let scene = Scene::read(&path).expect("a scene");
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let limits = wgpu::Limits::default();
        let opened = ChannelCache::default().open(&program, &Replacements::new(), &limits);
        let mut channels = SceneChannels::new(opened.expect("channels"), &program);

        assert!(!channels.prepare(1.5, 10.0), "its decoder just begins");
        assert_eq!(channels.note(10.1), None, "most frames are there sooner");
        assert!(!channels.has_news(10.1));
        let note = channels.note(10.5).expect("a note");
        assert_eq!(note, "decoding `clip` …");
        assert!(channels.has_news(10.5) && !channels.has_news(10.6));
        while !channels.prepare(1.5, 11.0) {
            std::thread::yield_now();
        }
        assert_eq!((channels.note(12.0), channels.take_error()), (None, None));
    }
}
