//! A scene on a device: its program, its renderer, and the contents of its channels.
//! [`Rewind`] plans the steps that bring the buffers to the current frame; this module
//! executes them.

use crate::{BufferState, PlanStart, Rewind, Session};
use tarsus_render::{Checkpoint, Gpu, Inputs, Renderer, Timestamps, checkpoint_bytes};
use tarsus_shader::{DebugView, Program, SourceFiles};

/// Contents of a scene's channels that change with scene time. The defaults suit channels
/// whose contents never do.
pub trait LiveChannels {
    /// Continues to prepare the contents at scene time `time`, at real time `now`, both in
    /// seconds. Returns true once [`Self::upload`] of that time does not block.
    fn prepare(&mut self, _time: f64, _now: f64) -> bool {
        true
    }

    /// Encodes uploads of all contents that have changed at scene time `time`.
    fn upload(
        &mut self,
        _encoder: &mut wgpu::CommandEncoder,
        _renderer: &mut Renderer,
        _time: f64,
    ) {
    }

    /// Hash of the contents of all channels; `None` without channels.
    fn hash(&self) -> Option<String> {
        None
    }
}

impl LiveChannels for () {}

/// A scene on a device, ready to draw.
pub struct LiveScene<C> {
    /// The composed program: parameters, hash and inputs.
    pub program: Program,
    /// Sources to store in pictures, if any.
    pub files: Option<SourceFiles>,
    /// The debug view of the program, if any.
    pub debug_view: Option<DebugView>,
    /// Draws the program.
    pub renderer: Renderer,
    /// Contents of the channels.
    pub channels: C,
    /// True if frames advance even if the program's picture does not change with time.
    pub is_animated: bool,
    /// True once a picture of the scene is finished.
    pub(super) is_drawn: bool,
}

impl<C: LiveChannels> LiveScene<C> {
    /// Combines the parts of a scene.
    pub fn new(
        program: Program,
        debug_view: Option<DebugView>,
        renderer: Renderer,
        channels: C,
    ) -> Self {
        Self {
            files: None,
            debug_view,
            renderer,
            channels,
            is_animated: program.is_animated,
            is_drawn: false,
            program,
        }
    }

    /// Uploads the contents of the channels at a scene time in seconds.
    pub fn upload_channels(&mut self, gpu: &Gpu, time: f64) {
        if !self.program.channels.is_empty() {
            gpu.submit(|encoder| {
                self.channels.upload(encoder, &mut self.renderer, time);
            });
        }
    }

    /// Inputs of the scene for the session's current frame, at `size` pixels.
    pub(super) fn inputs(&self, session: &Session, size: (u32, u32)) -> Inputs {
        session.frame_state().inputs(&self.program, size)
    }

    /// Returns true once the channels are ready for the next frame to draw: the first
    /// frame that the buffers lack, or the picture. `now` is real time in seconds.
    pub(super) fn is_ready(&mut self, session: &Session, now: f64) -> bool {
        let rewind = session.rewind();
        let missing = rewind.is_behind().then(|| rewind.plan().frames.start);
        let past = missing.and_then(|frame| rewind.get(frame));
        let state = past.map_or(session.frame_state(), |frame| &frame.state);
        self.channels.prepare(state.time, now)
    }

    /// Takes over the buffer state `restored`, or else that of `old` if both scenes have
    /// buffers, and tells the session. Returns the resulting state.
    pub(super) fn adopt_buffers(
        &mut self,
        gpu: &Gpu,
        old: Option<&Self>,
        restored: Option<&Checkpoint>,
        session: &mut Session,
    ) -> BufferState {
        gpu.submit(|encoder| {
            let state = match (restored, old) {
                _ if !self.renderer.has_state() => BufferState::None,
                (Some(restored), _) => {
                    self.renderer.restore(encoder, restored);
                    BufferState::Restored(restored.size())
                }
                (None, Some(old)) if old.renderer.has_state() => {
                    self.renderer.adopt_state(encoder, &old.renderer);
                    BufferState::Kept
                }
                (None, _) => BufferState::Empty,
            };
            self.start_session(session, state);
            // Later frames can only be reached from this state.
            let rewind = session.rewind_mut();
            if let Some(size) = rewind.get(rewind.position()).map(|past| past.size) {
                self.keep_checkpoint(encoder, rewind, size);
            }
            state
        })
    }

