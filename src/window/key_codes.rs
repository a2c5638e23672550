//! Readings of a key, and key codes as used by Shadertoy.

use tarsus_player::key_code;
use winit::event::KeyEvent;
use winit::keyboard::{Key, KeyCode, PhysicalKey};
#[cfg(any(windows, target_os = "macos", target_os = "linux"))]
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement as _;

/// What a key means: its text, the key without modifiers (on macOS Option changes the
/// text), and its place on a US layout (other layouts lack some letters, digits or signs).
pub(super) fn readings(event: &KeyEvent) -> [Key; 3] {
    let plain = event.key_without_modifiers();
    [event.logical_key.clone(), plain.clone(), place_of(plain, event.physical_key)]
}

/// The place of a key on a US layout, or `plain` if that is a Latin letter, which other Latin
/// layouts have at another place.
fn place_of(plain: Key, place: PhysicalKey) -> Key {
    match &plain {
        Key::Character(text) if text.chars().all(|letter| letter.is_ascii_alphabetic()) => plain,
        _ => us_key(place),
    }
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

/// JavaScript `keyCode` of a key, as used by Shadertoy's keyboard texture: that of its place on
/// the number pad while that types, or of the first of its `readings` that has one.
pub(super) fn javascript_code(place: PhysicalKey, readings: &[Key]) -> Option<u8> {
    number_pad_code(place, readings).or_else(|| readings.iter().find_map(code_of))
}

fn number_pad_code(place: PhysicalKey, readings: &[Key]) -> Option<u8> {
    let (PhysicalKey::Code(place), [Key::Character(_), ..]) = (place, readings) else {
        return None;
    };
    // winit's names are those of the web.
    let name = format!("{place:?}");
    name.starts_with("Numpad").then(|| key_code(&name)).flatten()
}

fn code_of(key: &Key) -> Option<u8> {
    match key {
        Key::Character(text) => key_code(text),
        // winit's names are those of the web.
        Key::Named(named) => key_code(&format!("{named:?}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::keyboard::{NamedKey, NativeKeyCode};

    const UNKNOWN: PhysicalKey = PhysicalKey::Unidentified(NativeKeyCode::Unidentified);

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
            (Key::Named(NamedKey::Super), 91),
        ] {
            let found = javascript_code(UNKNOWN, std::slice::from_ref(&key));
            assert_eq!(found, Some(code), "{key:?}");
        }
        assert_eq!(javascript_code(UNKNOWN, &[character("é")]), None);
        assert_eq!(javascript_code(UNKNOWN, &[character("ab")]), None);
    }

    #[test]
    fn number_pad_has_own_codes() {
        for (place, reading, code) in [
            (KeyCode::Numpad1, character("1"), 97),
            (KeyCode::NumpadAdd, character("+"), 107),
            (KeyCode::NumpadDecimal, character(","), 110),
            (KeyCode::NumpadEnter, Key::Named(NamedKey::Enter), 13),
            // Without Num Lock.
            (KeyCode::Numpad1, Key::Named(NamedKey::End), 35),
            (KeyCode::Digit1, character("1"), 49),
        ] {
            let found = javascript_code(PhysicalKey::Code(place), std::slice::from_ref(&reading));
            assert_eq!(found, Some(code), "{place:?} {reading:?}");
        }
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
        // Dvorak and Russian.
        assert_eq!(place_of(character("n"), PhysicalKey::Code(KeyCode::KeyL)), character("n"));
        assert_eq!(place_of(character("д"), PhysicalKey::Code(KeyCode::KeyL)), character("l"));
        let readings = ["é", "é", "2"].map(character);
        assert_eq!(javascript_code(UNKNOWN, &readings), Some(50));
    }
}
