//! The frame loop against simulated GPUs and screens, in simulated time.

use std::collections::VecDeque;

use super::*;

/// Time for drawing the picture and the interface to the surface, in milliseconds.
const COMPOSITE_MS: f64 = 0.3;
/// Time that a scene takes at any scale, in milliseconds.
const FIXED_MS: f64 = 0.1;
/// Processor time of one step of the loop, in seconds.
const STEP_SECONDS: f64 = 1e-4;
/// Maximum delay of a timer, in seconds.
const TIMER_DELAY: f64 = 5e-4;
/// Number of images of a surface.
const IMAGES: usize = 3;

/// Random numbers from 0 to 1 that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 24)
    }
}

/// Time of a scene at full scale.
#[derive(Clone, Copy, Debug)]
enum Cost {
    Fixed(f64),
    /// With 10 % noise.
    Noisy(f64),
    /// Rises to the second value in 20 seconds.
    Drifting(f64, f64),
    /// Five times as much once in 25 frames.
    Spiking(f64),
    /// Changes to the second value after 10 seconds.
    Jumping(f64, f64),
}

impl Cost {
    fn ms(self, now: f64, frame: usize, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(ms) => ms,
            Self::Noisy(ms) => ms * (0.9 + 0.2 * random.next()),
            Self::Drifting(from, to) => from + (to - from) * (now / 20.0).min(1.0),
            Self::Spiking(ms) if frame % 25 == 24 => 5.0 * ms,
            Self::Spiking(ms) => ms,
            Self::Jumping(before, after) => {
                if now < 10.0 {
                    before
                } else {
                    after
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Fifo,
    Mailbox,
    Immediate,
    /// The surface returns no image.
    Occluded,
}

/// What is simulated.
#[derive(Clone, Copy, Debug)]
struct Setup {
    cost: Cost,
    mode: Mode,
    /// Refresh rate of the screen, in hertz.
    hertz: f64,
    /// Refresh rate reported by the system, in hertz.
    reported: Option<f64>,
    has_timestamps: bool,
    is_software: bool,
    is_paused: bool,
}

impl Setup {
    fn new(cost: Cost, hertz: f64) -> Self {
        Self {
            cost,
            mode: Mode::Fifo,
            hertz,
            reported: Some(hertz),
            has_timestamps: true,
            is_software: false,
            is_paused: false,
        }
    }
}

/// An image in front of the screen.
struct Image {
    /// Time at which the GPU has finished it.
    ready_at: f64,
    /// Index of its frame.
    frame: usize,
}

struct Screen {
    mode: Mode,
    interval: f64,
    next_refresh: f64,
    queue: VecDeque<Image>,
    is_showing: bool,
    /// Time at which the first picture of each frame became visible.
    photons: Vec<Option<f64>>,
}

impl Screen {
    /// Handles all refreshes until `now`.
    fn run(&mut self, now: f64) {
        while self.next_refresh <= now {
            let refresh = self.next_refresh;
            self.next_refresh += self.interval;
            let is_ready = |image: &mut Image| image.ready_at <= refresh;
            let mut newest = self.queue.pop_front_if(is_ready);
            while self.mode == Mode::Mailbox
                && let Some(image) = self.queue.pop_front_if(is_ready)
            {
                newest = Some(image);
            }
            if let Some(image) = newest {
                self.show(refresh, &image);
            }
        }
    }

    fn show(&mut self, now: f64, image: &Image) {
        self.is_showing = true;
        self.photons.resize(self.photons.len().max(image.frame + 1), None);
        self.photons[image.frame].get_or_insert(now);
    }

    /// Returns the time at which an image is free.
    fn acquire(&mut self, now: f64) -> Option<f64> {
        self.run(now);
        match self.mode {
            Mode::Occluded => None,
            Mode::Mailbox | Mode::Immediate => Some(now),
            Mode::Fifo => {
                let mut now = now;
                while self.queue.len() + usize::from(self.is_showing) >= IMAGES {
                    now = self.next_refresh;
                    self.run(now);
                }
                Some(now)
            }
        }
    }

    fn present(&mut self, image: Image) {
        match self.mode {
            Mode::Immediate => self.show(image.ready_at, &image),
            Mode::Mailbox | Mode::Fifo => self.queue.push_back(image),
            Mode::Occluded => unreachable!("there is no image"),
        }
    }
}

/// A picture that the GPU has not finished.
struct Drawing {
    done_at: f64,
    submitted_at: f64,
    ms: f64,
    scale: f64,
}

/// The loop with everything around it.
struct Bench {
    setup: Setup,
    pacing: Pacing,
    now: f64,
    random: Random,
    screen: Screen,
    drawings: VecDeque<Drawing>,
    gpu_free_at: f64,
    finished_at: f64,
    unfinished_at: f64,
    needs_present: bool,
    /// True if an event has arrived that no frame shows.
    is_stale: bool,
    is_visible: bool,
    /// Begin of each frame, and its scale.
    frames: Vec<(f64, f64)>,
    /// Events: time, and index of the first frame that shows them.
    events: Vec<(f64, usize)>,
    /// Number of steps.
    steps: usize,
}

impl Bench {
    fn new(setup: Setup) -> Self {
        let mut pacing = Pacing::new(None, None);
        pacing.set_software(setup.is_software);
        Self {
            pacing,
            now: 0.0,
            random: Random(7),
            screen: Screen {
                mode: setup.mode,
                interval: 1.0 / setup.hertz,
                next_refresh: 0.4 / setup.hertz,
                queue: VecDeque::new(),
                is_showing: false,
                photons: Vec::new(),
            },
            drawings: VecDeque::new(),
            gpu_free_at: 0.0,
            finished_at: 0.0,
            unfinished_at: 0.0,
            needs_present: true,
            is_stale: true,
            is_visible: true,
            frames: Vec::new(),
            events: Vec::new(),
            steps: 0,
            setup,
        }
    }

    /// Submits work to the GPU. Returns the time at which it is done.
    fn submit(&mut self, ms: f64) -> f64 {
        self.gpu_free_at = self.gpu_free_at.max(self.now) + ms / 1e3;
        self.gpu_free_at
    }

    fn finish(&mut self) {
        let is_done = |drawing: &mut Drawing| drawing.done_at <= self.now;
        while let Some(drawing) = self.drawings.pop_front_if(is_done) {
            let since = drawing.submitted_at.max(self.finished_at);
            self.finished_at = self.now;
            let is_gpu_timed = self.setup.has_timestamps && !self.setup.is_software;
            let done_at = if self.setup.is_software {
                self.now
            } else {
                completion_time(self.now, self.unfinished_at.max(since))
            };
            let ms = if is_gpu_timed { drawing.ms } else { (done_at - since) * 1e3 };
            self.pacing.record_scene_ms(self.now, ms, drawing.scale, true);
            self.pacing.record_buffers_ms(0.0);
            self.needs_present |= !presents_at_submission(FrameTiming::Timer, &self.pacing);
        }
        if !self.drawings.is_empty() {
            self.unfinished_at = self.now;
        }
    }

    fn start_frame(&mut self) {
        self.is_stale = false;
        self.pacing.record_frame(self.now, !self.setup.is_paused);
        let scale = self.pacing.scale.scale();
        let full_ms = self.setup.cost.ms(self.now, self.frames.len(), &mut self.random);
        let ms = FIXED_MS + full_ms * scale * scale;
        self.frames.push((self.now, scale));
        let done_at = self.submit(ms);
        self.drawings.push_back(Drawing { done_at, submitted_at: self.now, ms, scale });
        self.needs_present |= presents_at_submission(FrameTiming::Timer, &self.pacing);
    }

    fn present(&mut self) {
        self.needs_present = false;
        let before = self.now;
        let Some(free_at) = self.screen.acquire(self.now) else {
            return;
        };
        self.now = free_at;
        let ready_at = self.submit(COMPOSITE_MS);
        if self.setup.is_software {
            self.now = ready_at;
        }
        if let Some(frame) = self.frames.len().checked_sub(1) {
            self.screen.present(Image { ready_at, frame });
        }
        self.pacing.record_present_ms((self.now - before) * 1e3);
    }

    /// Runs the loop for `seconds`, with an input event every `event_interval`.
    fn run(&mut self, seconds: f64, event_interval: f64) {
        let end = self.now + seconds;
        let mut next_event = self.now + event_interval;
        while self.now < end {
            self.steps += 1;
            self.now += STEP_SECONDS;
            while next_event <= self.now {
                self.events.push((next_event, self.frames.len()));
                self.is_stale = true;
                self.pacing.record_change(next_event);
                next_event += event_interval * (0.5 + self.random.next());
            }
            self.pacing.set_refresh_rate(self.setup.reported);
            self.finish();
            let situation = Situation {
                unfinished: self.drawings.len(),
                needs_present: self.needs_present,
                has_scene: true,
                is_frame_open: false,
                needs_screenshot: false,
                needs_frame: self.is_stale || !self.setup.is_paused,
            };
            let step = if self.is_visible {
                next_step(self.now, FrameTiming::Timer, &self.pacing, &situation)
            } else {
                Step::Wait(NextWake::Input)
            };
            match step {
                Step::StartFrame => self.start_frame(),
                Step::Wait(NextWake::Present) => self.present(),
                Step::Wait(NextWake::At(at)) => {
                    let late = TIMER_DELAY * self.random.next();
                    self.now = (at + late).min(next_event).max(self.now);
                }
                Step::Wait(NextWake::Input) | Step::Refine => {
                    self.now = next_event.min(end).max(self.now);
                }
                Step::Draw | Step::Screenshot => unreachable!("{step:?}"),
            }
        }
        self.screen.run(self.now);
    }

    /// Pictures per second in the last `seconds`. With a queue in front of the screen, all
    /// become visible; without one, a late picture may replace an early one.
    fn frame_rate(&self, seconds: f64) -> f64 {
        let begin = self.now - seconds;
        let count = match self.setup.mode {
            Mode::Fifo => {
                let shown = self.screen.photons.iter().flatten();
                shown.filter(|time| **time > begin).count()
            }
            _ => self.frames.iter().filter(|(time, _)| *time > begin).count(),
        };
        count as f64 / seconds
    }

    /// Times at which the scale changed after `since`.
    fn scale_changes(&self, since: f64) -> Vec<f64> {
        let pairs = self.frames.windows(2);
        let changes = pairs.filter(|pair| pair[0].1 != pair[1].1);
        changes.map(|pair| pair[1].0).filter(|time| *time > since).collect()
    }

    fn scale(&self) -> f64 {
        self.frames.last().expect("frames").1
    }

    /// The longest time from an event after `since` until a picture shows it, in seconds.
    fn latency(&self, since: f64) -> f64 {
        let events = self.events.iter().filter(|(time, _)| *time > since);
        let latencies = events.filter_map(|(time, frame)| {
            let shown = self.screen.photons.iter().skip(*frame).flatten();
            let first = shown.copied().fold(f64::INFINITY, f64::min);
            (first < f64::INFINITY).then(|| first - time)
        });
        latencies.fold(0.0, f64::max)
    }
}

const RATES: [f64; 6] = [59.81, 60.0, 75.0, 120.0, 144.0, 240.0];

/// Asserts that `setup` settles at `scale` and one picture in `divisor` refreshes, without
/// later changes, and that pictures follow input soon.
fn assert_steady(setup: Setup, scale: f64, divisor: u32) {
    let mut bench = Bench::new(setup);
    bench.run(4.0, 0.037);
    let settled = bench.now;
    bench.run(12.0, 0.037);
    assert_eq!(bench.scale(), scale, "{setup:?}");
    assert!(bench.scale_changes(settled).is_empty(), "{setup:?}");
    let rate = setup.hertz / f64::from(divisor);
    let found = bench.frame_rate(12.0);
    assert!((found / rate - 1.0).abs() < 0.02, "{setup:?}: {found} per second");
    let (Cost::Fixed(ms) | Cost::Noisy(ms)) = setup.cost else { unreachable!("a steady cost") };
    let scene = (1.1 * ms * scale * scale + FIXED_MS + COMPOSITE_MS) / 1e3;
    // A frame begins at most one interval after the event, and the screen shows it with
    // the refresh after it is finished.
    let most = 1.002 / rate + 1.0 / setup.hertz + scene + 2.0 * TIMER_DELAY + 1e-3;
    let latency = bench.latency(settled);
    assert!(latency < most, "{setup:?}: {latency} s, not {most} s");
}

#[test]
fn fitting_scene_keeps_full_scale_and_rate() {
    for hertz in RATES {
        for percent in [5.0, 24.0, 45.0, 60.0] {
            let ms = percent / 100.0 * 1e3 / hertz;
            for cost in [Cost::Fixed(ms), Cost::Noisy(ms)] {
                for mode in [Mode::Fifo, Mode::Mailbox, Mode::Immediate] {
                    let setup = Setup { mode, ..Setup::new(cost, hertz) };
                    assert_steady(setup, 1.0, 1);
                }
            }
        }
    }
}

#[test]
fn ten_milliseconds_fit_60_hertz() {
    for ms in [2.0, 4.0, 6.0, 8.0, 10.0] {
        for has_timestamps in [true, false] {
            for cost in [Cost::Fixed(ms), Cost::Noisy(ms)] {
                let setup = Setup::new(cost, 59.81);
                assert_steady(Setup { has_timestamps, ..setup }, 1.0, 1);
            }
        }
    }
}

#[test]
fn slow_scene_divides_rate_then_scale() {
    for (hertz, ms, scale, divisor) in [
        (144.0, 9.0, 1.0, 2),
        (240.0, 5.0, 1.0, 2),
        (240.0, 11.0, 1.0, 4),
        (60.0, 20.0, 0.7, 1),
        (75.0, 12.0, 0.85, 1),
        (240.0, 40.0, 0.5, 4),
        (60.0, 60.0, 0.6, 2),
        (144.0, 100.0, 0.4, 5),
        (60.0, 300.0, 1.0 / 3.0, 3),
    ] {
        for cost in [Cost::Fixed(ms), Cost::Noisy(ms)] {
            assert_steady(Setup::new(cost, hertz), scale, divisor);
        }
    }
}

#[test]
fn scale_changes_once_a_second_unless_overloaded() {
    for hertz in RATES {
        let ms = |percent: f64| percent / 100.0 * 1e3 / hertz;
        for cost in [
            Cost::Drifting(ms(150.0), ms(20.0)),
            Cost::Drifting(ms(20.0), ms(150.0)),
            Cost::Jumping(ms(400.0), ms(20.0)),
            Cost::Spiking(ms(40.0)),
        ] {
            let mut bench = Bench::new(Setup::new(cost, hertz));
            bench.run(3.0, 0.1);
            bench.run(27.0, 0.1);
            let changes = bench.scale_changes(1.0);
            for pair in changes.windows(2) {
                assert!(pair[1] - pair[0] > 0.95, "{cost:?} at {hertz}: {changes:?}");
            }
            assert!(changes.len() < 8, "{cost:?} at {hertz}: {changes:?}");
            if let Cost::Spiking(_) = cost {
                assert!(changes.is_empty(), "{cost:?} at {hertz}: {changes:?}");
            }
        }
    }
}

#[test]
fn sudden_load_lowers_scale_at_once() {
    let mut bench = Bench::new(Setup::new(Cost::Jumping(8.0, 40.0), 60.0));
    bench.run(20.0, 0.1);
    let changes = bench.scale_changes(9.9);
    assert!(changes[0] < 10.5, "{changes:?}");
    assert_eq!(bench.scale(), 0.5);
    assert_eq!(bench.scale_changes(11.0).len(), 0);
}

#[test]
fn wrong_refresh_rate_is_tolerated() {
    for (hertz, reported) in [
        (59.94, Some(59.0)),
        (59.81, Some(60.0)),
        (60.0, Some(60.5)),
        (59.81, None),
        (60.0, Some(0.0)),
    ] {
        let cost = Cost::Noisy(6.0);
        let mut bench = Bench::new(Setup { reported, ..Setup::new(cost, hertz) });
        bench.run(30.0, 0.1);
        assert!(bench.scale_changes(5.0).is_empty(), "{reported:?}");
        let rate = bench.frame_rate(20.0);
        assert!((rate / hertz - 1.0).abs() < 0.02, "{hertz} as {reported:?}: {rate}");
        // A rate that is reported too high fills the queue.
        assert!(bench.latency(5.0) < 4.0 / hertz, "{hertz} as {reported:?}");
    }
}

#[test]
fn paused_scene_follows_input_at_once() {
    for hertz in RATES {
        let setup = Setup { is_paused: true, ..Setup::new(Cost::Fixed(2.0), hertz) };
        let mut bench = Bench::new(setup);
        bench.run(10.0, 0.3);
        let frames = bench.frames.len();
        assert!((20..60).contains(&frames), "only for events: {frames}");
        let latency = bench.latency(1.0);
        assert!(latency < 1.0 / hertz + 0.004, "{hertz}: {latency}");
    }
}

#[test]
fn hidden_window_draws_nothing() {
    let mut bench = Bench::new(Setup::new(Cost::Fixed(5.0), 60.0));
    bench.run(5.0, 0.1);
    bench.is_visible = false;
    let (frames, steps) = (bench.frames.len(), bench.steps);
    bench.run(60.0, 0.5);
    assert_eq!(bench.frames.len(), frames);
    assert!(bench.steps - steps < 500, "it sleeps until events");
    bench.is_visible = true;
    bench.run(10.0, 0.1);
    assert!(bench.scale_changes(5.0).is_empty());
    assert!((bench.frame_rate(5.0) / 60.0 - 1.0).abs() < 0.02);
}

#[test]
fn surface_without_images_does_not_spin() {
    let setup = Setup { mode: Mode::Occluded, ..Setup::new(Cost::Fixed(5.0), 60.0) };
    let mut bench = Bench::new(setup);
    bench.run(10.0, 0.1);
    assert!(bench.steps < 10 * 60 * 12, "{}", bench.steps);
}

#[test]
fn software_renderer_presents_finished_pictures() {
    for (ms, scale) in [(15.0, 1.0), (40.0, 0.7), (90.0, 0.5), (400.0, 1.0 / 3.0)] {
        let setup =
            Setup { is_software: true, mode: Mode::Immediate, ..Setup::new(Cost::Noisy(ms), 60.0) };
        let mut bench = Bench::new(setup);
        bench.run(20.0, 0.1);
        assert_eq!(bench.scale(), scale, "{ms}");
        assert!(bench.scale_changes(5.0).is_empty(), "{ms}");
        let shown = bench.screen.photons.iter().zip(&bench.frames);
        for (photon, (begin, scale)) in shown {
            let seconds = photon.expect("presented") - begin;
            assert!(seconds >= 0.9e-3 * ms * scale * scale, "{ms}: {seconds}");
        }
    }
}
