//! Checks that every `#else`, `#elif` and `#endif` has its `#if`. The compiler reports one
//! that has none but reads on, outside of its memory, so such a source is rejected first. It
//! is read here as the compiler reads it: lines that end in a backslash are joined, then
//! comments are left out.

use std::iter::Peekable;
use std::str::CharIndices;

/// An error at a byte of the source.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    pub at: usize,
    /// The offending token.
    pub token: String,
    pub message: String,
}

/// Checks `text`.
///
/// # Errors
/// Returns [`Wrong`] at the first directive, or quoted text, that the compiler must not see.
pub(super) fn check(text: &str) -> Result<(), Wrong> {
    let mut reader = Reader { chars: text.char_indices().peekable() };
    let mut depth = 0usize;
    while let Some(line) = reader.line() {
        let wrong = |token: &str, message: &str| {
            Err(Wrong { at: line.at, token: token.to_owned(), message: message.to_owned() })
        };
        if line.is_escaped {
            return wrong("\\", "cannot read a backslash in quotes");
        }
        let Some(directive) = after_hash(&line.text) else {
            continue;
        };
        let end = directive.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match &directive[..end.unwrap_or(directive.len())] {
            "if" | "ifdef" | "ifndef" => depth += 1,
            name @ ("else" | "elif" | "endif") if depth == 0 => {
                let message = format!("`#{name}` has no `#if` before it");
                return wrong(&format!("#{name}"), &message);
            }
            "endif" => depth -= 1,
            // In lines that the compiler skips, it takes this for one token.
            _ if after_hash(directive).is_some() => return wrong("#", "invalid directive"),
            _ => {}
        }
    }
    Ok(())
}

/// The rest of a directive after its `#`.
fn after_hash(line: &str) -> Option<&str> {
    const SPACE: [char; 2] = [' ', '\t'];
    let rest = line.trim_start_matches(SPACE).strip_prefix('#')?;
    Some(rest.trim_start_matches(SPACE))
}

/// A line as the compiler sees it.
#[derive(Default)]
struct Line {
    /// Position of its first token.
    at: usize,
    /// The line with a space in place of each comment.
    text: String,
    /// True if there is a backslash in quotes, whose meaning to the compiler depends on the
    /// place.
    is_escaped: bool,
}

/// Reads a text character by character.
struct Reader<'a> {
    chars: Peekable<CharIndices<'a>>,
}

impl Reader<'_> {
    fn line(&mut self) -> Option<Line> {
        let mut line = Line::default();
        let (mut has_begun, mut is_quoted) = (false, false);
        let mut next = Some(self.next()?);
        while let Some((at, c)) = next {
            match c {
                '\n' => break,
                '/' if !is_quoted => {
                    let second = self.next();
                    next = match second {
                        Some((_, '/')) => {
                            std::iter::from_fn(|| self.next()).find(|&(_, c)| c == '\n')
                        }
                        Some((_, '*')) => {
                            line.text.push(' ');
                            self.skip_block_comment();
                            self.next()
                        }
                        _ => {
                            line.text.push('/');
                            second
                        }
                    };
                    continue;
                }
                '"' => is_quoted = !is_quoted,
                '\\' => line.is_escaped |= is_quoted,
                _ => {}
            }
            if !has_begun {
                (line.at, has_begun) = (at, !c.is_whitespace());
            }
            line.text.push(c);
            next = self.next();
        }
        Some(line)
    }

    fn skip_block_comment(&mut self) {
        let mut is_star = false;
        while let Some((_, c)) = self.next() {
            if is_star && c == '/' {
                return;
            }
            is_star = c == '*';
        }
    }

    /// The next character and its position. Every end of a line is `\n`; one after a backslash
    /// is skipped.
    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let (at, c) = self.chars.next()?;
            let is_end = |c: char| matches!(c, '\n' | '\r');
            let end = match c {
                '\\' => match self.chars.next_if(|&(_, next)| is_end(next)) {
                    Some((_, end)) => end,
                    None => return Some((at, c)),
                },
                c => c,
            };
            if !is_end(end) {
                return Some((at, c));
            }
            if end == '\r' {
                self.chars.next_if(|&(_, next)| next == '\n');
            }
            if c != '\\' {
                return Some((at, '\n'));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_that_belong_together_pass() {
        for text in [
            "",
            "a = b / c; // #else\n",
            "#if 1\n#if 0\n#elif 1\n#else\n#endif\n#endif",
            " \t# ifdef A /* b */\r\n#/**/else\r#endif",
            "#if 1 // to the next line \\\n#else\n#else\n#endif",
            "/* \n#else\n/* */ #if A\n#endif\n#pragma \"/*\"\n#ifndef A\n#endif /*",
            "/\\\n/ #else\n#i\\\r\nf 1\n#endif\na #else\n\u{b}#else\n#elsewhere\n",
        ] {
            assert_eq!(check(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn unmatched_directive_is_located() {
        for (text, token) in [
            ("#else", "#else"),
            ("\n\n #elif 1\n#else", "#elif"),
            ("#if 1\n#endif\n/*\n*/ #endif", "#endif"),
            ("/\\\n* #if 1\n*/\n#else\r\n#endif", "#else"),
            ("#if 0\n#if 1\n#endif\n#endif\n#else", "#else"),
            ("a = \"/*\"\n#else", "#else"),
        ] {
            let wrong = check(text).expect_err(text);
            let last = text.rfind(token).expect("it is there");
            assert_eq!((wrong.at, wrong.token.as_str()), (last, token), "{text:?}");
        }
        for (text, token) in [("# #if 1\n#else", "#"), ("a \"\\\"\"", "\\")] {
            assert_eq!(check(text).expect_err(text).token, token);
        }
    }
}
