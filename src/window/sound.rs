//! Playback of a scene's sound (`main_sound`) while time runs at normal speed.

#[cfg_attr(not(feature = "sound"), path = "sound/silent.rs")]
mod output;
mod playback;
mod queue;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) use self::playback::Sound;
use tarsus_render::Texels;

/// Message of a build that cannot play sound.
const HINT: &str = "built without sound; hint: `cargo install --path . --features sound`";

/// Channel contents by channel index.
pub(super) type ChannelTexels = BTreeMap<usize, Arc<Texels>>;
