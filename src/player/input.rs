//! What the user does with pointer and keys, as a [`Frame`] tells it to a scene.
//!
//! A pure state machine: events go in, [`Input::write`] puts the state into a
//! frame, and [`Input::painted`] ends what holds for one frame only. Positions
//! are fractions of the picture from its lower left corner, so that they mean
//! the same at every size; times are scene time in seconds.

use crate::player::Keyboard;
use crate::render::{Frame, NEVER};

/// Least and greatest pitch of the orbit, in radians.
const PITCH: std::ops::RangeInclusive<f32> = -1.5..=1.5;
/// Least and greatest zoom factor.
const ZOOM: std::ops::RangeInclusive<f32> = 0.1..=10.0;

/// Where a drag began and where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drag {
    from: [f64; 2],
    to: [f64; 2],
}

/// The state of pointer, camera and keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Keys by JavaScript code.
    pub keyboard: Keyboard,
    pointer: [f64; 2],
    inside: bool,
    held: bool,
    /// The button went down since the last painted frame.
    clicked: bool,
    /// The drag under way, or the last one.
    drag: Option<Drag>,
    pressed_at: Option<f64>,
    released_at: Option<f64>,
    orbit: [f32; 3],
}

impl Default for Input {
    fn default() -> Self {
        Self {
            keyboard: Keyboard::default(),
            pointer: [0.5; 2],
            inside: false,
            held: false,
            clicked: false,
            drag: None,
            pressed_at: None,
            released_at: None,
            orbit: [0.0, 0.0, 1.0],
        }
    }
}

impl Input {
    /// The input that wrote `frame`, with the state of the keys beside it.
    #[must_use]
    pub fn of_frame(frame: &Frame, keyboard: Keyboard) -> Self {
        let [width, height] = frame.resolution.map(f64::from);
        let fraction = |x: f32, y: f32| [f64::from(x) / width, f64::from(y) / height];
        let time = f64::from(frame.time);
        let happened = |age: f32| (age < NEVER).then(|| time - f64::from(age));
        let [x, y, from_x, from_y] = frame.mouse;
        Self {
            keyboard,
            pointer: fraction(frame.pointer[0], frame.pointer[1]),
            inside: frame.pointer[2] > 0.5,
            held: frame.pointer[3] > 0.5,
            clicked: from_y > 0.0,
            drag: (frame.mouse != [0.0; 4]).then(|| Drag {
                from: fraction(from_x.abs(), from_y.abs()),
                to: fraction(x, y),
            }),
            pressed_at: happened(frame.press_age),
            released_at: happened(frame.release_age),
            orbit: [frame.orbit[0], frame.orbit[1], frame.orbit[2]],
        }
    }

    /// The pointer is at `position`; with the button held this drags.
    pub fn point(&mut self, position: [f64; 2]) {
        self.pointer = position;
        self.inside = true;
        if let Some(drag) = self.drag.as_mut().filter(|_| self.held) {
            drag.to = position;
        }
    }

    /// The pointer left the picture.
    pub fn leave(&mut self) {
        self.inside = false;
    }

    /// The button went down where the pointer is, at scene time `now`.
    pub fn press(&mut self, now: f64) {
        self.held = true;
        self.clicked = true;
        self.pressed_at = Some(now);
        self.drag = Some(Drag {
            from: self.pointer,
            to: self.pointer,
        });
    }

    /// The button came up at scene time `now`.
    pub fn release(&mut self, now: f64) {
        if self.held {
            self.held = false;
            self.released_at = Some(now);
        }
    }

    /// Looks from `yaw` and `pitch` in radians, with a zoom factor.
    pub fn look(&mut self, [yaw, pitch, zoom]: [f32; 3]) {
        let clamp = |value: f32, range: std::ops::RangeInclusive<f32>| {
            value.clamp(*range.start(), *range.end())
        };
        self.orbit = [yaw, clamp(pitch, PITCH), clamp(zoom, ZOOM)];
    }

