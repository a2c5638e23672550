//! Keyboard state in the layout of Shadertoy's keyboard texture, 256 x 3 texels.
//!
//! Each column is a JavaScript key code. The rows tell whether the key is down, was
//! pressed since the last frame, and is toggled (every press flips it). The WGSL
//! side is `crates/shader/src/modules/keyboard.wgsl`.

use serde::{Deserialize, Serialize};

use tarsus_render::KeyboardTexels;

/// Columns of the texture, one per key code.
const COLUMNS: usize = 256;
/// Rows of the texture: down, pressed, toggled.
const ROWS: usize = 3;

const ON: u8 = 255;

/// State of every key, serialized as one list of key codes per row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[Vec<u8>; ROWS]", into = "[Vec<u8>; ROWS]")]
pub struct Keyboard {
    rows: [[u8; COLUMNS]; ROWS],
}

impl Default for Keyboard {
    fn default() -> Self {
        Self { rows: [[0; COLUMNS]; ROWS] }
    }
}

impl From<[Vec<u8>; ROWS]> for Keyboard {
    fn from(codes: [Vec<u8>; ROWS]) -> Self {
        let mut keyboard = Self::default();
        for (row, codes) in keyboard.rows.iter_mut().zip(codes) {
            for code in codes {
                row[usize::from(code)] = ON;
            }
        }
        keyboard
    }
}

impl From<Keyboard> for [Vec<u8>; ROWS] {
    fn from(keyboard: Keyboard) -> Self {
        keyboard.codes()
    }
}

impl Keyboard {
    /// Returns the codes that are on in each row: down, pressed, toggled.
    pub fn codes(&self) -> [Vec<u8>; ROWS] {
        let on = |row: &[u8; COLUMNS]| {
            (0..=u8::MAX).filter(|&code| row[usize::from(code)] == ON).collect()
        };
        self.rows.each_ref().map(on)
    }

    /// Returns true while the key is down.
    pub fn is_down(&self, code: u8) -> bool {
        self.rows[0][usize::from(code)] == ON
    }

    /// Returns true if no key is down, newly pressed or toggled.
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }

    /// Presses a key. Auto-repeat of a held key changes nothing.
    pub fn press(&mut self, code: u8) {
        let [down, pressed, toggled] = &mut self.rows;
        let code = usize::from(code);
        if down[code] == ON {
            return;
        }
        down[code] = ON;
        pressed[code] = ON;
        toggled[code] = ON - toggled[code];
    }

    /// Releases a key.
    pub fn release(&mut self, code: u8) {
        let [down, pressed, _] = &mut self.rows;
        down[usize::from(code)] = 0;
        pressed[usize::from(code)] = 0;
    }

    /// Clears the row of new presses, which last for one frame, after a frame was
    /// started.
    pub fn end_frame(&mut self) {
        self.rows[1] = [0; COLUMNS];
    }

    /// Returns the texels row by row: 255 if on, otherwise 0.
    pub fn texels(&self) -> KeyboardTexels {
        let mut texels = [0; ROWS * COLUMNS];
        texels.copy_from_slice(self.rows.as_flattened());
        texels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: u8 = 65;

    /// Events of key A, and its three texels after each of them.
    const TABLE: &[(&str, [bool; 3])] = &[
        ("nothing", [false, false, false]),
        ("press", [true, true, true]),
        ("press again (repeat)", [true, true, true]),
        ("frame", [true, false, true]),
        ("press again (repeat)", [true, false, true]),
        ("release", [false, false, true]),
        ("frame", [false, false, true]),
        ("press", [true, true, false]),
        ("release", [false, false, false]),
        ("frame", [false, false, false]),
    ];

    #[test]
    fn rows_follow_the_table() {
        let mut keyboard = Keyboard::default();
        for (number, (event, expected)) in TABLE.iter().enumerate() {
            match event.split_whitespace().next() {
                Some("press") => keyboard.press(A),
                Some("release") => keyboard.release(A),
                Some("frame") => keyboard.end_frame(),
                _ => {}
            }
            let texels = keyboard.texels();
            let seen = [0, 256, 512].map(|row| texels[row + usize::from(A)] == 255);
            assert_eq!(seen, *expected, "after event {number}: {event}");
            assert_eq!(texels.len(), 768);
        }
    }

    #[test]
    fn codes_round_trip() {
        let mut keyboard = Keyboard::default();
        for code in [0, 37, 255] {
            keyboard.press(code);
        }
        keyboard.end_frame();
        keyboard.press(A);
        keyboard.release(37);
        let codes = keyboard.codes();
        assert_eq!(codes[0], [0, A, 255]);
        assert_eq!(codes[1], [A]);
        assert_eq!(Keyboard::from(codes), keyboard);
        assert!(!keyboard.is_idle());
    }
}
