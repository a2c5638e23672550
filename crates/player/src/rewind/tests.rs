//! Simulated buffers follow [`Rewind`] through random actions, and must always return to
//! the state they had when a frame was first shown.

use std::collections::BTreeMap;

use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const SIZE: (u32, u32) = (80, 45);

type Rewind = super::Rewind<u64>;

/// Simulated buffers, whose content is a hash of all earlier frames.
#[derive(Default)]
struct Buffers {
    content: u64,
    advances: u64,
    most_bytes: u64,
}

impl Buffers {
    fn advance(&mut self, frame: &PastFrame) {
        let time = frame.state.time.to_bits();
        self.content = (self.content ^ time)
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
        self.advances += 1;
    }

    /// Follows the plan for at most `most` advances.
    fn follow(&mut self, rewind: &mut Rewind, bytes: u64, most: usize) {
        let plan = rewind.plan();
        match plan.start {
            PlanStart::Current => {}
            PlanStart::Empty => self.content = 0,
            PlanStart::Checkpoint(frame) => {
                self.content = *rewind.checkpoint(frame).expect("it is kept");
                rewind.set_buffer_frame(frame);
            }
        }
        for frame in plan.frames.take(most) {
            self.advance(rewind.get(frame).expect("a remembered frame"));
            rewind.set_buffer_frame(frame);
            self.keep(rewind, bytes);
        }
    }

    fn keep(&mut self, rewind: &mut Rewind, bytes: u64) {
        rewind.keep_checkpoint(bytes, || Some(self.content));
        self.most_bytes = self.most_bytes.max(rewind.checkpoint_bytes());
    }
}

/// A simulated scene, and its buffer state at every frame.
struct Scene {
    rewind: Rewind,
    buffers: Buffers,
    time: f64,
    bytes: u64,
    /// Buffer state when the frame was first shown, by frame number.
    shown: BTreeMap<u64, u64>,
}

impl Scene {
    fn new(budget: u64, bytes: u64) -> Self {
        let mut rewind = Rewind { budget, ..Rewind::default() };
        rewind.begin(true);
        Self { rewind, buffers: Buffers::default(), time: 0.0, bytes, shown: BTreeMap::new() }
    }

    fn play_frame(&mut self, seconds: f64) {
        self.catch_up();
        // Every frame gets a different time, also after a rewind.
        self.time += 1.0;
        let state = SceneState::at(self.time, 0, 60.0);
        self.rewind.push_frame(state, SIZE, Clock::default(), seconds);
        self.catch_up();
        let frames = self.rewind.frames();
        self.shown.retain(|frame, _| frames.contains(frame));
        self.shown.insert(self.rewind.position(), self.buffers.content);
    }

    fn seek(&mut self, frame: u64) {
        assert!(self.rewind.seek(frame).is_some());
    }

    fn catch_up(&mut self) {
        while self.rewind.is_behind() {
            self.buffers.follow(&mut self.rewind, self.bytes, 7);
        }
    }

    fn check(&self) {
        let position = self.rewind.position();
        assert_eq!(self.buffers.content, self.shown[&position], "{position}");
    }

    fn run(&mut self, seconds: f64, fps: f64) {
        for _ in 0..(seconds * fps) as u32 {
            self.play_frame(1.0 / fps);
        }
    }

    fn remembered(&self) -> f64 {
        self.rewind.stats().expect("it has buffers").seconds
    }
}

/// A random action on the scene.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Paint(u8),
    /// Seeks to this fraction of the remembered frames.
    Seek(f64),
    Step(bool),
    /// Starts a rewind and interrupts it after this many advances.
    Follow(u8),
    Input,
    Reload,
    Bytes(u8),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        6 => (1..200u8).prop_map(Happening::Paint),
        3 => (0.0..1.0f64).prop_map(Happening::Seek),
        3 => any::<bool>().prop_map(Happening::Step),
        1 => (1..=u8::MAX).prop_map(Happening::Follow),
        1 => Just(Happening::Input),
        1 => Just(Happening::Reload),
        1 => any::<u8>().prop_map(Happening::Bytes),
    ]
}

impl Scene {
    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Paint(frames) => self.run(f64::from(frames) / 20.0, 20.0),
            Happening::Seek(part) => {
                let frames = self.rewind.frames();
                if !frames.is_empty() {
                    let count = (frames.end - frames.start) as f64;
                    self.seek(frames.start + (part * count) as u64);
                    self.catch_up();
                    self.check();
                }
            }
            Happening::Step(forward) => {
                let to = if forward {
                    self.rewind.position() + 1
                } else {
                    self.rewind.position().wrapping_sub(1)
                };
                if self.rewind.seek(to).is_some() {
                    self.catch_up();
                    self.check();
                }
            }
            Happening::Follow(advances) => {
                let first = self.rewind.frames().start;
                if self.rewind.seek(first).is_some() {
                    self.buffers.follow(&mut self.rewind, self.bytes, advances.into());
                    let newest = self.rewind.newest();
                    self.seek(newest);
                }
            }
            Happening::Input => self.rewind.drop_later_frames(),
            Happening::Reload => {
                self.catch_up();
                self.rewind.keep_buffers();
                self.buffers.keep(&mut self.rewind, self.bytes);
            }
            Happening::Bytes(bytes) => self.bytes = u64::from(bytes),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn rewind_restores_buffer_state(
        budget in 0..900u64,
        happenings in proptest::collection::vec(happening(), 1..40),
    ) {
        let mut scene = Scene::new(budget, 100);
        for happening in happenings {
            scene.happen(happening);
            prop_assert!(scene.buffers.most_bytes <= budget);
        }
        scene.catch_up();
        // Every frame still offered can be reached.
        for frame in scene.rewind.frames().rev().step_by(9) {
            scene.seek(frame);
            scene.catch_up();
            scene.check();
            prop_assert!(scene.buffers.most_bytes <= budget);
        }
    }

