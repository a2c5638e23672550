//! Warnings about code that compiles, but shows nothing here or does not run in browsers.

use std::collections::HashSet;

use naga::{Expression, Module};

use super::clean::PRECISIONS;
use super::lexer;
use super::prelude::{pass_function, pass_signature};
use super::project::Project;
use super::unit::{Unit, position};
use tarsus_shader::front_end::line_range;
use tarsus_shader::{Diagnostic, PassKind};

/// Adds the warnings about pass `kind`, whose source is `unit`, compiled to `module`. Those about
/// Common are added once.
pub(super) fn add_warnings(project: &mut Project, unit: &Unit, kind: PassKind, module: &Module) {
    let found = [
        input_only_result(project, unit, kind),
        reserved_name(project, unit),
        unknown_components(project, unit),
    ];
    let uniforms = unset_uniforms(project, unit, module);
    let found = found.into_iter().flatten().map(|warning| warning.into_warning());
    for warning in found.chain(uniforms) {
        if !project.warnings.contains(&warning) {
            project.warnings.push(warning);
        }
    }
}

/// An error at the word at byte `at` of the unit's source.
fn error_at(project: &Project, unit: &Unit, at: usize, message: String) -> Box<Diagnostic> {
    // Comments may contain `#line`.
    let (file, line) = position(&unit.code, at);
    let name = unit.files.get(file).map_or("", |name| name);
    let word = lexer::words(&unit.code[at..]).next().map_or("", |(word, _)| word);
    let text = project.sources.text(name);
    let span = line_range(text, line.saturating_sub(1)).and_then(|line| {
        let mut words = lexer::words(&text[line.clone()]);
        let (_, span) = words.find(|(found, _)| *found == word)?;
        Some(line.start + span.start..line.start + span.end)
    });
    project.sources.error(name, message).at(span)
}

/// The function of an image whose first parameter is not `out`.
fn input_only_result(project: &Project, unit: &Unit, kind: PassKind) -> Option<Box<Diagnostic>> {
    let function = pass_function(kind);
    let mut lists = lexer::parameter_lists(&unit.code, function).peekable();
    if kind == PassKind::Sound || lists.peek().is_none() {
        return None;
    }
    let is_input = |list: &str| {
        let first = list.split(',').next().unwrap_or_default();
        let mut words = lexer::words(first).map(|(word, _)| word);
        let is_qualifier =
            |word: &&str| PRECISIONS.contains(word) || ["const", "in"].contains(word);
        words.find(|word| !is_qualifier(word)) == Some("vec4")
    };
    if !lists.all(is_input) {
        return None;
    }
    let at = lexer::find_function(&unit.code, function)?.start;
    let message = format!(
        "the first parameter of `{function}` is not `out`: what it is assigned is lost, and the \
         picture stays black"
    );
    let hint = format!("hint: write `{} {{ … }}`", pass_signature(kind));
    Some(error_at(project, unit, at, message).with_note(hint))
}

/// The first name with two underscores in a row, which browsers reject unless it is a macro.
/// Code that a condition skips is searched, too.
fn reserved_name(project: &Project, unit: &Unit) -> Option<Box<Diagnostic>> {
    let macros = lexer::defined_names(&unit.code);
    let is_reserved = |word: &str| {
        let is_predefined = matches!(word, "__LINE__" | "__FILE__" | "__VERSION__");
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        word.contains("__") && !is_predefined && !is_number
    };
    let mut at = 0;
    let mut is_directive = false;
    for line in unit.code.split_inclusive('\n') {
        is_directive |= line.trim_start().starts_with('#');
        let mut words = lexer::words(line);
        let found = words.find(|(word, _)| is_reserved(word) && !macros.contains(word));
        if let Some((word, span)) = found.filter(|_| !is_directive) {
            let message = format!("browsers reject `{word}`: names with `__` are reserved");
            let hint = "hint: use single underscores";
            return Some(error_at(project, unit, at + span.start, message).with_note(hint));
        }
        is_directive &= line.trim_end().ends_with('\\');
        at += line.len();
    }
    None
}

/// The first access to components that no vector has, which the compiler overlooks.
fn unknown_components(project: &Project, unit: &Unit) -> Option<Box<Diagnostic>> {
    let span = lexer::unknown_components(&unit.code)?;
    let message = format!("`{}`: no vector has such a component", &unit.code[span.clone()]);
    Some(error_at(project, unit, span.start, message))
}

/// Maximum uniforms warned about in a pass.
const MAX_UNIFORMS: usize = 8;

/// The author's own uniforms and varyings that `module` reads.
fn unset_uniforms(project: &Project, unit: &Unit, module: &Module) -> Vec<Diagnostic> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    // Every function lists all globals.
    let read: HashSet<&str> = functions
        .flat_map(|function| {
            let expressions = function.expressions.iter();
            expressions.filter_map(|(_, expression)| match *expression {
                Expression::Load { pointer: base }
                | Expression::Access { base, .. }
                | Expression::AccessIndex { base, .. } => Some(&function.expressions[base]),
                _ => None,
            })
        })
        .filter_map(|base| match *base {
            Expression::GlobalVariable(global) => module.global_variables[global].name.as_deref(),
            _ => None,
        })
        .collect();
    let uniforms = unit.uniforms.iter();
    let uniforms = uniforms.filter(|(_, uniform)| read.contains(&*uniform.name));
    let warnings = uniforms.take(MAX_UNIFORMS).map(|(file, uniform)| {
        let message = format!(
            "`{}` is always 0: nothing sets a shader's own uniforms or varyings",
            uniform.name
        );
        let hint = match replacement(&uniform.name, &uniform.ty) {
            Some(input) => format!("hint: use `{input}`"),
            None => format!(
                "hint: use an input such as `iTime`, or a parameter: `#iUniform float {} = 1.0`",
                uniform.name
            ),
        };
        let error = project.sources.error(file, message).at(uniform.span.clone());
        error.with_note(hint).into_warning()
    });
    warnings.collect()
}

/// The input that a uniform of other tools stands for.
fn replacement(name: &str, ty: &str) -> Option<String> {
    const INPUTS: &[(&str, &str)] = &[
        ("resolution", "iResolution"),
        ("time globaltime", "iTime"),
        ("timedelta deltatime", "iTimeDelta"),
        ("mouse", "iMouse"),
        ("frame", "iFrame"),
        ("framerate", "iFrameRate"),
        ("date", "iDate"),
    ];
    let bare = name.strip_prefix("u_").or(name.strip_prefix('u')).unwrap_or(name);
    let bare = bare.to_ascii_lowercase();
    let mut inputs = INPUTS.iter();
    let (_, input) = inputs.find(|(names, _)| names.split(' ').any(|known| known == bare))?;
    let is_pair = ty == "vec2" && ["iResolution", "iMouse"].contains(input);
    Some(format!("{input}{}", if is_pair { ".xy" } else { "" }))
}
