//! Removes from a GLSL source what the compilers must not see: editor directives, precision
//! declarations, and qualifiers of uniforms and varyings. Line numbers and columns are kept.

use std::collections::BTreeSet;
use std::mem::replace;
use std::ops::Range;

use super::directive::{Directive, parse_directive};
use super::lexer::{definition, without_comments, words};
use super::prelude::sampler_type;
use super::reserved::INPUTS;
use tarsus_shader::front_end::{Checked, blank};
use tarsus_shader::{ChannelShape, SourceMap};

/// Precision qualifiers.
pub(super) const PRECISIONS: &[&str] = &["highp", "mediump", "lowp"];

/// A source ready to compile, and the parts removed from it.
#[derive(Debug, Default)]
pub(super) struct CleanSource {
    pub text: String,
    /// The source for a compiler of GLSL ES 3.00: only editor directives, versions and
    /// declarations of the host's own uniforms are removed.
    pub strict: String,
    /// Directives, with the spans of their lines.
    pub directives: Vec<(Directive, Range<usize>)>,
    /// The author's samplers.
    pub samplers: Vec<Sampler>,
    /// The author's other uniforms, and varyings.
    pub uniforms: Vec<OwnUniform>,
}

/// A uniform or varying that the author declares and that nothing sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OwnUniform {
    pub name: String,
    pub ty: String,
    /// Place of the name.
    pub span: Range<usize>,
}

/// A sampler that the author declares, in addition to the channels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sampler {
    pub name: String,
    pub shape: ChannelShape,
}

/// Cleans the source `name`.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first invalid directive, or sampler of an unsupported type.
pub(super) fn clean(sources: &SourceMap, name: &str) -> Checked<CleanSource> {
    let text = sources.text(name);
    let code = without_comments(text);
    let text = &with_version(text, &code);
    let mut cleaned = CleanSource::default();
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut relaxed: Vec<Range<usize>> = Vec::new();
    let mut macros: BTreeSet<&str> = BTreeSet::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let span = at..at + line.trim_end_matches(['\n', '\r']).len();
        if let Some(rest) = definition(line) {
            macros.extend(rest.split_whitespace().next());
        } else if line.trim_start().starts_with('#') {
            let directive = parse_directive(&text[span.clone()]);
            match directive.map_err(|message| sources.error(name, message).at(span.clone()))? {
                Some(Directive::Extension) => relaxed.push(span),
                Some(directive) => {
                    cleaned.directives.push((directive, span.clone()));
                    removed.push(span);
                }
                None => {}
            }
        } else if let Some((length, keyword)) = interface_qualifiers(line) {
            if keyword == "out" {
                removed.push(at..at + length);
            } else {
                relaxed.push(at..at + length);
                cleaned.uniforms.extend(own_uniforms(&code, at + length..span.end));
            }
        }
        at += line.len();
    }
    declarations(&code, &mut cleaned, &mut removed, &mut relaxed)
        .map_err(|(span, message)| sources.error(name, message).at(span))?;
    // A declaration that the preprocessor skips, in code that also runs elsewhere.
    cleaned.samplers.retain(|sampler| !macros.contains(&*sampler.name));
    cleaned.uniforms.retain(|uniform| !macros.contains(&*uniform.name));
    cleaned.strict = blank(text.to_owned(), removed);
    cleaned.text = blank(cleaned.strict.clone(), relaxed);
    Ok(cleaned)
}

/// Finds the parts to remove from declarations of precisions, redundant since all are `highp`,
/// and of uniforms outside blocks: samplers, and uniforms that the prelude declares, entirely; of
/// other uniforms only the keyword, leaving variables that are 0. A compiler of GLSL ES 3.00 sees
/// the `relaxed` parts. Uniforms and samplers of the author are added to `cleaned`.
///
/// # Errors
/// Returns the place of a sampler of an unsupported type, and a message.
fn declarations(
    code: &str,
    cleaned: &mut CleanSource,
    removed: &mut Vec<Range<usize>>,
    relaxed: &mut Vec<Range<usize>>,
) -> Result<(), (Range<usize>, String)> {
    let mut end = 0;
    for (word, span) in words(code).filter(|(word, _)| matches!(*word, "precision" | "uniform")) {
        if span.start < end {
            continue;
        }
        let Some(length) = code[span.end..].find([';', '{', '#', '=']) else {
            break;
        };
        end = span.end + length;
        if !code[end..].starts_with(';') {
            continue;
        }
        let statement = span.start..end + 1;
        let inside: Vec<&str> = words(&code[span.end..end]).map(|(word, _)| word).collect();
        if word == "precision" {
            if let [precision, ty, ..] = inside[..]
                && PRECISIONS.contains(&precision)
                && (matches!(ty, "float" | "int") || sampler_shape(ty).is_some())
            {
                relaxed.push(statement);
            }
            continue;
        }
        let mut inside = inside.into_iter().skip_while(|word| PRECISIONS.contains(word));
        let ty = inside.next().unwrap_or_default();
        let shape = sampler_shape(ty);
        if shape.is_none() && ty.trim_start_matches(['i', 'u']).starts_with("sampler") {
            let message =
                format!("cannot bind a `{ty}`: channels are sampler2D, sampler3D or samplerCube");
            return Err((statement, message));
        }
        let own: Vec<&str> = inside.filter(|name| is_own_name(name)).collect();
        match shape {
            _ if own.is_empty() => removed.push(statement),
            Some(shape) => {
                let samplers = own.into_iter().map(|name| Sampler { name: name.to_owned(), shape });
                cleaned.samplers.extend(samplers);
                relaxed.push(statement);
            }
            None => {
                cleaned.uniforms.extend(own_uniforms(code, span.end..end));
                relaxed.push(span);
            }
        }
    }
    Ok(())
}

