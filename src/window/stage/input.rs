//! From winit's events to what the session understands.

use std::f32::consts::PI;

use anyhow::Result;
use winit::dpi::PhysicalPosition;
use winit::event::{
    ElementState, KeyEvent, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent,
};

use super::{Stage, Start};
use crate::player::timeline::Event;
use crate::window::keys::{self, Command, Modifiers};

/// Pixels of a touchpad that count as one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 40.0;
/// Zoom factor of one notch.
const ZOOM_PER_NOTCH: f32 = 1.1;

/// What winit does not tell with every event.
#[derive(Clone, Debug, Default)]
pub(super) struct Devices {
    modifiers: Modifiers,
    /// The pointer in physical pixels from the top left.
    pointer: PhysicalPosition<f64>,
    orbiting: bool,
    finger: Option<u64>,
}

impl Stage {
    /// Takes what the user or the system does.
    ///
    /// # Errors
    /// When the surface is lost for good.
    pub(in crate::window) fn event(&mut self, event: &WindowEvent) -> Result<()> {
        let consumed = self.tell_overlay(event);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.quit = true,
            WindowEvent::RedrawRequested => return self.present(),
            WindowEvent::Resized(size) => self.resized((size.width, size.height)),
            WindowEvent::ScaleFactorChanged { .. } => self.changed(),
            WindowEvent::Occluded(occluded) => {
                self.occluded = *occluded;
                self.changed();
            }
            WindowEvent::Focused(false) => {
                self.devices.orbiting = false;
                let now = self.now();
                self.session.let_go(now);
            }
            WindowEvent::DroppedFile(path) => match Start::of_file(path) {
                Ok(start) => self.open_file(start),
                Err(error) => self.say(format!("{error:#}")),
            },
            WindowEvent::ModifiersChanged(modifiers) => {
                let state = modifiers.state();
                self.devices.modifiers = Modifiers {
                    alt: state.alt_key(),
                    ctrl: state.control_key(),
                    shift: state.shift_key(),
                };
            }
            WindowEvent::KeyboardInput {
                event,
                is_synthetic: false,
                ..
            } => self.key(event),
            WindowEvent::CursorMoved { position, .. } => self.pointer_moved(*position, consumed),
            WindowEvent::CursorLeft { .. } if !self.session.is_held() => self.tell(Event::Leave),
            WindowEvent::MouseInput { state, button, .. } => {
                self.button(*button, state.is_pressed(), consumed);
            }
            WindowEvent::MouseWheel { delta, .. } if !consumed => self.wheel(*delta),
            WindowEvent::Touch(touch) => self.touch(touch, consumed),
            _ => {}
        }
        Ok(())
    }

    /// True if the overlay keeps the event for itself.
    fn tell_overlay(&mut self, event: &WindowEvent) -> bool {
        let Some(show) = &mut self.show else {
            return false;
        };
        let heard = show.overlay.hear(&self.window, event);
        // A redraw is the answer to a request, not a reason for another.
        if heard.repaint && !matches!(event, WindowEvent::RedrawRequested) {
            self.redraw = true;
        }
        heard.consumed
    }

    fn tell(&mut self, event: Event) {
        let now = self.now();
        self.session.event(now, event);
        self.changed();
    }

    fn resized(&mut self, size: (u32, u32)) {
        self.window_size = size;
        if let Some(show) = &mut self.show {
            show.graphics.resize(size);
        }
        self.session.touch();
        self.changed();
    }

    fn key(&mut self, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        let typing = self
            .show
            .as_ref()
            .is_some_and(|show| show.overlay.wants_keys());
        if pressed && !typing {
            let command = keys::command(
                &event.logical_key,
                self.devices.modifiers,
                self.scene_reads_keys,
            );
            if let Some(command) = command {
                // Only steps repeat while a key is held.
                if !event.repeat || matches!(command, Command::Step(_)) {
                    self.command(command);
                }
                return;
            }
        }
        if !self.scene_reads_keys || event.repeat || (pressed && typing) {
            return;
        }
        if let Some(code) = keys::javascript_code(&event.logical_key) {
            self.tell(if pressed {
                Event::KeyDown(code)
            } else {
                Event::KeyUp(code)
            });
        }
    }

    fn pointer_moved(&mut self, position: PhysicalPosition<f64>, consumed: bool) {
        let before = std::mem::replace(&mut self.devices.pointer, position);
        let (width, height) = self.size();
        // Some systems tell of a pointer that is somewhere else.
        let inside = (0.0..=f64::from(width)).contains(&position.x)
            && (0.0..=f64::from(height)).contains(&position.y);
        if self.devices.orbiting {
            self.orbit(position.x - before.x, position.y - before.y);
        } else if self.session.is_held() || (inside && !consumed) {
            self.tell(Event::Pointer(self.fraction(position)));
        }
    }

    /// A position as fractions of the picture from its lower left corner.
    fn fraction(&self, position: PhysicalPosition<f64>) -> [f64; 2] {
        let (width, height) = self.size();
        [
            position.x / f64::from(width),
            1.0 - position.y / f64::from(height),
        ]
    }

    /// Half a turn per height of the window.
    fn orbit(&mut self, dx: f64, dy: f64) {
        let (_, height) = self.size();
        let turn = |pixels: f64| (pixels / f64::from(height)) as f32 * PI;
        let [yaw, pitch, zoom] = self.session.orbit();
        self.tell(Event::Orbit([yaw + turn(dx), pitch + turn(dy), zoom]));
    }

    fn button(&mut self, button: MouseButton, pressed: bool, consumed: bool) {
        match button {
            MouseButton::Left if pressed && !consumed => {
                self.tell(Event::Pointer(self.fraction(self.devices.pointer)));
                self.tell(Event::Held(true));
            }
            MouseButton::Left if !pressed && self.session.is_held() => {
                self.tell(Event::Held(false));
            }
            MouseButton::Right => self.devices.orbiting = pressed && !consumed,
            _ => {}
        }
    }

    fn wheel(&mut self, delta: MouseScrollDelta) {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, lines) => lines,
            MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
        };
        let [yaw, pitch, zoom] = self.session.orbit();
        self.tell(Event::Orbit([
            yaw,
            pitch,
            zoom * ZOOM_PER_NOTCH.powf(notches),
        ]));
    }

    /// The first finger is the pointer with its button down.
    fn touch(&mut self, touch: &Touch, consumed: bool) {
        let first = self.devices.finger.get_or_insert(touch.id);
        if *first != touch.id {
            return;
        }
        self.devices.pointer = touch.location;
        let position = Event::Pointer(self.fraction(touch.location));
        match touch.phase {
            TouchPhase::Started if !consumed => {
                self.tell(position);
                self.tell(Event::Held(true));
            }
            TouchPhase::Moved if self.session.is_held() => self.tell(position),
            TouchPhase::Started | TouchPhase::Moved => {}
            TouchPhase::Ended | TouchPhase::Cancelled => {
                self.devices.finger = None;
                self.tell(Event::Held(false));
                self.tell(Event::Leave);
            }
        }
    }
}
