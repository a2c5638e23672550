//! Which key does what: the shortcuts, and Shadertoy's key codes.

use winit::keyboard::{Key, ModifiersState, NamedKey};

/// What the user can ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Stop time or go on.
    Pause,
    /// Time and frame to 0.
    Restart,
    /// One frame forward or back while paused.
    Step(bool),
    /// Faster or slower.
    Speed(bool),
    /// The next or the previous built-in scene.
    Scene(bool),
    /// One n-th of the full resolution per side; 0 chooses by itself.
    Scale(u8),
    /// Whole screen or window.
    Fullscreen,
    /// Status, then help, then nothing.
    Overlays,
    /// Look through the next or the previous lens.
    Lens(bool),
    /// A PNG of this moment.
    Screenshot,
    /// Begin or end a recording of the input.
    Record,
    /// Read the scene's files again.
    Reload,
    /// Make device and surface anew.
    ResetGraphics,
    /// Camera and parameters as at the start.
    ResetView,
    /// End the program.
    Quit,
}

/// Modifier keys that matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Alt is down.
    pub alt: bool,
    /// Ctrl is down.
    pub ctrl: bool,
    /// Shift is down.
    pub shift: bool,
}

impl From<ModifiersState> for Modifiers {
    fn from(state: ModifiersState) -> Self {
        Self {
            alt: state.alt_key(),
            ctrl: state.control_key(),
            shift: state.shift_key(),
        }
    }
}

/// The rows of the help sheet: keys, and what they do in the order of the keys.
pub const HELP: &[(&[&str], &str)] = &[
    (&["Space"], "pause, go on"),
    (&["Backspace"], "restart time"),
    (&["Left", ","], "one frame back while paused"),
    (&["Right", "."], "one frame forward while paused"),
    (&["[", "]"], "slower, faster"),
    (&["Tab", "Page Down"], "next scene"),
    (&["Shift+Tab", "Page Up"], "previous scene"),
    (&["1", "…", "9"], "render at 1/1 to 1/9 per side"),
    (&["0"], "choose the scale by itself"),
    (&["L", "Shift+L"], "next, previous lens of the ray marching"),
    (&["F", "F11"], "full screen"),
    (&["P", "F2"], "screenshot"),
    (&["Alt+R"], "record the input"),
    (&["F5"], "reload"),
    (&["Shift+F5"], "restart the graphics device"),
    (&["Home"], "camera and parameters as at the start"),
    (&["H", "F1"], "overlay, this help, nothing"),
    (&["Esc"], "quit"),
];

/// What the mouse does, for the help sheet.
pub const MOUSE_HELP: &[(&str, &str)] = &[
    ("drag", "move the target"),
    ("right drag", "orbit"),
    ("wheel", "zoom"),
    ("drop a file", "open a .wgsl, a .png, a recording"),
];

/// The command of a key, if it has one. Where the scene reads the keyboard, keys
/// that it may want count only with Ctrl or Alt.
#[must_use]
pub fn command(key: &Key, modifiers: Modifiers, scene_reads_keys: bool) -> Option<Command> {
    let held = modifiers.alt || modifiers.ctrl;
    always(key, modifiers).or_else(|| {
        let free = if scene_reads_keys { held } else { !held };
        if free { plain(key, modifiers) } else { None }
    })
}

/// Keys that no scene reads, and those with their own modifier.
fn always(key: &Key, modifiers: Modifiers) -> Option<Command> {
    let named = match key {
        Key::Character(text) if modifiers.alt && text.eq_ignore_ascii_case("r") => {
            return Some(Command::Record);
        }
        Key::Named(named) => named,
        _ => return None,
    };
    Some(match named {
        NamedKey::ArrowDown if modifiers.alt => Command::Restart,
        NamedKey::Tab => Command::Scene(!modifiers.shift),
        NamedKey::PageDown => Command::Scene(true),
        NamedKey::PageUp => Command::Scene(false),
        NamedKey::F1 => Command::Overlays,
        NamedKey::F2 => Command::Screenshot,
        NamedKey::F5 if modifiers.shift => Command::ResetGraphics,
        NamedKey::F5 => Command::Reload,
        NamedKey::F11 => Command::Fullscreen,
        NamedKey::Home => Command::ResetView,
        NamedKey::Escape => Command::Quit,
        _ => return None,
    })
}

/// Keys that a scene may want for itself.
fn plain(key: &Key, modifiers: Modifiers) -> Option<Command> {
    let text = match key {
        Key::Named(NamedKey::Space) => return Some(Command::Pause),
        Key::Named(NamedKey::Backspace) => return Some(Command::Restart),
        Key::Named(NamedKey::ArrowLeft) => return Some(Command::Step(false)),
        Key::Named(NamedKey::ArrowRight) => return Some(Command::Step(true)),
        Key::Character(text) => text.to_lowercase(),
        _ => return None,
    };
    Some(match text.as_str() {
        " " => Command::Pause,
        "," => Command::Step(false),
        "." => Command::Step(true),
        "[" => Command::Speed(false),
        "]" => Command::Speed(true),
        "f" => Command::Fullscreen,
        "h" => Command::Overlays,
        "l" => Command::Lens(!modifiers.shift),
        "p" => Command::Screenshot,
        _ => Command::Scale(digit(&text)?),
    })
}

