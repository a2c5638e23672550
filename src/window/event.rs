//! Events of the event loop other than those of the system.

use winit::event_loop::EventLoopProxy;

use super::devices::Opened;
use super::editing::EditResult;
use super::loader::LoadReport;
use super::platform::Sender;
use super::saves::SaveResult;
use super::video::VideoReport;

/// Reports of tasks and of the file watcher.
pub(super) enum UserEvent {
    /// A device was opened, or the attempt failed.
    DeviceOpened(Box<Opened>),
    /// A scene was loaded, or loading failed.
    Loaded(Box<LoadReport>),
    /// A file of the scene has changed.
    FilesChanged,
    /// A file was written, or writing failed.
    Saved(SaveResult),
    /// A scene was opened in the editor, or opening failed.
    Edited(EditResult),
    /// A sound error.
    Sound(String),
    /// Progress or result of a video export.
    Video(VideoReport),
    /// Ctrl-C or SIGTERM.
    Quit,
}

/// Creates a sender that converts reports to events and posts them to the event loop.
pub(super) fn sender<T: 'static>(
    events: &EventLoopProxy<UserEvent>,
    event: impl Fn(T) -> UserEvent + Send + Sync + 'static,
) -> Sender<T> {
    let events = events.clone();
    Sender::new(move |report| {
        // Fails only after the window is closed.
        let _ = events.send_event(event(report));
    })
}
