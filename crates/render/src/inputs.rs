//! Inputs of a scene for one draw.

use super::frame::Frame;

/// Width of the keyboard texture: one column per JavaScript key code.
pub const KEYBOARD_COLUMNS: u32 = 256;
/// Height of the keyboard texture: rows for held, pressed and toggled keys.
pub const KEYBOARD_ROWS: u32 = 3;

/// Keyboard texture, row by row: 255 if on, else 0.
pub type KeyboardTexels = [u8; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize];

/// Inputs of a scene for one draw. A picture is a pure function of its program and these
/// inputs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inputs {
    /// The frame uniform.
    pub frame: Frame,
    /// Bytes of the scene's `Params` uniform; empty if it has none.
    pub parameters: Vec<u8>,
    /// State of the keyboard.
    pub keyboard: KeyboardTexels,
}

impl Inputs {
    /// Inputs with this frame and these parameters, and no key down.
    pub fn new(frame: Frame, parameters: Vec<u8>) -> Self {
        Self { frame, parameters, keyboard: [0; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize] }
    }

    /// Width and height of the whole picture in pixels.
    pub fn size(&self) -> (u32, u32) {
        let [width, height] = self.frame.resolution;
        (width as u32, height as u32)
    }
}