/// True for a name that is not one of the host's inputs.
fn is_own_name(word: &str) -> bool {
    let is_input = INPUTS.split(' ').any(|input| input == word);
    !word.starts_with(|c: char| c.is_ascii_digit()) && !is_input
}

/// The author's variables in a declaration at `span`, without its qualifiers.
fn own_uniforms(code: &str, span: Range<usize>) -> Vec<OwnUniform> {
    let declared = words(&code[span.clone()]);
    let mut declared = declared.skip_while(|(word, _)| PRECISIONS.contains(word));
    let ty = declared.next().map_or("", |(ty, _)| ty);
    let names = declared.filter(|(name, _)| is_own_name(name));
    let uniforms = names.map(|(name, at)| OwnUniform {
        name: name.to_owned(),
        ty: ty.to_owned(),
        span: span.start + at.start..span.start + at.end,
    });
    uniforms.collect()
}

/// Length of the qualifiers of an output or varying on a line of its own, and the keyword among
/// them: 9 and `in` in `flat in vec2 place;`. They are removed, leaving ordinary variables.
fn interface_qualifiers(line: &str) -> Option<(usize, &str)> {
    let is_qualifier = |word: &str| {
        let others = ["layout", "location", "flat", "smooth", "centroid"];
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        others.contains(&word) || PRECISIONS.contains(&word) || is_number
    };
    let mut keyword = None;
    let (_, ty) = words(line).find(|(word, _)| {
        let is_keyword = matches!(*word, "in" | "out" | "varying" | "attribute");
        let is_first = is_keyword && keyword.is_none();
        keyword = if is_first { Some(*word) } else { keyword };
        !is_first && !is_qualifier(word)
    })?;
    let declared = line[ty.start..].trim_end().strip_suffix(';')?;
    let is_variable = !declared.contains(['(', ')', ';', '=']);
    Some((ty.start, keyword.filter(|_| is_variable)?))
}

fn sampler_shape(word: &str) -> Option<ChannelShape> {
    ChannelShape::ALL.into_iter().find(|shape| sampler_type(*shape) == word)
}

/// `text`, whose code is `code`, with the version that browsers have for `__VERSION__`: the
/// compilers have another. In `#ifdef` and `defined`, where they do not count it as defined, it
/// becomes `GL_ES`, which is.
fn with_version(text: &str, code: &str) -> String {
    let mut text = text.to_owned();
    let mut previous = "";
    for (word, span) in words(code) {
        let value = match replace(&mut previous, word) {
            "define" | "undef" => continue,
            "ifdef" | "ifndef" | "defined" => "GL_ES",
            _ => "300",
        };
        if word == "__VERSION__" {
            text.replace_range(span, &format!("{value:<0$}", word.len()));
        }
    }
    text
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
    fn macros_replace_samplers_of_their_name() {
        let text =
            "#ifdef ELSEWHERE\nuniform sampler2D a, b;\n#else\n#define a iChannel1\n#endif\n";
        let names: Vec<String> = clean(text).samplers.into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["b"]);
    }

    #[test]
    fn clean_removes_declarations_and_keeps_lines() {
        let text = "#version 300 es\nprecision highp float; // p\nprecision x;\n/*\n#version 1 */ // /*\nuniform vec3 iResolution; // s\n\
                    uniform float mine;\nuniform highp sampler2D iChannel0, iChannel1;\n";
        let cleaned = clean(text);
        let lines: Vec<&str> = cleaned.text.lines().map(str::trim).collect();
        let kept =
            ["", "// p", "precision x;", "/*", "#version 1 */ // /*", "// s", "float mine;", ""];
        assert_eq!(lines, kept);
        assert_eq!(cleaned.text.len(), text.len());
        assert_eq!(cleaned.directives.len(), 1);
        let text = "precision highp int; uniform vec2 iMouse,\n b; uniform lowp sampler2D sampler0, s\n;\nuniform B { int n; };";
        let cleaned = clean(text);
        let kept: Vec<&str> = cleaned.text.split_whitespace().collect();
        assert_eq!(kept.join(" "), "vec2 iMouse, b; uniform B { int n; };");
        let names = cleaned.samplers.iter().map(|sampler| &*sampler.name);
        assert_eq!(names.collect::<Vec<_>>(), ["sampler0", "s"]);
        for (line, expected) in [
            ("out vec4 color;\n", Some((4, "out"))),
            ("layout(location = 0) out highp vec4 color;\n", Some((31, "out"))),
            ("void f(out vec4 color);\n", None),
            ("out vec4 color) {\n", None),
            ("vec4 out_;\n", None),
            ("in vec2 uv;\n", Some((3, "in"))),
            ("layout(location = 3) flat in highp vec2 a, b;", Some((35, "in"))),
            ("varying vec3 normal;", Some((8, "varying"))),
            ("#define IN in", None),
            ("in vec2 p);", None),
            ("in vec2 p, in float q", None),
            ("float f(in vec2 p);", None),
        ] {
            assert_eq!(interface_qualifiers(line), expected, "{line}");
        }
    }
}
