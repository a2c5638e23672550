//! Events of the event loop other than those of the system: reports of tasks, of the file
//! watcher and of signals.

use std::sync::Arc;

use anyhow::Result;

use super::viewer::Viewer;

/// Changes the viewer when a report arrives. An error ends the program.
pub(super) type UserEvent = Box<dyn FnOnce(&mut Viewer) -> Result<()> + Send>;

/// Sends reports to the event loop from any thread. Reports are dropped once the window is
/// closed.
#[derive(Clone)]
pub(super) struct Reports(Arc<dyn Fn(UserEvent) + Send + Sync>);

impl Reports {
    /// Passes every report to `send`.
    pub(super) fn new(send: impl Fn(UserEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(send))
    }

    /// Sends a report.
    pub(super) fn send(&self, report: impl FnOnce(&mut Viewer) + Send + 'static) {
        self.try_send(|viewer| {
            report(viewer);
            Ok(())
        });
    }

    /// Sends a report that may end the program with an error.
    pub(super) fn try_send(&self, report: impl FnOnce(&mut Viewer) -> Result<()> + Send + 'static) {
        (self.0)(Box::new(report));
    }
}
