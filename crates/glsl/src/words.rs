//! Lexical analysis of GLSL, as far as needed before compiling. Comments contain words too:
//! [`code`] removes them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Replaces comments in `text` with spaces, keeping every line and byte offset. `//` inside
/// quotes, as in editor directives, does not start a comment.
pub(super) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"']) {
        let (before, sign) = rest.split_at(start);
        code.push_str(before);
        let (length, is_comment) = match (sign.as_bytes()[0], sign.as_bytes().get(1)) {
            (b'/', Some(b'/')) => (line_comment(sign), true),
            (b'/', Some(b'*')) => {
                let end = sign[2..].find("*/");
                (end.map_or(sign.len(), |at| at + 4), true)
            }
            (b'"', _) => (quoted(sign), false),
            _ => (1, false),
        };
        let (part, after) = sign.split_at(length);
        match is_comment {
            true => code.extend(part.bytes().map(blank)),
            false => code.push_str(part),
        }
        rest = after;
    }
    code.push_str(rest);
    code
}

/// The replacement for a removed byte.
pub(super) fn blank(byte: u8) -> char {
    if byte == b'\n' { '\n' } else { ' ' }
}

/// Length of the quoted string at the start of `text`, or of the quote alone if it is
/// unclosed on that line.
fn quoted(text: &str) -> usize {
    let end = text[1..].find(['"', '\n']).map(|at| at + 1);
    end.filter(|&at| text[at..].starts_with('"'))
        .map_or(1, |at| at + 1)
}

/// Length of the line comment at the start of `text`. A trailing backslash continues it on
/// the next line.
fn line_comment(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(at, _)| at);
    let mut ends = ends.filter(|&at| !text[..at].trim_end_matches('\r').ends_with('\\'));
    ends.next().unwrap_or(text.len())
}

/// Lines, joined where they end in a backslash.
pub(super) fn logical_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        loop {
            match rest[end..].find('\n') {
                None => {
                    end = rest.len();
                    break;
                }
                Some(at) => {
                    let is_joined = rest[..end + at].trim_end_matches('\r').ends_with('\\');
                    end += at + 1;
                    if !is_joined {
                        break;
                    }
                }
            }
        }
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

/// Identifiers and numbers of `text` in order, with their spans.
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

/// All identifiers of a text.
pub(super) fn all(text: &str) -> BTreeSet<&str> {
    words(text).map(|(word, _)| word).collect()
}

/// Names defined with `#define`.
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

/// Names that stand before a parenthesis.
#[cfg(feature = "glslang")]
pub(super) fn called(code: &str) -> BTreeSet<&str> {
    let all = words(code);
    all.filter(|(_, span)| code[span.end..].trim_start().starts_with('('))
        .map(|(word, _)| word)
        .collect()
}

/// `text`, whose comments `code` is without, with variables in place of constants that
/// are no whole numbers: no size of an array is one of them.
#[cfg(feature = "glslang")]
pub(super) fn without_constants(text: &str, code: &str) -> String {
    let mut cleaned = text.to_owned();
    let mut before: Option<Range<usize>> = None;
    for (word, span) in words(code) {
        let is_real = matches!(dimensionless(word), "float" | "vec" | "mat");
        if let Some(constant) = before.filter(|before| is_real && &code[before.clone()] == "const")
        {
            cleaned.replace_range(constant, "     ");
        }
        before = Some(span);
    }
    cleaned
}

/// Names after a sampler type.
pub(super) fn samplers(code: &str) -> BTreeSet<&str> {
    let mut before = "";
    let all = words(code).map(|(word, _)| word);
    all.filter(|word| {
        matches!(
            std::mem::replace(&mut before, word),
            "sampler2D" | "samplerCube"
        )
    })
    .collect()
}

/// A type name without its dimensions.
fn dimensionless(word: &str) -> &str {
    word.trim_end_matches(['2', '3', '4', 'x'])
}

