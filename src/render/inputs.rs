//! What a scene receives for one draw.

use super::Frame;

/// Shadertoy's keyboard texture of 256 x 3 texels, row after row: down, pressed,
/// toggled; 255 where on, else 0.
pub type KeyboardTexels = [u8; 768];

/// Everything that a picture of a program is a function of.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The uniform.
    pub frame: Frame,
    /// The bytes of the scene's parameters.
    pub parameters: Vec<u8>,
    /// What the keys do.
    pub keyboard: KeyboardTexels,
}