    /// Empties the buffers for a session that starts with this scene.
    pub(super) fn reset(&mut self, session: &mut Session) {
        self.renderer.clear_state();
        let state = if self.renderer.has_state() { BufferState::Empty } else { BufferState::None };
        self.start_session(session, state);
    }

    fn start_session(&self, session: &mut Session, state: BufferState) {
        let parameters = self.program.parameters.clone();
        session.scene_loaded(parameters, self.is_animated, state);
    }

    /// Encodes at most `max_frames` advances of the buffers towards the current frame,
    /// with the checkpoints on the way, timed by `timestamps`. If the channels of a frame
    /// are not ready, the remaining advances are left for a later call.
    pub(super) fn advance_buffers(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        max_frames: u32,
        timestamps: Option<&Timestamps>,
        now: f64,
    ) {
        if !rewind.is_behind() {
            return;
        }
        let plan = rewind.plan();
        match plan.start {
            PlanStart::Current => {}
            PlanStart::Empty => {
                self.renderer.clear_state();
                rewind.clear_buffer_frame();
            }
            PlanStart::Checkpoint(frame) => {
                if let Some(checkpoint) = rewind.checkpoint(frame) {
                    self.renderer.restore(encoder, checkpoint);
                    rewind.set_buffer_frame(frame);
                }
            }
        }
        for frame in plan.frames.take(max_frames as usize) {
            let Some(past) = rewind.get(frame) else {
                return;
            };
            if !self.channels.prepare(past.state.time, now) {
                return;
            }
            self.channels.upload(encoder, &mut self.renderer, past.state.time);
            let size = past.size;
            let inputs = past.state.inputs(&self.program, size);
            self.renderer.advance_timed(encoder, &inputs, timestamps);
            rewind.set_buffer_frame(frame);
            self.keep_checkpoint(encoder, rewind, size);
        }
    }

