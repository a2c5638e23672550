//! Makes text from files safe to print on a terminal.

/// Escapes everything in `text` that a terminal would interpret: control characters other
/// than newline and tab, and bidirectional formatting characters. CRLF becomes a newline.
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        if is_unsafe(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn is_unsafe(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    let is_bidirectional = matches!(c,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_control || is_bidirectional
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("é\n\ta│"), "é\n\ta│");
        assert_eq!(printable("a\r\nb\r\n\r"), "a\nb\n\\r");
        assert_eq!(
            printable("a\u{1b}]0;b\u{7}\r\u{9b}\u{202e}\u{200f}"),
            "a\\u{1b}]0;b\\u{7}\\r\\u{9b}\\u{202e}\\u{200f}"
        );
    }
}
