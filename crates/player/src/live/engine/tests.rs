use super::*;
use crate::clock::Direction;
use crate::live::tiles::Tile;
use tarsus_render::{Depth, FORMAT, GpuOptions, Readback, Renderer, target_texture};
use tarsus_shader::{Library, Scene, Values, compose};

const SIZE: (u32, u32) = (40, 20);
/// Seconds between two calls of [`Player::tick`].
const STEP: f64 = 0.01;

/// Red is the pointer from left to right, green is scene time, blue is a parameter.
const PLAIN: &str = "#import tarsus::frame
struct Params {
    /// Blue [0, 1] = 0
    blue: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {
    let f = frame::frame;
    return vec4f(1.2 * f.pointer.x / f.resolution.x, fract(f.time), params.blue, 1.0);
}
";

/// Red counts the frames of a buffer, in steps of 1/255.
const COUNTER: &str = "#import tarsus::buffers
fn buffer_a(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + vec4f(1.0 / 255.0); }
fn main_image(p: vec2f) -> vec4f { return vec4f(buffers::a(vec2i(p)).x, 0.0, 0.0, 1.0); }
";

/// Result of one call to the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Idle,
    Works,
    /// The engine waits for this time.
    Waits(f64),
    /// Red, green and blue in the middle of what was presented.
    Presents([u8; 3]),
}

/// An engine with a surface, and a clock that advances by hand.
struct Player {
    gpu: Arc<Gpu>,
    engine: Engine<()>,
    now: f64,
}

impl Player {
    fn new(timing: FrameTiming, is_paused: bool) -> Self {
        Self::on_device(timing, is_paused, false)
    }

    fn on_device(timing: FrameTiming, is_paused: bool, is_software: bool) -> Self {
        let pacing = Pacing::new(Some(1.0), None);
        Self::paced(pacing, timing, is_paused, is_software)
    }

    fn paced(pacing: Pacing, timing: FrameTiming, is_paused: bool, is_software: bool) -> Self {
        let options = GpuOptions { timestamps: pacing.scale.is_fixed(), ..GpuOptions::default() };
        let gpu = pollster::block_on(Gpu::headless(&options)).expect("an adapter");
        let gpu = Arc::new(gpu);
        let mut session = Session::new("scene".to_owned(), Values::default());
        session.clock.set_paused(is_paused);
        let mut engine = Engine::new(session, pacing, timing);
        engine.resize(SIZE);
        engine.open_device(Arc::clone(&gpu), FORMAT, is_software);
        Self { gpu, engine, now: 0.0 }
    }

    fn scene(&self, text: &str) -> LiveScene<()> {
        let scene = Scene::from_text(text, "scene.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a program");
        let renderer = Renderer::new(&self.gpu.device, &self.gpu.queue, &program, &[FORMAT]);
        let renderer = pollster::block_on(renderer).expect("a renderer");
        LiveScene::new(program, None, renderer, ())
    }

    fn show(&mut self, text: &str) -> BufferState {
        let scene = self.scene(text);
        self.engine.show(scene, None)
    }

    /// Calls the engine once, and presents if it asks for that.
    fn tick(&mut self) -> Step {
        self.now += STEP;
        let tick =
            Tick { now: self.now, date: [0.0; 4], refresh_rate: Some(60.0), is_visible: true };
        match self.engine.update(&tick).wake {
            NextWake::Input => Step::Idle,
            NextWake::At(at) if at > self.now + POLL_INTERVAL => Step::Waits(at),
            NextWake::At(_) => {
                let wait = wgpu::PollType::wait_indefinitely();
                self.gpu.device.poll(wait).expect("finished");
                Step::Works
            }
            NextWake::Present => Step::Presents(self.present()),
        }
    }