    /// Yaw, pitch and zoom.
    #[must_use]
    pub fn orbit(&self) -> [f32; 3] {
        self.orbit
    }

    /// True while the button is down.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Puts the state into `frame`, whose resolution and time are set.
    pub fn write(&self, frame: &mut Frame) {
        let [x, y] = pixels(self.pointer, frame.resolution);
        let flag = |on: bool| if on { 1.0 } else { 0.0 };
        frame.pointer = [x as f32, y as f32, flag(self.inside), flag(self.held)];
        frame.mouse = self.mouse(frame.resolution);
        let [yaw, pitch, zoom] = self.orbit;
        frame.orbit = [yaw, pitch, zoom, 0.0];
        let now = f64::from(frame.time);
        frame.press_age = match self.pressed_at {
            // After a restart in the middle of a drag the drag begins anew.
            Some(then) if self.held => (now - then).max(0.0) as f32,
            then => age(then, now),
        };
        frame.release_age = age(self.released_at, now);
    }

    /// Shadertoy's `iMouse`: `xy` the last position with the button held, `zw`
    /// that of the press; `z` is negative once the button is up, `w` from the
    /// second frame after the press.
    fn mouse(&self, resolution: [f32; 2]) -> [f32; 4] {
        let Some(drag) = self.drag else {
            return [0.0; 4];
        };
        let floor = |position| pixels(position, resolution).map(|at| (at + SNAP).floor() as f32);
        let ([x, y], [from_x, from_y]) = (floor(drag.to), floor(drag.from));
        // `0.0 - x` and not `-x`: there is no negative zero.
        let signed = |on: bool, value: f32| if on { value } else { 0.0 - value };
        [
            x,
            y,
            signed(self.held, from_x),
            signed(self.clicked, from_y),
        ]
    }

    /// A frame was painted: clicks and key presses are news for one frame only.
    pub fn painted(&mut self) {
        self.clicked = false;
        self.keyboard.painted();
    }
}

/// Makes up for the rounding of fractions of the picture, in pixels.
const SNAP: f64 = 1e-6;

fn pixels(position: [f64; 2], resolution: [f32; 2]) -> [f64; 2] {
    [
        position[0] * f64::from(resolution[0]),
        position[1] * f64::from(resolution[1]),
    ]
}

