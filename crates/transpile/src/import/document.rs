//! Assembles the source of the imported scene.

use tarsus_glsl::pass_function;
use tarsus_shader::Program;

use super::author::Author;
use super::channels::Channels;
use super::merge::{Declaration, DeclarationKind};

/// Modules that generated code may call.
const MODULES: &[&str] = &["buffers", "frame", "keyboard"];

/// Joins all parts of the scene to one source.
pub(super) fn document(
    program: &Program,
    declarations: &[Declaration],
    channels: &Channels<'_>,
) -> String {
    let author = Author::new(&program.sources);
    let of = |kind: DeclarationKind| declarations.iter().filter(move |found| found.kind == kind);
    let text = |found: &'_ Declaration| found.text.clone();
    let texts = |kind| of(kind).map(text).collect::<Vec<String>>();
    // Several passes can have a function of this name.
    let is_pass_function =
        |name: &str| program.all_passes().any(|pass| pass_function(pass.kind) == name);
    let with_comment = |found: &Declaration| match &*found.glsl_name {
        name if is_pass_function(name) => found.text.clone(),
        name => author.comment(name) + &found.text,
    };
    let mut functions: Vec<&Declaration> = of(DeclarationKind::Function).collect();
    functions.sort_by_key(|found| author.position(&found.glsl_name));
    let functions: Vec<String> = functions.into_iter().map(with_comment).collect();
    let entries = declarations.iter().filter_map(|found| match found.kind {
        DeclarationKind::Entry(pass) => Some(author.pass_comment(pass) + &found.text),
        _ => None,
    });
    let imports = MODULES.iter().filter(|module| {
        let prefix = format!("{module}::");
        let mut texts = declarations.iter().map(|declaration| &declaration.text);
        texts.any(|text| text.contains(&prefix))
    });
    let imports = imports.map(|module| format!("#import tarsus::{module}\n"));
    let sections = [
        author.head(),
        imports.collect(),
        parameters(program),
        channels.declarations(),
        texts(DeclarationKind::Type).join("\n"),
        texts(DeclarationKind::Constant).concat(),
        texts(DeclarationKind::Variable).concat(),
        texts(DeclarationKind::Helper).join("\n"),
        functions.join("\n"),
        entries.collect::<Vec<_>>().join("\n"),
    ];
    let sections = sections.into_iter().filter(|section| !section.is_empty());
    sections.collect::<Vec<_>>().join("\n")
}

/// Source of `struct Params`, if there are parameters.
fn parameters(program: &Program) -> String {
    if program.parameters.is_empty() {
        return String::new();
    }
    let members = program.parameter_struct.split_once('{').map_or("", |(_, members)| members);
    format!("struct Params {{{members}@group(1) @binding(0) var<uniform> params: Params;\n")
}
