//! Preprocessor directives: `#if`, `#ifdef`, `#ifndef`, `#else`, `#endif`, `#define` and
//! `#define_import_path`, each on its own line.

use std::collections::BTreeMap;
use std::ops::Range;

use super::diagnostic::{Checked, Diagnostic};
use super::tokens::{Token, is_word, tokens};

/// Definitions and their values. One without a value is `true`.
pub(super) type Definitions = BTreeMap<String, String>;

/// Value of a definition without a value.
pub(super) const ON: &str = "true";

/// Blanks the directives in `text` and the lines that they exclude, without moving any
/// character. `#import` lines stay. Each `#define` is added to `definitions`.
///
/// # Errors
/// Returns a [`Diagnostic`] without the file for a malformed directive, or a condition without
/// its end.
pub(super) fn preprocess(text: &str, definitions: &mut Definitions) -> Checked<String> {
    let mut open: Vec<Branch> = Vec::new();
    let mut blanks: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for line in directives(text) {
        let is_taken = open.last().is_none_or(|branch| branch.is_taken);
        let start = if is_taken { line.span.start } else { end };
        blanks.push(start..line.span.end);
        end = line.span.end;
        match line.words[..] {
            ["else", ref condition @ ..] => {
                let Some(Branch { was_taken, .. }) = open.pop() else {
                    return Err(
                        line.error("`#else` without `#if`", "write `#if` or `#ifdef` above it")
                    );
                };
                let is_outside_taken = open.last().is_none_or(|branch| branch.is_taken);
                let is_taken = is_outside_taken
                    && !was_taken
                    && (condition.is_empty() || line.holds(condition, definitions)?);
                open.push(Branch {
                    is_taken,
                    was_taken: was_taken || is_taken,
                    at: line.span.clone(),
                });
            }
            ["endif", ..] => {
                let hint = "remove this line";
                open.pop().ok_or_else(|| line.error("`#endif` without `#if`", hint))?;
            }
            ["if" | "ifdef" | "ifndef", ..] => {
                let is_taken = is_taken && line.holds(&line.words, definitions)?;
                open.push(Branch { is_taken, was_taken: is_taken, at: line.span.clone() });
            }
            ["define", item, ref value @ ..] if is_taken => {
                let value = if value.is_empty() { ON.to_owned() } else { value.concat() };
                definitions.insert(item.to_owned(), value);
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(Branch { at, .. }) => {
            Err(error(at, "this condition has no `#endif`", "end it with a line `#endif`"))
        }
        None => Ok(blank(text.to_owned(), blanks)),
    }
}

/// Byte range of the first line that defines `name` with this value.
pub(super) fn definition(text: &str, name: &str, value: &str) -> Option<Range<usize>> {
    let is_it = |line: &Directive<'_>| match line.words[..] {
        ["define", item] => item == name && value == ON,
        ["define", item, ref words @ ..] => item == name && value == words.concat(),
        _ => false,
    };
    directives(text).find(is_it).map(|line| line.span)
}

/// Path that a source declares with `#define_import_path`.
pub(super) fn import_path(text: &str) -> Option<String> {
    let line = directives(text).find(|line| line.words[0] == "define_import_path")?;
    let path = text[line.span].split_whitespace().nth(1)?;
    Some(path.to_owned())
}

/// A section of a condition.
struct Branch {
    is_taken: bool,
    /// True if this section or one before it is taken.
    was_taken: bool,
    /// Byte range of its directive.
    at: Range<usize>,
}

/// A line with a directive.
pub(super) struct Directive<'a> {
    /// Byte range from `#` to the end of the line.
    pub span: Range<usize>,
    /// The words and operators after `#`.
    words: Vec<&'a str>,
}

impl Directive<'_> {
    fn error(&self, message: impl Into<String>, hint: &str) -> Box<Diagnostic> {
        error(self.span.clone(), message, hint)
    }

    /// Evaluates `condition`, such as `ifdef NAME` or `if COUNT >= 4`.
    fn holds(&self, condition: &[&str], definitions: &Definitions) -> Checked<bool> {
        let number = |text: &str| text.trim_end_matches(['i', 'u', 'f']).parse::<f64>().ok();
        let (item, comparison) = match *condition {
            ["ifdef", item] => return Ok(definitions.contains_key(item)),
            ["ifndef", item] => return Ok(!definitions.contains_key(item)),
            ["if", item] => (item, None),
            ["if", item, sign, ref wanted @ ..] => (item, Some((sign, wanted.concat()))),
            _ => {
                let hint = "write `#ifdef NAME`, `#ifndef NAME` or `#if NAME == value`";
                return Err(self.error("cannot read this condition", hint));
            }
        };
        let Some(value) = definitions.get(item) else {
            let hint = "write `#define NAME value` at the head of the scene, or use `#ifdef`";
            return Err(self.error(format!("`{item}` is not defined"), hint));
        };
        let Some((sign, wanted)) = comparison else {
            return Ok(value != "false" && number(value) != Some(0.0));
        };
        let order = match (number(value), number(&wanted)) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            (None, right) if sign == "!=" || sign == "==" && right.is_none() => {
                Some(value.cmp(&wanted))
            }
            _ => None,
        };
        match (sign, order) {
            ("==", Some(order)) => Ok(order.is_eq()),
            ("!=", Some(order)) => Ok(order.is_ne()),
            ("<", Some(order)) => Ok(order.is_lt()),
            ("<=", Some(order)) => Ok(order.is_le()),
            (">", Some(order)) => Ok(order.is_gt()),
            (">=", Some(order)) => Ok(order.is_ge()),
            _ => {
                let message = format!("cannot compare `{value}` and `{wanted}` by `{sign}`");
                Err(self.error(message, "numbers are compared by == != < <= > >="))
            }
        }
    }
}

