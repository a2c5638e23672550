//! A GLSL text without what the compiler must not see: directives of editors, and
//! declarations of uniforms and precisions, which the prelude has. Every line keeps its number and its columns.

use std::ops::Range;

use super::directive::{Directive, directive};
use super::words::words;

/// Names that the prelude declares.
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

/// A text as the compiler gets it, and what was taken out.
pub(super) struct Cleaned {
    pub text: String,
    /// Directives and the place of their lines.
    pub directives: Vec<(Directive, Range<usize>)>,
}

/// Cleans `text`.
///
/// # Errors
/// What is wrong with a directive, and its place.
pub(super) fn clean(text: &str) -> Result<Cleaned, (String, Range<usize>)> {
    let mut cleaned = String::with_capacity(text.len());
    let mut directives = Vec::new();
    let mut is_comment = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.trim_end_matches(['\n', '\r']).len();
        at += line.len();
        if !is_comment {
            let written = &text[span.clone()];
            let found = directive(written).map_err(|message| (message, span.clone()))?;
            if found.is_some() || declares_uniform(written) || is_precision(written) {
                directives.extend(found.map(|found| (found, span.clone())));
                let blank = line.chars().map(|c| if c == '\n' { '\n' } else { ' ' });
                cleaned.extend(blank);
                continue;
            }
        }
        let qualifiers = match is_comment {
            true => 0,
            false => output_qualifiers(line),
        };
        is_comment = ends_in_comment(line, is_comment);
        cleaned.extend(std::iter::repeat_n(' ', qualifiers));
        cleaned.push_str(&line[qualifiers..]);
    }
    Ok(Cleaned {
        text: cleaned,
        directives,
    })
}

/// True if a line is one declaration of a uniform that the prelude has.
fn declares_uniform(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().trim();
    let Some(code) = code.strip_suffix(';') else {
        return false;
    };
    if code.contains([';', '{', '}', '(', ')', '=', '#', '/']) {
        return false;
    }
    let mut all = words(code).map(|(word, _)| word);
    let is_uniform = all.next() == Some("uniform");
    let names = all.filter(|word| !is_of_declaration(word));
    let names: Vec<&str> = names.collect();
    is_uniform && !names.is_empty() && names.iter().all(|name| DECLARED.contains(name))
}

/// Length of what makes an output of a declared variable: `layout(location = 0) out ` of
/// `layout(location = 0) out vec4 color;`, which files with a `main` of their own have.
fn output_qualifiers(line: &str) -> usize {
    let code = line.split("//").next().unwrap_or_default().trim();
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

/// True if a line is one `precision` statement: everything has the highest.
fn is_precision(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().trim();
    let Some(code) = code.strip_suffix(';') else {
        return false;
    };
    let words: Vec<&str> = code.split_whitespace().collect();
    words.len() == 3 && words[0] == "precision" && words[1..].iter().all(|w| is_of_declaration(w))
}

/// True for types, precisions and sizes of arrays.
fn is_of_declaration(word: &str) -> bool {
    matches!(
        word,
        "highp" | "mediump" | "lowp" | "float" | "int" | "vec2" | "vec3" | "vec4"
    ) || word.starts_with("sampler")
        || word.starts_with(|c: char| c.is_ascii_digit())
}

/// True if a block comment is open at the end of `line`.
fn ends_in_comment(line: &str, mut is_comment: bool) -> bool {
    let mut rest = line;
    loop {
        if is_comment {
            let Some(end) = rest.find("*/") else {
                return true;
            };
            rest = &rest[end + 2..];
            is_comment = false;
        } else {
            let block = rest.find("/*");
            let to_end = rest.find("//").unwrap_or(rest.len());
            match block {
                Some(start) if start < to_end => {
                    rest = &rest[start + 2..];
                    is_comment = true;
                }
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_others_declare_goes_and_lines_stay() {
        let text = "precision highp float; // p\nprecision x;\n#version 300 es\n/*\n#version 1 */ // /*\nuniform vec3 iResolution; // s\n\
                    uniform float mine;\nuniform highp sampler2D iChannel0, iChannel1;\n";
        let cleaned = clean(text).unwrap_or_else(|_| panic!("clean"));
        let lines: Vec<&str> = cleaned.text.lines().map(str::trim).collect();
        let kept = [
            "",
            "precision x;",
            "",
            "/*",
            "#version 1 */ // /*",
            "",
            "uniform float mine;",
            "",
        ];
        assert_eq!(lines, kept);
        assert_eq!(cleaned.text.len(), text.len());
        assert_eq!(cleaned.directives.len(), 1);
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
