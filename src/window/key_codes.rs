//! Readings of a key, and key codes as used by Shadertoy.

use tarsus_player::key_code;
use winit::event::KeyEvent;
use winit::keyboard::{Key, KeyCode, PhysicalKey};
#[cfg(any(windows, target_os = "macos", target_os = "linux"))]
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement as _;

/// What a key means: its text, the key without modifiers (on macOS Option changes the
/// text), and its place on a US layout (other layouts lack some letters, digits or signs).
pub(super) fn readings(event: &KeyEvent) -> [Key; 3] {
    [event.logical_key.clone(), event.key_without_modifiers(), us_key(event.physical_key)]
}

/// The letter, digit or sign of a key on a US layout.
fn us_key(key: PhysicalKey) -> Key {
    let PhysicalKey::Code(code) = key else {
        return Key::Unidentified(winit::keyboard::NativeKey::Unidentified);
    };
    let sign = match code {
        KeyCode::Comma => ",",
        KeyCode::Period => ".",
        KeyCode::BracketLeft => "[",
        KeyCode::BracketRight => "]",
        _ => "",
    };
    // winit's names are those of the web: `KeyA`, `Digit1`.
    let name = format!("{code:?}");
    let text = name.strip_prefix("Key").or_else(|| name.strip_prefix("Digit")).unwrap_or(sign);
    match text {
        "" => Key::Unidentified(winit::keyboard::NativeKey::Unidentified),
        text => Key::Character(text.to_lowercase().into()),
    }
}

/// JavaScript `keyCode` of the first of a key's `readings` that has one, as used by
/// Shadertoy's keyboard texture.
pub(super) fn javascript_code(readings: &[Key]) -> Option<u8> {
    readings.iter().find_map(code_of)
}

fn code_of(key: &Key) -> Option<u8> {
    match key {
        Key::Character(text) => {
            let mut letters = text.chars();
            let letter = letters.next()?.to_ascii_uppercase();
            letters.next().is_none().then_some(())?;
            character_code(letter)
        }
        // winit's names are those of the web.
        Key::Named(named) => key_code(&format!("{named:?}")),
        _ => None,
    }
}

fn character_code(letter: char) -> Option<u8> {
    const SIGNS: &[(&str, u8)] = &[
        (" ", 32),
        (";:", 186),
        ("=+", 187),
        (",<", 188),
        ("-_", 189),
        (".>", 190),
        ("/?", 191),
        ("`~", 192),
        ("[{", 219),
        ("\\|", 220),
        ("]}", 221),
        ("'\"", 222),
    ];
    if letter.is_ascii_alphanumeric() {
        return u8::try_from(letter).ok();
    }
    // Shifted digits of a US keyboard.
    if let Some(digit) = ")!@#$%^&*(".find(letter) {
        return u8::try_from(digit).ok().map(|digit| b'0' + digit);
    }
    let sign = SIGNS.iter().find(|(signs, _)| signs.contains(letter));
    sign.map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::keyboard::NamedKey;

    fn character(text: &str) -> Key {
        Key::Character(text.into())
    }

    #[test]
    fn codes_match_javascript() {
        for (key, code) in [
            (character("a"), 65),
            (character("Z"), 90),
            (character("0"), 48),
            (character("!"), 49),
            (character(";"), 186),
            (character("\""), 222),
            (Key::Named(NamedKey::Space), 32),
            (Key::Named(NamedKey::ArrowLeft), 37),
            (Key::Named(NamedKey::ArrowUp), 38),
            (Key::Named(NamedKey::ArrowRight), 39),
            (Key::Named(NamedKey::ArrowDown), 40),
            (Key::Named(NamedKey::Backspace), 8),
            (Key::Named(NamedKey::Tab), 9),
            (Key::Named(NamedKey::Enter), 13),
            (Key::Named(NamedKey::Shift), 16),
            (Key::Named(NamedKey::Control), 17),
            (Key::Named(NamedKey::Alt), 18),
            (Key::Named(NamedKey::Pause), 19),
            (Key::Named(NamedKey::CapsLock), 20),
            (Key::Named(NamedKey::Escape), 27),
            (Key::Named(NamedKey::PageUp), 33),
            (Key::Named(NamedKey::PageDown), 34),
            (Key::Named(NamedKey::End), 35),
            (Key::Named(NamedKey::Home), 36),
            (Key::Named(NamedKey::Insert), 45),
            (Key::Named(NamedKey::Delete), 46),
            (Key::Named(NamedKey::F1), 112),
            (Key::Named(NamedKey::F12), 123),
        ] {
            assert_eq!(javascript_code(std::slice::from_ref(&key)), Some(code), "{key:?}");
        }
        assert_eq!(javascript_code(&[character("é")]), None);
        assert_eq!(javascript_code(&[character("ab")]), None);
    }

    #[test]
    fn other_layouts_fall_back_to_places() {
        for (code, text) in
            [(KeyCode::KeyB, "b"), (KeyCode::Digit1, "1"), (KeyCode::BracketLeft, "[")]
        {
            assert_eq!(us_key(PhysicalKey::Code(code)), character(text));
        }
        for code in [KeyCode::Escape, KeyCode::F5, KeyCode::Numpad1] {
            assert!(matches!(us_key(PhysicalKey::Code(code)), Key::Unidentified(_)), "{code:?}");
        }
        let readings = ["é", "é", "2"].map(character);
        assert_eq!(javascript_code(&readings), Some(50));
    }
}
