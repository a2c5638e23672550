//! Translates the compiler's log: the author's names, at the author's lines.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lexer::{self, is_word};
use super::reserved::{BUILTINS, INPUTS, restore_names};
use super::unit::Unit;
use tarsus_shader::front_end::{line_range, nearest, unclosed_bracket};
use tarsus_shader::{Diagnostic, SourceMap};

/// Maximum findings reported after the first.
const MAX_MORE: usize = 8;

/// Token of an error about a component of a number.
const SCALAR_SWIZZLE: &str = "scalar swizzle";

/// Start of an error without a place in the author's source.
const CANNOT_COMPILE: &str = "cannot compile the shader: ";

/// Maximum declarations shown of an overloaded function.
const MAX_DECLARED: usize = 4;

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
    let mut lines: BTreeSet<(usize, usize)> = BTreeSet::new();
    let findings = log.lines().filter_map(read);
    let findings = findings.filter(|finding| lines.insert((finding.file, finding.line)));
    let findings: Vec<Finding<'_>> = findings.collect();
    let mut errors = findings.iter().take(1 + MAX_MORE).map(|finding| {
        let (name, span) = place(finding, unit, sources);
        let text = sources.text(name);
        if let Some((message, hint, span)) = foreign_character(finding, text) {
            return sources.error(name, message).at(span).with_note(hint);
        }
        if let Some(before) = missing_semicolon(finding, text, span.as_ref()) {
            return sources.error(name, "`;` is missing after this").at(before);
        }
        let error = sources.error(name, sentence(finding)).at(span);
        error.with_notes(suggestion(finding, unit, sources))
    });
    let Some(first) = errors.next().or_else(|| link_error(log, unit, sources)) else {
        #[cfg(feature = "glslang")]
        if let Some(failure) = super::glslang::failure(log) {
            let hint = "hint: simplify the shader; other scenes are not affected";
            let name = unit.files.last().map_or("", |name| name);
            let message = format!("{CANNOT_COMPILE}{failure}");
            return sources.error(name, message).with_note(hint);
        }
        let first = log.lines().find(|line| !line.trim().is_empty());
        let reason = first.unwrap_or("no reason given").trim_start_matches("ERROR: ");
        let message = format!("{CANNOT_COMPILE}{reason}");
        return sources.error("", restore_names(&message));
    };
    let mut notes: Vec<String> = errors.map(|error| further_error(&error)).collect();
    if findings.len() > 1 + MAX_MORE {
        notes.push(format!("and {} more", findings.len() - 1 - MAX_MORE));
    }
    first.with_notes(notes)
}

/// True for an error of the compiler itself, such as a timeout.
pub(super) fn is_failure(error: &Diagnostic) -> bool {
    error.message.starts_with(CANNOT_COMPILE)
}

/// Start of a note about a further error.
const FURTHER: &str = "also ";

/// A note about a further error.
fn further_error(error: &Diagnostic) -> String {
    let place = error.line_column();
    let place = place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
    format!("{FURTHER}{}{place}: {}", error.file, error.message)
}

/// The first of the passes' errors, with the others as notes.
pub(super) fn join(errors: impl IntoIterator<Item = Box<Diagnostic>>) -> Option<Box<Diagnostic>> {
    let mut errors = errors.into_iter();
    let mut first = errors.next()?;
    let own = further_error(&first);
    for error in errors {
        let notes = error.notes.iter().filter(|note| note.starts_with(FURTHER));
        for note in std::iter::once(&further_error(&error)).chain(notes) {
            // Errors in Common are those of every pass.
            if *note != own && !first.notes.contains(note) {
                first.notes.push(note.clone());
            }
        }
    }
    Some(first)
}

/// Place of the last character before a token that should have been a semicolon, if the token
/// begins its line.
fn missing_semicolon(
    finding: &Finding<'_>,
    text: &str,
    span: Option<&Range<usize>>,
) -> Option<Range<usize>> {
    let (before, line) = text[..span?.start].rsplit_once('\n')?;
    if !line.trim().is_empty() || !finding.message.contains("SEMICOLON") {
        return None;
    }
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim_end().len();
    let starts = before.match_indices('\n').map(|(at, _)| at + 1);
    let start = starts.chain([0]).filter(|&start| code(first_line(&before[start..])) > 0).max()?;
    let end = start + code(first_line(&before[start..]));
    let last = before[start..end].char_indices().next_back()?;
    (!before[start..].trim_start().starts_with('#')).then_some(start + last.0..end)
}

