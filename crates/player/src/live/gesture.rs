//! Conversion of pointer gestures to events, shared by the window and the web page.
//! Positions are in pixels of any size from the upper left corner of the picture.

use std::f32::consts::PI;

use crate::timeline::Event;

/// Touchpad scroll distance that counts as one notch of a wheel, in pixels.
pub const PIXELS_PER_NOTCH: f64 = 40.0;
/// Zoom factor of one notch of a wheel.
const ZOOM_PER_NOTCH: f32 = 1.1;

/// Converts a pointer position in a picture of `size` to an event.
#[must_use]
pub fn pointed(place: [f64; 2], size: [f64; 2]) -> Event {
    Event::Pointer([place[0] / size[0], 1.0 - place[1] / size[1]])
}

/// Rotates the camera by a drag of `moved` pixels. Dragging by the `height` of the
/// picture is half a turn.
#[must_use]
pub fn orbited(moved: [f64; 2], height: f64, [yaw, pitch, zoom]: [f32; 3]) -> Event {
    let [dx, dy] = moved.map(|pixels| (pixels / height) as f32 * PI);
    Event::Orbit([yaw + dx, pitch + dy, zoom])
}

/// Zooms the camera by a number of wheel notches.
#[must_use]
pub fn zoomed(notches: f32, [yaw, pitch, zoom]: [f32; 3]) -> Event {
    Event::Orbit([yaw, pitch, zoom * ZOOM_PER_NOTCH.powf(notches)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_fractions_from_lower_left() {
        let event = pointed([50.0, 25.0], [200.0, 100.0]);
        assert_eq!(event, Event::Pointer([0.25, 0.75]));
    }

    #[test]
    fn drag_rotates_and_notches_multiply_zoom() {
        let Event::Orbit(orbit) = orbited([100.0, -50.0], 100.0, [0.5, 0.25, 2.0]) else {
            panic!("no camera");
        };
        assert_eq!(orbit, [0.5 + PI, 0.25 - PI / 2.0, 2.0]);
        let Event::Orbit([_, _, zoom]) = zoomed(2.0, [0.0, 0.0, 2.0]) else {
            panic!("no camera");
        };
        assert!((zoom - 2.42).abs() < 1e-6);
    }
}
