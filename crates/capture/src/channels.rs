//! Media files of a scene's channels, for a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::CaptureError;
use tarsus_media::{ChannelError, ChannelInfo, ChannelLimits, Channels};
use tarsus_render::{Renderer, SoundRenderer};
use tarsus_shader::Program;

/// Media of a scene's channels, opened once for everything that draws the scene.
pub struct CaptureChannels {
    opened: Channels,
    replacements: BTreeMap<String, PathBuf>,
    hash: String,
    count: usize,
}

/// The channels of one renderer, at one time.
pub struct ChannelUpdater {
    channels: Channels,
}

impl CaptureChannels {
    /// Opens the channels of `program`, with `replacements` by channel name; `None` for a
    /// program without channels.
    ///
    /// # Errors
    /// [`ChannelError`] for the first channel without contents, or if a name in
    /// `replacements` matches no channel.
    pub fn open(
        program: &Program,
        replacements: BTreeMap<String, PathBuf>,
    ) -> Result<Option<Self>, ChannelError> {
        let limits = ChannelLimits::default();
        let opened = Channels::open(&program.channels, &replacements, limits)?;
        let count = program.channels.len();
        Ok((count > 0).then(|| Self { hash: opened.hash(), opened, replacements, count }))
    }

    /// Hash of the files' contents and of how they are read.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Information about the channels, in order.
    pub fn infos(&self) -> impl Iterator<Item = ChannelInfo> {
        (0..self.count).filter_map(|number| self.opened.info(number))
    }

    /// Approximate bytes of the channels' texels: in memory, on the GPU and in transfer.
    pub fn bytes(&self) -> u64 {
        let texels = self.infos().filter_map(|info| info.texels);
        texels
            .map(|(size, format)| {
                let texels: u64 = size.iter().map(|&side| u64::from(side)).product();
                // Two copies, and one with mipmaps (a third more).
                texels * format.bytes() as u64 * 10 / 3
            })
            .sum()
    }

    /// Opens the same channels for another renderer.
    ///
    /// # Errors
    /// [`ChannelError`] if a file has changed and can no longer be read.
    pub fn open_for_renderer(&self, program: &Program) -> Result<ChannelUpdater, ChannelError> {
        let limits = ChannelLimits::default();
        let channels = &program.channels;
        Ok(ChannelUpdater { channels: self.opened.reopen(channels, &self.replacements, limits)? })
    }
}

impl ChannelUpdater {
    /// Encodes uploads of the contents at a scene time in seconds, where they have changed.
    ///
    /// # Errors
    /// [`CaptureError`] if a video cannot be decoded or a texture does not fit.
    pub fn update(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        time: f64,
    ) -> Result<(), CaptureError> {
        for (number, texels) in self.channels.update(time)? {
            renderer.set_channel(encoder, number, &texels)?;
        }
        Ok(())
    }

    /// Like [`Self::update`], for a sound renderer.
    pub(super) fn update_sound(
        &mut self,
        renderer: &mut SoundRenderer,
        time: f64,
    ) -> Result<(), CaptureError> {
        for (number, texels) in self.channels.update(time)? {
            renderer.set_channel(number, &texels)?;
        }
        Ok(())
    }
}
