//! Key codes in files: either a number or a web key name.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Key codes by space-separated names: the [`KeyboardEvent.code`] names other than letters and
/// digits, common `KeyboardEvent.key` names, and winit's name of the Windows key.
///
/// [`KeyboardEvent.code`]: https://developer.mozilla.org/docs/Web/API/KeyboardEvent/code
const NAMES: &[(&str, u8)] = &[
    ("Alt AltLeft AltRight", 18),
    ("ArrowDown", 40),
    ("ArrowLeft", 37),
    ("ArrowRight", 39),
    ("ArrowUp", 38),
    ("Backquote ` ~", 192),
    ("Backslash \\ |", 220),
    ("Backspace", 8),
    ("BracketLeft [ {", 219),
    ("BracketRight ] }", 221),
    ("CapsLock", 20),
    ("Comma , <", 188),
    ("Control ControlLeft ControlRight", 17),
    ("Delete", 46),
    ("End", 35),
    ("Enter NumpadEnter", 13),
    ("Equal = +", 187),
    ("Escape", 27),
    ("Home", 36),
    ("Insert", 45),
    ("Meta MetaLeft Super", 91),
    ("MetaRight", 93),
    ("Minus - _", 189),
    ("NumpadAdd", 107),
    ("NumpadDecimal", 110),
    ("NumpadDivide", 111),
    ("NumpadMultiply", 106),
    ("NumpadSubtract", 109),
    ("PageDown", 34),
    ("PageUp", 33),
    ("Pause", 19),
    ("Period . >", 190),
    ("Quote ' \"", 222),
    ("Semicolon ; :", 186),
    ("Shift ShiftLeft ShiftRight", 16),
    ("Slash / ?", 191),
    ("Space", 32),
    ("Tab", 9),
];

/// JavaScript code of the key with a web name, such as `KeyA`, `a`, `Digit1`, `1`,
/// `Numpad1`, `F1`, `ArrowLeft` or `Space`.
pub fn key_code(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        [b'K', b'e', b'y', letter] if letter.is_ascii_uppercase() => Some(*letter),
        [digit] | [b'D', b'i', b'g', b'i', b't', digit] if digit.is_ascii_digit() => Some(*digit),
        [b'N', b'u', b'm', b'p', b'a', b'd', digit] if digit.is_ascii_digit() => {
            Some(digit - b'0' + 96)
        }
        b" " => Some(32),
        // Shifted digits of a US keyboard.
        [_] if let Some(digit) = ")!@#$%^&*(".find(name) => Some(b'0' + digit as u8),
        _ => function_key(name).or_else(|| {
            let is_named = |names: &str| names.split(' ').any(|known| known == name);
            let named = NAMES.iter().find(|(names, _)| is_named(names));
            named.map(|(_, code)| *code)
        }),
    }
}

/// Returns the code of `F1` to `F24`, which are 112 to 135.
fn function_key(name: &str) -> Option<u8> {
    (1..=24).find(|number| name == format!("F{number}")).map(|number| number + 111)
}

/// Returns the code of a key that is given by its code or its name.
fn code<E: serde::de::Error>(key: &Value) -> Result<u8, E> {
    let code = match key {
        Value::String(name) => key_code(name),
        key => key.as_u64().and_then(|code| u8::try_from(code).ok()),
    };
    code.ok_or_else(|| {
        E::custom(format!(
            "invalid key {key}: expected a code from 0 to 255, or a name such as \"KeyA\", \
             \"Digit1\", \"ArrowLeft\" or \"Space\""
        ))
    })
}

/// Deserializes one key code.
pub(super) fn deserialize_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    code(&Value::deserialize(deserializer)?)
}

/// Deserializes an optional list of key codes.
pub(super) fn deserialize_keys<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<u8>>, D::Error> {
    let keys = Option::<Vec<Value>>::deserialize(deserializer)?;
    keys.map(|keys| keys.iter().map(code).collect()).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_names_map_to_web_codes() {
        for (name, code) in [
            ("KeyA", 65),
            ("a", 65),
            ("Z", 90),
            ("Digit0", 48),
            ("9", 57),
            ("Numpad9", 105),
            ("F1", 112),
            ("F12", 123),
            ("ArrowLeft", 37),
            ("Space", 32),
            (" ", 32),
            ("Shift", 16),
            (")", 48),
            ("(", 57),
            ("Semicolon", 186),
            (";", 186),
            ("\"", 222),
            ("Super", 91),
        ] {
            assert_eq!(key_code(name), Some(code), "{name}");
        }
        for wrong in [
            "",
            "Keya",
            "KeyAA",
            "F0",
            "F01",
            "F+5",
            "F25",
            "arrowleft",
            "é",
            "65",
            "ab",
            "; :",
            "!@",
        ] {
            assert_eq!(key_code(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn keys_deserialize_from_numbers_or_names() {
        let mut json = serde_json::Deserializer::from_str("[65, \"KeyB\", \"ArrowUp\"]");
        let keys = deserialize_keys(&mut json).expect("keys");
        assert_eq!(keys, Some(vec![65, 66, 38]));
        for (wrong, expected) in [
            ("256", "a code from 0 to 255"),
            ("\"KeyÄ\"", "invalid key \"KeyÄ\""),
            ("true", "a code from 0 to 255"),
        ] {
            let mut json = serde_json::Deserializer::from_str(wrong);
            let error = deserialize_key(&mut json).expect_err(wrong);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
