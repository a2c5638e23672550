//! Assembles the source of the imported scene.

use super::author::Author;
use super::channels::Channels;
use super::merge::{Declaration, DeclarationKind};
use tarsus_shader::Program;
use tarsus_shader::{Control, Parameter, ScalarKind};

/// Modules that generated code may call.
const MODULES: &[&str] = &["buffers", "frame", "keyboard"];

/// Joins all parts of the scene to one source.
pub(super) fn document(
    program: &Program,
    declarations: &[Declaration],
    channels: &Channels,
) -> String {
    let author = Author::new(&program.sources);
    let of = |kind: DeclarationKind| declarations.iter().filter(move |found| found.kind == kind);
    let joined = |kind, between: &str| {
        let texts: Vec<&str> = of(kind).map(|found| found.text.as_str()).collect();
        texts.join(between)
    };
    let mut functions: Vec<&Declaration> = of(DeclarationKind::Function).collect();
    functions.sort_by_key(|found| author.place(&found.written));
    let with_comment = |found: &Declaration| author.comment(&found.written) + &found.text;
    let functions: Vec<String> = functions.into_iter().map(with_comment).collect();
    let entries: Vec<String> = of(DeclarationKind::Entry)
        .map(|found| match found.written.as_str() {
            "mainImage" if of(DeclarationKind::Entry).count() > 1 => found.text.clone(),
            _ => with_comment(found),
        })
        .collect();
    let code = [
        parameters(program),
        channels.declarations(),
        joined(DeclarationKind::Type, "\n"),
        joined(DeclarationKind::Constant, ""),
        joined(DeclarationKind::Variable, ""),
        joined(DeclarationKind::Helper, "\n"),
        functions.join("\n"),
        entries.join("\n"),
    ];
    let code: Vec<String> = code.into_iter().filter(|part| !part.is_empty()).collect();
    let code = code.join("\n");
    let imports: String = MODULES
        .iter()
        .filter(|module| code.contains(&format!("{module}::")))
        .map(|module| format!("#import tarsus::{module}\n"))
        .collect();
    let sections = [author.head(), imports, code];
    let sections: Vec<String> = sections
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    sections.join("\n")
}

/// Source of `struct Params`, if there are parameters.
fn parameters(program: &Program) -> String {
    if program.parameters.is_empty() {
        return String::new();
    }
    let members = program.parameters.iter().map(|parameter| {
        let comment = comment(parameter);
        format!(
            "    /// {comment}\n    {}: {},\n",
            parameter.name,
            type_name(parameter)
        )
    });
    format!(
        "struct Params {{\n{}}}\n@group(1) @binding(0) var<uniform> params: Params;\n",
        members.collect::<String>()
    )
}

fn type_name(parameter: &Parameter) -> String {
    let letter = match parameter.kind {
        ScalarKind::Float => "f",
        ScalarKind::Signed => "i",
        ScalarKind::Unsigned => "u",
    };
    match parameter.components {
        1 => format!("{letter}32"),
        size => format!("vec{size}{letter}"),
    }
}

fn comment(parameter: &Parameter) -> String {
    let Parameter {
        label,
        control,
        default,
        components,
        ..
    } = parameter;
    let values = &default[..*components];
    let listed = || {
        let texts: Vec<String> = values.iter().map(f64::to_string).collect();
        texts.join(", ")
    };
    match control {
        Control::Slider(least, most) => format!("{label} [{least}, {most}] = {}", listed()),
        Control::Color => {
            let byte = |value: &f64| format!("{:02x}", (value * 255.0).round() as u8);
            format!("{label} = #{}", values.iter().map(byte).collect::<String>())
        }
        Control::Switch => {
            let state = if values.first() == Some(&0.0) {
                "off"
            } else {
                "on"
            };
            format!("{label} = {state}")
        }
        Control::Choice(names) => {
            let number = values.first().map_or(0, |value| *value as usize);
            let chosen = names.get(number).map_or("", String::as_str);
            format!("{label} {{{}}} = {chosen}", names.join(", "))
        }
    }
}
