//! Text from files, fit for a terminal.

/// The text with every control character but the end of a line and the tab as an
/// escape of Rust's, such as `\u{1b}`: what stands in a file must not steer the
/// terminal that a message about it appears on.
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

/// Controls, and marks that turn the direction of the text around them.
fn is_unsafe(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_escaped_and_the_rest_stays() {
        assert_eq!(printable("é\n\ta│"), "é\n\ta│");
        assert_eq!(
            printable("a\u{1b}]0;b\u{7}\r\u{9b}\u{202e}"),
            "a\\u{1b}]0;b\\u{7}\\u{d}\\u{9b}\\u{202e}"
        );
    }
}
