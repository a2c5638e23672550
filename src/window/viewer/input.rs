//! Window events: user input and changes by the system.

use anyhow::Result;
use winit::event::{ElementState, KeyEvent, WindowEvent};

use super::Viewer;
use crate::window::device::DeviceResources;
use crate::window::key_codes::javascript_code;
use crate::window::keys::{self, Command, PickerCommand};
use crate::window::picker;
use crate::window::pointer::pointer_event;
use tarsus_player::live::PointerContext;
use tarsus_player::timeline::Event;

/// User input.
impl Viewer {
    /// Handles a window event.
    ///
    /// # Errors
    /// If the surface is permanently lost.
    pub(in crate::window) fn window_event(&mut self, event: &WindowEvent) -> Result<()> {
        let consumed = self.tell_overlay(event);
        match event {
            WindowEvent::CloseRequested => self.quit(),
            WindowEvent::Destroyed => self.quit = true,
            WindowEvent::RedrawRequested => return self.present(),
            WindowEvent::Resized(size) => self.resized((*size).into()),
            WindowEvent::ScaleFactorChanged { .. } => self.changed(),
            WindowEvent::Occluded(occluded) => {
                self.window.set_occluded(*occluded);
                self.changed();
            }
            WindowEvent::Focused(false) => {
                self.pointer.release_all();
                self.session.release_all(self.time.now());
            }
            WindowEvent::DroppedFile(path) => self.dropped(path),
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state().into(),
            WindowEvent::KeyboardInput {
                event,
                is_synthetic: false,
                ..
            } => self.key(event),
            _ => self.pointer_event(event, consumed),
        }
        Ok(())
    }

    /// Passes the event to the overlay; returns true if the overlay consumed it.
    fn tell_overlay(&mut self, event: &WindowEvent) -> bool {
        let Some(device) = self.device.ready_mut() else {
            return false;
        };
        let response = device.overlay.window_event(&self.window.handle, event);
        // A redraw must not trigger another redraw.
        if response.repaint && !matches!(event, WindowEvent::RedrawRequested) {
            self.ui.redraw = true;
        }
        response.consumed
    }

    fn tell_session(&mut self, event: Event) {
        self.session.event(self.time.now(), event);
        self.changed();
    }

    fn resized(&mut self, size: (u32, u32)) {
        self.window.resized(size);
        if let Some(device) = self.device.ready_mut() {
            device.graphics.resize(size);
        }
        self.session.request_frame();
        self.changed();
    }

    fn pointer_event(&mut self, event: &WindowEvent, is_consumed: bool) {
        let (width, height) = self.size();
        let Some(event) = pointer_event(event, (width, height)) else {
            return;
        };
        let context = PointerContext {
            is_held: self.session.is_held(),
            orbit: self.session.orbit(),
            aspect: f64::from(width) / f64::from(height),
            is_consumed,
        };
        for event in self.pointer.handle(event, context) {
            self.tell_session(event);
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        let device = self.device.ready();
        let is_typing = device.is_some_and(|device| device.overlay.wants_keys());
        let for_scene = device.is_some_and(DeviceResources::scene_reads_keyboard);
        if pressed && !is_typing && self.picker_key(event) {
            return;
        }
        if pressed && !is_typing {
            let command = keys::command(&event.logical_key, self.modifiers, for_scene);
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
        if let Some(code) = javascript_code(&event.logical_key) {
            self.tell_session(if pressed {
                Event::KeyDown(code)
            } else {
                Event::KeyUp(code)
            });
        }
    }

    /// Returns true if the grid of scenes is open and handles the key.
    fn picker_key(&mut self, event: &KeyEvent) -> bool {
        let Some(picker) = &mut self.ui.picker else {
            return false;
        };
        let Some(command) = keys::picker_command(&event.logical_key) else {
            return false;
        };
        match command {
            PickerCommand::Move(step) => {
                let scale = self.window.handle.scale_factor();
                let width = f64::from(self.window.size().0) / scale;
                let columns = picker::columns(width as f32);
                picker.step(step, self.scenes.all().len(), columns);
            }
            PickerCommand::Open => {
                let chosen = picker.chosen;
                self.pick(chosen);
            }
            PickerCommand::Close => self.ui.picker = None,
        }
        self.ui.redraw = true;
        true
    }
}
