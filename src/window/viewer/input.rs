//! Window events: user input and changes by the system.

use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::{Key, NamedKey};

use super::Viewer;
use crate::window::key_codes::{javascript_code, readings};
use crate::window::keys::{self, Command};
use crate::window::picker;
use crate::window::pointer::pointer_event;
use tarsus_player::live::InputEvent;

/// User input.
impl Viewer {
    /// Handles a window event.
    pub(in crate::window) fn window_event(&mut self, event: &WindowEvent) {
        if matches!(event, WindowEvent::RedrawRequested) {
            return self.present();
        }
        let overlay = match &mut self.devices.ready {
            Some(device) => device.overlay.window_event(&self.window.handle, event),
            None => Default::default(),
        };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.quit(),
            WindowEvent::Resized(size) => {
                self.window.size = (*size).into();
                self.resize_surface();
            }
            WindowEvent::ScaleFactorChanged { .. } => self.ui.redraw = true,
            WindowEvent::Occluded(occluded) => {
                self.window.is_occluded = *occluded;
                self.ui.redraw = true;
            }
            WindowEvent::Focused(false) => {
                self.engine.handle(self.time.now(), InputEvent::FocusLost);
            }
            WindowEvent::DroppedFile(path) => self.dropped(path),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.window.modifiers = modifiers.state();
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(event),
            _ => {
                if let Some(event) = pointer_event(event, self.engine.size()) {
                    let input = if overlay.consumed {
                        InputEvent::ConsumedPointer(event)
                    } else {
                        InputEvent::Pointer(event)
                    };
                    self.engine.handle(self.time.now(), input);
                }
            }
        }
        if overlay.repaint {
            self.interface_changed();
        }
    }

    /// Requests a redraw of the overlay, unless the next frame is about to be drawn, which
    /// presents it as well.
    pub(super) fn interface_changed(&mut self) {
        let can_wait = self.engine.is_about_to_draw(self.time.now());
        self.ui.redraw |= !(can_wait && self.window.is_visible());
    }

    /// Adapts the surface and the engine to the size of the window.
    pub(super) fn resize_surface(&mut self) {
        let mut size = self.window.size;
        if let Some(device) = &mut self.devices.ready {
            device.graphics.resize(size);
            size = device.graphics.size();
        }
        self.engine.resize(size);
        self.ui.redraw = true;
    }

    fn key(&mut self, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        let readings = readings(event);
        let overlay = self.devices.ready.as_ref().map(|device| &device.overlay);
        let is_typing = overlay.is_some_and(|overlay| overlay.wants_key(&event.logical_key));
        let for_scene = self.engine.reads_keyboard();
        if pressed && !is_typing && self.picker_key(event) {
            return;
        }
        if pressed && !is_typing {
            let command = keys::command(&readings, self.window.modifiers, for_scene);
            if let Some(command) = command {
                // Only steps repeat while a key is held.
                if !event.repeat || matches!(command, Command::Step(_)) {
                    self.command(command);
                }
                return;
            }
        }
        if !for_scene || event.repeat || (pressed && is_typing) {
            return;
        }
        if let Some(code) = javascript_code(event.physical_key, &readings) {
            let event = if pressed { InputEvent::KeyDown(code) } else { InputEvent::KeyUp(code) };
            self.engine.handle(self.time.now(), event);
        }
    }

    /// Returns true if the grid of scenes is open and handles the key.
    fn picker_key(&mut self, event: &KeyEvent) -> bool {
        let (Some(selected), Key::Named(key)) = (self.ui.picker, &event.logical_key) else {
            return false;
        };
        match key {
            NamedKey::Enter => self.pick(selected),
            NamedKey::Escape => self.ui.picker = None,
            key => {
                let width = f64::from(self.window.size.0) / self.window.handle.scale_factor();
                let (count, columns) =
                    (self.source.scenes.all.len(), picker::columns(width as f32));
                let Some(there) = picker::step(selected, *key, count, columns) else {
                    return false;
                };
                self.ui.picker = Some(there);
            }
        }
        self.ui.redraw = true;
        true
    }
}
