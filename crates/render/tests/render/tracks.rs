//! The scene `tracks`: footprints appear exactly where feet stood, at any picture size
//! and frame rate, and fade over time.

use glam::DVec2;
use tarsus_shader::Buffer;

use crate::common::assert_snapshot;
use crate::common::compute::Compute;
use crate::common::probe::Probe;
use crate::common::reference::{Gait, LegPlan, foot_at, path};
use crate::common::running::Running;

const TRACKS: &str = include_str!("../../../../shaders/tracks.wgsl");
/// The default of the parameter `depth`.
const DEPTH: f64 = 0.1;
/// Half the map's width.
const HALF_WIDTH: f64 = 2.5;

fn running(size: (u32, u32), rate: f64) -> Running {
    Running::new(TRACKS, size, rate)
}

fn map(running: &Running, which: Buffer) -> Map {
    Map::new(running.size, running.buffer(which))
}

/// Contents of a buffer, read as a map.
struct Map {
    width: usize,
    /// Number of cells along a quarter of the path, and across it.
    cells: (usize, usize),
    texels: Vec<[f32; 4]>,
}

impl Map {
    fn new(size: (u32, u32), texels: Vec<[f32; 4]>) -> Self {
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        let quarter = path::PERIOD / 4.0;
        let least = (quarter / width).max(2.0 * HALF_WIDTH / (height - 1.0));
        let along = (quarter / least.max(0.0125)).floor();
        let across = 2.0 * HALF_WIDTH / quarter * along;
        let cells = (along as usize, across as usize);
        let width = size.0 as usize;
        Self { width, cells, texels }
    }

    /// Value of the cell that contains a point of the ground.
    fn at(&self, p: DVec2) -> f64 {
        let along = 4.0 * (p.x / path::PERIOD).rem_euclid(1.0);
        let column = (along.fract() * self.cells.0 as f64) as usize;
        let beside = p.y - path::point_at(p.x).y;
        let cell = path::PERIOD / 4.0 / self.cells.0 as f64;
        let row = ((beside + HALF_WIDTH) / cell) as usize;
        assert!(row < self.cells.1, "{p} is not on the map");
        f64::from(self.texels[(row + 1) * self.width + column][along as usize])
    }

    /// Values of all cells.
    fn cells(&self) -> impl Iterator<Item = f64> {
        let rows = 1..=self.cells.1;
        let texels = rows.flat_map(|row| {
            let first = row * self.width;
            &self.texels[first..first + self.cells.0]
        });
        texels.flatten().map(|value| f64::from(*value))
    }
}

/// Root mean square of the difference of two maps of the same size.
fn difference(a: &Map, b: &Map) -> f64 {
    let squares = a.cells().zip(b.cells()).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / a.cells().count() as f64).sqrt()
}

/// The insect's walk, with the module's parameters.
struct Walk {
    gait: Gait,
    legs: Vec<LegPlan>,
}

fn walk() -> Walk {
    let source = "
#import tarsus::insect
#import tarsus::walk
#import tarsus::walker
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {
    // Only a module that is used overrides another's functions.
    let bend = insect::appearance().bend;
    let leg = u32(input[0].x);
    let row = walker::row_of(leg);
    let side = walker::side_of(leg);
    let stride = walk::stride();
    let seconds = walk::period() / walk::cycles_of_loop();
    let foot = walker::plan(row).foot * vec2f(1.0, bend * side);
    return array<vec4f, 2>(
        vec4f(seconds, stride.duty, walk::stride_length(), stride.lift),
        vec4f(foot, walk::phase(row, side, 0.0), 0.0),
    );
}";
    let inputs = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|leg| [[leg, 0.0, 0.0, 0.0]]);
    let legs = Compute::shared().evaluate::<1, 2>(source, &inputs);
    let [period, duty, stride, lift] = legs[0][0].map(f64::from);
    let leg = |[_, [x, y, phase, _]]: &[[f32; 4]; 2]| LegPlan {
        phase: f64::from(*phase),
        rest: DVec2::new(f64::from(*x), f64::from(*y)),
    };
    Walk { gait: Gait { period, duty, stride, lift }, legs: legs.iter().map(leg).collect() }
}

impl Walk {
    /// Positions where feet touched down in the `seconds` before `time`, except the last
    /// 0.2 s, during which they sink in.
    fn footholds(&self, time: f64, seconds: f64) -> Vec<DVec2> {
        let of_leg = |leg: &LegPlan| {
            let first = ((time - seconds) / self.gait.period + leg.phase).ceil() as i64;
            let last = ((time - 0.2) / self.gait.period + leg.phase).floor() as i64;
            let leg = *leg;
            (first..=last).map(move |step| {
                let touched = (step as f64 - leg.phase) * self.gait.period;
                let foot = foot_at(&self.gait, &leg, touched + 0.1, |_| 0.0);
                assert!(foot.stance);
                DVec2::new(foot.position.x, foot.position.z)
            })
        };
        self.legs.iter().flat_map(of_leg).collect()
    }
}

