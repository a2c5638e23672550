//! Key bindings.

use winit::keyboard::{Key, ModifiersState, NamedKey};

use tarsus_player::clock::Direction;

/// User commands, of keys and of the overlay.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Pause or resume time.
    Pause,
    /// Reset time and frame to 0.
    Restart,
    /// One frame forward or back while paused.
    Step(Direction),
    /// The next higher speed.
    SpeedUp,
    /// The next lower speed.
    SlowDown,
    /// The next or the previous scene: a built-in one, or one of the opened folder.
    Page(Direction),
    /// Open or close the grid of scenes.
    Picker,
    /// Fold or unfold the parameters.
    Parameters,
    /// Show or hide the values under the pointer.
    Probe,
    /// Open or close the panel of buffers and channels.
    Panel,
    /// Show the buffer or channel of this index full size, or the picture.
    ShowFullSize(Option<usize>),
    /// Toggle sound.
    Mute,
    /// Open the scene in an editor.
    Edit,
    /// Render at 1/n of the resolution per side; 0 selects the scale automatically.
    Scale(u8),
    /// Toggle fullscreen.
    Fullscreen,
    /// Cycle through status, help and no overlay.
    Overlays,
    /// Switch to the next or the previous debug view.
    DebugView(Direction),
    /// Save a screenshot as PNG, with a snapshot.
    Screenshot,
    /// Export a video of the last seconds of play.
    ExportVideo,
    /// Start or stop recording the input.
    Record,
    /// Reload the scene's files.
    Reload,
    /// Recreate device and surface.
    ResetGraphics,
    /// Reset camera and parameters.
    ResetView,
    /// Quit the program.
    Quit,
    /// Set the parameter of this name to a value, one number per component.
    SetParameter(String, Vec<f64>),
    /// Open the scene of this index in the grid.
    Pick(usize),
    /// Rewind to the remembered frame of this number.
    Seek(u64),
}

/// Rows of the help sheet: keys and their action.
pub const HELP: &[(&str, &str)] = &[
    ("Space", "pause, resume"),
    ("Backspace", "restart time"),
    ("Left, Right or , .", "one frame back, forward while paused"),
    ("[ ]", "slower, faster"),
    ("Tab, Page Down", "next scene"),
    ("Shift+Tab, Page Up", "previous scene"),
    ("O", "choose a scene"),
    ("E", "open the scene in an editor"),
    ("C", "parameters"),
    ("I", "values under the pointer"),
    ("B", "buffers and channels"),
    ("Alt+1 to Alt+9", "show one full size"),
    ("Alt+0", "show the picture again"),
    ("1 to 9", "render at 1/1 to 1/9 per side"),
    ("0", "automatic scale"),
    ("L, Shift+L", "next, previous debug view"),
    #[cfg(feature = "sound")]
    ("M", "sound off, on"),
    ("F, F11", "full screen"),
    ("P, F2", "screenshot"),
    ("V", "video of the last 30 seconds"),
    ("Alt+R", "record the input"),
    ("F5", "reload"),
    ("Shift+F5", "restart the graphics device"),
    ("Home", "reset camera and parameters"),
    ("H, F1", "overlay, this help, nothing"),
    ("Esc", "quit"),
];

/// Mouse row of the help sheet for scenes that read the pointer.
pub const DRAG_HELP: &[(&str, &str)] = &[("drag", "move the target")];

/// Mouse rows of the help sheet.
pub const MOUSE_HELP: &[(&str, &str)] = &[
    ("right drag", "orbit"),
    ("wheel", "zoom"),
    ("drop a file", "open a scene, a picture, a recording"),
];

/// The command of a key, the first of its `readings` that has one. If the scene reads the
/// keyboard, keys that the scene may use require Ctrl or Alt.
pub fn command(
    readings: &[Key],
    modifiers: ModifiersState,
    scene_reads_keys: bool,
) -> Option<Command> {
    let held = modifiers.alt_key() || modifiers.control_key();
    let is_free = scene_reads_keys == held;
    readings.iter().find_map(|key| {
        let plain = || plain_key(key, modifiers).filter(|_| is_free);
        reserved_key(key, modifiers).or_else(plain)
    })
}

