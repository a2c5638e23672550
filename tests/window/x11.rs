//! A private X server and a connection that acts as user, window manager and camera: it
//! presses keys, moves the mouse, resizes and closes windows, and reads their pixels.
//!
//! The server handles the requests of a connection in order, and events reach the program
//! in the same order, so no delays are needed in between.

mod xdnd;

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    self, AutoRepeatMode, ChangeKeyboardControlAux, ClientMessageEvent, ConfigureWindowAux,
    ConnectionExt as _, EventMask, ImageFormat, ImageOrder, InputFocus, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::screenshot::Screenshot;

/// An X server without a physical screen. It ends when dropped.
struct Server {
    process: Child,
    /// Value of `DISPLAY` for its clients.
    name: String,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            // Without -noreset the server restarts whenever its last client disconnects.
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed (see scripts/setup.sh)");
        let output = process.stdout.as_mut().expect("its output");
        let mut number = String::new();
        BufReader::new(output).read_line(&mut number).expect("the number of the display");
        let name = format!(":{}", number.trim());
        Self { process, name }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A display with its keyboard, pointer and windows.
pub struct Display {
    connection: RustConnection,
    root: Window,
    /// Key codes by unshifted key symbol.
    keycodes: HashMap<u32, u8>,
    server: Server,
}

impl Display {
    /// Starts a server and connects to it.
    pub fn start() -> Self {
        let server = Server::start();
        let (connection, screen) = x11rb::connect(Some(&server.name)).expect("the display");
        let root = connection.setup().roots[screen].root;
        // A key must not repeat while held, however slow the machine is.
        let no_repeat = ChangeKeyboardControlAux::new().auto_repeat_mode(AutoRepeatMode::OFF);
        connection.change_keyboard_control(&no_repeat).expect("the keyboard");
        let keycodes = keycodes(&connection);
        Self { connection, root, keycodes, server }
    }

    /// Value of `DISPLAY` for programs on this display.
    pub fn name(&self) -> &str {
        &self.server.name
    }

    /// Kills the server while its clients run.
    pub fn kill(&mut self) {
        self.server.process.kill().expect("it runs");
        self.server.process.wait().expect("ended");
    }

    /// The visible window of process `pid` whose title contains `title`.
    pub fn find_window(&self, pid: u32, title: &str) -> Option<Window> {
        let tree = self.connection.query_tree(self.root).expect("asked");
        let windows = tree.reply().expect("the windows").children;
        windows.into_iter().find(|&window| {
            self.is_viewable(window)
                && self.number(window, "_NET_WM_PID") == Some(pid)
                && self.title(window).is_some_and(|text| text.contains(title))
        })
    }

    /// Gives keyboard focus to a window.
    pub fn focus(&self, window: Window) {
        self.connection
            .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
            .expect("sent")
            .check()
            .expect("a visible window");
    }

    /// Presses and releases a key, written as `a`, `F5` or `shift+Tab`.
    pub fn press_key(&self, key: &str) {
        let codes: Vec<u8> = key.split('+').map(|key| self.keycode(key)).collect();
        for &code in &codes {
            self.input(xproto::KEY_PRESS_EVENT, code);
        }
        for &code in codes.iter().rev() {
            self.input(xproto::KEY_RELEASE_EVENT, code);
        }
        self.flush();
    }

    /// Presses a key and holds it.
    pub fn hold_key(&self, key: &str) {
        self.input(xproto::KEY_PRESS_EVENT, self.keycode(key));
        self.flush();
    }

    /// Releases a held key.
    pub fn release_key(&self, key: &str) {
        self.input(xproto::KEY_RELEASE_EVENT, self.keycode(key));
        self.flush();
    }

    /// Moves the pointer to a pixel of a window, from the top left.
    pub fn move_pointer(&self, window: Window, x: i16, y: i16) {
        let asked = self.connection.translate_coordinates(window, self.root, x, y);
        let place = asked.expect("asked").reply().expect("a place");
        self.connection
            .xtest_fake_input(
                xproto::MOTION_NOTIFY_EVENT,
                0,
                x11rb::CURRENT_TIME,
                self.root,
                place.dst_x,
                place.dst_y,
                0,
            )
            .expect("sent");
        self.flush();
    }

    /// Presses a mouse button: 1 left, 3 right, 4 and 5 the wheel.
    pub fn hold_button(&self, button: u8) {
        self.input(xproto::BUTTON_PRESS_EVENT, button);
        self.flush();
    }

    /// Releases a held mouse button.
    pub fn release_button(&self, button: u8) {
        self.input(xproto::BUTTON_RELEASE_EVENT, button);
        self.flush();
    }

    /// Sets the size of a window in pixels.
    pub fn resize(&self, window: Window, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(window, &size).expect("sent").check().expect("a window");
    }

