//! Pointer input: mouse, wheel and fingers become events of the scene. A pure state
//! machine, shared by the window and the web page.
//!
//! The primary button and a single finger move the target, the secondary button and two
//! fingers orbit the camera, and the wheel and two fingers zoom.

use std::f64::consts::PI;

use crate::timeline::Event;

/// Touchpad scroll distance that counts as one notch of a wheel, in pixels.
pub const PIXELS_PER_NOTCH: f64 = 40.0;
/// Zoom factor of one notch of a wheel.
const ZOOM_PER_NOTCH: f64 = 1.1;
/// Maximum number of notches of one event.
const MAX_NOTCHES: f64 = 10.0;

/// A position in fractions of the picture from its upper left corner.
pub type Position = [f64; 2];

/// A mouse button that acts on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Moves the target.
    Primary,
    /// Orbits the camera.
    Secondary,
}

/// Phase of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchPhase {
    /// The finger went down.
    Started,
    /// The finger moved.
    Moved,
    /// The finger was lifted, or the system took over the touch.
    Ended,
}

/// An event of a mouse or a touch screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerEvent {
    /// The mouse moved.
    Moved(Position),
    /// The mouse left the picture.
    Left,
    /// A button went down at the last position.
    Pressed(Button),
    /// A button came up.
    Released(Button),
    /// The wheel turned by a number of notches; away from the user is positive.
    Scrolled(f64),
    /// A finger touched the screen, moved on it, or left it.
    Touched {
        /// Identifier of the finger while it is down.
        finger: u64,
        /// Phase of the touch.
        phase: TouchPhase,
        /// Position of the finger.
        at: Position,
    },
}

/// State of the session and the screen that a pointer event depends on.
#[derive(Clone, Copy, Debug)]
pub struct PointerContext {
    /// True while the session's button is pressed.
    pub is_held: bool,
    /// Yaw, pitch and zoom of the camera.
    pub orbit: [f64; 3],
    /// Width of the picture divided by its height.
    pub aspect: f64,
    /// True if a user interface on top of the picture consumed the event.
    pub is_consumed: bool,
    /// True while scene time stands still.
    pub is_paused: bool,
}

/// The state of mouse and fingers between events.
#[derive(Clone, Debug, Default)]
pub struct Pointer {
    position: Position,
    is_orbiting: bool,
    /// The fingers on the picture, in the order in which they went down.
    fingers: Vec<(u64, Position)>,
    /// True once a second finger went down, until fewer than two are left.
    is_pinching: bool,
    /// True after a drag in a paused scene: the target stays where it was released.
    is_placed: bool,
}

