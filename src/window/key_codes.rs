//! Key codes as used by Shadertoy.

use winit::keyboard::{Key, NamedKey};

/// JavaScript `keyCode` of a key, as used by Shadertoy's keyboard texture.
#[must_use]
pub(super) fn javascript_code(key: &Key) -> Option<u8> {
    match key {
        Key::Character(text) => {
            let mut letters = text.chars();
            let letter = letters.next()?.to_ascii_uppercase();
            letters.next().is_none().then_some(())?;
            character_code(letter)
        }
        Key::Named(named) => named_code(*named),
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

fn named_code(named: NamedKey) -> Option<u8> {
    use NamedKey as N;
    const FUNCTION_KEYS: [NamedKey; 12] = [
        N::F1,
        N::F2,
        N::F3,
        N::F4,
        N::F5,
        N::F6,
        N::F7,
        N::F8,
        N::F9,
        N::F10,
        N::F11,
        N::F12,
    ];
    if let Some(number) = FUNCTION_KEYS.iter().position(|key| *key == named) {
        return u8::try_from(112 + number).ok();
    }
    Some(match named {
        N::Backspace => 8,
        N::Tab => 9,
        N::Enter => 13,
        N::Shift => 16,
        N::Control => 17,
        N::Alt => 18,
        N::Pause => 19,
        N::CapsLock => 20,
        N::Escape => 27,
        N::Space => 32,
        N::PageUp => 33,
        N::PageDown => 34,
        N::End => 35,
        N::Home => 36,
        N::ArrowLeft => 37,
        N::ArrowUp => 38,
        N::ArrowRight => 39,
        N::ArrowDown => 40,
        N::Insert => 45,
        N::Delete => 46,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (Key::Named(NamedKey::Shift), 16),
            (Key::Named(NamedKey::F1), 112),
            (Key::Named(NamedKey::F12), 123),
        ] {
            assert_eq!(javascript_code(&key), Some(code), "{key:?}");
        }
        assert_eq!(javascript_code(&character("é")), None);
        assert_eq!(javascript_code(&character("ab")), None);
    }
}
