//! The contents of a scene's channels on their way to the adapter.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::sound::ChannelTexels;
use crate::media::{ChannelError, ChannelInfo, ChannelLimits, Channels};
use crate::render::{Renderer, Texels};
use crate::shader::Program;

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

/// The channels of one scene, at one time.
pub(super) struct SceneChannels {
    channels: Channels,
    count: usize,
    /// What they hold, where the scene has a sound that may read it.
    latest: Option<BTreeMap<usize, Arc<Texels>>>,
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
            error: None,
        }
    }

    /// Has films decoded up to a scene time in seconds; true once [`Self::follow`] to
    /// it does not wait. The frame that is shown waits instead of the window.
    pub(super) fn prepare(&mut self, time: f64) -> bool {
        self.channels.prepare(time).unwrap_or_else(|error| {
            self.error = Some(format!("error: {error}"));
            true
        })
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