fn error(span: Range<usize>, message: impl Into<String>, hint: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(message, "")).at(span).with_note(format!("hint: {hint}"))
}

/// Lists the lines of `text` with a directive other than `#import`.
pub(super) fn directives(text: &str) -> impl Iterator<Item = Directive<'_>> {
    const NAMES: [&str; 7] =
        ["define", "define_import_path", "else", "endif", "if", "ifdef", "ifndef"];
    // The end of the last token, and of the last directive's line.
    let (mut last, mut end) = (0, 0);
    let mut all = if text.contains('#') { Some(tokens(text).peekable()) } else { None };
    std::iter::from_fn(move || {
        let all = all.as_mut()?;
        loop {
            let hash = all.next()?;
            let before = std::mem::replace(&mut last, hash.span.end);
            let name = all.peek().filter(|name| NAMES.contains(&name.text));
            if hash.text != "#" || hash.span.start < end || name.is_none() {
                continue;
            }
            if before > 0 && !text[before..hash.span.start].contains('\n') {
                continue;
            }
            end = text[hash.span.start..].find('\n').map_or(text.len(), |at| hash.span.start + at);
            let span = hash.span.start..end;
            let on_line = |token: &Token<'_>| token.span.start < end;
            let mut words: Vec<&str> = Vec::new();
            while let Some(token) = all.next_if(|token| on_line(token)) {
                // Two characters next to each other may be one operator, such as `>=`.
                let joins = !token.is_word() && last == token.span.start;
                match words.last_mut().filter(|word| joins && !word.starts_with(is_word)) {
                    Some(word) => *word = &text[last - word.len()..token.span.end],
                    None => words.push(token.text),
                }
                last = token.span.end;
            }
            return Some(Directive { span, words });
        }
    })
}

/// Replaces ranges of `text` by spaces, except for line breaks.
pub fn blank(text: String, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut bytes = text.into_bytes();
    for range in ranges {
        bytes[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions() -> Definitions {
        let all = [("FOUR", "4"), ("ZERO", "0"), ("YES", ON)];
        all.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    /// The lines that `preprocess` keeps, without spaces.
    fn kept(text: &str) -> String {
        let mut definitions = definitions();
        let kept = preprocess(text, &mut definitions).expect("valid directives");
        assert_eq!(kept.len(), text.len());
        assert_eq!(kept.matches('\n').count(), text.matches('\n').count());
        kept.split_whitespace().collect()
    }

    #[test]
    fn conditions_choose_lines() {
        let chain = |first: &str, second: &str| {
            kept(&format!("#{first}\na\n#else {second} // é\nb\n#else\nc\n#endif\nd"))
        };
        assert_eq!(chain("ifdef FOUR", "ifdef FOUR"), "ad");
        assert_eq!(chain("ifndef FOUR", "ifdef FOUR"), "bd");
        assert_eq!(chain("ifdef FIVE", "ifndef FOUR"), "cd");
        for (condition, holds) in [
            ("FOUR == 4", true),
            ("FOUR != 4", false),
            ("FOUR >= 10", false),
            ("FOUR < 10", true),
            ("FOUR > -1", true),
            ("FOUR <= 3", false),
            ("FOUR < 10.5", true),
            ("FOUR == 4u", true),
            ("FOUR", true),
            ("ZERO", false),
            ("YES == true", true),
            ("YES != 0", true),
            ("YES", true),
        ] {
            assert_eq!(
                chain(&format!("if {condition}"), "ifdef FIVE") == "ad",
                holds,
                "{condition}"
            );
        }
    }

    #[test]
    fn excluded_lines_have_no_effect() {
        let text =
            "#ifdef FIVE\n#define SIX\n#ifdef FOUR\na\n#else\nb\n#endif\n#else\n#ifdef SIX\nc
#endif\n#define SEVEN 7\n#endif\n#if SEVEN == 7\nd\n#endif";
        assert_eq!(kept(text), "d");
        assert_eq!(
            kept("/*\n#ifdef FIVE\n*/ a // #endif\n #import b\n"),
            "/*#ifdefFIVE*/a//#endif#importb"
        );
        assert_eq!(kept("/* a */ #ifdef FIVE\nb\n/* c */ #endif"), "/*a*/");
    }

    #[test]
    fn wrong_conditions_are_errors() {
        for (text, place) in [
            ("a\n#if YES == 1\n#endif", 2),
            ("#if FOUR < abc\n#endif", 0),
            ("#if FOUR =< 4\n#endif", 0),
            ("#if\n#endif", 0),
            ("#ifdef FOUR\n#else if FIVE == 2\n#else if SIX\n#endif\n#if FIVE == 2\n#endif", 51),
        ] {
            let error = preprocess(text, &mut definitions()).expect_err(text);
            let start = error.span.as_ref().map(|span| span.start);
            assert_eq!(start, Some(place), "{text}: {}", error.message);
        }
    }

    #[test]
    fn modules_declare_their_path() {
        let path = |text: &str| import_path(text);
        assert_eq!(path("// A.\n#define_import_path a::b\nfn f() {}").as_deref(), Some("a::b"));
        assert_eq!(path("// #define_import_path a\n/*\n#define_import_path b\n*/"), None);
    }
}