/// Names that follow a scalar, vector or matrix type and never precede a parenthesis.
pub(super) fn variables(code: &str) -> BTreeSet<&str> {
    let is_type = |word: &str| {
        matches!(
            dimensionless(word),
            "float" | "int" | "uint" | "bool" | "vec" | "ivec" | "uvec" | "bvec" | "mat"
        )
    };
    let mut called = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut before = "";
    for (word, span) in words(code) {
        if code[span.end..].trim_start().starts_with('(') {
            called.insert(word);
        } else if is_type(before) {
            found.insert(word);
        }
        before = word;
    }
    found.retain(|word| !called.contains(word));
    found
}

/// True if `code` defines `name` as a macro without parameters.
pub(super) fn is_plain_macro(code: &str, name: &str) -> bool {
    let mut before = "";
    words(code).any(|(word, span)| {
        let is_defined = std::mem::replace(&mut before, word) == "define" && word == name;
        is_defined && !code[span.end..].starts_with('(')
    })
}

/// Names of functions defined or declared in `code`.
pub(super) fn functions(code: &str) -> BTreeSet<&str> {
    heads(code).map(|(name, _)| name).collect()
}

/// Names between a type and a parameter list that is followed by a body or the end of a
/// declaration.
fn heads(code: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut type_of_next: Option<Range<usize>> = None;
    let mut is_defined = false;
    words(code).filter(move |(word, span)| {
        let before = type_of_next.replace(span.clone());
        // The name in a `#define` is not the type of the next word.
        let is_name_of_definition = is_defined;
        is_defined = *word == "define";
        if is_name_of_definition {
            type_of_next = None;
        }
        let follows_a_type = before.is_some_and(|before| {
            let between = &code[before.end..span.start];
            let is_space = !between.is_empty() && between.chars().all(char::is_whitespace);
            is_space && !NO_TYPES.contains(&&code[before])
        });
        follows_a_type && has_parameters(&code[span.end..])
    })
}

/// True if `rest` begins with a parameter list and a body or the end of a declaration.
fn has_parameters(rest: &str) -> bool {
    let rest = rest.trim_start();
    let end = rest.starts_with('(').then(|| rest.find(')')).flatten();
    end.is_some_and(|end| {
        rest[end + 1..]
            .trim_start()
            .starts_with(['{', ';', '\\', '#'])
    })
}

/// Words that may precede an expression but are not types.
const NO_TYPES: &[&str] = &[
    "return", "else", "define", "do", "case", "defined", "if", "elif",
];

/// Parameter lists of functions `name` defined or declared in `code`.
pub(super) fn forms<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let named = heads(code).filter(move |(word, _)| *word == name);
    named.filter_map(|(_, span)| code[span.end..].split(')').next())
}

/// The functions that a text defines or declares, each with the first place of its name.
#[must_use]
/// Functions defined or declared in a text, with the first position of each name.
pub fn places(text: &str) -> BTreeMap<String, Range<usize>> {
    let code = code(text);
    let mut places = BTreeMap::new();
    for (name, span) in heads(&code) {
        places.entry(name.to_owned()).or_insert(span);
    }
    places
}

/// Position of the name of function `name`, if the text defines or declares it.
pub(super) fn function(text: &str, name: &str) -> Option<Range<usize>> {
    let code = code(text);
    let mut heads = heads(&code);
    heads.find(|(word, _)| *word == name).map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_distinguished_from_calls() {
        let text = "float f(int a) { return g(a) + h (a); }\nvec2  k\n(void) {} x=m(1);";
        assert_eq!(functions(text), BTreeSet::from(["f", "k"]));
        assert_eq!(function(text, "k").map(|span| span.start), text.find('k'));
        assert_eq!(function(text, "g"), None);
        let declared = "void k(); void m() {} void k() {}";
        let names = [("k", 5..6), ("m", 15..16)].map(|(name, at)| (name.to_owned(), at));
        assert_eq!(places(declared), BTreeMap::from(names));
        assert_eq!(
            defined("# define A 1\n #define B(x) x\n#defined C\n//#define D"),
            BTreeSet::from(["A", "B"])
        );
        let text = "#define time sin(iTime)\n#define f(x) else sqrt(x);\nx = a\n abs(b) + mod(c);";
        assert_eq!(functions(text), BTreeSet::new());
        assert_eq!(
            function("// a mainSound(b) {\n/* c\n mainSound(d) {*/", "mainSound"),
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
            assert_eq!(code(text), expected, "{text}");
        }
    }
}
