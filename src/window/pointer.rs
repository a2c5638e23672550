//! Converts winit's pointer events.

use winit::dpi::PhysicalPosition;
use winit::event::{MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};

use tarsus_player::live::{self, Button, PIXELS_PER_NOTCH, PointerEvent, Position};

/// Converts an event of a window with `size` physical pixels; `None` if it is not a pointer
/// event.
pub(super) fn pointer_event(event: &WindowEvent, size: (u32, u32)) -> Option<PointerEvent> {
    Some(match event {
        WindowEvent::CursorMoved { position, .. } => {
            PointerEvent::Moved(fractions(*position, size))
        }
        WindowEvent::CursorLeft { .. } => PointerEvent::Left,
        WindowEvent::MouseInput { state, button, .. } => {
            let button = match button {
                MouseButton::Left => Button::Primary,
                MouseButton::Right => Button::Secondary,
                _ => return None,
            };
            if state.is_pressed() {
                PointerEvent::Pressed(button)
            } else {
                PointerEvent::Released(button)
            }
        }
        WindowEvent::MouseWheel { delta, .. } => PointerEvent::Scrolled(match delta {
            MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
            MouseScrollDelta::PixelDelta(pixels) => pixels.y / PIXELS_PER_NOTCH,
        }),
        WindowEvent::Touch(Touch { id, phase, location, .. }) => PointerEvent::Touched {
            finger: *id,
            phase: match phase {
                TouchPhase::Started => live::TouchPhase::Started,
                TouchPhase::Moved => live::TouchPhase::Moved,
                TouchPhase::Ended | TouchPhase::Cancelled => live::TouchPhase::Ended,
            },
            at: fractions(*location, size),
        },
        _ => return None,
    })
}

fn fractions(position: PhysicalPosition<f64>, (width, height): (u32, u32)) -> Position {
    [position.x / f64::from(width), position.y / f64::from(height)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::event::DeviceId;

    #[test]
    fn wheel_lines_and_pixels_zoom_alike() {
        let wheel = |delta| WindowEvent::MouseWheel {
            device_id: DeviceId::dummy(),
            delta,
            phase: TouchPhase::Moved,
        };
        let lines = wheel(MouseScrollDelta::LineDelta(0.0, 2.0));
        let pixels = PhysicalPosition::new(0.0, 2.0 * PIXELS_PER_NOTCH);
        for event in [lines, wheel(MouseScrollDelta::PixelDelta(pixels))] {
            let converted = pointer_event(&event, (200, 100));
            assert_eq!(converted, Some(PointerEvent::Scrolled(2.0)));
        }
    }
}
