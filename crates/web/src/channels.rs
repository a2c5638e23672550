//! Contents of a scene's channels: noise, and pictures that the page provides.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tarsus_player::live::LiveScene;
use tarsus_render::{Gpu, Picture, RenderError, SoundRenderer, Texels, noise};
use tarsus_shader::ChannelSource;

/// Pictures that the page provides for channels, by channel name.
pub(super) type Pictures = BTreeMap<String, ChannelData>;

/// Picture data of a channel.
pub(super) enum ChannelData {
    /// An 8-bit picture decoded by the browser.
    Picture(Picture),
    /// Texels decoded by the native program.
    Texels(Texels),
}

/// Fills the channels of a scene and its sound with noise and with the page's `pictures`.
///
/// # Errors
/// Returns a message naming a channel whose picture does not fit.
pub(super) fn fill_channels(
    scene: &mut LiveScene<()>,
    mut sound: Option<&mut SoundRenderer>,
    gpu: &Gpu,
    pictures: &Pictures,
) -> Result<(), String> {
    let mut result = Ok(());
    for index in 0..scene.program.channels.len() {
        let name = scene.program.channels[index].name.clone();
        let picture = pictures.get(&name);
        let filled = fill_channel(scene, sound.as_deref_mut(), gpu, index, picture);
        let filled = filled.map_err(|reason| format!("cannot fill channel `{name}`: {reason}"));
        result = result.and(filled);
    }
    result
}

/// Fills one channel with the page's `picture`, or with noise or silence if that is its source.
///
/// # Errors
/// Returns the reason if the picture does not fit.
pub(super) fn fill_channel(
    scene: &mut LiveScene<()>,
    sound: Option<&mut SoundRenderer>,
    gpu: &Gpu,
    index: usize,
    picture: Option<&ChannelData>,
) -> Result<(), String> {
    let channel = &scene.program.channels[index];
    let texels = match (&channel.source, picture) {
        (_, Some(ChannelData::Texels(texels))) => Cow::Borrowed(texels),
        (_, Some(ChannelData::Picture(picture))) => {
            let texels = Texels::from_picture(picture, channel.shape, channel.is_flipped);
            Cow::Owned(texels?)
        }
        (&ChannelSource::Noise { kind, side }, None) => {
            Cow::Owned(noise::generate(kind, side, channel.shape, channel.is_flipped))
        }
        (ChannelSource::Silence, None) => Cow::Owned(Texels::silence()),
        _ => return Ok(()),
    };
    let result = gpu.submit(|encoder| scene.renderer.set_channel(encoder, index, &texels));
    let result = result.and_then(|()| match sound {
        Some(sound) => sound.set_channel(index, &texels),
        None => Ok(()),
    });
    result.map_err(|error| match error {
        RenderError::Channel(reason) => reason,
        error => error.to_string(),
    })
}
