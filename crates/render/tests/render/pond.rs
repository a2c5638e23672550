//! The pond: its waves stay bounded under any input, do not depend on the picture's size,
//! and repeat.

use tarsus_render::{Depth, FORMAT, Frame, Inputs, Picture, Renderer};
use tarsus_shader::{Buffer, Program, Scene, Values, compose};

use crate::common::drawing::{advance, buffer, draw};
use crate::common::random::Random;
use crate::common::{assert_snapshot, gpu, library, renderer};

const LOOP_SECONDS: f64 = 20.0;

/// The scene with its renderer and parameters.
struct Pond {
    program: Program,
    renderer: Renderer,
    values: Values,
}

impl Pond {
    fn new() -> Self {
        let library = library();
        let scene = Scene::find("pond", &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        Self { renderer: renderer(gpu(), &program, FORMAT), program, values: Values::default() }
    }

    fn set(&mut self, assignment: &str) {
        let parameters = &self.program.parameters;
        parameters.assign(&mut self.values, assignment).expect("an assignment");
    }

    fn inputs(&self, frame: Frame) -> Inputs {
        Inputs::new(frame).with_values(self.values.clone())
    }

    fn advance(&mut self, frame: Frame) {
        let inputs = self.inputs(frame);
        advance(&mut self.renderer, &inputs);
    }

    fn picture(&mut self, frame: Frame) -> Picture {
        let inputs = self.inputs(frame);
        draw(&mut self.renderer, &inputs, Depth::Eight)
    }

    /// The field in a buffer: all of it but its lowest row.
    fn field(&self, which: Buffer) -> Vec<[f32; 4]> {
        const BLOCKS: usize = 160;
        let texels = buffer(&self.renderer, which);
        assert_eq!(texels.len(), BLOCKS * (BLOCKS + 1));
        texels[BLOCKS..].to_vec()
    }
}

/// Frame `index` as drawn in a run, with time wrapped to the scene's period.
fn frame_of_run(size: (u32, u32), index: u32, fps: f64) -> Frame {
    let time = (f64::from(index) / fps).rem_euclid(LOOP_SECONDS);
    Frame::new(size, index, fps).at_time(time)
}

fn largest(field: &[[f32; 4]]) -> f32 {
    let sizes = field.iter().flatten().map(|height| height.abs());
    sizes.fold(0.0, |most, size| if size <= most { most } else { size })
}

#[test]
fn waves_stay_bounded_under_random_input() {
    const SIZE: (u32, u32) = (80, 61);
    let mut pond = Pond::new();
    pond.set("damping=0");
    pond.set("wave_speed=2");
    pond.set("stroke=3");
    let mut random = Random(13);
    let (mut time, mut held) = (0.0, false);
    let mut position = [40.0, 20.0];
    for index in 0..1000 {
        // From 250 frames per second down to 2, with jumps in time.
        let delta = 10f64.powf(random.between(-2.4, -0.3));
        time += if random.next() < 0.02 { random.between(-5.0, 15.0) } else { delta };
        let was_held = held;
        held = random.next() < if held { 0.9 } else { 0.3 };
        for (axis, limit) in [80.0, 61.0].into_iter().enumerate() {
            let moved = position[axis] + random.between(-12.0, 12.0);
            position[axis] = f64::clamp(moved, 0.0, limit);
        }
        let [x, y] = position.map(|along| along.floor() as f32);
        let sign = |on: bool, value: f32| if on { value.max(1.0) } else { -value.max(1.0) };
        let mut frame = Frame::new(SIZE, index, 60.0).at_time(time.rem_euclid(LOOP_SECONDS));
        frame.mouse = [x, y, sign(held, x), sign(held && !was_held, y)];
        frame.time_delta = delta as f32;
        pond.advance(frame);
        if index % 50 == 49 {
            let heights = largest(&pond.field(Buffer::D));
            // Infinity and NaN fail this comparison too.
            assert!(heights < 0.3, "{heights} after {index} frames");
            assert!(heights > 0.01, "nothing stirs after {index} frames");
        }
    }
    // Ten seconds later the water has settled to its normal state.
    let mut calm = Pond::new();
    pond.values = Values::default();
    for index in 0..300 {
        let frame = frame_of_run(SIZE, index, 30.0);
        pond.advance(frame);
        calm.advance(frame);
    }
    let heights = [&pond, &calm].map(|pond| pond.field(Buffer::D));
    let pairs = heights[0].as_flattened().iter().zip(heights[1].as_flattened());
    let apart = pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()));
    assert!(apart < 0.02 * largest(&heights[1]), "{apart} apart");
}