    fn present(&mut self) -> [u8; 3] {
        let device = &self.gpu.device;
        let size = self.engine.size();
        let target = target_texture(device, size, Depth::Eight).expect("a target");
        let view = target.create_view(&Default::default());
        let mut encoder = device.create_command_encoder(&Default::default());
        let background = wgpu::Color::BLACK;
        self.engine.present(&mut encoder, &view, background, |_| {});
        let readback = Readback::encode(device, &mut encoder, &target, None);
        self.gpu.queue.submit([encoder.finish()]);
        let rgba = readback.finish().expect("finished");
        assert_eq!(self.gpu.take_error(), None);
        let middle = 4 * (size.0 * size.1 / 2 + size.0 / 2) as usize;
        [0, 1, 2].map(|component| rgba[middle + component])
    }

    /// Calls the engine until it is idle. Returns what it presented.
    fn settle(&mut self) -> Vec<[u8; 3]> {
        let mut presented = Vec::new();
        for _ in 0..10_000 {
            match self.tick() {
                Step::Idle => return presented,
                Step::Presents(color) => presented.push(color),
                Step::Works | Step::Waits(_) => {}
            }
        }
        panic!("the engine does not come to rest");
    }

    /// Returns true while only samples of the still are pending.
    fn is_settled(&self) -> bool {
        let status = self.engine.status();
        status.is_current && status.samples > 0
    }

    fn point(&mut self, x: f64) {
        let event = PointerEvent::Moved([x, 0.5]);
        self.engine.handle(self.now, InputEvent::Pointer(event));
    }
}

#[test]
fn pointer_event_draws_before_presenting() {
    for is_software in [false, true] {
        let mut player = Player::on_device(FrameTiming::Timer, true, is_software);
        player.show(PLAIN);
        player.settle();
        player.point(0.2);
        let presented = player.settle();
        assert_eq!(presented[0], [61, 0, 0], "not the older picture");
        player.point(0.4);
        // An interface that changes with the picture waits for it.
        assert!(player.engine.is_about_to_draw(player.now));
        if is_software {
            assert_eq!(player.tick(), Step::Works, "presenting must not block");
        }
        assert_eq!(player.tick(), Step::Presents([122, 0, 0]));
    }
}

#[test]
fn display_presents_at_submission() {
    let mut player = Player::new(FrameTiming::Display, false);
    player.show(PLAIN);
    assert_eq!(player.tick(), Step::Presents([0, 0, 0]), "the background");
    for _ in 0..3 {
        let step = player.tick();
        assert!(matches!(step, Step::Presents([153, ..])), "{step:?}");
    }
    assert!(player.engine.status().is_drawn);
}

#[test]
fn paused_picture_is_refined_to_the_end() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(PLAIN);
    let presented = player.settle();
    assert_eq!(player.engine.status().samples, SAMPLES);
    assert!(player.is_settled());
    // The background, the live picture, and the still after each sample.
    assert_eq!(presented.len() as u32, 2 + SAMPLES);
    assert_eq!(player.tick(), Step::Idle);
    player.engine.request_present();
    assert!(matches!(player.tick(), Step::Presents(_)));
}

#[test]
fn still_of_older_values_is_not_settled() {
    let mut player = Player::on_device(FrameTiming::Timer, true, true);
    player.engine.resize((320, 180));
    player.show(PLAIN);
    // Submissions seem to take a second, so that the next picture needs several.
    while player.tick() != Step::Idle {
        player.now += 1.0;
    }
    assert!(player.is_settled());
    player.engine.session.set(player.now, "blue", &[1.0]).expect("a parameter");
    while player.engine.session.is_stale() {
        player.tick();
    }
    assert!(!player.is_settled());
    player.settle();
    assert!(player.is_settled());
}

