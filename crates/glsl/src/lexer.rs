//! Lexical analysis of GLSL, as far as needed before compiling. Comments contain words too:
//! [`without_comments`] removes them.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::mem::replace;
use std::ops::Range;

use tarsus_shader::front_end::blank;

/// Replaces comments in `text` with spaces, keeping every line and byte offset. `//` inside
/// quotes, as in editor directives, does not start a comment.
pub(super) fn without_comments(text: &str) -> String {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(length) = text[at..].find(['/', '"']) {
        let start = at + length;
        let sign = &text[start..];
        let comment = match sign.get(..2) {
            Some("//") => Some(line_length(sign)),
            Some("/*") => Some(sign[2..].find("*/").map_or(sign.len(), |at| at + 4)),
            _ => None,
        };
        at = start + comment.unwrap_or_else(|| quoted_length(sign));
        comments.extend(comment.map(|_| start..at));
    }
    blank(text.to_owned(), comments)
}

/// Length of the quoted string at the start of `text`, or of the first character if there is
/// none, or none that ends on that line.
fn quoted_length(text: &str) -> usize {
    let quoted = text.strip_prefix('"');
    let end = quoted.and_then(|rest| rest.find(['"', '\n']));
    end.filter(|at| text[at + 1..].starts_with('"')).map_or(1, |at| at + 2)
}

/// Length of the line at the start of `text`, without its end. A trailing backslash continues
/// it on the next line.
fn line_length(text: &str) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at);
    let end = ends.find(|&at| !text[..at].trim_end_matches('\r').ends_with('\\'));
    end.unwrap_or(text.len())
}

/// The rest of a `#define` line after that word.
pub(super) fn definition(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    directive.strip_prefix("define")
}

/// Identifiers and numbers of `text` in order, with their spans.
pub(super) fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = 0;
    iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let length = text[start..].find(|c| !is_word(c));
        at = length.map_or(text.len(), |length| start + length);
        Some((&text[start..at], start..at))
    })
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// All identifiers of a text.
pub(super) fn identifiers(text: &str) -> BTreeSet<&str> {
    words(text).map(|(word, _)| word).collect()
}

/// Names defined with `#define`.
pub(super) fn defined_names(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter_map(definition);
    let definitions = lines.filter(|rest| rest.starts_with([' ', '\t']));
    let names = definitions.filter_map(|rest| words(rest).next());
    names.map(|(word, _)| word).collect()
}

/// True if `code` has `name` before a parenthesis.
#[cfg(feature = "glslang")]
pub(super) fn calls(code: &str, name: &str) -> bool {
    words(code).any(|(word, span)| word == name && is_before_parenthesis(code, &span))
}

/// Span of the first access to components that no vector has, whose word occurs nowhere else
/// and so is no member either. The compiler overlooks wrong letters of components.
pub(super) fn unknown_components(code: &str) -> Option<Range<usize>> {
    let is_access = |(word, span): &(&str, Range<usize>)| {
        let object = code[..span.start].trim_end().strip_suffix('.');
        let object = object.map(str::trim_end).unwrap_or_default();
        let name = object.rsplit(|c| !is_word(c)).next().unwrap_or_default();
        let is_digit = |c: char| c.is_ascii_digit();
        let is_object = match name {
            "" => object.ends_with([')', ']']),
            name => !name.starts_with(is_digit),
        };
        is_object && !word.starts_with(is_digit)
    };
    let (accesses, others): (Vec<_>, Vec<_>) = words(code).partition(is_access);
    let names: BTreeSet<&str> = others.into_iter().map(|(word, _)| word).collect();
    let is_unknown = |word: &str| {
        let mut sets = ["xyzw", "rgba", "stpq"].into_iter();
        word.len() <= 4
            && !sets.any(|set| word.chars().all(|c| set.contains(c)))
            && !names.contains(word)
            && !MEMBERS.contains(&word)
    };
    let mut accesses = accesses.into_iter();
    let unknown = accesses.find(|(word, _)| is_unknown(word));
    unknown.map(|(_, span)| span)
}

/// Short members of the prelude's structures.
const MEMBERS: &[&str] = &["time"];

fn is_before_parenthesis(code: &str, span: &Range<usize>) -> bool {
    code[span.end..].trim_start().starts_with('(')
}

/// Names after a sampler type.
pub(super) fn sampler_names(code: &str) -> BTreeSet<&str> {
    let mut previous = "";
    let words = words(code).map(|(word, _)| word);
    words
        .filter(|word| matches!(replace(&mut previous, word), "sampler2D" | "samplerCube"))
        .collect()
}

/// A type name without its dimensions.
fn without_dimensions(word: &str) -> &str {
    word.trim_end_matches(['2', '3', '4', 'x'])
}

/// True for a scalar, vector or matrix type.
pub(super) fn is_type(word: &str) -> bool {
    matches!(
        without_dimensions(word),
        "float" | "int" | "uint" | "bool" | "vec" | "ivec" | "uvec" | "bvec" | "mat"
    )
}

