//! Keyboard state in the layout of Shadertoy's keyboard texture, 256 x 3 texels.
//!
//! Each column is a JavaScript key code. The rows tell whether the key is down, was
//! pressed since the last frame, and is toggled (every press flips it). The WGSL
//! side is `crates/shader/src/modules/keyboard.wgsl`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use tarsus_render::{KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};

/// State of every key: the codes of those that are on in each row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyboard([BTreeSet<u8>; KEYBOARD_ROWS as usize]);

impl Keyboard {
    /// Returns the codes that are on in each row: down, pressed, toggled.
    pub fn codes(&self) -> [Vec<u8>; KEYBOARD_ROWS as usize] {
        self.0.each_ref().map(|codes| codes.iter().copied().collect())
    }

    /// Returns true while the key is down.
    pub fn is_down(&self, code: u8) -> bool {
        self.0[0].contains(&code)
    }

    /// Returns true if no key is down, newly pressed or toggled.
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }

    /// Presses a key. Auto-repeat of a held key changes nothing.
    pub fn press(&mut self, code: u8) {
        let [down, pressed, toggled] = &mut self.0;
        if down.insert(code) {
            pressed.insert(code);
            if !toggled.remove(&code) {
                toggled.insert(code);
            }
        }
    }

    /// Releases a key.
    pub fn release(&mut self, code: u8) {
        let [down, pressed, _] = &mut self.0;
        down.remove(&code);
        pressed.remove(&code);
    }

    /// Clears the row of new presses, which last for one frame, after a frame was
    /// started.
    pub fn end_frame(&mut self) {
        self.0[1].clear();
    }

    /// Returns the texels row by row: 255 if on, otherwise 0.
    pub fn texels(&self) -> KeyboardTexels {
        let mut texels = [0; size_of::<KeyboardTexels>()];
        for (row, codes) in texels.chunks_exact_mut(KEYBOARD_COLUMNS as usize).zip(&self.0) {
            codes.iter().for_each(|&code| row[usize::from(code)] = 255);
        }
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
        let json = serde_json::to_string(&keyboard).expect("JSON");
        assert_eq!(json, "[[0,65,255],[65],[0,37,65,255]]");
        assert_eq!(serde_json::from_str::<Keyboard>(&json).expect("a keyboard"), keyboard);
        assert!(!keyboard.is_idle());
    }
}
