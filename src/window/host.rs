//! The system window: its size, visibility and operations.

use std::sync::Arc;

use anyhow::Result;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::ModifiersState;
use winit::window::{Fullscreen, Window};

use tarsus_capture::fit_size;

/// Default window size in points.
const SIZE: LogicalSize<u32> = LogicalSize::new(800, 450);

/// The system window and its cached state.
pub(super) struct HostWindow {
    pub(super) handle: Arc<Window>,
    /// Size from the last event, in physical pixels; either side can be 0 while the window is
    /// minimized. Querying the window fails once another program has destroyed it.
    pub(super) size: (u32, u32),
    /// True if the window is fully covered.
    pub(super) is_occluded: bool,
    title: String,
    /// The modifier keys that are held.
    pub(super) modifiers: ModifiersState,
}

impl HostWindow {
    /// Opens a window of `size` physical pixels, by default 800 x 450 points, or of the same
    /// shape on a smaller screen.
    ///
    /// # Errors
    /// If the system cannot open a window.
    pub(super) fn open(event_loop: &ActiveEventLoop, size: Option<(u32, u32)>) -> Result<Self> {
        let monitor = event_loop.primary_monitor();
        let monitor = monitor.or_else(|| event_loop.available_monitors().next());
        let scale = monitor.as_ref().map_or(1.0, |monitor| monitor.scale_factor());
        let wanted = size.unwrap_or_else(|| SIZE.to_physical::<u32>(scale).into());
        let size = monitor.map_or(wanted, |monitor| fit_size(wanted, monitor.size().into()));
        let size = PhysicalSize::<u32>::from(size);
        let attributes = Window::default_attributes().with_title("tarsus").with_inner_size(size);
        let handle = Arc::new(event_loop.create_window(attributes)?);
        Ok(Self {
            size: handle.inner_size().into(),
            handle,
            is_occluded: false,
            title: String::new(),
            modifiers: ModifiersState::empty(),
        })
    }

    /// Sets the title to the name of the scene or the current activity.
    pub(super) fn set_title(&mut self, text: &str) {
        if self.title != text {
            self.handle.set_title(&format!("{text} · tarsus"));
            text.clone_into(&mut self.title);
        }
    }

    /// True if a frame presented now would be visible.
    pub(super) fn is_visible(&self) -> bool {
        !self.is_occluded && self.has_pixels()
    }

    /// True if the window has a nonzero size.
    pub(super) fn has_pixels(&self) -> bool {
        let (width, height) = self.size;
        width > 0 && height > 0
    }

    /// Refresh rate of the window's screen in Hz, if known.
    pub(super) fn refresh_rate(&self) -> Option<f64> {
        let rate = self.handle.current_monitor()?.refresh_rate_millihertz()?;
        Some(f64::from(rate) / 1000.0)
    }

    /// Toggles between fullscreen and a window.
    pub(super) fn toggle_fullscreen(&self) {
        let fullscreen = match self.handle.fullscreen() {
            Some(_) => None,
            None => Some(Fullscreen::Borderless(None)),
        };
        self.handle.set_fullscreen(fullscreen);
    }

    /// Requests a different size, unless the window is fullscreen.
    pub(super) fn request_size(&self, (width, height): (u32, u32)) {
        if self.handle.fullscreen().is_none() {
            let size = PhysicalSize::new(width, height);
            // A resize event follows.
            let _ = self.handle.request_inner_size(size);
        }
    }
}
