//! Translates the compiler's log: the author's names, at the author's lines.

use std::collections::BTreeSet;
use std::ops::Range;

use super::reserved::own_names;
use super::unit::Unit;
use super::words;
use tarsus_shader::Diagnostic;
use tarsus_shader::SourceMap;
use tarsus_shader::front_end::{line_range, unclosed_bracket};

/// Maximum findings reported after the first.
const MAX_MORE: usize = 8;

/// One line of the compiler's log.
#[derive(Debug, PartialEq)]
struct Finding<'a> {
    /// File number, from `#line`.
    file: usize,
    /// Line, from 1.
    line: usize,
    /// Column, from 1; 0 if unknown.
    column: usize,
    /// The offending token; may be empty.
    token: &'a str,
    message: &'a str,
}

/// The first error in a compiler log, with the others as notes.
pub(super) fn diagnostic(log: &str, unit: &Unit, sources: &SourceMap) -> Box<Diagnostic> {
    let findings: Vec<Finding<'_>> = log.lines().filter_map(read).collect();
    let mut lines: BTreeSet<(usize, usize)> = BTreeSet::new();
    let is_first_of_line = |finding: &&Finding<'_>| lines.insert((finding.file, finding.line));
    let findings: Vec<&Finding<'_>> = findings.iter().filter(is_first_of_line).collect();
    let count = findings.len().saturating_sub(1);
    let mut told = findings.into_iter().take(1 + MAX_MORE).map(|finding| {
        let (name, span) = place(finding, unit, sources);
        (name, span, sentence(finding))
    });
    let Some((name, span, message)) = told.next().or_else(|| of_linking(log, unit, sources)) else {
        let first = log.lines().find(|line| !line.trim().is_empty());
        let message = format!(
            "cannot compile the shader: {}",
            first.unwrap_or("no reason given")
        );
        return sources.diagnostic("", own_names(&message), None, String::new(), Vec::new());
    };
    let mut notes: Vec<String> = told
        .map(|(name, span, message)| {
            let found = sources.diagnostic(&name, message, span, String::new(), Vec::new());
            let place = found.line_column();
            let place =
                place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
            format!("also {}{place}: {}", found.file, found.message)
        })
        .collect();
    if count > MAX_MORE {
        notes.push(format!("and {} more", count - MAX_MORE));
    }
    sources.diagnostic(&name, message, span, String::new(), notes)
}

/// A link error, which has no line in the log: recursion or a missing function body.
fn of_linking(
    log: &str,
    unit: &Unit,
    sources: &SourceMap,
) -> Option<(String, Option<Range<usize>>, String)> {
    let names = |line: &str| -> Option<(String, String)> {
        let mut parts = line.trim().split(" calling ");
        let name = |part: &str| Some(own_names(part.split('(').next()?.trim()));
        let first = name(parts.next()?)?;
        let second = parts.next().and_then(name).unwrap_or_default();
        Some((first, second))
    };
    let mut lines = log.lines();
    let found =
        lines.find(|line| line.contains("Recursion detected") || line.contains("(body)"))?;
    let (callee, caller) = names(lines.next()?)?;
    let message = match found.contains("(body)") {
        true => format!("`{callee}` is declared and has no body"),
        false if callee == caller => format!("`{callee}` calls itself: GLSL has no recursion"),
        false => format!("`{callee}` and `{caller}` call each other: GLSL has no recursion"),
    };
    let mut places = unit.files.iter().skip(1).filter_map(|file| {
        let span = words::function(sources.text(file), &callee)?;
        Some((file.clone(), Some(span)))
    });
    let (file, span) = places.next().unwrap_or_default();
    Some((file, span, message))
}

/// File, line and column of the first error in the author's source.
pub(super) fn first_place(log: &str) -> Option<[usize; 3]> {
    let mut findings = log.lines().filter_map(read);
    let first = findings.find(|finding| finding.file > 0)?;
    Some([first.file, first.line, first.column])
}

/// The source line at `place`.
pub(super) fn line<'a>(place: [usize; 3], unit: &Unit, sources: &'a SourceMap) -> &'a str {
    let [file, line, _] = place;
    let text = unit.files.get(file).map_or("", |name| sources.text(name));
    line_range(text, line - 1).map_or("", |span| &text[span])
}

/// Parses `ERROR: 1:3:9: '=' :  cannot convert …`.
fn read(line: &str) -> Option<Finding<'_>> {
    let rest = line.strip_prefix("ERROR: ")?;
    let mut parts = rest.splitn(4, ':');
    let file = parts.next()?.trim().parse().ok()?;
    let line = parts.next()?.trim().parse().ok().filter(|&line| line > 0)?;
    let column = parts.next()?.trim().parse().ok()?;
    let rest = parts.next()?.trim();
    let (token, message) = rest.strip_prefix('\'')?.split_once("' :")?;
    let message = message.trim();
    (message != "compilation terminated").then_some(Finding {
        file,
        line,
        column,
        token,
        message,
    })
}

/// The source name and span of a finding.
fn place(
    finding: &Finding<'_>,
    unit: &Unit,
    sources: &SourceMap,
) -> (String, Option<Range<usize>>) {
    let last = unit.files.last().map_or("", |name| name);
    if finding.file == 0 {
        // After the end of the author's source: something is left unclosed.
        let text = sources.text(last);
        let end = text.trim_end().len();
        let span = unclosed_bracket(text).unwrap_or(end.saturating_sub(1)..end);
        return (last.to_owned(), Some(span));
    }
    let name = unit.files.get(finding.file).map_or(last, |name| name);
    let text = sources.text(name);
    let Some(line) = line_range(text, finding.line - 1) else {
        let end = text.trim_end().len();
        return (name.to_owned(), Some(end.saturating_sub(1)..end));
    };
    let written = &text[line.clone()];
    let token = own_names(finding.token);
    let column = finding.column.saturating_sub(1);
    let near = (!token.is_empty())
        .then(|| {
            let places = written.match_indices(&*token).map(|(at, _)| at);
            let places = places.filter(|&at| is_whole(written, at, &token));
            places.min_by_key(|&at| (at > column, at.abs_diff(column)))
        })
        .flatten();
    let span = match near {
        Some(at) => line.start + at..line.start + at + token.len(),
        None => {
            let word = word_at(written, column);
            line.start + word.start..line.start + word.end
        }
    };
    (name.to_owned(), Some(span))
}

