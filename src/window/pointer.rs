//! Translates winit pointer events (mouse, wheel and touch) into session events, as a pure
//! function of events and session state.

use winit::dpi::PhysicalPosition;
use winit::event::{MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};

use tarsus_player::live;
use tarsus_player::timeline::Event;

/// Pointer state that winit events do not carry.
#[derive(Clone, Debug, Default)]
pub(super) struct PointerState {
    /// Pointer position in physical pixels from the top left.
    position: PhysicalPosition<f64>,
    is_orbiting: bool,
    /// The finger that acts as the pointer.
    finger: Option<u64>,
}

/// Context of a pointer event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    /// Size of the picture in physical pixels.
    pub(super) size: (u32, u32),
    /// True while the session's button is pressed.
    pub(super) is_held: bool,
    /// Yaw, pitch and zoom of the camera.
    pub(super) orbit: [f32; 3],
    /// True if the overlay consumed the event.
    pub(super) consumed: bool,
}

impl PointerState {
    /// Handles a window event; returns the scene's events.
    pub(super) fn event(&mut self, event: &WindowEvent, around: Surroundings) -> Vec<Event> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.moved(*position, around).into_iter().collect()
            }
            WindowEvent::CursorLeft { .. } if !around.is_held => vec![Event::Leave],
            WindowEvent::MouseInput { state, button, .. } => {
                self.button(*button, state.is_pressed(), around)
            }
            WindowEvent::MouseWheel { delta, .. } if !around.consumed => {
                vec![zoomed(*delta, around.orbit)]
            }
            WindowEvent::Touch(touch) => self.touch(touch, around),
            _ => Vec::new(),
        }
    }

    /// Resets pressed buttons, because the window lost focus and misses their release.
    pub(super) fn let_go(&mut self) {
        self.is_orbiting = false;
    }

    fn moved(&mut self, position: PhysicalPosition<f64>, around: Surroundings) -> Option<Event> {
        let before = std::mem::replace(&mut self.position, position);
        let (width, height) = around.size;
        // Some systems report a pointer outside the window.
        let inside = (0.0..=f64::from(width)).contains(&position.x)
            && (0.0..=f64::from(height)).contains(&position.y);
        if self.is_orbiting {
            Some(orbited(
                [position.x - before.x, position.y - before.y],
                around,
            ))
        } else if around.is_held || (inside && !around.consumed) {
            Some(pointed(position, around.size))
        } else {
            None
        }
    }

    fn button(&mut self, button: MouseButton, pressed: bool, around: Surroundings) -> Vec<Event> {
        match button {
            MouseButton::Left if pressed && !around.consumed => {
                vec![pointed(self.position, around.size), Event::Held(true)]
            }
            MouseButton::Left if !pressed && around.is_held => vec![Event::Held(false)],
            MouseButton::Right => {
                self.is_orbiting = pressed && !around.consumed;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The first finger acts as the pointer with its button pressed.
    fn touch(&mut self, touch: &Touch, around: Surroundings) -> Vec<Event> {
        if *self.finger.get_or_insert(touch.id) != touch.id {
            return Vec::new();
        }
        self.position = touch.location;
        let pointed = pointed(touch.location, around.size);
        match touch.phase {
            TouchPhase::Started if !around.consumed => vec![pointed, Event::Held(true)],
            TouchPhase::Moved if around.is_held => vec![pointed],
            TouchPhase::Started | TouchPhase::Moved => Vec::new(),
            TouchPhase::Ended | TouchPhase::Cancelled => {
                self.finger = None;
                vec![Event::Held(false), Event::Leave]
            }
        }
    }
}

/// Converts a position to fractions of the picture from the lower left corner.
fn pointed(position: PhysicalPosition<f64>, (width, height): (u32, u32)) -> Event {
    live::pointed([position.x, position.y], [width, height].map(f64::from))
}

/// Rotates by half a turn per height of the picture.
fn orbited(pixels: [f64; 2], around: Surroundings) -> Event {
    live::orbited(pixels, f64::from(around.size.1), around.orbit)
}

fn zoomed(delta: MouseScrollDelta, orbit: [f32; 3]) -> Event {
    let notches = match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines,
        MouseScrollDelta::PixelDelta(pixels) => (pixels.y / live::PIXELS_PER_NOTCH) as f32,
    };
    live::zoomed(notches, orbit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;
    use winit::event::{DeviceId, ElementState};

    const AROUND: Surroundings = Surroundings {
        size: (200, 100),
        is_held: false,
        orbit: [0.0, 0.0, 2.0],
        consumed: false,
    };
    const HELD: Surroundings = Surroundings {
        is_held: true,
        ..AROUND
    };
    const CONSUMED: Surroundings = Surroundings {
        consumed: true,
        ..AROUND
    };

    fn moved(x: f64, y: f64) -> WindowEvent {
        WindowEvent::CursorMoved {
            device_id: DeviceId::dummy(),
            position: PhysicalPosition::new(x, y),
        }
    }

    fn button(button: MouseButton, state: ElementState) -> WindowEvent {
        WindowEvent::MouseInput {
            device_id: DeviceId::dummy(),
            state,
            button,
        }
    }

    fn touch(id: u64, phase: TouchPhase, x: f64) -> WindowEvent {
        WindowEvent::Touch(Touch {
            device_id: DeviceId::dummy(),
            phase,
            location: PhysicalPosition::new(x, 50.0),
            force: None,
            id,
        })
    }

    #[test]
    fn positions_are_fractions_from_lower_left() {
        let mut pointer = PointerState::default();
        let seen = |pointer: &mut PointerState, x, y| pointer.event(&moved(x, y), AROUND);
        assert_eq!(
            seen(&mut pointer, 50.0, 25.0),
            [Event::Pointer([0.25, 0.75])]
        );
        assert_eq!(
            seen(&mut pointer, 200.0, 100.0),
            [Event::Pointer([1.0, 0.0])]
        );
        assert_eq!(seen(&mut pointer, -1.0, 25.0), []);
        assert_eq!(pointer.event(&moved(50.0, 25.0), CONSUMED), []);
    }

    #[test]
    fn drag_continues_outside_and_over_overlay() {
        let mut pointer = PointerState::default();
        pointer.event(&moved(50.0, 25.0), AROUND);
        let press = button(MouseButton::Left, ElementState::Pressed);
        let release = button(MouseButton::Left, ElementState::Released);
        assert_eq!(pointer.event(&press, CONSUMED), []);
        assert_eq!(
            pointer.event(&press, AROUND),
            [Event::Pointer([0.25, 0.75]), Event::Held(true)]
        );
        let both = Surroundings {
            consumed: true,
            ..HELD
        };
        assert_eq!(
            pointer.event(&moved(-50.0, 25.0), both),
            [Event::Pointer([-0.25, 0.75])]
        );
        assert_eq!(pointer.event(&release, both), [Event::Held(false)]);
        assert_eq!(pointer.event(&release, AROUND), []);
    }

    #[test]
    fn right_drag_orbits_camera() {
        let mut pointer = PointerState::default();
        pointer.event(&moved(10.0, 10.0), AROUND);
        let press = button(MouseButton::Right, ElementState::Pressed);
        assert_eq!(pointer.event(&press, AROUND), []);
        assert_eq!(
            pointer.event(&moved(110.0, 60.0), AROUND),
            [Event::Orbit([PI, PI / 2.0, 2.0])]
        );
        pointer.let_go();
        let after = pointer.event(&moved(50.0, 25.0), AROUND);
        assert_eq!(after, [Event::Pointer([0.25, 0.75])]);
    }

    #[test]
    fn wheel_lines_and_pixels_zoom_alike() {
        let mut pointer = PointerState::default();
        let wheel = |delta| WindowEvent::MouseWheel {
            device_id: DeviceId::dummy(),
            delta,
            phase: TouchPhase::Moved,
        };
        let lines = wheel(MouseScrollDelta::LineDelta(0.0, 2.0));
        let pixels = wheel(MouseScrollDelta::PixelDelta(PhysicalPosition::new(
            0.0,
            2.0 * live::PIXELS_PER_NOTCH,
        )));
        let zoomed = pointer.event(&lines, AROUND);
        assert_eq!(zoomed, [Event::Orbit([0.0, 0.0, 2.0 * 1.1f32.powf(2.0)])]);
        assert_eq!(pointer.event(&pixels, AROUND), zoomed);
        assert_eq!(pointer.event(&pixels, CONSUMED), []);
    }

    #[test]
    fn second_finger_is_ignored() {
        let mut pointer = PointerState::default();
        let started = pointer.event(&touch(7, TouchPhase::Started, 50.0), AROUND);
        assert_eq!(started, [Event::Pointer([0.25, 0.5]), Event::Held(true)]);
        let second = pointer.event(&touch(8, TouchPhase::Started, 100.0), HELD);
        assert_eq!(second, []);
        let dragged = pointer.event(&touch(7, TouchPhase::Moved, 100.0), HELD);
        assert_eq!(dragged, [Event::Pointer([0.5, 0.5])]);
        let ended = pointer.event(&touch(7, TouchPhase::Ended, 100.0), HELD);
        assert_eq!(ended, [Event::Held(false), Event::Leave]);
        let next = pointer.event(&touch(8, TouchPhase::Started, 100.0), AROUND);
        assert_eq!(next, [Event::Pointer([0.5, 0.5]), Event::Held(true)]);
    }
}
