//! Tokeniser for WGSL that skips comments and accepts malformed sources.

use std::ops::Range;

/// A word, number or punctuation token with its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub span: Range<usize>,
}

impl Token<'_> {
    /// True for names, keywords and numbers.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }

    /// Nesting depth of brackets after the token, if it was `depth` before.
    pub(super) fn depth_after(&self, depth: usize) -> usize {
        match self.text {
            "(" | "[" | "{" => depth + 1,
            ")" | "]" | "}" => depth.saturating_sub(1),
            _ => depth,
        }
    }
}

/// Splits `text` into tokens: names and integers are one token each, as are `::`, `->` and
/// `#{NAME}`; every other character is a single token.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += length_of_space(&text[at..]);
        let rest = &text[at..];
        let length = match rest.chars().next()? {
            first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") || rest.starts_with("->") => 2,
            _ if rest.starts_with("#{") => {
                let line = rest.lines().next().unwrap_or_default();
                line.find('}').map_or(1, |end| end + 1)
            }
            first => first.len_utf8(),
        };
        let token = Token { text: &rest[..length], span: at..at + length };
        at += length;
        Some(token)
    })
}

/// The name in a token `#{NAME}`.
pub(super) fn defined_name(token: &str) -> Option<&str> {
    Some(token.strip_prefix("#{")?.strip_suffix('}')?.trim())
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length in bytes of the whitespace and comments at the start of `text`.
fn length_of_space(text: &str) -> usize {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        rest = if trimmed.starts_with("//") {
            trimmed.find('\n').map_or("", |end| &trimmed[end..])
        } else if trimmed.starts_with("/*") {
            &trimmed[length_of_block_comment(trimmed).unwrap_or(trimmed.len())..]
        } else {
            return text.len() - trimmed.len();
        };
    }
}

/// Byte range of the beginning of a block comment that never ends.
pub(super) fn unclosed_comment(text: &str) -> Option<Range<usize>> {
    let last = if text.contains("/*") { tokens(text).last() } else { return None };
    let mut at = last.map_or(0, |token| token.span.end);
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        at += match rest.get(..2)? {
            "/*" => match length_of_block_comment(rest) {
                Some(length) => length,
                None => return Some(at..at + 2),
            },
            _ => rest.find('\n')?,
        };
    }
}

/// Length in bytes of a block comment, unless it never ends. Block comments nest.
fn length_of_block_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" if depth == 1 => return Some(at + 2),
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_skip_comments_and_keep_spans() {
        let text = "a::b /* c /* d */ */ -> 1.5 #{N}u // e\né";
        let found: Vec<_> = tokens(text).collect();
        for token in &found {
            assert_eq!(&text[token.span.clone()], token.text);
        }
        let words: Vec<_> = found.iter().map(|token| token.text).collect();
        assert_eq!(words, ["a", "::", "b", "->", "1", ".", "5", "#{N}", "u", "é"]);
    }

    #[test]
    fn unclosed_comments_end_with_the_text() {
        for (text, unclosed) in [
            ("a /* b", Some(2..4)),
            ("a // b", None),
            ("a /* b */", None),
            ("a /*/", Some(2..4)),
            ("a // /*\n/* é */ /* c", Some(17..19)),
        ] {
            assert_eq!(tokens(text).count(), 1, "{text}");
            assert_eq!(unclosed_comment(text), unclosed, "{text}");
        }
    }
}
