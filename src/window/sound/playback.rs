//! Sound rendered ahead by a task and played by a device.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use parking_lot::Mutex;

use super::output::Output;
use super::queue::{Action, Queue};
use super::{ChannelTexels, HINT};
use crate::window::platform::Tasks;
use tarsus_player::Session;
use tarsus_render::{Gpu, Inputs, SoundRenderer};
use tarsus_shader::Program;

/// Samples rendered per dispatch.
const BLOCK: u32 = 2048;
/// Polling interval while the queue is full.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Messages to the rendering task.
enum Message {
    /// Render samples for playback `playback`, starting at sample `first`.
    Render { playback: u32, first: u32 },
    /// New inputs of the scene.
    Inputs(Box<Inputs>),
}

/// The sound of the scene.
#[derive(Default)]
pub(in crate::window) struct Sound {
    is_muted: bool,
    queue: Arc<Mutex<Queue>>,
    /// Opened for the first scene with sound.
    output: Option<Output>,
    /// Channel to the rendering task; the task ends when this is dropped.
    messages: Option<mpsc::Sender<Message>>,
    inputs: Option<Inputs>,
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
        let (messages, taken) = mpsc::channel();
        self.messages = Some(messages);
        let (gpu, program) = (Arc::clone(gpu), program.clone());
        let queue = Arc::clone(&self.queue);
        tasks.spawn(move |reports| {
            let renderer = SoundRenderer::new(&gpu.device, &gpu.queue, &program);
            let renderer = pollster::block_on(renderer).map_err(|error| error.to_string());
            let made = renderer.and_then(|renderer| match renderer {
                Some(renderer) => render_samples(renderer, &channels, &queue, &taken),
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
        self.messages = None;
        self.inputs = None;
        self.pause();
    }

    /// Synchronizes the sound with the session's last frame.
    pub(in crate::window) fn follow(&mut self, session: &Session, program: &Program) {
        let Some(messages) = &self.messages else {
            return;
        };
        let clock = &session.clock;
        let plays = !self.is_muted && !clock.is_paused() && clock.speed() == 1.0;
        let time = plays.then(|| session.frame_state().time);
        let inputs = session.frame_state().sound_inputs(program);
        if plays && self.inputs.as_ref() != Some(&inputs) {
            self.inputs = Some(inputs.clone());
            // A task that has ended has reported why.
            let _ = messages.send(Message::Inputs(Box::new(inputs)));
        }
        let action = self.queue.lock().next_action(time);
        match action {
            Action::Continue => {}
            Action::Stop => self.pause(),
            Action::PlayFrom(first) => {
                let playback = self.queue.lock().begin(first);
                let _ = messages.send(Message::Render { playback, first });
                if let Some(output) = &self.output {
                    output.set_playing(true);
                }
            }
        }
    }

    /// Toggles sound and returns a message with the new state.
    pub(in crate::window) fn toggle(&mut self) -> String {
        if !cfg!(feature = "sound") {
            return HINT.to_owned();
        }
        self.is_muted = !self.is_muted;
        if self.is_muted {
            self.pause();
        }
        let word = if self.is_muted { "off" } else { "on" };
        format!("sound {word}")
    }

    fn pause(&mut self) {
        self.queue.lock().stop();
        if let Some(output) = &self.output {
            output.set_playing(false);
        }
    }
}

/// Renders samples on demand until the sender of the messages is dropped.
fn render_samples(
    mut renderer: SoundRenderer,
    channels: &ChannelTexels,
    queue: &Mutex<Queue>,
    messages: &Receiver<Message>,
) -> Result<(), String> {
    for (index, texels) in channels {
        let set = renderer.set_channel(*index, texels);
        set.map_err(|error| error.to_string())?;
    }
    let mut inputs = None;
    // The current playback, and the number of the next sample.
    let mut wanted: Option<(u32, u32)> = None;
    loop {
        let timeout = match wanted {
            None => Duration::MAX,
            Some(_) if queue.lock().has_room() => Duration::ZERO,
            Some(_) => POLL_INTERVAL,
        };
        match messages.recv_timeout(timeout) {
            Ok(Message::Render { playback, first }) => wanted = Some((playback, first)),
            Ok(Message::Inputs(newest)) => inputs = Some(newest),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Some((playback, first)) = wanted else {
            continue;
        };
        if !queue.lock().is_wanted(playback) {
            wanted = None;
            continue;
        }
        let Some(inputs) = inputs.as_deref().filter(|_| queue.lock().has_room()) else {
            continue;
        };
        let samples = renderer.render(inputs, first, BLOCK);
        let samples = samples.map_err(|error| error.to_string())?;
        queue.lock().push(playback, first.into(), &samples);
        wanted = first.checked_add(BLOCK).map(|next| (playback, next));
    }
}
