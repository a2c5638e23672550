//! Whether every `#else`, `#elif` and `#endif` has its `#if`. The compiler tells of one
//! that has none and goes on, counting into memory that is not its own. So such a text is
//! refused before; it is read here as the compiler reads it: lines that end in a backslash
//! are joined, then comments are left out.

use std::iter::Peekable;
use std::str::Chars;

/// Checks `text`.
///
/// # Errors
/// What is wrong, as the compiler's log would tell it.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut reader = Reader {
        chars: text.chars().peekable(),
        line: 1,
    };
    let (mut file, mut depth) = (0usize, 0usize);
    while let Some(line) = reader.line() {
        let wrong = |token: &str, message: &str| {
            let number = line.number;
            Err(format!("ERROR: {file}:{number}:0: '{token}' :  {message}"))
        };
        if line.is_escaped {
            return wrong("\\", "cannot read a backslash in quotes");
        }
        let Some(directive) = after_sign(&line.text) else {
            continue;
        };
        let end = directive.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = directive.split_at(end.unwrap_or(directive.len()));
        match name {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "else" | "elif" | "endif" if depth == 0 => {
                let message = format!("`#{name}` has no `#if` before it");
                return wrong(&format!("#{name}"), &message);
            }
            "endif" => depth -= 1,
            "line" => {
                let mut numbers = rest.split_whitespace().map(str::parse);
                if let (Some(Ok(line)), Some(Ok(of))) = (numbers.next(), numbers.next()) {
                    (reader.line, file) = (line, of);
                }
            }
            // Where the compiler passes over lines it takes this for one sign.
            _ if after_sign(directive).is_some() => return wrong("#", "invalid directive"),
            _ => {}
        }
    }
    Ok(())
}

/// What follows the `#` with which a directive begins.
fn after_sign(line: &str) -> Option<&str> {
    const SPACE: [char; 2] = [' ', '\t'];
    let rest = line.trim_start_matches(SPACE).strip_prefix('#')?;
    Some(rest.trim_start_matches(SPACE))
}

/// A line as the compiler sees it.
#[derive(Default)]
struct Line {
    /// Number of the line in which it begins.
    number: usize,
    /// With a space in place of each comment.
    text: String,
    /// True if there is a backslash in quotes: how the compiler reads it depends on where
    /// it is.
    is_escaped: bool,
}

/// Reads a text sign by sign.
struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    /// Number of the line at hand.
    line: usize,
}

impl Reader<'_> {
    fn line(&mut self) -> Option<Line> {
        let mut line = Line::default();
        let (mut has_begun, mut is_quoted) = (false, false);
        let mut sign = Some(self.next()?);
        while let Some(c) = sign {
            if !has_begun {
                line.number = self.line;
            }
            match c {
                '\n' => break,
                '/' if !is_quoted => {
                    let next = self.next();
                    sign = match next {
                        Some('/') => std::iter::from_fn(|| self.next()).find(|&c| c == '\n'),
                        Some('*') => {
                            line.text.push(' ');
                            self.skip_block_comment();
                            self.next()
                        }
                        _ => {
                            line.text.push('/');
                            next
                        }
                    };
                    continue;
                }
                '"' => is_quoted = !is_quoted,
                '\\' => line.is_escaped |= is_quoted,
                _ => {}
            }
            has_begun |= !c.is_whitespace();
            line.text.push(c);
            sign = self.next();
        }
        Some(line)
    }

    fn skip_block_comment(&mut self) {
        let mut is_star = false;
        while let Some(c) = self.next() {
            if is_star && c == '/' {
                return;
            }
            is_star = c == '*';
        }
    }

    /// The next sign; every end of a line is `\n`, and one behind a backslash is none.
    fn next(&mut self) -> Option<char> {
        loop {
            let c = self.chars.next()?;
            let is_end = |c: &char| matches!(c, '\n' | '\r');
            let end = match c {
                '\\' => match self.chars.next_if(is_end) {
                    Some(end) => end,
                    None => return Some(c),
                },
                c => c,
            };
            if !is_end(&end) {
                return Some(c);
            }
            if end == '\r' {
                self.chars.next_if_eq(&'\n');
            }
            self.line += 1;
            if c != '\\' {
                return Some('\n');
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
    fn a_directive_without_its_beginning_is_told_at_its_line() {
        for (text, told) in [
            ("#else", "0:1:0: '#else'"),
            ("\n#line 7 2\n\n #elif 1\n", "2:8:0: '#elif'"),
            ("#if 1\n#endif\n/*\n*/ #endif", "0:4:0: '#endif'"),
            ("/\\\n* #if 1\n*/\n#else", "0:4:0: '#else'"),
            ("#if 0\n#if 1\n#endif\n#endif\n#else", "0:5:0: '#else'"),
            ("a = \"/*\"\n#else", "0:2:0: '#else'"),
            ("# #if 1\n#else", "0:1:0: '#'"),
            ("a \"\\\"\"", "0:1:0: '\\'"),
        ] {
            let found = check(text).expect_err(text);
            assert!(found.starts_with(&format!("ERROR: {told} :  ")), "{found}");
        }
    }
}
