//! The sound of a scene, by its `main_sound`: heard while its time runs at its own
//! speed.

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

/// Contents of channels, with their numbers.
pub(super) type ChannelTexels = Vec<(usize, Arc<Texels>)>;
