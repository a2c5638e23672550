//! Assembles the source of the imported scene.

use tarsus_glsl::pass_function;
use tarsus_shader::Program;

use super::author::Author;
use super::channels::Channels;
use super::merge::Declarations;

/// Modules that generated code may call.
const MODULES: &[&str] = &["buffers", "frame", "keyboard"];

/// Joins all parts of the scene to one source.
pub(super) fn document(
    program: &Program,
    declarations: Declarations,
    channels: &Channels<'_>,
) -> String {
    let author = Author::new(&program.sources);
    // Several passes can have a function of this name.
    let is_pass_function =
        |name: &str| program.all_passes().any(|pass| pass_function(pass.kind) == name);
    let Declarations { mut functions, code, .. } = declarations;
    functions.sort_by_key(|(name, _)| author.position(name));
    let functions = functions.into_iter().map(|(name, text)| {
        if is_pass_function(&name) { text } else { author.comment(&name) + &text }
    });
    let entries = declarations.entries.iter();
    let entries = entries.map(|(pass, text)| author.pass_comment(*pass) + text);
    let imports = MODULES.iter().filter(|module| code.contains(&format!("{module}::")));
    let imports = imports.map(|module| format!("#import tarsus::{module}\n"));
    let sections = [
        author.head(),
        imports.collect(),
        parameters(program),
        channels.declarations(&code),
        declarations.types.join("\n"),
        declarations.constants,
        declarations.variables,
        declarations.helpers.join("\n"),
        functions.collect::<Vec<_>>().join("\n"),
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
