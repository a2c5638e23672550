//! Writes parameters as constants.

use super::file::Definition;
use super::names::Names;
use tarsus_shader::Parameters;
use tarsus_shader::Values;
use tarsus_shader::{Control, Parameter, ScalarKind};

/// Member names and constants of a scene's parameters.
pub(super) fn definitions(
    names: &mut Names<'_>,
    parameters: &Parameters,
    values: &Values,
) -> Vec<(String, Definition)> {
    let define = |parameter: &Parameter| {
        let name = names.take(&format!("params_{}", parameter.name));
        let value = parameters.get(values, parameter);
        let text = format!(
            "{}const {} {name} = {};\n",
            comment(parameter),
            type_name(parameter),
            literal(parameter, &value[..parameter.components])
        );
        (parameter.name.clone(), Definition { name, text })
    };
    parameters.iter().map(define).collect()
}

fn comment(parameter: &Parameter) -> String {
    let label = &parameter.label;
    match &parameter.control {
        Control::Slider(least, most) => format!("// {label} [{least}, {most}]\n"),
        Control::Switch => format!("// {label}: 1 on, 0 off\n"),
        Control::Color => format!("// {label}, red, green and blue from 0 to 1\n"),
        Control::Choice(choices) => {
            let numbered: Vec<String> = choices
                .iter()
                .enumerate()
                .map(|(number, name)| format!("{number} {name}"))
                .collect();
            format!("// {label}: {}\n", numbered.join(", "))
        }
    }
}

fn type_name(parameter: &Parameter) -> String {
    let (scalar, prefix) = match parameter.kind {
        ScalarKind::Float => ("float", ""),
        ScalarKind::Signed => ("int", "i"),
        ScalarKind::Unsigned => ("uint", "u"),
    };
    match parameter.components {
        1 => scalar.to_owned(),
        size => format!("{prefix}vec{size}"),
    }
}

fn literal(parameter: &Parameter, value: &[f64]) -> String {
    let parts: Vec<String> = value
        .iter()
        .map(|&number| match parameter.kind {
            ScalarKind::Float => format!("{:?}", number as f32),
            ScalarKind::Signed => format!("{}", number as i32),
            ScalarKind::Unsigned => format!("{}u", number as u32),
        })
        .collect();
    match parts.len() {
        1 => parts.concat(),
        _ => format!("{}({})", type_name(parameter), parts.join(", ")),
    }
}
