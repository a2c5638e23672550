//! Advances the buffers of a scene to the current frame and keeps their checkpoints on
//! the GPU. [`Rewind`] plans the steps that this module executes.

use std::collections::BTreeMap;

use crate::{PlanStart, Rewind};
use tarsus_render::{Checkpoint, Renderer, SavedState, Timestamps};
use tarsus_shader::{PassKind, Program};

/// The checkpoints of one scene on one device, by frame number.
#[derive(Default)]
pub struct Checkpoints {
    held: BTreeMap<u64, Checkpoint>,
}

/// A renderer and the program it draws.
pub struct Drawn<'a> {
    /// Queue of the device.
    pub queue: &'a wgpu::Queue,
    /// The program of the scene.
    pub program: &'a Program,
    /// The renderer of the scene.
    pub renderer: &'a mut Renderer,
    /// Timestamp queries for the advances, if they are timed.
    pub timestamps: Option<&'a Timestamps>,
}

impl Checkpoints {
    /// Encodes at most `most` advances towards the current frame, with the checkpoints on
    /// the way. `before` encodes the resources that a frame at a scene time in seconds
    /// depends on. If it returns false because they are not ready, the remaining advances
    /// are left for a later call.
    pub fn follow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        drawn: &mut Drawn<'_>,
        rewind: &mut Rewind,
        most: usize,
        mut before: impl FnMut(&mut wgpu::CommandEncoder, &mut Renderer, f64) -> bool,
    ) {
        if !rewind.is_behind() {
            return;
        }
        let plan = rewind.plan();
        match plan.start {
            PlanStart::Current => {}
            PlanStart::Empty => {
                drawn.renderer.clear_state();
                rewind.clear_buffer_frame();
            }
            PlanStart::Checkpoint(frame) => {
                if let Some(checkpoint) = self.held.get(&frame) {
                    drawn.renderer.restore(encoder, checkpoint);
                    rewind.set_buffer_frame(frame);
                }
            }
        }
        for frame in plan.frames.take(most) {
            let Some(remembered) = rewind.get(frame) else {
                return;
            };
            let size = remembered.size;
            let inputs = remembered.state.inputs(drawn.program, size);
            if !before(encoder, drawn.renderer, remembered.state.time) {
                return;
            }
            drawn
                .renderer
                .advance(drawn.queue, encoder, &inputs, drawn.timestamps);
            rewind.set_buffer_frame(frame);
            self.keep(encoder, drawn, rewind, (frame, size));
        }
    }

    /// Takes a checkpoint of the current buffer state, which belongs to `frame` at
    /// `size`, if one is wanted.
    pub fn keep(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        drawn: &Drawn<'_>,
        rewind: &mut Rewind,
        (frame, size): (u64, (u32, u32)),
    ) {
        if !rewind.wants_checkpoint(bytes(drawn.program, size)) {
            return;
        }
        self.held.retain(|frame, _| rewind.has_checkpoint(*frame));
        if let Some(checkpoint) = drawn.renderer.checkpoint(encoder) {
            self.held.insert(frame, checkpoint);
            rewind.checkpoint_taken();
        }
    }
}

/// Size of a checkpoint for buffers of `size`, in bytes.
fn bytes(program: &Program, size: (u32, u32)) -> u64 {
    let kinds = program.passes.iter().map(|pass| pass.kind);
    kinds
        .filter(|kind: &PassKind| kind.is_state())
        .map(|kind| SavedState::content_bytes(kind, size))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::timeline::Event;
    use crate::{BufferState, Session};
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
        program: Program,
        renderer: Renderer,
        checkpoints: Checkpoints,
        session: Session,
    }

    impl Player {
        fn new(budget: u64) -> Self {
            let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("adapter");
            let scene = Scene::from_text(SCENE, "s.wgsl");
            let program = compose(&scene, &Library::default(), &[]).expect("a scene");
            let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
            let renderer = pollster::block_on(renderer).expect("a renderer");
            let mut session = Session::new("s".into(), Values::default());
            session.rewind_mut().set_budget(budget);
            let parameters = program.parameters.clone();
            session.scene_loaded(parameters, None, true, BufferState::Empty);
            Self {
                gpu,
                program,
                renderer,
                checkpoints: Checkpoints::default(),
                session,
            }
        }

        /// Paints like the window does and returns the bytes of the picture.
        fn paint(&mut self, now: f64, size: (u32, u32)) -> Vec<u8> {
            self.session.paint(now, [0.0; 4], size);
            while self.session.rewind().is_behind() {
                let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
                let mut drawn = Drawn {
                    queue: &self.gpu.queue,
                    program: &self.program,
                    renderer: &mut self.renderer,
                    timestamps: None,
                };
                let rewind = self.session.rewind_mut();
                self.checkpoints
                    .follow(&mut encoder, &mut drawn, rewind, 10, |_, _, _| true);
                self.gpu.queue.submit([encoder.finish()]);
            }
            let inputs = self.session.painted().inputs(&self.program, size);
            let picture = render_picture(&self.gpu, &mut self.renderer, &inputs);
            picture.expect("a picture").rgba
        }

        fn play(&mut self, frames: u32, size: (u32, u32)) -> Vec<Vec<u8>> {
            let mut pictures = Vec::new();
            for frame in 0..frames {
                let now = f64::from(frame) / 50.0;
                self.session
                    .event(now, Event::Orbit([now as f32, 0.0, 1.0]));
                pictures.push(self.paint(now, size));
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
            player.session.step(7.0, false);
            assert_eq!(player.paint(7.0, size), pictures[at], "back to {at}");
        }
        for (at, picture) in pictures.iter().enumerate().skip(30) {
            player.session.step(7.0, true);
            assert_eq!(&player.paint(7.0, size), picture, "forward to {at}");
        }
        let memory = player.session.rewind().stats().expect("buffers");
        let held: u64 = player
            .checkpoints
            .held
            .values()
            .map(Checkpoint::bytes)
            .sum();
        assert!(memory.bytes == held && held <= 6 * bytes, "{memory:?}");
        for at in [200, 17, 318] {
            player.session.seek(8.0, at);
            assert_eq!(player.paint(8.0, size), pictures[at as usize], "{at}");
        }
        pictures.dedup();
        assert_eq!(pictures.len(), 330, "every frame is another picture");
    }

    #[test]
    fn seek_restores_frames_of_other_sizes() {
        let mut player = Player::new(1 << 20);
        let small = player.play(40, (12, 10));
        let now = 1.0;
        let large: Vec<_> = (0..20)
            .map(|frame| player.paint(now + f64::from(frame) / 50.0, (20, 16)))
            .collect();
        player.session.with_clock(2.0, Clock::toggle_pause);
        player.session.seek(2.0, 30);
        assert_eq!(player.paint(2.0, (12, 10)), small[30]);
        player.session.seek(2.0, 59);
        assert_eq!(player.paint(2.0, (20, 16)), large[19]);
    }

    #[test]
    fn paused_scene_redraws_without_advancing() {
        let mut player = Player::new(1 << 20);
        let shown = player.play(10, (12, 10)).pop();
        player.session.with_clock(1.0, Clock::toggle_pause);
        for now in [2.0, 3.0] {
            player.session.event(now, Event::Pointer([0.5, now / 4.0]));
            assert_eq!(Some(player.paint(now, (12, 10))), shown);
        }
    }
}
