//! Pointer, camera and keyboard input.
//!
//! A pure state machine: events update it, [`SceneState::frame`] copies its state into
//! the uniform, and [`Input::end_frame`] clears the flags that last for a single frame.
//! Positions are fractions of the picture from its lower left corner, so that they mean
//! the same at every size; times are scene time in seconds.
//!
//! [`SceneState::frame`]: super::SceneState::frame

use serde::{Deserialize, Serialize};

use super::error::ParseError;
use super::keyboard::Keyboard;
use tarsus_render::NEVER;

/// Maximum pitch of the orbit camera, up or down, in radians.
const MAX_PITCH: f64 = 1.5;
/// Limits of the zoom factor: beyond them the animal fills the picture or is a dot in it.
const MIN_ZOOM: f64 = 0.4;
const MAX_ZOOM: f64 = 2.5;

/// Age of a press in stopped time, in seconds: longer than any scene takes to follow one.
const HELD_SECONDS: f64 = 60.0;

/// Checks that shaders can receive a camera that a file contains.
///
/// # Errors
/// Returns [`ParseError`] if a number overflows 32 bits: it would be infinite in the shader.
pub(super) fn check_camera(camera: [f64; 3]) -> Result<(), ParseError> {
    if camera.iter().all(|&part| (part as f32).is_finite()) {
        return Ok(());
    }
    Err(ParseError(format!("invalid camera {camera:?}: expected 32-bit floats")))
}

/// Start and current position of a drag.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Drag {
    from: [f64; 2],
    to: [f64; 2],
}

/// State of the pointer, the camera and the keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Input {
    /// Keys, by JavaScript key code.
    #[serde(rename = "keys", skip_serializing_if = "Keyboard::is_idle")]
    pub keyboard: Keyboard,
    #[serde(rename = "target")]
    pointer: [f64; 2],
    inside: bool,
    held: bool,
    /// True if the button went down since the last frame.
    clicked: bool,
    /// The current drag, or the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    drag: Option<Drag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pressed_at: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    released_at: Option<f64>,
    /// Yaw and pitch in radians, and the zoom factor.
    orbit: [f64; 3],
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
    /// Moves the pointer to `position`. With the button held, this drags.
    pub fn move_pointer(&mut self, position: [f64; 2]) {
        self.pointer = position;
        self.inside = true;
        if let Some(drag) = self.drag.as_mut().filter(|_| self.held) {
            drag.to = position;
        }
    }

    /// Marks the pointer as outside the picture.
    pub fn leave(&mut self) {
        self.inside = false;
    }

    /// Presses the button at the pointer's position, at scene time `now`.
    pub fn press(&mut self, now: f64) {
        self.held = true;
        self.clicked = true;
        self.pressed_at = Some(now);
        self.drag = Some(Drag { from: self.pointer, to: self.pointer });
    }

    /// Presses the button while time stands still at `now`. The press counts as an old one,
    /// because scenes that ease toward the pointer would not move at all.
    pub(super) fn press_in_pause(&mut self, now: f64) {
        self.press(now - HELD_SECONDS);
        self.released_at = None;
    }

    /// Releases the button at scene time `now`.
    pub fn release(&mut self, now: f64) {
        if self.held {
            self.held = false;
            self.released_at = Some(now);
        }
    }

    /// Sets the camera's yaw and pitch in radians and its zoom factor, clamped to their
    /// limits.
    pub fn set_orbit(&mut self, [yaw, pitch, zoom]: [f64; 3]) {
        let pitch = pitch.clamp(-MAX_PITCH, MAX_PITCH);
        self.orbit = [yaw, pitch, zoom.clamp(MIN_ZOOM, MAX_ZOOM)];
    }

    /// Returns yaw, pitch and zoom factor.
    pub fn orbit(&self) -> [f64; 3] {
        self.orbit
    }

    /// Returns true while the button is held.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// `Frame::orbit`: yaw, pitch, zoom, unused.
    pub(super) fn orbit_uniform(&self) -> [f32; 4] {
        let [yaw, pitch, zoom] = self.orbit.map(|part| part as f32);
        [yaw, pitch, zoom, 0.0]
    }

    /// `Frame::pointer`: position in pixels, y up; 1 if inside; 1 if held.
    pub(super) fn pointer(&self, size: (u32, u32)) -> [f32; 4] {
        let [x, y] = pixels(self.pointer, size);
        let flag = |on: bool| if on { 1.0 } else { 0.0 };
        [x, y, flag(self.inside), flag(self.held)]
    }

    /// Shadertoy's `iMouse`: `xy` is the last position with the button held, `zw` the
    /// position of the press. `z` is negative once the button is up, `w` from the second
    /// frame after the press.
    pub(super) fn mouse(&self, size: (u32, u32)) -> [f32; 4] {
        let Some(drag) = self.drag else {
            return [0.0; 4];
        };
        // A whole pixel survives the round trip through a fraction: in f32 the rounding
        // error is smaller than half a step.
        let floor = |position| pixels(position, size).map(f32::floor);
        let ([x, y], [from_x, from_y]) = (floor(drag.to), floor(drag.from));
        // `0.0 - x` instead of `-x` avoids negative zero.
        let signed = |on: bool, value: f32| if on { value } else { 0.0 - value };
        [x, y, signed(self.held, from_x), signed(self.clicked, from_y)]
    }

    /// Seconds of scene time from the last press to `now`, or [`NEVER`].
    pub(super) fn press_age(&self, now: f64) -> f32 {
        match self.pressed_at {
            // After a restart in the middle of a drag, the press counts as new.
            Some(then) if self.held => (now - then).max(0.0) as f32,
            then => age(then, now),
        }
    }

    /// Seconds of scene time from the last release to `now`, or [`NEVER`].
    pub(super) fn release_age(&self, now: f64) -> f32 {
        age(self.released_at, now)
    }

    /// Clears clicks and key presses, which last for one frame, after a frame was
    /// started.
    pub fn end_frame(&mut self) {
        self.clicked = false;
        self.keyboard.end_frame();
    }
}

