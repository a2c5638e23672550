//! Sound rendered ahead by a task and played by a device.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use parking_lot::Mutex;

use super::output::Output;
use super::queue::Queue;
use super::{ChannelTexels, HINT};
use crate::window::platform::Tasks;
use tarsus_player::Session;
use tarsus_render::{Gpu, Inputs, SoundRenderer};
use tarsus_shader::Program;

/// Samples rendered per dispatch.
const BLOCK: u32 = 2048;
/// Polling interval while the queue is full.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The sound of the scene.
#[derive(Default)]
pub(in crate::window) struct Sound {
    is_muted: bool,
    queue: Arc<Mutex<Queue>>,
    /// Opened for the first scene with sound.
    output: Option<Output>,
    /// Inputs of each frame, for the rendering task, which ends when this is dropped.
    inputs: Option<mpsc::Sender<Inputs>>,
}

impl Sound {
    /// Starts the sound of another program, or none. Returns an error message, if any.
    pub(in crate::window) fn load(
        &mut self,
        gpu: &Arc<Gpu>,
        program: &Program,
        channels: ChannelTexels,
        tasks: &mut Tasks,
    ) -> Option<String> {
        self.stop();
        program.sound.as_ref()?;
        if self.output.is_none() {
            match Output::open(Arc::clone(&self.queue)) {
                Ok(output) => self.output = Some(output),
                Err(error) => return Some(format!("cannot play sound: {error}")),
            }
        }
        let (inputs, received) = mpsc::channel();
        self.inputs = Some(inputs);
        let (gpu, program) = (Arc::clone(gpu), program.clone());
        let queue = Arc::clone(&self.queue);
        tasks.spawn(move |reports| {
            let renderer = SoundRenderer::new(&gpu.device, &gpu.queue, &program);
            let renderer = pollster::block_on(renderer).map_err(|error| error.to_string());
            let made = renderer.and_then(|renderer| match renderer {
                Some(renderer) => render_samples(renderer, &channels, &queue, &received),
                None => Ok(()),
            });
            if let Err(error) = made {
                let message = format!("cannot render sound: {error}");
                reports.send(|viewer| viewer.show_message(message));
            }
        });
        None
    }

    /// Silences the sound until another program is loaded.
    pub(in crate::window) fn stop(&mut self) {
        self.inputs = None;
        self.follow_time(None);
    }

    /// Synchronizes the sound with the session's last frame.
    pub(in crate::window) fn follow(&mut self, session: &Session, program: &Program) {
        let Some(inputs) = &self.inputs else {
            return;
        };
        let (clock, state) = (&session.clock, session.frame_state());
        let plays = !self.is_muted && !clock.is_paused() && clock.speed() == 1.0;
        self.follow_time(plays.then_some(state.time));
        if plays {
            // A task that has ended has reported why.
            let _ = inputs.send(state.sound_inputs(program));
        }
    }

    /// Plays the sound of a scene time in seconds from now on, or silence.
    fn follow_time(&self, time: Option<f64>) {
        let has_switched = self.queue.lock().follow(time);
        if let Some(output) = self.output.as_ref().filter(|_| has_switched) {
            output.set_playing(time.is_some());
        }
    }

    /// Toggles sound and returns a message with the new state.
    pub(in crate::window) fn toggle(&mut self) -> String {
        if !cfg!(feature = "sound") {
            return HINT.to_owned();
        }
        self.is_muted = !self.is_muted;
        if self.is_muted {
            // The next frame may be late.
            self.follow_time(None);
        }
        let word = if self.is_muted { "off" } else { "on" };
        format!("sound {word}")
    }
}

/// Renders samples on demand until the sender of the inputs is dropped.
fn render_samples(
    mut renderer: SoundRenderer,
    channels: &ChannelTexels,
    queue: &Mutex<Queue>,
    received: &Receiver<Inputs>,
) -> Result<(), String> {
    for (index, texels) in channels {
        let set = renderer.set_channel(*index, texels);
        set.map_err(|error| error.to_string())?;
    }
    let mut timeout = Duration::MAX;
    let mut latest = None;
    loop {
        match received.recv_timeout(timeout) {
            Ok(inputs) => latest = Some(received.try_iter().last().unwrap_or(inputs)),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let (block, plays) = {
            let queue = queue.lock();
            (queue.next_block(), queue.plays())
        };
        timeout = match (block, &latest) {
            (Some((playback, first)), Some(inputs)) => {
                let samples = renderer.render(inputs, first, BLOCK);
                queue.lock().push(playback, &samples.map_err(|error| error.to_string())?);
                Duration::ZERO
            }
            _ if plays => POLL_INTERVAL,
            _ => Duration::MAX,
        };
    }
}

#[cfg(all(test, feature = "sound"))]
mod tests {
    use super::*;

    #[test]
    fn mute_needs_no_frame() {
        let mut sound = Sound::default();
        sound.follow_time(Some(1.0));
        assert!(sound.queue.lock().plays());
        assert_eq!(sound.toggle(), "sound off");
        assert!(!sound.queue.lock().plays());
    }
}
