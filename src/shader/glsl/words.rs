//! The words of GLSL texts, as far as a front end has to know them before it
//! compiles.

use std::collections::BTreeSet;
use std::ops::Range;

/// Identifiers and numbers of `text` in order, with their places; those of comments
/// too.
pub(super) fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let length = text[start..].find(|c| !is_word(c));
        at = length.map_or(text.len(), |length| start + length);
        Some((&text[start..at], start..at))
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Every identifier of a text.
pub(super) fn all(text: &str) -> BTreeSet<&str> {
    words(text).map(|(word, _)| word).collect()
}

/// Names that a text gives with `#define`.
pub(super) fn defined(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?;
        rest.starts_with([' ', '\t']).then_some(rest)
    });
    lines
        .filter_map(|rest| words(rest).next())
        .map(|(word, _)| word)
        .collect()
}

/// Names that stand between a type and a parenthesis, as those of functions do where
/// they are defined.
pub(super) fn functions(text: &str) -> BTreeSet<&str> {
    let mut before: Option<Range<usize>> = None;
    let mut found = BTreeSet::new();
    for (word, span) in words(text) {
        let is_called = text[span.end..].trim_start().starts_with('(');
        let follows_a_word = before.is_some_and(|before| {
            let between = &text[before.end..span.start];
            let is_space = !between.is_empty() && between.chars().all(char::is_whitespace);
            is_space && !NO_TYPES.contains(&&text[before])
        });
        if is_called && follows_a_word {
            found.insert(word);
        }
        before = Some(span);
    }
    found
}

/// Words before an expression.
const NO_TYPES: &[&str] = &[
    "return", "else", "define", "do", "case", "defined", "if", "elif",
];

/// Where a text defines or declares the function `name`: the place of the name.
pub(in crate::shader) fn function(text: &str, name: &str) -> Option<Range<usize>> {
    let mut before: Option<&str> = None;
    for (word, span) in words(text) {
        let is_called = text[span.end..].trim_start().starts_with('(');
        if word == name && is_called && before.is_some_and(|word| !NO_TYPES.contains(&word)) {
            return Some(span);
        }
        before = Some(word);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_from_calls() {
        let text = "float f(int a) { return g(a) + h (a); }\nvec2  k\n(void) {} x=m(1);";
        assert_eq!(functions(text), BTreeSet::from(["f", "k"]));
        assert_eq!(function(text, "k").map(|span| span.start), text.find('k'));
        assert_eq!(function(text, "g"), None);
        assert_eq!(
            defined("# define A 1\n #define B(x) x\n#defined C\n//#define D"),
            BTreeSet::from(["A", "B"])
        );
    }
}
