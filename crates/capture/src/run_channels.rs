//! The files that the channels of a scene show, for a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::CaptureError;
use tarsus_media::{ChannelError, ChannelInfo, ChannelLimits, Channels};
use tarsus_render::{Renderer, SoundRenderer, Texels};
use tarsus_shader::Program;

/// What the channels of a scene show, opened once for everything that draws it.
pub struct RunChannels {
    opened: Channels,
    replacements: BTreeMap<String, PathBuf>,
    hash: String,
    count: usize,
}

/// The channels of one renderer, at one time.
pub struct ChannelFeed {
    channels: Channels,
}

impl RunChannels {
    /// Opens the channels of `program`, with `replacements` by their names; `None` for
    /// a program that has none.
    ///
    /// # Errors
    /// [`ChannelError`] of the first channel that has no contents, or when there is no
    /// channel of a name in `replacements`.
    pub fn open(
        program: &Program,
        replacements: BTreeMap<String, PathBuf>,
    ) -> Result<Option<Self>, ChannelError> {
        let limits = ChannelLimits::default();
        let opened = Channels::open(&program.channels, &replacements, limits)?;
        let count = program.channels.len();
        Ok((count > 0).then(|| Self {
            hash: opened.hash(),
            opened,
            replacements,
            count,
        }))
    }

    /// A hash of what the files hold and how they are read.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What the channels hold, in their order.
    pub fn infos(&self) -> impl Iterator<Item = ChannelInfo> {
        (0..self.count).filter_map(|number| self.opened.info(number))
    }

    /// Bytes of their texels, about: here, on the adapter and on the way between.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let texels = self.infos().filter_map(|info| info.texels);
        texels
            .map(|(size, format)| {
                let texels: u64 = size.iter().map(|&side| u64::from(side)).product();
                // Two copies and one with its smaller ones.
                texels * format.bytes() as u64 * 10 / 3
            })
            .sum()
    }

    /// The same channels for one more renderer.
    ///
    /// # Errors
    /// [`ChannelError`] when a file that has changed since cannot be read any more.
    pub fn feed(&self, program: &Program) -> Result<ChannelFeed, ChannelError> {
        let limits = ChannelLimits::default();
        let channels = &program.channels;
        Ok(ChannelFeed {
            channels: self.opened.reopen(channels, &self.replacements, limits)?,
        })
    }
}

impl ChannelFeed {
    /// Encodes what they show at a scene time in seconds, as far as it is new.
    ///
    /// # Errors
    /// [`CaptureError`] when a film cannot be decoded, or a texture does not fit.
    pub fn follow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        time: f64,
    ) -> Result<(), CaptureError> {
        for (number, texels) in self.changed(time)? {
            renderer.set_channel(encoder, number, &texels)?;
        }
        Ok(())
    }

    /// The same for what makes sound.
    pub(super) fn follow_sound(
        &mut self,
        renderer: &mut SoundRenderer,
        time: f64,
    ) -> Result<(), CaptureError> {
        for (number, texels) in self.changed(time)? {
            renderer.set_channel(number, &texels)?;
        }
        Ok(())
    }

    fn changed(&mut self, time: f64) -> Result<Vec<(usize, Arc<Texels>)>, ChannelError> {
        self.channels.update(time)
    }
}
