//! The window of the system: its size, whether it can be seen, and what can be
//! done with it.

use std::sync::Arc;

use anyhow::Result;
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

/// Size of a new window, in points.
const SIZE: LogicalSize<u32> = LogicalSize::new(800, 450);

/// The system's window and what is known of it.
pub(super) struct HostWindow {
    pub(super) handle: Arc<Window>,
    /// Its size by the last event, in physical pixels. Asking for it fails once
    /// somebody else has destroyed the window.
    size: (u32, u32),
    occluded: bool,
    title: String,
}

impl HostWindow {
    /// Opens a window of `size` physical pixels, or 800 x 450 points.
    ///
    /// # Errors
    /// When the system opens none.
    pub(super) fn open(event_loop: &ActiveEventLoop, size: Option<(u32, u32)>) -> Result<Self> {
        let size = match size {
            Some((width, height)) => Size::from(PhysicalSize::new(width, height)),
            None => Size::from(SIZE),
        };
        let attributes = Window::default_attributes()
            .with_title("tarsus")
            .with_inner_size(size);
        let handle = Arc::new(event_loop.create_window(attributes)?);
        Ok(Self {
            size: handle.inner_size().into(),
            handle,
            occluded: false,
            title: String::new(),
        })
    }

    /// Width and height in physical pixels; 0 while it is minimised on some
    /// systems.
    pub(super) fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The system has changed the size.
    pub(super) fn resized(&mut self, size: (u32, u32)) {
        self.size = size;
    }

    /// Whether nothing of the window can be seen, as the system reports it.
    pub(super) fn set_occluded(&mut self, occluded: bool) {
        self.occluded = occluded;
    }

    /// Shows the name of the scene, or what it is busy with, in the title.
    pub(super) fn set_title(&mut self, text: &str) {
        if self.title != text {
            self.handle.set_title(&format!("{text} · tarsus"));
            text.clone_into(&mut self.title);
        }
    }

    /// True if something drawn now could be seen.
    pub(super) fn is_visible(&self) -> bool {
        !self.occluded && self.has_pixels()
    }

    /// True if there is something to draw to.
    pub(super) fn has_pixels(&self) -> bool {
        let (width, height) = self.size;
        width > 0 && height > 0
    }

    /// Pictures per second of its screen, if the system reports them.
    pub(super) fn refresh_rate(&self) -> Option<f64> {
        let rate = self.handle.current_monitor()?.refresh_rate_millihertz()?;
        Some(f64::from(rate) / 1000.0)
    }

    /// The whole screen, or a window again.
    pub(super) fn toggle_fullscreen(&self) {
        let fullscreen = match self.handle.fullscreen() {
            Some(_) => None,
            None => Some(Fullscreen::Borderless(None)),
        };
        self.handle.set_fullscreen(fullscreen);
    }

    /// Asks for another size, unless it covers the screen.
    pub(super) fn request_size(&self, (width, height): (u32, u32)) {
        if self.handle.fullscreen().is_none() {
            let size = PhysicalSize::new(width, height);
            // The answer is the new size or an event; both end up in `resized`.
            let _ = self.handle.request_inner_size(size);
        }
    }
}