/// Asserts that every step of the last seconds left a print, and that there is none under
/// the body or ahead of it.
fn check_prints(running: &mut Running, walk: &Walk) {
    let time = running.time();
    let map = map(running, Buffer::A);
    let footholds = walk.footholds(time, 6.0);
    assert!(footholds.len() >= 30, "no test: {}", footholds.len());
    for foot in footholds {
        let height = map.at(foot);
        // The shallowest print has 0.7 of the depth. Six seconds of wind fill a tenth of it, and
        // the rim of a neighbouring foot up to 0.32.
        assert!(height < -0.3 * DEPTH, "a foot left {height} at {foot}, time {time}");
    }
    let body = walk.gait.stride / walk.gait.period * time;
    for step in -60..60 {
        let x = body + 0.1 * f64::from(step);
        let height = map.at(path::point_at(x));
        assert!(height.abs() < 0.05 * DEPTH, "{height} under the body at {x}");
    }
    for step in 0..40 {
        for beside in [-1.52, -1.1, 0.0, 1.1, 1.52] {
            let p = path::beside(body + 2.6 + 0.1 * f64::from(step), DVec2::new(0.0, beside));
            assert!(map.at(p).abs() < 0.02 * DEPTH, "{} ahead at {p}", map.at(p));
        }
    }
}

#[test]
fn prints_appear_where_feet_stood() {
    let walk = walk();
    let mut running = running((320, 180), 10.0);
    // The first frame contains the steps before it.
    running.advance(1);
    check_prints(&mut running, &walk);
    for _ in 0..4 {
        running.advance(17);
        check_prints(&mut running, &walk);
    }
}

#[test]
fn prints_appear_at_any_picture_shape() {
    let walk = walk();
    for size in [(96, 160), (200, 60)] {
        let mut running = running(size, 5.0);
        running.advance(131);
        check_prints(&mut running, &walk);
    }
}

#[test]
fn resize_redraws_tracks() {
    let walk = walk();
    let mut running = running((160, 90), 10.0);
    running.advance(30);
    running.size = (200, 120);
    running.advance(1);
    check_prints(&mut running, &walk);
}

#[test]
fn tracks_repeat_after_a_period() {
    let size = (160, 90);
    let mut running = running(size, 5.0);
    running.advance(1);
    let first = map(&running, Buffer::A);
    running.advance(120);
    let second = map(&running, Buffer::A);
    let grains = map(&running, Buffer::B);
    running.advance(120);
    let depth = difference(&second, &Map::new(size, vec![[0.0; 4]; 160 * 90]));
    // The first frame is computed at once instead of step by step.
    let apart = difference(&first, &second);
    assert!(apart < 0.25 * depth, "{apart} of {depth}");
    // Levelling leaves a millionth of a print's depth after a period.
    let third = map(&running, Buffer::A);
    assert!(difference(&second, &third) < 1e-6 * DEPTH);
    assert!(difference(&grains, &map(&running, Buffer::B)) < 1e-5);
}

#[test]
fn tracks_are_independent_of_frame_rate() {
    let [coarse, fine] = [5.0, 40.0].map(|rate| {
        let mut running = running((160, 90), rate);
        running.advance((3.0 * rate) as u32 + 1);
        running
    });
    let (a, b) = (map(&coarse, Buffer::A), map(&fine, Buffer::A));
    let apart = difference(&a, &b);
    assert!(apart < 0.01 * DEPTH, "{apart}");
}

#[test]
fn held_pointer_draws_groove() {
    let size = (320, 180);
    let pixel = [110.0, 25.0];
    let finger = "return vec4f(finger_on_ground(walker::current_camera()), 0.0);";
    let [mut alone, mut drawn] = [(); 2].map(|()| running(size, 10.0));
    alone.advance(8);
    drawn.advance(4);
    drawn.mouse = [pixel[0], pixel[1], pixel[0], pixel[1]];
    drawn.advance(4);
    let frame = drawn.inputs(7).frame;
    let [x, z, is_there, _] = Probe::<1>::new(TRACKS, finger).read(&frame)[0];
    assert_eq!(is_there, 1.0);
    let touched = DVec2::new(f64::from(x), f64::from(z));
    let (before, after) = (map(&alone, Buffer::A), map(&drawn, Buffer::A));
    assert!(before.at(touched).abs() < 0.1 * DEPTH, "no test: a print");
    assert!(after.at(touched) < -0.9 * DEPTH);
    let changed = before.cells().zip(after.cells());
    let changed = changed.filter(|(a, b)| (a - b).abs() > 1e-4).count();
    // In 0.3 s the insect, and the view with it, advances by 0.4: a groove of 0.4 x 0.35
    // with a rim of 0.3 around it, in cells of 0.028².
    assert!((100..1500).contains(&changed), "{changed} cells");
}

#[test]
fn extreme_parameters_keep_values_bounded() {
    for ends in [
        ["depth=0", "wind=0", "grains=0", "sun_height=5"],
        ["depth=0.2", "wind=2", "grains=2", "sun_height=45"],
    ] {
        let mut running = running((96, 54), 10.0);
        ends.iter().for_each(|end| running.set(end));
        running.advance(12);
        let heights = map(&running, Buffer::A);
        assert!(heights.cells().all(|height| height.abs() < 0.5));
        let grains = map(&running, Buffer::B);
        assert!(grains.cells().all(|density| (0.0..=4.0).contains(&density)));
        let picture = running.picture();
        assert!(picture.rgba.iter().any(|component| *component > 100));
    }
}

#[test]
fn tracks_match_snapshots() {
    for ground in ["snow", "sand"] {
        let mut running = running((160, 90), 60.0);
        running.set(&format!("ground={ground}"));
        running.advance(41);
        assert_snapshot(&format!("tracks_{ground}"), &running.picture());
    }
}