#[test]
fn reload_keeps_last_picture_and_buffers() {
    let mut player = Player::new(FrameTiming::Timer, true);
    assert_eq!(player.show(COUNTER), BufferState::Empty);
    assert_eq!(player.settle().last(), Some(&[1, 0, 0]));
    let edited = COUNTER.replace("0.0, 0.0, 1.0)", "1.0, 0.0, 1.0)");
    assert_eq!(player.show(&edited), BufferState::Kept);
    assert!(!player.engine.status().is_drawn);
    assert_eq!(player.present(), [1, 0, 0], "the last good picture");
    assert_eq!(player.settle().last(), Some(&[1, 255, 0]));
    player.engine.session.step(player.now, Direction::Forward);
    assert_eq!(player.settle().last(), Some(&[2, 255, 0]));
    // Another scene starts without a picture.
    player.engine.open(Session::new("other".to_owned(), Values::default()));
    assert_eq!(player.present(), [0, 0, 0]);
    let status = player.engine.status();
    assert_eq!((status.is_drawn, status.picture_size), (false, None));
}

#[test]
fn steps_back_restore_buffers() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(COUNTER);
    player.settle();
    let size = player.engine.size();
    player.engine.session.step_by(player.now, 30, size);
    assert_eq!(player.settle().last(), Some(&[31, 0, 0]));
    player.engine.session.step_by(player.now, -12, size);
    assert_eq!(player.settle().last(), Some(&[19, 0, 0]));
}

#[test]
fn recording_copies_buffers_of_its_size() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(COUNTER);
    player.settle();
    assert!(player.engine.start_recording(player.now));
    player.engine.resize((20, 10));
    let buffers = player.engine.checkpoint().expect("buffers");
    assert_eq!(buffers.size(), player.engine.session.recording(0.0).expect("it").start.size);
    // While time stands still, the buffers keep their size.
    player.settle();
    assert!(!player.engine.start_recording(player.now));
    player.engine.session.step(player.now, Direction::Forward);
    player.settle();
    assert!(player.engine.start_recording(player.now));
}

#[test]
fn scale_leaves_buffers_unchanged() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(COUNTER);
    assert_eq!(player.settle().last(), Some(&[1, 0, 0]));
    for (scale, count) in [(0.25, 2), (1.0, 3)] {
        player.engine.pacing.scale.fix(Some(scale));
        player.engine.session.step(player.now, Direction::Forward);
        assert_eq!(player.settle().last(), Some(&[count, 0, 0]), "{scale}");
    }
}

#[test]
fn screenshot_shows_current_frame_despite_device_loss() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(PLAIN);
    player.settle();
    player.engine.session.set(player.now, "blue", &[1.0]).expect("a parameter");
    player.engine.request_screenshot();
    while player.engine.status().work.is_none() || player.engine.session.is_stale() {
        player.tick();
    }
    player.engine.close_device().expect("a device");
    assert_eq!(player.engine.screenshots_due(), 1);
    let gpu = Arc::clone(&player.gpu);
    player.engine.open_device(gpu, FORMAT, false);
    player.show(PLAIN);
    player.settle();
    let screenshot = player.engine.take_screenshot().expect("a screenshot");
    let screenshot = screenshot.expect("a picture");
    assert_eq!(player.engine.screenshots_due(), 0);
    let picture = screenshot.picture;
    assert_eq!((picture.width, picture.height), SIZE);
    assert_eq!(picture.rgba[..3], [153, 0, 255]);
    assert_eq!(screenshot.snapshot.size, SIZE);
    assert!(screenshot.buffers.is_none());
}

#[test]
fn closed_device_leaves_no_checkpoints() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(COUNTER);
    player.settle();
    player.engine.session.step_by(player.now, 60, player.engine.size());
    player.settle();
    let checkpoints = |player: &Player| player.engine.session.rewind().checkpoints().count();
    assert!(checkpoints(&player) > 0);
    player.engine.close_device().expect("a device");
    assert_eq!(checkpoints(&player), 0);
}

