//! Writes parameters as constants.

use naga::Scalar;
use tarsus_shader::{Control, Parameter, Parameters, ScalarKind, Values};

use super::language::Language;
use super::names::Names;
use super::source_file::Definition;
use super::types::value_type;

/// The constants of a scene's parameters.
pub(super) fn definitions(
    names: &mut Names<'_>,
    parameters: &Parameters,
    values: &Values,
) -> Vec<Definition> {
    let define = |parameter: &Parameter| {
        let name = names.take(&format!("params_{}", parameter.name));
        let comment = comment(parameter);
        let scalar = match parameter.kind {
            ScalarKind::Float => Scalar::F32,
            ScalarKind::Signed => Scalar::I32,
            ScalarKind::Unsigned => Scalar::U32,
        };
        let ty = value_type(scalar, parameter.components, Language::Glsl).unwrap_or_default();
        let value = parameters.get(values, parameter);
        let value = literal(parameter, &ty, &value[..parameter.components]);
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

fn literal(parameter: &Parameter, ty: &str, value: &[f64]) -> String {
    let parts = value.iter().map(|&number| match parameter.kind {
        ScalarKind::Float => format!("{:?}", number as f32),
        ScalarKind::Signed => format!("{}", number as i32),
        ScalarKind::Unsigned => format!("{}u", number as u32),
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    match value.len() {
        1 => parts,
        _ => format!("{ty}({parts})"),
    }
}
