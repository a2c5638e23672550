//! Playback of a scene's sound (`main_sound`) while time runs at normal speed.

#[cfg(feature = "sound")]
mod output;
#[cfg(feature = "sound")]
mod playback;
#[cfg(feature = "sound")]
mod queue;
#[cfg(not(feature = "sound"))]
mod silent;

use std::sync::Arc;

#[cfg(feature = "sound")]
pub(super) use self::playback::Sound;
#[cfg(not(feature = "sound"))]
pub(super) use self::silent::Sound;
use tarsus_render::Texels;

/// Channel contents with their channel indices.
pub(super) type ChannelTexels = Vec<(usize, Arc<Texels>)>;
