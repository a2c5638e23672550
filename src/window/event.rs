//! What reaches the event loop beside the events of the system.

use winit::event_loop::EventLoopProxy;

use super::editing::Edited;
use super::film::FilmReport;
use super::loader::LoadReport;
use super::opening::Opened;
use super::platform::Sender;
use super::saves::Saved;

/// What tasks and the file watcher report.
pub(super) enum UserEvent {
    /// There is a device, or not.
    DeviceOpened(Box<Opened>),
    /// A scene is ready, or is not.
    Loaded(Box<LoadReport>),
    /// A file of the scene was changed.
    FilesChanged,
    /// A file was written, or not.
    Saved(Saved),
    /// A scene is open in the editor, or not.
    Edited(Edited),
    /// Something went wrong with the sound.
    Sound(String),
    /// How far a film is, or what became of it.
    Film(FilmReport),
}

/// Sends what `event` makes of a report to the event loop.
pub(super) fn sender<T: 'static>(
    events: &EventLoopProxy<UserEvent>,
    event: impl Fn(T) -> UserEvent + Send + Sync + 'static,
) -> Sender<T> {
    let events = events.clone();
    Sender::new(move |report| {
        // Fails only when the window is closed.
        let _ = events.send_event(event(report));
    })
}
