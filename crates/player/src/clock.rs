//! Live scene time: running, pausing, stepping and restarting.
//!
//! Pure: real time is passed in, as seconds since any fixed origin.

use crate::timeline::ClockMark;

/// Duration of a step, and of the first frame after a start or a pause, in seconds.
pub const STEP: f64 = 1.0 / 60.0;

/// Speeds that the speed keys cycle through.
const SPEEDS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

/// Direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the start.
    Back,
    /// Towards the end.
    Forward,
}

/// Scene time and frame number.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    time: f64,
    delta: f64,
    index: u32,
    speed: f64,
    paused: bool,
    /// Real time of the last tick; `None` after a start or a pause.
    last: Option<f64>,
}

impl Default for Clock {
    fn default() -> Self {
        Self::starting_at(0.0, 0)
    }
}

impl Clock {
    /// Creates a running clock at a time in seconds and a frame number.
    pub fn starting_at(time: f64, index: u32) -> Self {
        Self { time, delta: STEP, index, speed: 1.0, paused: false, last: None }
    }

    /// Advances to the frame at real time `now`. A paused clock does not move,
    /// and the first tick after a start or a pause does not jump.
    pub fn tick(&mut self, now: f64) {
        if self.paused {
            return;
        }
        match self.last.replace(now) {
            Some(last) => {
                self.delta = (now - last).max(0.0) * self.speed;
                self.time += self.delta;
                self.index = self.index.saturating_add(1);
            }
            None => self.delta = STEP,
        }
    }

    /// Scene time since the start, in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Scene time since the previous frame, in seconds.
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// Frame number, from 0.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Seconds of scene time per second of real time.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns true while paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Pauses or resumes.
    pub fn toggle_pause(&mut self) {
        self.set_paused(!self.paused);
    }

    /// Pauses, or resumes without a jump.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.last = None;
    }

    /// Returns to time 0 and frame 0. A paused clock stays paused.
    pub fn restart(&mut self) {
        let (speed, paused) = (self.speed, self.paused);
        *self = Self { speed, paused, ..Self::default() };
    }

    /// Goes to a frame: its time and the time since the previous one, in seconds, and its
    /// number. Speed and pause are kept.
    pub fn go_to(&mut self, time: f64, delta: f64, index: u32) {
        (self.time, self.delta, self.index) = (time, delta, index);
        self.last = None;
    }

    /// Steps one frame in `direction` while paused, to a whole multiple of 1/60 s: the
    /// same time as frame n of a capture at 60 frames per second.
    pub fn step(&mut self, direction: Direction) {
        if !self.paused {
            return;
        }
        let frames = self.time / STEP;
        let (target, index) = match direction {
            Direction::Forward => ((frames + 0.01).floor() + 1.0, self.index.saturating_add(1)),
            Direction::Back => ((frames - 0.01).ceil() - 1.0, self.index.saturating_sub(1)),
        };
        self.time = target.max(0.0) / 60.0;
        self.delta = STEP;
        self.index = index;
    }

    /// Switches to the next higher speed, up to 4.
    pub fn speed_up(&mut self) {
        let next = SPEEDS.iter().find(|&&speed| speed > self.speed);
        self.speed = next.copied().unwrap_or(self.speed);
    }

    /// Switches to the next lower speed, down to 0.1.
    pub fn slow_down(&mut self) {
        let next = SPEEDS.iter().rev().find(|&&speed| speed < self.speed);
        self.speed = next.copied().unwrap_or(self.speed);
    }

    /// Returns the present time and speed as a mark for a recording.
    pub fn mark(&self) -> ClockMark {
        ClockMark { time: self.time, speed: if self.paused { 0.0 } else { self.speed } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pausing_freezes_and_resuming_does_not_jump() {
        let mut clock = Clock::default();
        clock.tick(100.0);
        assert_eq!((clock.time(), clock.delta(), clock.index()), (0.0, STEP, 0));
        clock.tick(100.5);
        assert_eq!((clock.time(), clock.delta(), clock.index()), (0.5, 0.5, 1));
        clock.toggle_pause();
        clock.tick(200.0);
        assert_eq!((clock.time(), clock.index()), (0.5, 1));
        clock.toggle_pause();
        clock.tick(300.0);
        assert_eq!((clock.time(), clock.delta()), (0.5, STEP));
        clock.tick(300.25);
        assert_eq!((clock.time(), clock.delta()), (0.75, 0.25));
    }

    #[test]
    fn restart_keeps_speed_and_pause() {
        let mut clock = Clock::starting_at(5.0, 300);
        clock.set_paused(true);
        clock.speed_up();
        clock.restart();
        assert_eq!((clock.time(), clock.index()), (0.0, 0));
        assert_eq!((clock.speed(), clock.is_paused()), (2.0, true));
    }

    #[test]
    fn steps_land_on_the_frames_of_a_capture() {
        let mut clock = Clock::default();
        clock.step(Direction::Forward);
        assert_eq!(clock.time(), 0.0, "only while paused");
        clock.set_paused(true);
        for frame in 1..=1000u32 {
            clock.step(Direction::Forward);
            assert_eq!(clock.time(), f64::from(frame) / 60.0);
            assert_eq!(clock.index(), frame);
        }
        for frame in (0..1000u32).rev() {
            clock.step(Direction::Back);
            assert_eq!(clock.time(), f64::from(frame) / 60.0);
        }
        clock.step(Direction::Back);
        assert_eq!((clock.time(), clock.index()), (0.0, 0));
    }

    #[test]
    fn step_between_frames_reaches_next_frame() {
        let mut clock = Clock::starting_at(0.11, 7);
        clock.set_paused(true);
        clock.step(Direction::Forward);
        assert_eq!(clock.time(), 7.0 / 60.0);
        let mut clock = Clock::starting_at(0.11, 7);
        clock.set_paused(true);
        clock.step(Direction::Back);
        assert_eq!(clock.time(), 6.0 / 60.0);
    }

    #[test]
    fn speed_keys_stop_at_limits() {
        let mut clock = Clock::default();
        clock.tick(0.0);
        for _ in 0..9 {
            clock.speed_up();
        }
        assert_eq!(clock.speed(), 4.0);
        clock.tick(1.0);
        assert_eq!(clock.time(), 4.0);
        for _ in 0..9 {
            clock.slow_down();
        }
        assert_eq!(clock.speed(), 0.1);
    }
}