impl Pointer {
    /// Handles an event and returns the scene's events.
    pub fn handle(&mut self, event: PointerEvent, context: PointerContext) -> Vec<Event> {
        let PointerContext { is_held, is_consumed, is_paused, .. } = context;
        self.is_placed &= is_paused;
        match event {
            PointerEvent::Moved(position) => self.move_to(position, context).into_iter().collect(),
            PointerEvent::Left if !is_held && !self.is_placed => vec![Event::Leave],
            PointerEvent::Pressed(Button::Primary) if !is_consumed => self.press(),
            PointerEvent::Released(Button::Primary) if is_held => {
                self.is_placed = is_paused;
                vec![Event::Held(false)]
            }
            PointerEvent::Pressed(Button::Secondary) => {
                self.is_orbiting = !is_consumed;
                Vec::new()
            }
            PointerEvent::Released(Button::Secondary) => {
                self.is_orbiting = false;
                Vec::new()
            }
            PointerEvent::Scrolled(notches) if !is_consumed => {
                let notches = notches.clamp(-MAX_NOTCHES, MAX_NOTCHES);
                let [yaw, pitch, zoom] = context.orbit;
                vec![Event::Orbit([yaw, pitch, zoom * ZOOM_PER_NOTCH.powf(notches)])]
            }
            PointerEvent::Touched { finger, phase, at } => match phase {
                TouchPhase::Started if !is_consumed => self.start_touch(finger, at, context),
                TouchPhase::Moved => self.move_touch(finger, at, context).into_iter().collect(),
                TouchPhase::Ended => self.end_touch(finger, context),
                TouchPhase::Started => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Returns the event of a pointer that left the target in a paused scene, once time runs
    /// again.
    pub fn resume(&mut self) -> Option<Event> {
        std::mem::take(&mut self.is_placed).then_some(Event::Leave)
    }

    /// Forgets pressed buttons and fingers, because a window that loses focus misses
    /// their release.
    pub fn release_all(&mut self) {
        let Self { position, is_placed, .. } = *self;
        *self = Self { position, is_placed, ..Self::default() };
    }

    fn move_to(&mut self, position: Position, context: PointerContext) -> Option<Event> {
        let before = std::mem::replace(&mut self.position, position);
        // Some systems report a pointer outside the window.
        let is_inside = position.iter().all(|side| (0.0..=1.0).contains(side));
        if self.is_orbiting {
            Some(orbit(before, position, context))
        } else if context.is_held || (is_inside && !context.is_consumed && !self.is_placed) {
            Some(target(position))
        } else {
            None
        }
    }

    fn press(&mut self) -> Vec<Event> {
        self.is_placed = false;
        vec![target(self.position), Event::Held(true)]
    }

    /// A second finger releases what the first one held: two fingers move the camera.
    fn start_touch(&mut self, finger: u64, at: Position, context: PointerContext) -> Vec<Event> {
        self.fingers.push((finger, at));
        match self.fingers.len() {
            1 => {
                self.position = at;
                self.press()
            }
            2 => {
                self.is_pinching = true;
                self.lift(context)
            }
            _ => Vec::new(),
        }
    }

    fn move_touch(&mut self, finger: u64, at: Position, context: PointerContext) -> Option<Event> {
        let index = self.fingers.iter().position(|(id, _)| *id == finger)?;
        let before = self.span(context.aspect);
        self.fingers[index].1 = at;
        match (before, self.span(context.aspect)) {
            (Some((centre, spread)), Some((new_centre, new_spread))) => {
                let mut context = context;
                if spread > 0.0 {
                    context.orbit[2] *= new_spread / spread;
                }
                Some(orbit(centre, new_centre, context))
            }
            _ => context.is_held.then(|| target(at)),
        }
    }

    fn end_touch(&mut self, finger: u64, context: PointerContext) -> Vec<Event> {
        let Some(index) = self.fingers.iter().position(|(id, _)| *id == finger) else {
            return Vec::new();
        };
        self.fingers.remove(index);
        let was_pinching = self.is_pinching;
        self.is_pinching = was_pinching && self.fingers.len() >= 2;
        if was_pinching { Vec::new() } else { self.lift(context) }
    }

    /// Releases the target. A lifted finger leaves the picture as well, unless the target is
    /// to stay.
    fn lift(&mut self, context: PointerContext) -> Vec<Event> {
        self.is_placed |= context.is_paused && context.is_held;
        let released = context.is_held.then_some(Event::Held(false));
        released.into_iter().chain((!self.is_placed).then_some(Event::Leave)).collect()
    }

    /// Centre of the first two fingers and their distance relative to the height of the
    /// picture, while they pinch.
    fn span(&self, aspect: f64) -> Option<(Position, f64)> {
        let [(_, a), (_, b), ..] = self.fingers[..] else {
            return None;
        };
        let centre = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
        let spread = (aspect * (a[0] - b[0])).hypot(a[1] - b[1]);
        self.is_pinching.then_some((centre, spread))
    }
}

/// The event that moves the target. Events count from the lower left corner.
fn target([x, y]: Position) -> Event {
    Event::Pointer([x, 1.0 - y])
}

/// The event that rotates the camera. A drag by the height of the picture is half a turn.
fn orbit(from: Position, to: Position, context: PointerContext) -> Event {
    let [yaw, pitch, zoom] = context.orbit;
    let dx = (to[0] - from[0]) * context.aspect * PI;
    let dy = (to[1] - from[1]) * PI;
    Event::Orbit([yaw + dx, pitch + dy, zoom])
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: PointerContext = PointerContext {
        is_held: false,
        orbit: [0.0, 0.0, 2.0],
        aspect: 2.0,
        is_consumed: false,
        is_paused: false,
    };
    const HELD: PointerContext = PointerContext { is_held: true, ..CONTEXT };
    const CONSUMED: PointerContext = PointerContext { is_consumed: true, ..CONTEXT };

    fn moved(x: f64, y: f64) -> PointerEvent {
        PointerEvent::Moved([x, y])
    }

    fn touch(finger: u64, phase: TouchPhase, x: f64) -> PointerEvent {
        PointerEvent::Touched { finger, phase, at: [x, 0.5] }
    }

    #[test]
    fn positions_are_fractions_from_lower_left() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.handle(moved(0.25, 0.25), CONTEXT), [Event::Pointer([0.25, 0.75])]);
        assert_eq!(pointer.handle(moved(1.0, 1.0), CONTEXT), [Event::Pointer([1.0, 0.0])]);
        assert_eq!(pointer.handle(moved(-0.01, 0.25), CONTEXT), []);
        assert_eq!(pointer.handle(moved(0.25, 0.25), CONSUMED), []);
    }

    #[test]
    fn drag_continues_outside_and_over_overlay() {
        let mut pointer = Pointer::default();
        pointer.handle(moved(0.25, 0.25), CONTEXT);
        let press = PointerEvent::Pressed(Button::Primary);
        let release = PointerEvent::Released(Button::Primary);
        assert_eq!(pointer.handle(press, CONSUMED), []);
        assert_eq!(
            pointer.handle(press, CONTEXT),
            [Event::Pointer([0.25, 0.75]), Event::Held(true)]
        );
        let both = PointerContext { is_consumed: true, ..HELD };
        assert_eq!(pointer.handle(moved(-0.25, 0.25), both), [Event::Pointer([-0.25, 0.75])]);
        assert_eq!(pointer.handle(PointerEvent::Left, both), []);
        assert_eq!(pointer.handle(release, both), [Event::Held(false)]);
        assert_eq!(pointer.handle(release, CONTEXT), []);
        assert_eq!(pointer.handle(PointerEvent::Left, CONTEXT), [Event::Leave]);
    }

    #[test]
    fn paused_drag_leaves_target_until_time_runs() {
        let paused = PointerContext { is_paused: true, ..CONTEXT };
        let held = PointerContext { is_paused: true, ..HELD };
        let press = PointerEvent::Pressed(Button::Primary);
        let mut mouse = Pointer::default();
        assert_eq!(mouse.handle(moved(0.5, 0.5), paused), [Event::Pointer([0.5, 0.5])]);
        mouse.handle(press, paused);
        let released = mouse.handle(PointerEvent::Released(Button::Primary), held);
        assert_eq!(released, [Event::Held(false)]);
        assert_eq!(mouse.handle(moved(0.75, 0.5), paused), [], "hovering");
        assert_eq!(mouse.handle(PointerEvent::Left, paused), []);
        assert_eq!(mouse.resume(), Some(Event::Leave));
        assert_eq!(mouse.resume(), None);
        mouse.handle(press, paused);
        mouse.handle(PointerEvent::Released(Button::Primary), held);
        assert_eq!(mouse.handle(moved(0.75, 0.5), CONTEXT), [Event::Pointer([0.75, 0.5])]);

        let mut finger = Pointer::default();
        finger.handle(touch(1, TouchPhase::Started, 0.25), paused);
        let ended = finger.handle(touch(1, TouchPhase::Ended, 0.25), held);
        assert_eq!(ended, [Event::Held(false)]);
        assert_eq!(finger.resume(), Some(Event::Leave));
    }

    #[test]
    fn secondary_drag_orbits_camera() {
        let mut pointer = Pointer::default();
        pointer.handle(moved(0.05, 0.1), CONTEXT);
        let press = PointerEvent::Pressed(Button::Secondary);
        assert_eq!(pointer.handle(press, CONTEXT), []);
        let Event::Orbit([yaw, pitch, zoom]) = pointer.handle(moved(0.55, 0.6), CONTEXT)[0] else {
            panic!("no camera");
        };
        assert!((yaw - PI).abs() < 1e-6 && (pitch - PI / 2.0).abs() < 1e-6);
        assert_eq!(zoom, 2.0);
        pointer.release_all();
        let after = pointer.handle(moved(0.25, 0.25), CONTEXT);
        assert_eq!(after, [Event::Pointer([0.25, 0.75])]);
    }

    #[test]
    fn notches_multiply_zoom() {
        let mut pointer = Pointer::default();
        for (notches, factor) in [(2.0, 1.1f64.powf(2.0)), (-1e9, 1.1f64.powf(-10.0))] {
            let zoomed = pointer.handle(PointerEvent::Scrolled(notches), CONTEXT);
            assert_eq!(zoomed, [Event::Orbit([0.0, 0.0, 2.0 * factor])]);
        }
        assert_eq!(pointer.handle(PointerEvent::Scrolled(2.0), CONSUMED), []);
    }

    #[test]
    fn one_finger_moves_target_two_move_camera() {
        use TouchPhase::{Ended, Moved, Started};
        let mut pointer = Pointer::default();
        let at = |x: f64| Event::Pointer([x, 0.5]);
        let consumed = pointer.handle(touch(6, Started, 0.25), CONSUMED);
        assert_eq!(consumed, [], "a finger on the overlay");
        let started = pointer.handle(touch(7, Started, 0.25), CONTEXT);
        assert_eq!(started, [at(0.25), Event::Held(true)]);
        assert_eq!(pointer.handle(touch(7, Moved, 0.5), HELD), [at(0.5)]);
        let second = pointer.handle(touch(8, Started, 0.7), HELD);
        assert_eq!(second, [Event::Held(false), Event::Leave]);
        // From 0.5 and 0.7 to 0.5 and 0.9: twice as far apart, the centre moves by 0.1.
        let [Event::Orbit([yaw, pitch, zoom])] = pointer.handle(touch(8, Moved, 0.9), CONTEXT)[..]
        else {
            panic!("no camera");
        };
        assert!((yaw - 0.2 * PI).abs() < 1e-6 && pitch == 0.0);
        assert!((zoom - 4.0).abs() < 1e-6);
        assert_eq!(pointer.handle(touch(7, Ended, 0.5), CONTEXT), []);
        let rest = pointer.handle(touch(8, Moved, 0.4), CONTEXT);
        assert_eq!(rest, [], "the other finger is no pointer");
        let ended = pointer.handle(touch(8, Ended, 0.4), CONTEXT);
        assert_eq!(ended, [Event::Leave]);
        let next = pointer.handle(touch(9, Started, 0.5), CONTEXT);
        assert_eq!(next, [at(0.5), Event::Held(true)]);
        let ended = pointer.handle(touch(9, Ended, 0.5), HELD);
        assert_eq!(ended, [Event::Held(false), Event::Leave]);
    }
}