    #[test]
    fn two_checkpoints_remember_ten_seconds(
        budget in 200..5000u64,
        fps in 5.0..75.0f64,
        seconds in 1.0..60.0f64,
    ) {
        let mut scene = Scene::new(budget, 100);
        scene.run(seconds, fps);
        let least = seconds.min(MIN_DURATION) - 2.0 / fps;
        prop_assert!(scene.remembered() >= least, "{}", scene.remembered());
        prop_assert!(scene.remembered() <= 2.0 * MIN_DURATION + 1.0);
        prop_assert!(scene.rewind.stats().is_some_and(|memory| memory.is_enough));
    }

    #[test]
    fn frames_are_near_a_checkpoint(
        most in 2..60u64,
        seconds in 1.0..40.0f64,
    ) {
        let fps = 30.0;
        let mut scene = Scene::new(most * 100, 100);
        scene.run(seconds, fps);
        let spacing = (MIN_DURATION / (most - 1) as f64).max(MIN_CHECKPOINT_INTERVAL) * fps;
        for frame in scene.rewind.frames() {
            scene.seek(frame);
            let plan = scene.rewind.plan();
            let advances = plan.frames.end - plan.frames.start;
            prop_assert!((advances as f64) <= spacing + 2.0, "{frame}: {advances}");
        }
    }
}

#[test]
fn stepping_back_takes_few_advances() {
    for (most, at_most) in [(4, 40), (6, 12), (12, 8), (40, 5)] {
        let mut scene = Scene::new(most * 100, 100);
        scene.run(30.0, 60.0);
        scene.buffers.advances = 0;
        for _ in 0..600 {
            let before = scene.rewind.position() - 1;
            scene.seek(before);
            scene.catch_up();
            scene.check();
        }
        let each = scene.buffers.advances / 600;
        assert!(each <= at_most, "{most} checkpoints: {each} advances each");
        assert!(scene.buffers.most_bytes <= most * 100);
    }
}

#[test]
fn insufficient_budget_is_reported() {
    for (budget, least) in [(0, 0.0), (99, 0.0), (150, 0.0)] {
        let mut scene = Scene::new(budget, 100);
        scene.run(47.0, 20.0);
        let memory = scene.rewind.stats().expect("it has buffers");
        assert!(!memory.is_enough && memory.seconds >= least, "{memory:?}");
        assert!(memory.bytes <= budget);
        for frame in scene.rewind.frames().rev() {
            scene.seek(frame);
            scene.catch_up();
            scene.check();
        }
    }
}

#[test]
fn seeking_keeps_all_frames() {
    for budget in [150, 254, 420] {
        let mut scene = Scene::new(budget, 100);
        scene.run(27.0, 20.0);
        // Another size: fewer checkpoints fit than there are.
        scene.bytes = 155;
        let frames = scene.rewind.frames();
        for frame in [frames.start, frames.end - 1, frames.start, frames.end - 1] {
            scene.seek(frame);
            scene.catch_up();
            scene.check();
            assert_eq!(scene.rewind.frames(), frames, "budget {budget}");
        }
    }
}

#[test]
fn scene_without_buffers_needs_no_plan() {
    let mut rewind = Rewind::default();
    rewind.begin(false);
    for frame in 0..1000u32 {
        let time = f64::from(frame) / 20.0;
        let state = SceneState::at(time, frame, 20.0);
        rewind.push_frame(state, SIZE, Clock::starting_at(time, frame), 0.05);
        assert!(!rewind.is_behind() && rewind.plan().frames.is_empty());
        rewind.keep_checkpoint(100, || panic!("there are no buffers"));
    }
    assert_eq!(rewind.stats(), None);
    let first = rewind.frames().start;
    assert!((398..=400).contains(&first), "{first}");
    rewind.locate(45.02);
    assert_eq!(rewind.position(), 900);
    rewind.locate(0.0);
    assert_eq!(rewind.position(), first);
    assert!(!rewind.is_at_newest());
    assert_eq!(rewind.seek(first - 1), None);
}

#[test]
fn playing_after_seek_discards_later_frames() {
    let mut scene = Scene::new(1000, 100);
    scene.run(3.0, 20.0);
    scene.seek(20);
    scene.play_frame(0.05);
    assert_eq!(scene.rewind.frames(), 0..22);
    scene.seek(10);
    scene.seek(21);
    scene.catch_up();
    scene.check();
    assert!(scene.rewind.is_at_newest());
}