    /// Shows a window again.
    pub fn map(&self, window: Window) {
        let sent = self.connection.map_window(window).expect("sent");
        sent.check().expect("a window");
    }

    /// Hides a window.
    pub fn unmap(&self, window: Window) {
        let sent = self.connection.unmap_window(window).expect("sent");
        sent.check().expect("a window");
    }

    /// Asks a window to close, as a window manager does.
    pub fn ask_to_close(&self, window: Window) {
        let data = [self.atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, self.atom("WM_PROTOCOLS"), data);
        self.connection
            .send_event(false, window, EventMask::NO_EVENT, message)
            .expect("sent")
            .check()
            .expect("delivered");
    }

    /// Destroys a window of another program.
    pub fn destroy(&self, window: Window) {
        let sent = self.connection.destroy_window(window).expect("sent");
        sent.check().expect("a window");
    }

    /// The pixels of a window; `None` while it is hidden, being resized, or partly off the
    /// screen.
    pub fn screenshot(&self, window: Window) -> Option<Screenshot> {
        let asked = self.connection.get_geometry(window).expect("asked");
        let geometry = asked.reply().ok()?;
        let (width, height) = (geometry.width, geometry.height);
        let asked =
            self.connection.get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, u32::MAX);
        let image = asked.expect("asked").reply().ok()?;
        assert_eq!(image.depth, 24, "8 bits per component");
        let (pixels, _) = image.data.as_chunks::<4>();
        let is_little = self.connection.setup().image_byte_order == ImageOrder::LSB_FIRST;
        let rgb = pixels.iter().flat_map(|&pixel| {
            let word =
                if is_little { u32::from_le_bytes(pixel) } else { u32::from_be_bytes(pixel) };
            let [_, red, green, blue] = word.to_be_bytes();
            [red, green, blue]
        });
        Some(Screenshot { width: width.into(), height: height.into(), rgb: rgb.collect() })
    }

    fn is_viewable(&self, window: Window) -> bool {
        let asked = self.connection.get_window_attributes(window);
        // A window may disappear at any time.
        let reply = asked.expect("asked").reply();
        reply.is_ok_and(|reply| reply.map_state == MapState::VIEWABLE)
    }

    /// Title of a window.
    pub fn title(&self, window: Window) -> Option<String> {
        let bytes = self.property(window, "_NET_WM_NAME")?.value;
        String::from_utf8(bytes).ok()
    }

    fn number(&self, window: Window, property: &str) -> Option<u32> {
        self.property(window, property)?.value32()?.next()
    }

    fn property(&self, window: Window, name: &str) -> Option<xproto::GetPropertyReply> {
        let (name, any) = (self.atom(name), xproto::AtomEnum::ANY);
        let asked = self.connection.get_property(false, window, name, any, 0, 1024);
        asked.expect("asked").reply().ok()
    }

    fn atom(&self, name: &str) -> u32 {
        let asked = self.connection.intern_atom(false, name.as_bytes());
        asked.expect("asked").reply().expect("an atom").atom
    }

    fn keycode(&self, key: &str) -> u8 {
        let code = self.keycodes.get(&keysym(key));
        *code.unwrap_or_else(|| panic!("no key is called {key}"))
    }

    fn input(&self, kind: u8, detail: u8) {
        self.connection
            .xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, self.root, 0, 0, 0)
            .expect("sent");
    }

    fn flush(&self) {
        self.connection.flush().expect("the display is there");
    }
}

/// Key codes of all keys by their first symbol.
fn keycodes(connection: &RustConnection) -> HashMap<u32, u8> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let asked = connection.get_keyboard_mapping(first, last - first + 1);
    let mapping = asked.expect("asked").reply().expect("a keyboard");
    let columns = mapping.keysyms_per_keycode.into();
    let mut codes = HashMap::new();
    for (code, symbols) in (first..=last).zip(mapping.keysyms.chunks(columns)) {
        codes.entry(symbols[0]).or_insert(code);
    }
    codes
}

/// X key symbol of a key.
fn keysym(key: &str) -> u32 {
    match key {
        "space" => 0x20,
        "comma" => 0x2c,
        "period" => 0x2e,
        "BackSpace" => 0xff08,
        "Tab" => 0xff09,
        "Return" => 0xff0d,
        "Escape" => 0xff1b,
        "Home" => 0xff50,
        "Left" => 0xff51,
        "Up" => 0xff52,
        "Right" => 0xff53,
        "Down" => 0xff54,
        "F2" => 0xffbf,
        "F5" => 0xffc2,
        "shift" => 0xffe1,
        "alt" => 0xffe9,
        _ => match key.as_bytes() {
            [letter] => u32::from(letter.to_ascii_lowercase()),
            _ => panic!("no key is called {key}"),
        },
    }
}