/// The word or symbol at character `column` of a line.
fn word_at(line: &str, column: usize) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let at = line.char_indices().nth(column).map(|(at, _)| at);
    let last = line.char_indices().next_back().map_or(0, |(at, _)| at);
    let at = at.unwrap_or(last);
    let first = line[at..].chars().next().map_or(0, char::len_utf8);
    if !line[at..].starts_with(is_word) {
        return at..at + first;
    }
    let before = line[..at].trim_end_matches(is_word).len();
    let length = line[at..].find(|c| !is_word(c));
    before..length.map_or(line.len(), |length| at + length)
}

/// Symbols, by the compiler's names for them.
const SIGNS: &[(&str, &str)] = &[
    ("LEFT_PAREN", "("),
    ("RIGHT_PAREN", ")"),
    ("LEFT_BRACKET", "["),
    ("RIGHT_BRACKET", "]"),
    ("LEFT_BRACE", "{"),
    ("RIGHT_BRACE", "}"),
    ("LEFT_ANGLE", "<"),
    ("RIGHT_ANGLE", ">"),
    ("SEMICOLON", ";"),
    ("COMMA", ","),
    ("COLON", ":"),
    ("DOT", "."),
    ("EQUAL", "="),
    ("BANG", "!"),
    ("DASH", "-"),
    ("TILDE", "~"),
    ("PLUS", "+"),
    ("STAR", "*"),
    ("SLASH", "/"),
    ("PERCENT", "%"),
    ("VERTICAL_BAR", "|"),
    ("CARET", "^"),
    ("AMPERSAND", "&"),
    ("QUESTION", "?"),
];

/// A syntax error with tokens as written in source.
fn with_signs(message: &str) -> String {
    let words = message.split(' ').map(|word| {
        let (word, comma) = match word.strip_suffix(',') {
            Some(word) => (word, ","),
            None => (word, ""),
        };
        let sign = SIGNS.iter().find(|(name, _)| *name == word);
        let is_name = word.len() > 1
            && word
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        match (sign, word) {
            (Some((_, sign)), _) => format!("`{sign}`{comma}"),
            (None, "IDENTIFIER" | "TYPE_NAME") => format!("a name{comma}"),
            (None, "FLOATCONSTANT" | "INTCONSTANT" | "UINTCONSTANT") => format!("a number{comma}"),
            (None, "$end") => format!("the end{comma}"),
            (None, word) if is_name => format!("`{}`{comma}", word.to_ascii_lowercase()),
            (None, word) => format!("{word}{comma}"),
        }
    });
    words
        .collect::<Vec<_>>()
        .join(" ")
        .replace("expecting", "expected")
}

/// True if the token at `at` is not part of a longer word.
fn is_whole(line: &str, at: usize, token: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = line[..at].chars().next_back().is_some_and(is_word);
    let after = line[at + token.len()..].chars().next().is_some_and(is_word);
    !(token.starts_with(is_word) && before || token.ends_with(is_word) && after)
}

fn sentence(finding: &Finding<'_>) -> String {
    let message = own_names(&readable(finding.message));
    let token = own_names(finding.token);
    if finding.file == 0 && message.contains("unexpected") {
        return "the text ends in the middle of a block or a statement".to_owned();
    }
    match token.as_str() {
        "" | "=" => message,
        token if message.contains(&format!("`{token}`")) => message,
        token => format!("`{token}`: {message}"),
    }
}

/// A message with types as written in source and without the compiler's annotations.
fn readable(message: &str) -> String {
    if let Some(wrong) = message.trim().strip_prefix("syntax error, ") {
        return format!("syntax error: {}", with_signs(wrong));
    }
    let mut message = message.to_owned();
    let numbers = [
        ("float", "vec"),
        ("int", "ivec"),
        ("uint", "uvec"),
        ("bool", "bvec"),
    ];
    for size in 2..=4 {
        for (scalar, vector) in numbers {
            let long = format!("{size}-component vector of {scalar}");
            message = message.replace(&long, &format!("{vector}{size}"));
        }
        for rows in 2..=4 {
            let long = format!("{size}X{rows} matrix of float");
            let short = match size == rows {
                true => format!("mat{size}"),
                false => format!("mat{size}x{rows}"),
            };
            message = message.replace(&long, &short);
        }
    }
    for word in ["temp", "global", "highp", "mediump", "lowp", "const"] {
        message = message.replace(&format!(" {word} "), " ");
        message = message.replace(&format!("'{word} "), "'");
    }
    message = message.replace("' ", "'").replace("''", "' '");
    let mut quoted = false;
    let marked = message.split('\'').enumerate().map(|(number, part)| {
        quoted = number % 2 == 1;
        match quoted {
            true => format!("`{}`", part.trim()),
            false if number == 0 => part.trim_start().to_owned(),
            false => format!(" {}", part.trim_start()),
        }
    });
    let text: Vec<String> = marked.collect();
    let text = text.concat().replace("  ", " ");
    text.trim().to_owned()
}