fn pixels(position: [f64; 2], (width, height): (u32, u32)) -> [f32; 2] {
    [(position[0] * f64::from(width)) as f32, (position[1] * f64::from(height)) as f32]
}

/// Seconds since `then`, or [`NEVER`] if `then` lies in the future.
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

    /// Converts a pixel counted from the top left, as windows report it, into a position.
    fn at(x: f64, y: f64) -> [f64; 2] {
        [x / 800.0, 1.0 - y / 450.0]
    }

    enum Do {
        Nothing,
        Move(f64, f64),
        Press,
        Release,
        Paint,
    }
    use Do::{Move, Nothing, Paint, Press, Release};

    /// `iMouse` after every event, as on Shadertoy: floored pixels, y up, `floor(450 -
    /// y)`.
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
                Move(x, y) => input.move_pointer(at(*x, *y)),
                Press => input.press(0.0),
                Release => input.release(0.0),
                Paint => input.end_frame(),
            }
            let mouse = input.mouse(SIZE);
            assert_eq!(mouse, *expected, "after event {number}");
            assert!(mouse.iter().all(|part| part.to_bits() != (-0.0f32).to_bits()));
        }
    }

    #[test]
    fn mouse_floors_to_exact_pixels() {
        for height in [1u32, 2, 3, 7, 90, 225, 450, 1080, 2161] {
            for y in 0..=height {
                let mut input = Input::default();
                input.move_pointer([0.0, 1.0 - f64::from(y) / f64::from(height)]);
                input.press(0.0);
                let mouse = input.mouse((16, height));
                assert_eq!(mouse[1], (height - y) as f32, "{y} of {height}");
            }
        }
    }

    #[test]
    fn pointer_hovers_without_a_press() {
        let mut input = Input::default();
        assert_eq!(input.pointer(SIZE)[2..], [0.0, 0.0]);
        input.move_pointer(at(200.0, 150.0));
        assert_eq!(input.pointer(SIZE), [200.0, 300.0, 1.0, 0.0]);
        input.press(0.0);
        assert_eq!(input.pointer(SIZE), [200.0, 300.0, 1.0, 1.0]);
        input.release(0.0);
        input.leave();
        assert_eq!(input.pointer(SIZE), [200.0, 300.0, 0.0, 0.0]);
    }

    #[test]
    fn ages_count_scene_time() {
        let mut input = Input::default();
        let ages = |input: &Input, now| [input.press_age(now), input.release_age(now)];
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
    fn press_in_pause_is_complete_at_once() {
        let mut input = Input::default();
        input.press(1.0);
        input.release(1.5);
        input.press_in_pause(1.75);
        assert_eq!((input.press_age(1.75), input.release_age(1.75)), (60.0, NEVER));
        assert!(input.mouse(SIZE)[2] > 0.0);
        input.release(1.75);
        assert_eq!((input.press_age(1.75), input.release_age(1.75)), (60.0, 0.0));
    }

    #[test]
    fn ages_are_exact_after_hours() {
        let mut input = Input::default();
        input.press(36_000.1);
        assert_eq!(input.press_age(36_000.6), 0.5);
    }

    #[test]
    fn press_age_before_start_is_exact() {
        let mut input = Input::default();
        input.press(-60.0);
        for frame in 0..6000u32 {
            let now = f64::from(frame) / 60.0;
            let expected = (f64::from(now as f32) + 60.0) as f32;
            let age = input.press_age(now);
            let steps = age.to_bits().abs_diff(expected.to_bits());
            assert!(steps <= 1, "frame {frame}: {age} and not {expected}");
        }
        for now in [0.0, 0.5, 3.0, 7.25, 30.5] {
            assert_eq!(input.press_age(now), 60.0 + now as f32);
        }
    }

    #[test]
    fn camera_pitch_and_zoom_are_clamped() {
        let mut input = Input::default();
        input.set_orbit([9.0, 7.0, 100.0]);
        assert_eq!(input.orbit(), [9.0, 1.5, 2.5]);
    }
}