    /// Keeps a checkpoint of the current buffer state, which has this size, if it is useful.
    fn keep_checkpoint(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        size: (u32, u32),
    ) {
        let bytes = checkpoint_bytes(&self.program, size);
        rewind.keep_checkpoint(bytes, || self.renderer.checkpoint(encoder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Direction};
    use crate::timeline::Event;
    use tarsus_render::{FORMAT, Gpu, GpuOptions, render_picture};
    use tarsus_shader::{Library, Scene, Values, compose};

    /// Two buffers that depend on each other, on the pointer and on all earlier frames,
    /// so that an error never dies out.
    const SCENE: &str = "#import tarsus::{buffers, frame}
fn buffer_a(p: vec2f) -> vec4f {
    let pixel = vec2i(p);
    let f = frame::frame;
    let own = buffers::a(pixel + vec2i(1, 0)) + buffers::b(pixel - vec2i(0, 1));
    return fract(own + vec4f(0.137, f.time, f.orbit.x, 0.011 * p.x));
}
fn buffer_b(p: vec2f) -> vec4f {
    return fract(buffers::a(vec2i(p)).wzyx + 0.25 * buffers::b(vec2i(p)).xxyz);
}
fn main_image(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + 0.5 * buffers::b(vec2i(p)); }
";

    /// A scene played on a GPU.
    struct Player {
        gpu: Gpu,
        scene: LiveScene<()>,
        session: Session,
    }

    impl Player {
        fn new(budget: u64) -> Self {
            Self::with_scene(SCENE, budget)
        }

        fn with_scene(text: &str, budget: u64) -> Self {
            let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("adapter");
            let scene = Scene::from_text(text, "s.wgsl");
            let program = compose(&scene, &Library::default(), &[]).expect("a scene");
            let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
            let renderer = pollster::block_on(renderer).expect("a renderer");
            let mut scene = LiveScene::new(program, None, renderer, ());
            let mut session = Session::new("s".into(), Values::default());
            session.rewind_mut().budget = budget;
            scene.reset(&mut session);
            Self { gpu, scene, session }
        }

        /// Draws like the window does and returns the bytes of the picture.
        fn draw(&mut self, now: f64, size: (u32, u32)) -> Vec<u8> {
            self.session.start_frame(now, [0.0; 4], size);
            while self.session.rewind().is_behind() {
                self.gpu.submit(|encoder| {
                    let rewind = self.session.rewind_mut();
                    self.scene.advance_buffers(encoder, rewind, 10, None, now);
                });
            }
            let inputs = self.scene.inputs(&self.session, size);
            let picture = render_picture(&self.gpu, &mut self.scene.renderer, &inputs);
            picture.expect("a picture").rgba
        }

        fn play(&mut self, frames: u32, size: (u32, u32)) -> Vec<Vec<u8>> {
            let mut pictures = Vec::new();
            for frame in 0..frames {
                let now = f64::from(frame) / 50.0;
                self.session.event(now, Event::Orbit([now, 0.0, 1.0]));
                pictures.push(self.draw(now, size));
            }
            pictures
        }
    }

    #[test]
    fn stepping_300_frames_reproduces_bytes() {
        let size = (24, 10);
        let bytes = 2 * 16 * 24 * 10;
        let mut player = Player::new(6 * bytes);
        let mut pictures = player.play(330, size);
        player.session.with_clock(7.0, Clock::toggle_pause);
        for at in (29..329).rev() {
            player.session.step(7.0, Direction::Back);
            assert_eq!(player.draw(7.0, size), pictures[at], "back to {at}");
        }
        for (at, picture) in pictures.iter().enumerate().skip(30) {
            player.session.step(7.0, Direction::Forward);
            assert_eq!(&player.draw(7.0, size), picture, "forward to {at}");
        }
        let rewind = player.session.rewind();
        let memory = rewind.stats().expect("buffers");
        let held = rewind.checkpoints().filter_map(|frame| rewind.checkpoint(frame));
        let held: u64 = held.map(Checkpoint::bytes).sum();
        assert!(memory.bytes == held && held <= 6 * bytes, "{memory:?}");
        for at in [200, 17, 318] {
            player.session.seek(8.0, at);
            assert_eq!(player.draw(8.0, size), pictures[at as usize], "{at}");
        }
        pictures.dedup();
        assert_eq!(pictures.len(), 330, "every frame is another picture");
    }

    #[test]
    fn seek_restores_frames_of_other_sizes() {
        for size in ["", "/// size 7x13\n"] {
            let text = SCENE.replace("fn buffer_b", &format!("{size}fn buffer_b"));
            let mut player = Player::with_scene(&text, 1 << 20);
            let small = player.play(40, (12, 10));
            let at = |frame: u32| 1.0 + f64::from(frame) / 50.0;
            let large: Vec<_> = (0..20).map(|frame| player.draw(at(frame), (20, 16))).collect();
            player.session.with_clock(2.0, Clock::toggle_pause);
            player.session.seek(2.0, 30);
            assert_eq!(player.draw(2.0, (12, 10)), small[30], "{size}");
            player.session.seek(2.0, 59);
            assert_eq!(player.draw(2.0, (20, 16)), large[19], "{size}");
        }
    }

    #[test]
    fn paused_scene_redraws_without_advancing() {
        let mut player = Player::new(1 << 20);
        let shown = player.play(10, (12, 10)).pop();
        player.session.with_clock(1.0, Clock::toggle_pause);
        for now in [2.0, 3.0] {
            player.session.event(now, Event::Pointer([0.5, now / 4.0]));
            assert_eq!(Some(player.draw(now, (12, 10))), shown);
        }
    }
}