fn digit(text: &str) -> Option<u8> {
    text.parse().ok().filter(|digit| *digit <= 9)
}

/// The JavaScript key code of a key, as Shadertoy counts it.
#[must_use]
pub fn javascript_code(key: &Key) -> Option<u8> {
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
    // The signs on the digits of an American keyboard.
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

    const NONE: Modifiers = Modifiers {
        alt: false,
        ctrl: false,
        shift: false,
    };
    const ALT: Modifiers = Modifiers { alt: true, ..NONE };
    const SHIFT: Modifiers = Modifiers {
        shift: true,
        ..NONE
    };

    fn character(text: &str) -> Key {
        Key::Character(text.into())
    }

    /// A key as the help writes it.
    fn parse(text: &str) -> (Key, Modifiers) {
        use NamedKey as N;
        if let Some(rest) = text.strip_prefix("Shift+") {
            return (parse(rest).0, SHIFT);
        }
        if let Some(rest) = text.strip_prefix("Alt+") {
            return (parse(rest).0, ALT);
        }
        let named = match text {
            "Space" => N::Space,
            "Backspace" => N::Backspace,
            "Left" => N::ArrowLeft,
            "Right" => N::ArrowRight,
            "Tab" => N::Tab,
            "Page Down" => N::PageDown,
            "Page Up" => N::PageUp,
            "Home" => N::Home,
            "Esc" => N::Escape,
            "F1" => N::F1,
            "F2" => N::F2,
            "F5" => N::F5,
            "F11" => N::F11,
            text => return (character(text), NONE),
        };
        (Key::Named(named), NONE)
    }

    /// What the help says that a key does.
    fn promised(action: &str, position: usize) -> Command {
        match (action, position) {
            ("pause, go on", _) => Command::Pause,
            ("restart time", _) => Command::Restart,
            ("one frame back while paused", _) => Command::Step(false),
            ("one frame forward while paused", _) => Command::Step(true),
            ("slower, faster", position) => Command::Speed(position == 1),
            ("next scene", _) => Command::Scene(true),
            ("previous scene", _) => Command::Scene(false),
            ("render at 1/1 to 1/9 per side", 0) => Command::Scale(1),
            ("render at 1/1 to 1/9 per side", 2) => Command::Scale(9),
            ("choose the scale by itself", _) => Command::Scale(0),
            ("next, previous lens of the ray marching", at) => Command::Lens(at == 0),
            ("full screen", _) => Command::Fullscreen,
            ("screenshot", _) => Command::Screenshot,
            ("record the input", _) => Command::Record,
            ("reload", _) => Command::Reload,
            ("restart the graphics device", _) => Command::ResetGraphics,
            ("camera and parameters as at the start", _) => Command::ResetView,
            ("overlay, this help, nothing", _) => Command::Overlays,
            ("quit", _) => Command::Quit,
            other => panic!("the help promises {other:?}"),
        }
    }

    #[test]
    fn keys_do_what_the_help_says() {
        for (keys, action) in HELP {
            let keys = keys.iter().enumerate().filter(|(_, key)| **key != "…");
            for (position, text) in keys {
                let (key, modifiers) = parse(text);
                let expected = Some(promised(action, position));
                assert_eq!(command(&key, modifiers, false), expected, "{text}");
            }
        }
    }

    #[test]
    fn capitals_and_the_arrow_down_are_commands_too() {
        let full = Some(Command::Fullscreen);
        assert_eq!(command(&character("F"), SHIFT, false), full);
        let down = Key::Named(NamedKey::ArrowDown);
        assert_eq!(command(&down, ALT, false), Some(Command::Restart));
    }

    #[test]
    fn other_keys_do_nothing() {
        for key in [character("r"), character("x"), character("10")] {
            assert_eq!(command(&key, NONE, false), None, "{key:?}");
        }
        assert_eq!(command(&character("f"), ALT, false), None);
    }

    #[test]
    fn a_scene_that_reads_keys_gets_them() {
        let wanted = [
            Key::Named(NamedKey::Space),
            Key::Named(NamedKey::ArrowLeft),
            Key::Named(NamedKey::Backspace),
            character("f"),
            character("l"),
            character("1"),
            character(","),
        ];
        for key in wanted {
            assert_eq!(command(&key, NONE, true), None, "{key:?}");
            let plain = command(&key, NONE, false);
            assert!(plain.is_some());
            assert_eq!(command(&key, ALT, true), plain, "{key:?}");
        }
        let back = Modifiers { shift: true, ..ALT };
        let lens = Some(Command::Lens(false));
        assert_eq!(command(&character("L"), back, true), lens);
        let escape = Key::Named(NamedKey::Escape);
        assert_eq!(command(&escape, NONE, true), Some(Command::Quit));
    }

    #[test]
    fn codes_are_those_of_javascript() {
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