#[test]
fn water_is_independent_of_picture_size() {
    let field = |size: (u32, u32)| {
        let mut pond = Pond::new();
        for index in 0..8 {
            pond.advance(frame_of_run(size, index, 60.0));
        }
        [Buffer::C, Buffer::D].map(|buffer| pond.field(buffer))
    };
    let small = field((32, 18));
    assert!(largest(&small[1]) > 0.01);
    assert!(small == field((200, 340)), "a portrait has the same water");
}

#[test]
fn pond_loops_without_error() {
    const SIZE: (u32, u32) = (128, 72);
    let mut pond = Pond::new();
    let frames = (LOOP_SECONDS * 30.0) as u32;
    // At the start of a loop and some time after it, in two loops.
    let shown = [0, 100].map(|index| [frames + index, 2 * frames + index]);
    let mut pictures = Vec::new();
    let mut waves = Vec::new();
    for index in 0..=shown[1][1] {
        let frame = frame_of_run(SIZE, index, 30.0);
        pond.advance(frame);
        if shown.as_flattened().contains(&index) {
            pictures.push(pond.picture(frame));
        }
        if (frames - 2..frames + 2).contains(&index) {
            let field = pond.field(Buffer::D);
            let squares = field.as_flattened().iter().map(|height| height * height);
            waves.push(squares.sum::<f32>());
        }
    }
    let [first, later, first_again, later_again] =
        <[Picture; 4]>::try_from(pictures).expect("four pictures");
    let quality = first.psnr_db(&first_again).min(later.psnr_db(&later_again));
    assert!(quality > 45.0, "{quality} dB from loop to loop");
    let apart = first.psnr_db(&later);
    assert!(apart < 30.0, "it moves: {apart} dB");
    // The waves continue when the strider's path restarts.
    for pair in waves.windows(2) {
        assert!((0.8..1.25).contains(&(pair[1] / pair[0])), "{waves:?}");
    }
}

#[test]
fn pond_matches_snapshot() {
    const SIZE: (u32, u32) = (160, 90);
    let mut pond = Pond::new();
    for index in 0..=40 {
        pond.advance(frame_of_run(SIZE, index, 30.0));
    }
    assert_snapshot("pond", &pond.picture(frame_of_run(SIZE, 40, 30.0)));
}

#[test]
fn pointer_makes_waves_near_itself() {
    const SIZE: (u32, u32) = (160, 90);
    let run = |mouse: fn(u32) -> [f32; 4]| {
        let mut pond = Pond::new();
        for index in 0..6 {
            let mut frame = frame_of_run(SIZE, index, 60.0);
            frame.mouse = mouse(index);
            pond.advance(frame);
        }
        pond.picture(frame_of_run(SIZE, 5, 60.0))
    };
    let still = run(|_| [0.0; 4]);
    let dragged = run(|index| {
        [120.0 + 4.0 * index as f32, 30.0, 120.0, if index == 0 { 30.0 } else { -30.0 }]
    });
    let differs = |x: u32, y: u32| {
        let (a, b) = (still.pixel(x, y), dragged.pixel(x, y));
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 12)
    };
    // y counts from the top here, but from the bottom in the mouse.
    let near = (118..146).any(|x| differs(x, 59));
    assert!(near, "there are waves along the way of the pointer");
    let far = (0..60).flat_map(|x| (0..90).map(move |y| (x, y)));
    assert!(!far.into_iter().any(|(x, y)| differs(x, y)), "and not elsewhere yet");
    // In the sky the pointer touches nothing.
    let above = run(|index| [80.0, 88.0, 80.0, if index == 0 { 88.0 } else { -88.0 }]);
    assert_eq!(above.rgba, still.rgba);
}