/// The first character outside ASCII in the code of a finding's line: a message, a hint and
/// its place.
fn foreign_character(
    finding: &Finding<'_>,
    text: &str,
) -> Option<(String, &'static str, Range<usize>)> {
    let line = line_range(text, finding.line - 1)?;
    if finding.file == 0 || text[line.clone()].is_ascii() || finding.token == "#error" {
        return None;
    }
    let code = lexer::without_comments(text);
    let (at, c) = code.get(line.clone())?.char_indices().find(|(_, c)| !c.is_ascii())?;
    let at = line.start + at;
    let hint = match c {
        c if c.is_whitespace() => "hint: type a space",
        c if c.is_alphanumeric() => "hint: names consist of the letters a to z, digits and `_`",
        _ => "hint: type its counterpart in ASCII",
    };
    let code_point = u32::from(c);
    let message =
        format!("invalid character `{c}` (U+{code_point:04X}): GLSL is ASCII outside comments");
    Some((message, hint, at..at + c.len_utf8()))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A question about the name nearest to an unknown one.
fn suggestion(finding: &Finding<'_>, unit: &Unit, sources: &SourceMap) -> Option<String> {
    let unknown = ["undeclared identifier", "no matching overloaded function"];
    let token = restore_names(finding.token);
    if finding.message.starts_with("no matching overloaded function") {
        let lists = lexer::parameter_lists(&unit.code, &token);
        let declared: BTreeSet<String> = lists.map(|list| declaration(&token, list)).collect();
        if !declared.is_empty() {
            let declared: Vec<String> = declared.into_iter().take(MAX_DECLARED).collect();
            return Some(format!("it is declared as {}", declared.join(", ")));
        }
    }
    let known = || BUILTINS.split(' ').chain(INPUTS.split(' '));
    let is_unknown = unknown.iter().any(|message| finding.message.starts_with(message));
    if !is_unknown || known().any(|name| name == token) {
        return None;
    }
    let texts = unit.files.iter().skip(1).map(|file| sources.text(file));
    let written = texts.flat_map(lexer::words).map(|(word, _)| word);
    let near = nearest(&token, written.filter(|word| *word != token).chain(known()))?;
    Some(format!("hint: did you mean `{near}`?"))
}

/// A function in backticks, by its parameters after the opening parenthesis.
fn declaration(name: &str, list: &str) -> String {
    let words = list.trim_start().trim_start_matches('(').split_whitespace();
    format!("`{name}({})`", words.collect::<Vec<_>>().join(" "))
}

/// A link error, which has no line in the log: recursion or a missing function body.
fn link_error(log: &str, unit: &Unit, sources: &SourceMap) -> Option<Box<Diagnostic>> {
    let mut lines = log.lines();
    let kind = lines.find(|line| line.contains("Recursion detected") || line.contains("(body)"))?;
    let mut names = lines.next()?.trim().split(" calling ").map(|part| {
        let name = part.split('(').next().unwrap_or_default();
        restore_names(name.trim())
    });
    let callee = names.next()?;
    let caller = names.next().unwrap_or_default();
    let message = if kind.contains("(body)") {
        format!("`{callee}` is declared but never defined")
    } else if callee == caller {
        format!("`{callee}` calls itself: GLSL has no recursion")
    } else {
        format!("`{callee}` and `{caller}` call each other: GLSL has no recursion")
    };
    let mut places = unit.files.iter().skip(1).filter_map(|file| {
        Some((file.as_str(), lexer::find_function(sources.text(file), &callee)?))
    });
    let (file, span) = places.next().unzip();
    Some(sources.error(file.unwrap_or_default(), message).at(span))
}

/// File, line and column of the first error in the author's source.
pub(super) fn first_position(log: &str) -> Option<[usize; 3]> {
    let mut findings = log.lines().filter_map(read);
    let first = findings.find(|finding| finding.file > 0)?;
    Some([first.file, first.line, first.column])
}

/// The source line at a position.
pub(super) fn line<'a>(
    [file, line, _]: [usize; 3],
    unit: &Unit,
    sources: &'a SourceMap,
) -> &'a str {
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
    (message != "compilation terminated").then_some(Finding { file, line, column, token, message })
}

/// The source name and span of a finding.
fn place<'a>(
    finding: &Finding<'_>,
    unit: &'a Unit,
    sources: &SourceMap,
) -> (&'a str, Option<Range<usize>>) {
    let last = unit.files.last().map_or("", |name| name);
    let name = match finding.file {
        0 => last,
        file => unit.files.get(file).map_or(last, |name| name),
    };
    let text = sources.text(name);
    let end = text.trim_end().len();
    let end = end.saturating_sub(1)..end;
    if finding.file == 0 {
        // After the end of the author's source: something is left unclosed.
        return (name, Some(unclosed_bracket(text).unwrap_or(end)));
    }
    let Some(line) = line_range(text, finding.line - 1) else {
        return (name, Some(end));
    };
    let written = &text[line.clone()];
    let token = restore_names(finding.token);
    let column = finding.column.saturating_sub(1);
    let tokens = written.match_indices(&*token).map(|(at, _)| at);
    // The compiler counts columns wrongly after some numbers.
    let before = written.get(..column.min(written.len())).filter(|_| token == SCALAR_SWIZZLE);
    let mut dots = before.unwrap_or_default().rmatch_indices('.').map(|(dot, _)| dot + 1);
    let component = dots.find(|&at| written[at..].starts_with(char::is_alphabetic));
    let column = component.unwrap_or(column);
    let whole = tokens.filter(|&at| !token.is_empty() && is_whole(written, at, &token));
    let span = match whole.min_by_key(|&at| (at > column, at.abs_diff(column))) {
        Some(at) => at..at + token.len(),
        None => word_at(written, column),
    };
    (name, Some(line.start + span.start..line.start + span.end))
}