/// Seconds since `then`; what lies in the future has not happened.
fn age(then: Option<f64>, now: f64) -> f32 {
    match then {
        Some(then) if then <= now => (now - then) as f32,
        _ => NEVER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (800, 450);

    /// Position of a pixel counted from the top left, as a window reports it.
    fn at(x: f64, y: f64) -> [f64; 2] {
        [x / 800.0, 1.0 - y / 450.0]
    }

    fn frame_of(input: &Input, time: f64) -> Frame {
        let mut frame = Frame::at_time(SIZE, 0, time, 60.0);
        input.write(&mut frame);
        frame
    }

    enum Do {
        Nothing,
        Move(f64, f64),
        Press,
        Release,
        Paint,
    }
    use Do::{Move, Nothing, Paint, Press, Release};

    /// `iMouse` after every event, as Shadertoy has it: floored pixels, y up,
    /// `floor(450 - y)`.
    const MOUSE: &[(Do, [f32; 4])] = &[
        (Nothing, [0.0, 0.0, 0.0, 0.0]),
        (Move(100.0, 50.0), [0.0, 0.0, 0.0, 0.0]),
        (Press, [100.0, 400.0, 100.0, 400.0]),
        (Move(110.7, 60.2), [110.0, 389.0, 100.0, 400.0]),
        (Paint, [110.0, 389.0, 100.0, -400.0]),
        (Move(137.0, 137.0), [137.0, 313.0, 100.0, -400.0]),
        (Paint, [137.0, 313.0, 100.0, -400.0]),
        (Release, [137.0, 313.0, -100.0, -400.0]),
        (Move(500.0, 400.0), [137.0, 313.0, -100.0, -400.0]),
        (Press, [500.0, 50.0, 500.0, 50.0]),
        (Release, [500.0, 50.0, -500.0, 50.0]),
        (Paint, [500.0, 50.0, -500.0, -50.0]),
        (Move(0.0, 450.0), [500.0, 50.0, -500.0, -50.0]),
        (Press, [0.0, 0.0, 0.0, 0.0]),
    ];

    #[test]
    fn mouse_follows_shadertoy_event_by_event() {
        let mut input = Input::default();
        for (number, (event, expected)) in MOUSE.iter().enumerate() {
            match event {
                Nothing => {}
                Move(x, y) => input.point(at(*x, *y)),
                Press => input.press(0.0),
                Release => input.release(0.0),
                Paint => input.painted(),
            }
            let mouse = frame_of(&input, 0.0).mouse;
            assert_eq!(mouse, *expected, "after event {number}");
            assert!(
                mouse
                    .iter()
                    .all(|part| part.to_bits() != (-0.0f32).to_bits())
            );
        }
    }

    #[test]
    fn every_pixel_of_every_size_is_floored_right() {
        for height in [1u32, 2, 3, 7, 90, 225, 450, 1080, 2161] {
            for y in 0..=height {
                let mut input = Input::default();
                input.point([0.0, 1.0 - f64::from(y) / f64::from(height)]);
                input.press(0.0);
                let mut frame = Frame::at_time((16, height), 0, 0.0, 60.0);
                input.write(&mut frame);
                assert_eq!(frame.mouse[1], (height - y) as f32, "{y} of {height}");
            }
        }
    }

    #[test]
    fn pointer_hovers_without_a_press() {
        let mut input = Input::default();
        assert_eq!(frame_of(&input, 0.0).pointer[2..], [0.0, 0.0]);
        input.point(at(200.0, 150.0));
        assert_eq!(frame_of(&input, 0.0).pointer, [200.0, 300.0, 1.0, 0.0]);
        input.press(0.0);
        assert_eq!(frame_of(&input, 0.0).pointer, [200.0, 300.0, 1.0, 1.0]);
        input.release(0.0);
        input.leave();
        assert_eq!(frame_of(&input, 0.0).pointer, [200.0, 300.0, 0.0, 0.0]);
    }

    #[test]
    fn ages_count_scene_time() {
        let mut input = Input::default();
        let ages = |input: &Input, time| {
            let frame = frame_of(input, time);
            [frame.press_age, frame.release_age]
        };
        assert_eq!(ages(&input, 1.0), [NEVER, NEVER]);
        input.press(1.0);
        assert_eq!(ages(&input, 1.5), [0.5, NEVER]);
        input.release(2.0);
        assert_eq!(ages(&input, 2.25), [1.25, 0.25]);
        assert_eq!(ages(&input, 0.5), [NEVER, NEVER], "before it happened");
        input.press(3.0);
        assert_eq!(ages(&input, 0.0)[0], 0.0, "held over a restart");
    }

    #[test]
    fn a_frame_tells_the_input_that_wrote_it() {
        let mut input = Input::default();
        input.point(at(123.4, 56.7));
        input.press(0.25);
        input.point(at(140.0, 60.0));
        input.release(0.5);
        input.look([0.3, -0.2, 1.5]);
        input.keyboard.press(65);
        for painted in [false, true] {
            if painted {
                input.painted();
            }
            let frame = frame_of(&input, 0.75);
            let again = Input::of_frame(&frame, input.keyboard.clone());
            assert_eq!(frame_of(&again, 0.75), frame);
        }
    }

    #[test]
    fn the_camera_stays_within_reason() {
        let mut input = Input::default();
        input.look([9.0, 7.0, 100.0]);
        assert_eq!(input.orbit(), [9.0, 1.5, 10.0]);
    }
}