/// Names that follow a scalar, vector or matrix type and never precede a parenthesis.
pub(super) fn variables(code: &str) -> BTreeSet<&str> {
    let mut called = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut previous = "";
    for (word, span) in words(code) {
        if is_before_parenthesis(code, &span) {
            called.insert(word);
        } else if is_type(previous) {
            found.insert(word);
        }
        previous = word;
    }
    &found - &called
}

/// Names of structures.
pub(super) fn structures(code: &str) -> BTreeSet<&str> {
    let mut previous = "";
    let words = words(code).map(|(word, _)| word);
    words.filter(|word| replace(&mut previous, word) == "struct").collect()
}

/// Position of `name` where `code` defines it as a macro.
pub(super) fn macro_position(code: &str, name: &str) -> Option<Range<usize>> {
    let mut previous = "";
    let mut words = words(code);
    let found = words.find(|(word, _)| replace(&mut previous, word) == "define" && *word == name);
    found.map(|(_, span)| span)
}

/// Names of functions defined or declared in `code`.
pub(super) fn functions(code: &str) -> BTreeSet<&str> {
    function_heads(code).map(|(name, _)| name).collect()
}

/// Words that may precede an expression but are not types.
const NO_TYPES: &[&str] = &["return", "else", "define", "do", "case", "defined", "if", "elif"];

/// Names between a type and a parameter list that is followed by a body or the end of a
/// declaration.
fn function_heads(code: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut type_of_next: Option<Range<usize>> = None;
    let mut is_defined = false;
    let mut close = 0;
    words(code).filter(move |(word, span)| {
        // The name in a `#define` is not the type of the next word.
        let is_name_of_definition = replace(&mut is_defined, *word == "define");
        let next = (!is_name_of_definition).then(|| span.clone());
        let follows_a_type = replace(&mut type_of_next, next).is_some_and(|before| {
            let between = &code[before.end..span.start];
            let is_space = !between.is_empty() && between.trim().is_empty();
            is_space && !NO_TYPES.contains(&&code[before])
        });
        if !follows_a_type || !is_before_parenthesis(code, span) {
            return false;
        }
        // Kept, because a source without it would take quadratic time.
        if close < span.end {
            close = code[span.end..].find(')').map_or(code.len(), |at| span.end + at);
        }
        let rest = code[close..].strip_prefix(')').unwrap_or_default();
        rest.trim_start().starts_with(['{', ';', '\\', '#'])
    })
}

/// Parameter lists of functions `name` defined or declared in `code`.
pub(super) fn parameter_lists<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let named = function_heads(code).filter(move |(word, _)| *word == name);
    named.filter_map(|(_, span)| code[span.end..].split(')').next())
}

/// Functions defined or declared in a text, with the first position of each name.
pub fn function_positions(text: &str) -> BTreeMap<String, Range<usize>> {
    let code = without_comments(text);
    let mut positions = BTreeMap::new();
    for (name, span) in function_heads(&code) {
        positions.entry(name.to_owned()).or_insert(span);
    }
    positions
}

/// Position of the name of function `name`, if the text defines or declares it.
pub(super) fn find_function(text: &str, name: &str) -> Option<Range<usize>> {
    function_positions(text).remove(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_distinguished_from_calls() {
        let text = "float f(int a) { return g(a) + h (a); }\nvec2  k\n(void) {} x=m(1);";
        assert_eq!(functions(text), BTreeSet::from(["f", "k"]));
        assert_eq!(find_function(text, "k").map(|span| span.start), text.find('k'));
        assert_eq!(find_function(text, "g"), None);
        let declared = "void k(); void m() {} void k() {}";
        let names = [("k", 5..6), ("m", 15..16)].map(|(name, at)| (name.to_owned(), at));
        assert_eq!(function_positions(declared), BTreeMap::from(names));
        assert_eq!(
            defined_names("# define A 1\n #define B(x) x\n#defined C\n//#define D"),
            BTreeSet::from(["A", "B"])
        );
        let text = "#define time sin(iTime)\n#define f(x) else sqrt(x);\nx = a\n abs(b) + mod(c);";
        assert_eq!(functions(text), BTreeSet::new());
        assert_eq!(
            find_function("// a mainSound(b) {\n/* c\n mainSound(d) {*/", "mainSound"),
            None
        );
    }

    #[test]
    fn code_removes_comments_and_keeps_offsets() {
        for (text, expected) in [
            ("a // é b\nc", "a        \nc"),
            ("a /* b\n */ c", "a     \n    c"),
            ("a // b \\\r\n c\nd", "a        \n  \nd"),
            ("a /", "a /"),
            ("a /* b", "a     "),
            ("a /*/ b */ c", "a          c"),
            ("// /*\na */", "     \na */"),
            ("\"file://a\" // b", "\"file://a\"     "),
            ("a \" // b\n\"", "a \"     \n\""),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
        }
    }
}
