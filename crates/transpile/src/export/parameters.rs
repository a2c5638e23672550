//! Writes parameters as constants.

use naga::Literal;
use tarsus_shader::{Control, Parameter, Parameters, ScalarKind, Values};

use super::language::Language::Glsl;
use super::names::Names;
use super::source_file::Definition;
use super::types::{number, value_type};

/// The constants of a scene's parameters.
pub(super) fn definitions(
    names: &mut Names<'_>,
    parameters: &Parameters,
    values: &Values,
) -> Vec<Definition> {
    let define = |parameter: &Parameter| {
        let name = names.take(&format!("params_{}", parameter.name));
        let comment = comment(parameter);
        let count = parameter.components;
        let literals = parameters.get(values, parameter).map(|value| match parameter.kind {
            ScalarKind::Float => Literal::F32(value as f32),
            ScalarKind::Signed => Literal::I32(value as i32),
            ScalarKind::Unsigned => Literal::U32(value as u32),
        });
        let ty = value_type(literals[0].scalar(), count, Glsl).unwrap_or_default();
        let parts = literals[..count].iter().filter_map(|literal| number(*literal, Glsl));
        let parts = parts.collect::<Vec<_>>().join(", ");
        let value = if count == 1 { parts } else { format!("{ty}({parts})") };
        let text = format!("// {comment}\nconst {ty} {name} = {value};\n");
        Definition { name, text }
    };
    parameters.iter().map(define).collect()
}

fn comment(parameter: &Parameter) -> String {
    let label = &parameter.label;
    match &parameter.control {
        Control::Slider(least, most) => format!("{label} [{least}, {most}]"),
        Control::Switch => format!("{label}: 1 on, 0 off"),
        Control::Color => format!("{label}, red, green and blue from 0 to 1"),
        Control::Choice(choices) => {
            let numbered = choices.iter().enumerate();
            let numbered = numbered.map(|(number, name)| format!("{number} {name}"));
            format!("{label}: {}", numbered.collect::<Vec<_>>().join(", "))
        }
    }
}
