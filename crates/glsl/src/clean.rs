//! Removes from a GLSL source what the compiler must not see: editor directives, precision
//! declarations and uniform declarations. Line numbers and columns are kept.

use std::ops::Range;

use super::directive::{Directive, parse_directive};
use super::lexer::{blank, without_comments, words};
use tarsus_shader::{Diagnostic, SourceMap};

/// Names declared by the prelude.
const DECLARED: &[&str] = &[
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

/// Precision qualifiers.
const PRECISIONS: &[&str] = &["highp", "mediump", "lowp"];

/// A source ready to compile, and the parts removed from it.
#[derive(Debug, Default)]
pub(super) struct CleanSource {
    pub text: String,
    /// Directives, with the spans of their lines.
    pub directives: Vec<(Directive, Range<usize>)>,
    /// Names of the author's samplers, which remain unbound.
    pub samplers: Vec<String>,
}

/// Cleans the source `name`.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first invalid directive.
pub(super) fn clean(sources: &SourceMap, name: &str) -> Result<CleanSource, Box<Diagnostic>> {
    let text = sources.text(name);
    let code = without_comments(text);
    let mut cleaned = CleanSource::default();
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let span = at..at + line.trim_end_matches(['\n', '\r']).len();
        if line.trim_start().starts_with('#') {
            let directive = parse_directive(&text[span.clone()]);
            let directive =
                directive.map_err(|message| sources.error(name, message).at(span.clone()))?;
            if let Some(directive) = directive {
                cleaned.directives.push((directive, span.clone()));
                removed.push(span);
            }
        } else {
            removed.push(at..at + output_qualifiers(line));
        }
        at += line.len();
    }
    removed.extend(declarations(&code, &mut cleaned.samplers));
    removed.sort_by_key(|span| span.start);
    let mut from = 0;
    for span in removed {
        let start = span.start.max(from);
        cleaned.text.push_str(&text[from..start]);
        from = span.end.max(start);
        cleaned.text.extend(text[start..from].bytes().map(blank));
    }
    cleaned.text.push_str(&text[from..]);
    Ok(cleaned)
}

/// Removed parts of the declarations of precisions, redundant since all are `highp`, and of
/// uniforms outside blocks.
fn declarations(code: &str, samplers: &mut Vec<String>) -> Vec<Range<usize>> {
    let mut removed = Vec::new();
    for (word, span) in words(code).filter(|(word, _)| matches!(*word, "precision" | "uniform")) {
        let Some(length) = code[span.end..].find([';', '{', '#', '=']) else {
            continue;
        };
        let end = span.end + length;
        if !code[end..].starts_with(';') {
            continue;
        }
        let statement = span.start..end + 1;
        let inside: Vec<&str> = words(&code[span.end..end]).map(|(word, _)| word).collect();
        if word == "uniform" {
            removed.push(removed_part(&inside, span, statement, samplers));
        } else if let [precision, ty, ..] = inside[..]
            && PRECISIONS.contains(&precision)
            && (matches!(ty, "float" | "int") || is_sampler(ty))
        {
            removed.push(statement);
        }
    }
    removed
}

/// The part of a uniform declaration to remove. Samplers, and uniforms that the prelude
/// declares, are removed entirely; for other uniforms only the `keyword`, leaving variables
/// that are 0. Unknown samplers are added to `samplers` and read the first channel.
fn removed_part(
    words: &[&str],
    keyword: Range<usize>,
    statement: Range<usize>,
    samplers: &mut Vec<String>,
) -> Range<usize> {
    let mut words = words.iter().skip_while(|word| PRECISIONS.contains(word));
    let is_sampler = words.next().is_some_and(|word| is_sampler(word));
    let is_unknown =
        |name: &&&str| !name.starts_with(|c: char| c.is_ascii_digit()) && !DECLARED.contains(*name);
    let unknown: Vec<&&str> = words.filter(is_unknown).collect();
    if !is_sampler && !unknown.is_empty() {
        return keyword;
    }
    samplers.extend(unknown.into_iter().map(|name| (*name).to_owned()));
    statement
}

/// Length of the qualifiers of an output variable: `layout(location = 0) out ` in
/// `layout(location = 0) out vec4 color;`, found in files with their own `main`.
fn output_qualifiers(line: &str) -> usize {
    let code = line.trim();
    let is_qualifier = |word: &&str| {
        matches!(*word, "layout" | "location" | "0" | "out") || PRECISIONS.contains(word)
    };
    let all: Vec<&str> = words(code).map(|(word, _)| word).collect();
    let count = all.iter().take_while(|word| is_qualifier(word)).count();
    let (qualifiers, rest) = all.split_at(count);
    let declares_one = matches!(rest, ["vec4", _]) && code.ends_with(';');
    match declares_one && qualifiers.contains(&"out") {
        true => line.find("vec4").unwrap_or(0),
        false => 0,
    }
}

fn is_sampler(word: &str) -> bool {
    matches!(word, "sampler2D" | "sampler3D" | "samplerCube")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::front_end::Source;

    fn clean(text: &str) -> CleanSource {
        let mut sources = SourceMap::default();
        sources.insert("", Source::new("a.glsl", None, text));
        super::clean(&sources, "").expect("valid directives")
    }

    #[test]
    fn clean_removes_declarations_and_keeps_lines() {
        let text = "precision highp float; // p\nprecision x;\n#version 300 es\n/*\n#version 1 */ // /*\nuniform vec3 iResolution; // s\n\
                    uniform float mine;\nuniform highp sampler2D iChannel0, iChannel1;\n";
        let cleaned = clean(text);
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
        let cleaned = clean(text);
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