#[test]
fn probe_reads_picture_and_buffers() {
    let mut player = Player::new(FrameTiming::Timer, true);
    player.show(
        "#import tarsus::buffers
#import tarsus::frame
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, -3.5, 1e9); }
fn main_image(p: vec2f) -> vec4f { return vec4f(p / frame::frame.resolution, 1.0, 0.5); }
",
    );
    player.settle();
    assert_eq!(player.engine.probed(), []);
    player.engine.probe([0.1, 0.3]);
    assert!(!player.settle().is_empty(), "the result is presented");
    let [picture, buffer] = player.engine.probed() else {
        panic!("{:?}", player.engine.probed());
    };
    for (texel, name) in [(picture, "Picture"), (buffer, "buffer a")] {
        assert_eq!((texel.name.as_str(), texel.at), (name, [4, 13]));
    }
    assert_eq!(buffer.value, [4.5, 13.5, -3.5, 1e9]);
    for (value, expected) in picture.value.iter().zip([4.5 / 40.0, 13.5 / 20.0, 1.0]) {
        assert!((value - expected).abs() < 0.6 / 255.0, "{picture:?}");
    }
    player.engine.probe([0.1, 0.3]);
    assert_eq!(player.tick(), Step::Idle, "it is not read again");
}

#[test]
fn buffer_is_shown_full_size() {
    let mut player = Player::new(FrameTiming::Timer, true);
    // A channel of the buffer has no tile of its own.
    let reads = COUNTER.replace("buffers::a(vec2i(p)).x, 0", "textureLoad(k, vec2i(p), 0).x, 0");
    let channel = "/// buffer a\n@group(2) @binding(0) var k: texture_2d<f32>;\n";
    player.show(&format!("{reads}{channel}"));
    assert_eq!(player.engine.scene().expect("a scene").program.channels.len(), 1);
    player.settle();
    let names = |tiles: &[Tile]| -> Vec<String> {
        let names = tiles.iter().map(|tile| tile.name.clone());
        names.collect()
    };
    assert_eq!(names(&player.engine.tiles()), ["buffer a"]);
    let (tiles, thumbnails) = player.engine.draw_thumbnails();
    assert_eq!((names(&tiles), thumbnails.len()), (vec!["buffer a".to_owned()], 1));
    player.engine.show_full_size(Some(0));
    let presented = player.settle();
    let [red, green, blue] = *presented.last().expect("a picture");
    assert!(red > 1 && red == green && red == blue, "{presented:?}");
    let range = player.engine.full_size_range().expect("small values");
    assert_eq!(range, "0–1/128");
    player.engine.show_full_size(None);
    assert_eq!(player.settle().last(), Some(&[1, 0, 0]));
}

#[test]
fn slow_picture_is_shown_once_complete() {
    // More pixels than the first submission has.
    let size = (320, 180);
    let mut player = Player::new(FrameTiming::Timer, true);
    player.engine.resize(size);
    player.show(PLAIN);
    player.engine.session.set(player.now, "blue", &[1.0]).expect("a parameter");
    assert_eq!(player.tick(), Step::Presents([0, 0, 0]), "the background");
    assert_eq!(player.tick(), Step::Works, "the first band");
    player.engine.request_present();
    assert_eq!(player.tick(), Step::Presents([0, 0, 0]), "still the background");
    player.settle();
    player.engine.session.set(player.now, "blue", &[0.4]).expect("a parameter");
    assert_eq!(player.tick(), Step::Presents([153, 0, 102]), "all at once");
}

#[test]
fn gpu_times_are_measured() {
    let mut player = Player::new(FrameTiming::Timer, false);
    player.show(COUNTER);
    for _ in 0..20 {
        player.tick();
    }
    assert!(player.engine.pacing.fps().is_some());
    if let Some(times) = player.engine.pass_times() {
        assert!(times.starts_with("GPU ") && times.contains("image"), "{times}");
    }
}

#[test]
fn slow_presentation_keeps_scale() {
    // Without timestamps, the scale depends on the clock, which the test sets.
    let mut player = Player::paced(Pacing::new(None, None), FrameTiming::Timer, false, false);
    player.show(PLAIN);
    for _ in 0..100 {
        if let Step::Presents(_) = player.tick() {
            player.now += 0.1;
        }
    }
    assert_eq!(player.engine.pacing.scale.scale(), 1.0);
}
