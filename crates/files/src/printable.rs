//! Makes text from files safe to print on a terminal.

/// Escapes control characters other than newline and tab as Rust does, such as `\u{1b}`,
/// and marks that change text direction: text from a file must not control the terminal
/// that shows a message about it.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => printable.push(character),
            _ if is_unsafe(character) => printable.extend(character.escape_unicode()),
            _ => printable.push(character),
        }
    }
    printable
}

/// True for control characters and marks that change text direction.
fn is_unsafe(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("é\n\ta│"), "é\n\ta│");
        assert_eq!(
            printable("a\u{1b}]0;b\u{7}\r\u{9b}\u{202e}"),
            "a\\u{1b}]0;b\\u{7}\\u{d}\\u{9b}\\u{202e}"
        );
    }
}
