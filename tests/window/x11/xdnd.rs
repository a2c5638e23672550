//! Drag and drop of a file from another program, with the XDND protocol.

use std::path::Path;

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::Display;
use crate::viewer::wait;

/// Protocol version, at the bit position used by XdndEnter.
const VERSION: u32 = 5 << 24;

impl Display {
    /// Drags a file over a window and drops it there. While a button is held over another
    /// program's window, the target receives no pointer events; it learns the position only
    /// from calls of [`Display::move_pointer`] before and after.
    pub fn drop_file(&self, window: Window, path: &Path) {
        let source = self.create_source();
        let (list, copy) = (self.atom("text/uri-list"), self.atom("XdndActionCopy"));
        let time = x11rb::CURRENT_TIME;
        self.send(window, "XdndEnter", [source, VERSION, list, 0, 0]);
        self.send(window, "XdndPosition", [source, 0, 0, time, copy]);
        let request = self.selection_request();
        self.answer(&request, path);
        self.send(window, "XdndDrop", [source, 0, time, 0, 0]);
        self.flush();
    }

    /// Creates the window of a program that offers a drag.
    fn create_source(&self) -> Window {
        let source = self.connection.generate_id().expect("a number");
        let (parent, aux) = (self.root, CreateWindowAux::new());
        let class = WindowClass::INPUT_ONLY;
        self.connection
            .create_window(0, source, parent, 0, 0, 1, 1, 0, class, 0, &aux)
            .expect("sent");
        let selection = self.atom("XdndSelection");
        self.connection.set_selection_owner(source, selection, x11rb::CURRENT_TIME).expect("sent");
        source
    }

    fn send(&self, window: Window, message: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, window, self.atom(message), data);
        self.connection.send_event(false, window, EventMask::NO_EVENT, message).expect("sent");
        self.flush();
    }

    /// Waits until the program requests the dragged data.
    fn selection_request(&self) -> SelectionRequestEvent {
        wait("the program asks for the file", || {
            match self.connection.poll_for_event().expect("the display") {
                Some(Event::SelectionRequest(request)) => Some(request),
                _ => None,
            }
        })
    }

    /// Sends the path.
    fn answer(&self, request: &SelectionRequestEvent, path: &Path) {
        let uri = format!("file://{}\r\n", path.display());
        let SelectionRequestEvent { requestor, selection, target, property, time, .. } = *request;
        self.connection
            .change_property8(PropMode::REPLACE, requestor, property, target, uri.as_bytes())
            .expect("sent");
        let notify = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property,
        };
        self.connection.send_event(false, requestor, EventMask::NO_EVENT, notify).expect("sent");
    }
}
