//! Removes from a GLSL source what the compiler must not see: editor directives, precision
//! declarations and uniform declarations. Line numbers and columns are kept.

use std::ops::Range;

use super::directive::{Directive, directive};
use super::words::{blank, code, words};

/// Names declared by the prelude.
pub(super) const DECLARED: &[&str] = &[
    "iResolution",
    "iTime",
    "iGlobalTime",
    "iTimeDelta",
    "iFrameRate",
    "iFrame",
    "iChannelTime",
    "iChannelResolution",
    "iMouse",
    "iDate",
    "iSampleRate",
    "iChannel0",
    "iChannel1",
    "iChannel2",
    "iChannel3",
];

/// A source ready to compile, and the parts removed from it.
pub(super) struct Cleaned {
    pub text: String,
    /// Directives, with the spans of their lines.
    pub directives: Vec<(Directive, Range<usize>)>,
    /// Names of the author's samplers, which remain unbound.
    pub samplers: Vec<String>,
}

/// Cleans `text`.
///
/// # Errors
/// Returns a message about an invalid directive, with its span.
pub(super) fn clean(text: &str) -> Result<Cleaned, (String, Range<usize>)> {
    let code = code(text);
    let mut directives = Vec::new();
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let span = at..at + line.trim_end_matches(['\n', '\r']).len();
        if line.trim_start().starts_with('#') {
            let found = directive(&text[span.clone()]);
            if let Some(found) = found.map_err(|message| (message, span.clone()))? {
                directives.push((found, span.clone()));
                removed.push(span);
            }
        } else {
            removed.push(at..at + output_qualifiers(line));
        }
        at += line.len();
    }
    let mut samplers = Vec::new();
    for (keyword, statement) in declarations(&code) {
        match keyword {
            Keyword::Precision => removed.push(statement),
            Keyword::Uniform => {
                removed.push(unset(&code, statement, &mut samplers));
            }
        }
    }
    removed.sort_by_key(|span| span.start);
    let mut cleaned = String::with_capacity(text.len());
    let mut from = 0;
    for span in removed {
        let start = span.start.max(from);
        cleaned.push_str(&text[from..start]);
        let end = span.end.max(start);
        cleaned.extend(text[start..end].bytes().map(blank));
        from = end;
    }
    cleaned.push_str(&text[from..]);
    Ok(Cleaned {
        text: cleaned,
        directives,
        samplers,
    })
}

/// Kind of a removed declaration.
enum Keyword {
    Precision,
    Uniform,
}

/// Declarations of precisions, redundant since all are `highp`, and of uniforms outside
/// blocks, each up to its semicolon.
fn declarations(code: &str) -> impl Iterator<Item = (Keyword, Range<usize>)> {
    let keywords = words(code).filter(|(word, _)| matches!(*word, "precision" | "uniform"));
    keywords.filter_map(|(word, span)| {
        let end = span.end + code[span.end..].find([';', '{', '#', '='])?;
        let mut inside = words(&code[span.end..end]).map(|(word, _)| word);
        let keyword = match word {
            "uniform" => Keyword::Uniform,
            _ if is_of_precision(&mut inside) => Keyword::Precision,
            _ => return None,
        };
        let is_declaration = code[end..].starts_with(';');
        is_declaration.then_some((keyword, span.start..end + 1))
    })
}

/// True for a precision followed by a type that may have one.
fn is_of_precision<'a>(words: &mut impl Iterator<Item = &'a str>) -> bool {
    let is_precision = words.next().is_some_and(|word| PRECISIONS.contains(&word));
    let of = words.next();
    is_precision && of.is_some_and(|word| matches!(word, "float" | "int") || is_sampler(word))
}

/// The part of a uniform declaration to remove. Samplers, and uniforms that the prelude
/// declares, are removed entirely; for other uniforms only the keyword, leaving variables
/// that are 0. Unknown samplers are added to `samplers` and read the first channel.
fn unset(code: &str, statement: Range<usize>, samplers: &mut Vec<String>) -> Range<usize> {
    let mut all = words(&code[statement.clone()]).map(|(word, _)| word);
    let keyword = all.next().map_or(0, str::len);
    let mut all = all.skip_while(|word| PRECISIONS.contains(word));
    let is_sampler = all.next().is_some_and(is_sampler);
    let is_name = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
    let names: Vec<&str> = all.filter(is_name).collect();
    let is_known = |name: &&&str| DECLARED.contains(*name);
    if !is_sampler && !names.iter().all(|name| is_known(&name)) {
        return statement.start..statement.start + keyword;
    }
    let unknown = names.iter().filter(|name| !is_known(name));
    samplers.extend(unknown.map(|name| (*name).to_owned()));
    statement
}

/// Length of the qualifiers of an output variable: `layout(location = 0) out ` in
/// `layout(location = 0) out vec4 color;`, found in files with their own `main`.
fn output_qualifiers(line: &str) -> usize {
    let code = line.trim();
    let is_qualifier = |word: &&str| {
        matches!(
            *word,
            "layout" | "location" | "0" | "highp" | "mediump" | "lowp" | "out"
        )
    };
    let all: Vec<&str> = words(code).map(|(word, _)| word).collect();
    let qualifiers = all.iter().take_while(|word| is_qualifier(word)).count();
    let declares_one = all.len() == qualifiers + 2 && all[qualifiers] == "vec4";
    let is_output = all[..qualifiers].contains(&"out") && code.ends_with(';');
    match declares_one && is_output {
        true => line.find("vec4").unwrap_or(0),
        false => 0,
    }
}

/// Precision qualifiers.
const PRECISIONS: &[&str] = &["highp", "mediump", "lowp"];

fn is_sampler(word: &str) -> bool {
    matches!(word, "sampler2D" | "sampler3D" | "samplerCube")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_removes_declarations_and_keeps_lines() {
        let text = "precision highp float; // p\nprecision x;\n#version 300 es\n/*\n#version 1 */ // /*\nuniform vec3 iResolution; // s\n\
                    uniform float mine;\nuniform highp sampler2D iChannel0, iChannel1;\n";
        let cleaned = clean(text).unwrap_or_else(|_| panic!("clean"));
        let lines: Vec<&str> = cleaned.text.lines().map(str::trim).collect();
        let kept = [
            "// p",
            "precision x;",
            "",
            "/*",
            "#version 1 */ // /*",
            "// s",
            "float mine;",
            "",
        ];
        assert_eq!(lines, kept);
        assert_eq!(cleaned.text.len(), text.len());
        assert_eq!(cleaned.directives.len(), 1);
        let text = "precision highp int; uniform vec2 iMouse,\n b; uniform lowp sampler2D sampler0, s\n;\nuniform B { int n; };";
        let cleaned = clean(text).unwrap_or_else(|_| panic!("clean"));
        let kept: Vec<&str> = cleaned.text.split_whitespace().collect();
        assert_eq!(kept.join(" "), "vec2 iMouse, b; uniform B { int n; };");
        assert_eq!(cleaned.samplers, ["sampler0", "s"]);
        for (line, expected) in [
            ("out vec4 color;\n", 4),
            ("layout(location = 0) out highp vec4 color;\n", 31),
            ("void f(out vec4 color);\n", 0),
            ("out vec4 color) {\n", 0),
            ("vec4 out_;\n", 0),
        ] {
            assert_eq!(output_qualifiers(line), expected, "{line}");
        }
    }
}