/// Keys that no scene reads, and keys with their own modifier.
fn reserved_key(key: &Key, modifiers: ModifiersState) -> Option<Command> {
    let named = match key {
        Key::Character(text) if modifiers.alt_key() && text.eq_ignore_ascii_case("r") => {
            return Some(Command::Record);
        }
        Key::Character(text) if modifiers.alt_key() => {
            let index = |digit| usize::from(digit).checked_sub(1);
            return digit(text).map(|digit: u8| Command::ShowFullSize(index(digit)));
        }
        Key::Named(named) => named,
        _ => return None,
    };
    Some(match named {
        NamedKey::ArrowDown if modifiers.alt_key() => Command::Restart,
        NamedKey::Tab => Command::Page(shift_direction(modifiers)),
        NamedKey::PageDown => Command::Page(Direction::Forward),
        NamedKey::PageUp => Command::Page(Direction::Back),
        NamedKey::F1 => Command::Overlays,
        NamedKey::F2 => Command::Screenshot,
        NamedKey::F5 if modifiers.shift_key() => Command::ResetGraphics,
        NamedKey::F5 => Command::Reload,
        NamedKey::F11 => Command::Fullscreen,
        NamedKey::Home => Command::ResetView,
        NamedKey::Escape => Command::Quit,
        _ => return None,
    })
}

/// Keys that a scene may read.
fn plain_key(key: &Key, modifiers: ModifiersState) -> Option<Command> {
    let text = match key {
        Key::Named(NamedKey::Space) => return Some(Command::Pause),
        Key::Named(NamedKey::Backspace) => return Some(Command::Restart),
        Key::Named(NamedKey::ArrowLeft) => return Some(Command::Step(Direction::Back)),
        Key::Named(NamedKey::ArrowRight) => return Some(Command::Step(Direction::Forward)),
        Key::Character(text) => text.to_lowercase(),
        _ => return None,
    };
    Some(match text.as_str() {
        " " => Command::Pause,
        "," => Command::Step(Direction::Back),
        "." => Command::Step(Direction::Forward),
        "[" => Command::SlowDown,
        "]" => Command::SpeedUp,
        "b" => Command::Panel,
        "c" => Command::Parameters,
        "f" => Command::Fullscreen,
        "h" => Command::Overlays,
        "i" => Command::Probe,
        "e" => Command::Edit,
        "l" => Command::DebugView(shift_direction(modifiers)),
        "m" => Command::Mute,
        "o" => Command::Picker,
        "p" => Command::Screenshot,
        "v" => Command::ExportVideo,
        _ => Command::Scale(digit(&text)?),
    })
}

/// Direction of a key that Shift reverses.
fn shift_direction(modifiers: ModifiersState) -> Direction {
    if modifiers.shift_key() { Direction::Back } else { Direction::Forward }
}

