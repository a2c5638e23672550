//! The audio output device.

use std::sync::Arc;

use cpal::traits::{DeviceTrait as _, HostTrait as _, StreamTrait as _};
use cpal::{BufferSize, Stream, StreamConfig};
use parking_lot::Mutex;

use super::queue::Queue;
use tarsus_shader::SAMPLE_RATE;

/// An output stream that plays the samples of a queue.
pub(super) struct Output(Stream);

impl Output {
    /// Opens the system's default device, paused.
    ///
    /// # Errors
    /// A message, if there is no device or it does not support two channels at
    /// [`SAMPLE_RATE`].
    pub(super) fn open(queue: Arc<Mutex<Queue>>) -> Result<Self, String> {
        let device = cpal::default_host().default_output_device();
        let device = device.ok_or("there is no sound device")?;
        let config = StreamConfig {
            channels: 2,
            sample_rate: SAMPLE_RATE,
            buffer_size: BufferSize::Default,
        };
        let play = move |out: &mut [f32], _: &_| queue.lock().play(out);
        // If the device disappears, sound stops silently.
        let stream = device.build_output_stream(config, play, |_| (), None);
        let output = Self(stream.map_err(|error| error.to_string())?);
        output.set_playing(false);
        Ok(output)
    }

    /// Resumes or pauses the device. A device that cannot pause plays silence instead.
    pub(super) fn set_playing(&self, plays: bool) {
        let _ = if plays { self.0.play() } else { self.0.pause() };
    }
}
