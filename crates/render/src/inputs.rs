//! Everything that a scene reads in one draw.

use super::frame::Frame;

/// Columns of the texture of keys: one per JavaScript key code.
pub const KEYBOARD_COLUMNS: u32 = 256;
/// Rows of the texture of keys: down, pressed, toggled.
pub const KEYBOARD_ROWS: u32 = 3;

/// The texture of keys, row after row: 255 where on, else 0.
pub type KeyboardTexels = [u8; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize];

/// What a scene reads in one draw. A picture is a pure function of its program
/// and of this.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The uniform.
    pub frame: Frame,
    /// The bytes of the scene's `Params` uniform; empty for a scene without one.
    pub parameters: Vec<u8>,
    /// What the keys do.
    pub keyboard: KeyboardTexels,
}

impl Inputs {
    /// A frame with these parameters, and no key down.
    #[must_use]
    pub fn new(frame: Frame, parameters: Vec<u8>) -> Self {
        Self {
            frame,
            parameters,
            keyboard: [0; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize],
        }
    }

    /// Width and height of the whole picture in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let [width, height] = self.frame.resolution;
        (width as u32, height as u32)
    }
}