fn digit(text: &str) -> Option<u8> {
    text.parse().ok().filter(|digit| *digit <= 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: ModifiersState = ModifiersState::empty();
    const ALT: ModifiersState = ModifiersState::ALT;
    const CTRL: ModifiersState = ModifiersState::CONTROL;
    const SHIFT: ModifiersState = ModifiersState::SHIFT;

    fn character(text: &str) -> Key {
        Key::Character(text.into())
    }

    /// Parses the keys of a help row: `Left, Right or , .` are four keys.
    fn keys_of_row(row: &str) -> Vec<(Key, ModifiersState)> {
        let row = row.replace("Page ", "Page");
        let words: Vec<&str> = row.split_whitespace().collect();
        if let [first, "to", last] = words[..] {
            let digit = |word: &str| {
                let digit = word.rsplit('+').next().expect("a word");
                digit.parse::<u8>().expect("a digit")
            };
            let prefix = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
            return (digit(first)..=digit(last))
                .map(|digit| key_of_word(&format!("{prefix}{digit}")))
                .collect();
        }
        let keys = words.into_iter().filter(|word| *word != "or");
        keys.map(|word| match word {
            "," => key_of_word(word),
            _ => key_of_word(word.trim_end_matches(',')),
        })
        .collect()
    }

    /// Parses a key in the notation of the help: `F5`, `L`, `Shift+Tab`.
    fn key_of_word(word: &str) -> (Key, ModifiersState) {
        use NamedKey as N;
        let (modifiers, name) = match word.split_once('+') {
            Some(("Alt", name)) => (ALT, name),
            Some(("Shift", name)) => (SHIFT, name),
            _ => (NONE, word),
        };
        let named = match name {
            "Backspace" => N::Backspace,
            "Esc" => N::Escape,
            "F1" => N::F1,
            "F2" => N::F2,
            "F5" => N::F5,
            "F11" => N::F11,
            "Home" => N::Home,
            "Left" => N::ArrowLeft,
            "PageDown" => N::PageDown,
            "PageUp" => N::PageUp,
            "Right" => N::ArrowRight,
            "Space" => N::Space,
            "Tab" => N::Tab,
            _ => {
                assert_eq!(name.chars().count(), 1, "the help has an unknown key: {word}");
                let text =
                    if modifiers.shift_key() { name.to_uppercase() } else { name.to_lowercase() };
                return (character(&text), modifiers);
            }
        };
        (Key::Named(named), modifiers)
    }

    /// Commands described by a help text.
    fn promised(action: &str) -> Vec<Command> {
        match action {
            "pause, resume" => vec![Command::Pause],
            "restart time" => vec![Command::Restart],
            "one frame back, forward while paused" => {
                vec![Command::Step(Direction::Back), Command::Step(Direction::Forward)]
            }
            "slower, faster" => vec![Command::SlowDown, Command::SpeedUp],
            "next scene" => vec![Command::Page(Direction::Forward)],
            "previous scene" => vec![Command::Page(Direction::Back)],
            "render at 1/1 to 1/9 per side" => (1..=9).map(Command::Scale).collect(),
            "automatic scale" => vec![Command::Scale(0)],
            "next, previous debug view" => {
                vec![Command::DebugView(Direction::Forward), Command::DebugView(Direction::Back)]
            }
            "full screen" => vec![Command::Fullscreen],
            "screenshot" => vec![Command::Screenshot],
            "choose a scene" => vec![Command::Picker],
            "open the scene in an editor" => vec![Command::Edit],
            "buffers and channels" => vec![Command::Panel],
            "parameters" => vec![Command::Parameters],
            "values under the pointer" => vec![Command::Probe],
            "sound off, on" => vec![Command::Mute],
            "show one full size" => (0..9).map(|at| Command::ShowFullSize(Some(at))).collect(),
            "show the picture again" => vec![Command::ShowFullSize(None)],
            "video of the last 30 seconds" => vec![Command::ExportVideo],
            "record the input" => vec![Command::Record],
            "reload" => vec![Command::Reload],
            "restart the graphics device" => vec![Command::ResetGraphics],
            "reset camera and parameters" => vec![Command::ResetView],
            "overlay, this help, nothing" => vec![Command::Overlays],
            "quit" => vec![Command::Quit],
            _ => panic!("the help promises something else: {action}"),
        }
    }

    /// All commands of keys; the match fails to compile until a new command is added.
    fn all_commands() -> Vec<Command> {
        let next = |command: &Command| {
            Some(match command {
                Command::Pause => Command::Restart,
                Command::Restart => Command::Step(Direction::Back),
                Command::Step(Direction::Back) => Command::Step(Direction::Forward),
                Command::Step(Direction::Forward) => Command::SlowDown,
                Command::SlowDown => Command::SpeedUp,
                Command::SpeedUp => Command::Page(Direction::Back),
                Command::Page(Direction::Back) => Command::Page(Direction::Forward),
                Command::Page(Direction::Forward) => Command::Picker,
                Command::Picker => Command::Mute,
                Command::Mute => Command::Parameters,
                Command::Parameters => Command::Probe,
                Command::Probe => Command::Panel,
                Command::Panel => Command::ShowFullSize(None),
                Command::ShowFullSize(None) => Command::ShowFullSize(Some(0)),
                Command::ShowFullSize(Some(at @ 0..8)) => Command::ShowFullSize(Some(at + 1)),
                Command::ShowFullSize(_) => Command::Edit,
                Command::Edit => Command::Scale(0),
                Command::Scale(digit @ 0..9) => Command::Scale(digit + 1),
                Command::Scale(_) => Command::Fullscreen,
                Command::Fullscreen => Command::Overlays,
                Command::Overlays => Command::DebugView(Direction::Back),
                Command::DebugView(Direction::Back) => Command::DebugView(Direction::Forward),
                Command::DebugView(Direction::Forward) => Command::Screenshot,
                Command::Screenshot => Command::ExportVideo,
                Command::ExportVideo => Command::Record,
                Command::Record => Command::Reload,
                Command::Reload => Command::ResetGraphics,
                Command::ResetGraphics => Command::ResetView,
                Command::ResetView => Command::Quit,
                Command::Quit => return None,
                // The overlay's own.
                Command::SetParameter(..) | Command::Pick(_) | Command::Seek(_) => return None,
            })
        };
        std::iter::successors(Some(Command::Pause), next).collect()
    }

    #[test]
    fn help_lists_every_command() {
        let mut listed = Vec::new();
        for (row, action) in HELP {
            let mut commands = Vec::new();
            for (key, modifiers) in keys_of_row(row) {
                let command = command(std::slice::from_ref(&key), modifiers, false);
                let command = command.unwrap_or_else(|| panic!("{row}: {key:?} does nothing"));
                if !commands.contains(&command) {
                    commands.push(command);
                }
            }
            assert_eq!(commands, promised(action), "{row}: {action}");
            listed.extend(commands);
        }
        // Without sound there is nothing to mute.
        let is_available = |command: &Command| cfg!(feature = "sound") || *command != Command::Mute;
        for command in all_commands().into_iter().filter(is_available) {
            assert!(listed.contains(&command), "the help lacks {command:?}");
        }
    }

    #[test]
    fn unbound_keys_do_nothing() {
        for key in [character("r"), character("x"), character("10")] {
            assert_eq!(command(std::slice::from_ref(&key), NONE, false), None, "{key:?}");
        }
        assert_eq!(command(&[character("f")], ALT, false), None);
    }

    #[test]
    fn key_variants_share_one_command() {
        let down = Key::Named(NamedKey::ArrowDown);
        for (key, modifiers, expected) in [
            (down, ALT, Command::Restart),
            (character("F"), SHIFT, Command::Fullscreen),
            (character(" "), NONE, Command::Pause),
        ] {
            assert_eq!(
                command(std::slice::from_ref(&key), modifiers, false),
                Some(expected),
                "{key:?}"
            );
        }
    }

    #[test]
    fn first_reading_with_a_command_counts() {
        // Russian, French and macOS layouts: text, key without modifiers, US layout.
        for (readings, modifiers, expected) in [
            (["и", "и", "b"], NONE, Command::Panel),
            (["Д", "д", "l"], SHIFT, Command::DebugView(Direction::Back)),
            (["к", "к", "r"], ALT, Command::Record),
            (["&", "&", "1"], NONE, Command::Scale(1)),
            (["®", "r", "r"], ALT, Command::Record),
            (["1", "&", "1"], SHIFT, Command::Scale(1)),
            (["[", "8", "8"], NONE, Command::SlowDown),
        ] {
            let keys = readings.map(character);
            assert_eq!(command(&keys, modifiers, false), Some(expected), "{readings:?}");
        }
    }

    #[test]
    fn scene_reading_keys_receives_them() {
        let wanted = [
            Key::Named(NamedKey::Space),
            Key::Named(NamedKey::ArrowLeft),
            Key::Named(NamedKey::Backspace),
            character("f"),
            character("l"),
            character(","),
        ];
        for key in wanted {
            assert_eq!(command(std::slice::from_ref(&key), NONE, true), None, "{key:?}");
            let plain = command(std::slice::from_ref(&key), NONE, false);
            assert!(plain.is_some());
            assert_eq!(command(std::slice::from_ref(&key), ALT, true), plain, "{key:?}");
        }
        // Alt plus a digit is a command of its own.
        let one = character("1");
        assert_eq!(command(std::slice::from_ref(&one), NONE, true), None);
        assert_eq!(command(std::slice::from_ref(&one), CTRL, true), Some(Command::Scale(1)));
        for reads_keys in [false, true] {
            assert_eq!(
                command(std::slice::from_ref(&one), ALT, reads_keys),
                Some(Command::ShowFullSize(Some(0)))
            );
        }
        let back = ALT | SHIFT;
        let previous = Some(Command::DebugView(Direction::Back));
        assert_eq!(command(&[character("L")], back, true), previous);
        let escape = Key::Named(NamedKey::Escape);
        assert_eq!(command(&[escape], NONE, true), Some(Command::Quit));
    }
}