/// The word or symbol at character `column` of a line.
fn word_at(line: &str, column: usize) -> Range<usize> {
    let mut chars = line.char_indices();
    let found = chars.nth(column).or_else(|| line.char_indices().next_back());
    let (at, c) = found.unwrap_or_default();
    if !is_word(c) {
        return at..line.len().min(at + c.len_utf8());
    }
    let start = line[..at].trim_end_matches(is_word).len();
    let length = line[at..].find(|c| !is_word(c));
    start..length.map_or(line.len(), |length| at + length)
}

/// Symbols, and the compiler's names for them.
const SYMBOLS: &str = "\
    LEFT_PAREN ( RIGHT_PAREN ) LEFT_BRACKET [ RIGHT_BRACKET ] LEFT_BRACE { RIGHT_BRACE } \
    LEFT_ANGLE < RIGHT_ANGLE > SEMICOLON ; COMMA , COLON : DOT . EQUAL = BANG ! DASH - TILDE ~ \
    PLUS + STAR * SLASH / PERCENT % VERTICAL_BAR | CARET ^ AMPERSAND & QUESTION ?";

/// A syntax error with tokens as written in source.
fn with_symbols(message: &str) -> String {
    let words = message.split(' ').map(|word| {
        let (word, comma) = match word.strip_suffix(',') {
            Some(word) => (word, ","),
            None => (word, ""),
        };
        let mut symbols = SYMBOLS.split(' ').skip_while(|name| *name != word);
        let is_name = word.len() > 1
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        match (symbols.nth(1).filter(|_| is_name), word) {
            (Some(symbol), _) => format!("`{symbol}`{comma}"),
            (_, "IDENTIFIER" | "TYPE_NAME") => format!("a name{comma}"),
            (_, "FLOATCONSTANT" | "INTCONSTANT" | "UINTCONSTANT") => format!("a number{comma}"),
            (_, "$end") => format!("the end{comma}"),
            (_, word) if is_name => format!("`{}`{comma}", word.to_ascii_lowercase()),
            (_, word) => format!("{word}{comma}"),
        }
    });
    let words = words.collect::<Vec<_>>().join(" ");
    words.replace("expecting", "expected")
}

/// True if the token at `at` is not part of a longer word.
fn is_whole(line: &str, at: usize, token: &str) -> bool {
    let continues = token.starts_with(is_word) && line[..at].ends_with(is_word);
    let goes_on = token.ends_with(is_word) && line[at + token.len()..].starts_with(is_word);
    !continues && !goes_on
}

fn sentence(finding: &Finding<'_>) -> String {
    let message = restore_names(&readable(finding.message));
    let token = restore_names(finding.token);
    if finding.file == 0 && message.contains("unexpected") {
        return "unexpected end of file in a block or statement".to_owned();
    }
    match token.as_str() {
        "string literal" => "GLSL has no strings".to_owned(),
        SCALAR_SWIZZLE => "a number has no components, only a vector has them".to_owned(),
        "" | "=" | "assign" => message,
        token if message.contains(&format!("`{token}`")) => message,
        token => format!("`{token}`: {message}"),
    }
}

/// A message with types as written in source and without the compiler's annotations.
fn readable(message: &str) -> String {
    if let Some(wrong) = message.trim().strip_prefix("syntax error, ") {
        return format!("syntax error: {}", with_symbols(wrong));
    }
    if let Some(("required extension not requested", list)) = message.split_once(": Possible")
        && list.ends_with("include:")
    {
        return "requires an extension that browsers lack".to_owned();
    }
    if message == "memory exhausted" {
        return "the code is nested too deeply".to_owned();
    }
    if let Some(reason) = message.strip_prefix("l-value required") {
        // Most inputs are members of a block, whose name the compiler gives.
        let name = reason.split('"').nth(1).filter(|name| !name.starts_with("tarsus_"));
        let kind = match reason {
            reason if reason.contains("a uniform") => Some("an input"),
            reason if reason.contains("a const") => Some("a constant"),
            _ => None,
        };
        return match (name, kind) {
            (Some(name), Some(kind)) => format!("cannot assign to `{name}`: it is {kind}"),
            (Some(name), None) => format!("cannot assign to `{name}`"),
            (None, kind) => format!("cannot assign to {}", kind.unwrap_or("this expression")),
        };
    }
    let message = message.replace("can't", "cannot").replace("Can't", "cannot");
    let mut message = message.replace("n't ", " not ");
    let vectors = [("float", "vec"), ("int", "ivec"), ("uint", "uvec"), ("bool", "bvec")];
    for size in 2..=4 {
        for (scalar, vector) in vectors {
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
    let parts = message.split('\'').enumerate().map(|(number, part)| match number {
        0 => part.trim_start().to_owned(),
        number if number % 2 == 1 => format!("`{}`", part.trim()),
        _ => format!(" {}", part.trim_start()),
    });
    let text = parts.collect::<String>().replace("  ", " ");
    text.trim().to_owned()
}
