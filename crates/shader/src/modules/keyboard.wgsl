#define_import_path tarsus::keyboard

// Keyboard state by JavaScript key code, as in Shadertoy. While a scene imports this
// module, the window's own shortcuts need Ctrl or Alt.

/// 256 x 3 texels, one column per key code. Rows: down, pressed since the last frame, toggled.
@group(0) @binding(1) var keyboard: texture_2d<f32>;

const KEY_BACKSPACE: u32 = 8u;
const KEY_ENTER: u32 = 13u;
const KEY_SHIFT: u32 = 16u;
const KEY_SPACE: u32 = 32u;
const KEY_LEFT: u32 = 37u;
const KEY_UP: u32 = 38u;
const KEY_RIGHT: u32 = 39u;
const KEY_DOWN: u32 = 40u;
const KEY_0: u32 = 48u;
const KEY_A: u32 = 65u;

/// True while the key is down.
fn is_down(code: u32) -> bool {
    return lookup(code, 0u);
}

/// True for one frame after a press of the key.
fn is_pressed(code: u32) -> bool {
    return lookup(code, 1u);
}

/// True after an odd number of presses; false at the start.
fn is_toggled(code: u32) -> bool {
    return lookup(code, 2u);
}

/// Texel of a key code in a row, as a bool.
fn lookup(code: u32, row: u32) -> bool {
    return textureLoad(keyboard, vec2u(min(code, 255u), row), 0).x > 0.5;
}
