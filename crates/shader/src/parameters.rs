//! Parameters that a scene exposes to the user, read from its `struct Params`.
//!
//! ```wgsl
//! struct Params {
//!     /// Length of the upper bone [0.1, 2] = 0.8
//!     upper: f32,
//!     /// Policy {stretch, clamp, none} = clamp
//!     policy: u32,
//!     /// Circles = on
//!     circles: u32,
//!     /// Colour of the shell = #b06030
//!     shell: vec3f,
//! }
//! @group(1) @binding(0) var<uniform> params: Params;
//! ```
//!
//! Names, types and offsets come from naga; label, range, choices and default come from the
//! doc comment. A member without a comment is a slider from 0 to 1.

use naga::TypeInner;
use thiserror::Error;

use super::diagnostic::{Checked, Diagnostic};
use super::parameter::{Control, Parameter, ScalarKind};
use super::signatures;
use super::source_map::SourceMap;
use super::suggest::nearest;
use super::values::Values;

/// Bind group of the parameters.
const GROUP: u32 = 1;
/// Message for a parameter of any other type.
pub(super) const PARAMETER_TYPES: &str =
    "a parameter is an f32, i32 or u32, or a vector of two to four of them";

/// A scene's parameters in the order of declaration.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Parameters {
    list: Vec<Parameter>,
    size: u64,
}

/// Error in an assignment to a parameter.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ParameterError(String);

impl Parameters {
    /// Size of the uniform in bytes; 0 if the scene has no parameters.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Iterates over the parameters in declaration order.
    pub fn iter(&self) -> impl Iterator<Item = &Parameter> {
        self.list.iter()
    }

    /// True if the scene has no parameters.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Value of `parameter`: the one in `values` if its number of components matches,
    /// otherwise the default. Unused components have their default values.
    pub fn get(&self, values: &Values, parameter: &Parameter) -> [f64; 4] {
        let mut value = parameter.default;
        let chosen = values.get(&parameter.name);
        if let Some(chosen) = chosen.filter(|chosen| chosen.len() == parameter.components) {
            value[..chosen.len()].copy_from_slice(chosen);
        }
        value
    }

    /// Warnings about values outside of their slider's range, which are allowed.
    pub fn range_warnings(&self, values: &Values) -> impl Iterator<Item = String> {
        self.iter().filter_map(|parameter| {
            let outside = parameter.outside_range(values.get(&parameter.name)?)?;
            Some(format!("the value {outside}"))
        })
    }

    /// Contents of the uniform, in the layout of the shader.
    pub fn bytes(&self, values: &Values) -> Vec<u8> {
        let mut bytes = vec![0; self.size as usize];
        for parameter in &self.list {
            let value = self.get(values, parameter);
            for (component, &number) in value.iter().take(parameter.components).enumerate() {
                let word = match parameter.kind {
                    ScalarKind::Float => (number as f32).to_ne_bytes(),
                    ScalarKind::Signed => (number as i32).to_ne_bytes(),
                    ScalarKind::Unsigned => (number as u32).to_ne_bytes(),
                };
                let at = parameter.offset + 4 * component;
                bytes[at..at + 4].copy_from_slice(&word);
            }
        }
        bytes
    }

    /// Value of every parameter by name, including defaults. These values reproduce the
    /// same image even after the scene's defaults change.
    pub fn resolve(&self, values: &Values) -> Values {
        let named = |parameter: &Parameter| {
            let used = self.get(values, parameter)[..parameter.components].to_vec();
            (parameter.name.clone(), used)
        };
        self.list.iter().map(named).collect()
    }

    /// Checks that the parameter `name` exists and has the given number of components.
    ///
    /// # Errors
    /// Returns a [`ParameterError`] if there is no such parameter or the number differs.
    pub fn check_components(&self, name: &str, components: usize) -> Result<(), ParameterError> {
        let parameter = self.find(name)?;
        if parameter.components == components {
            return Ok(());
        }
        let expected = parameter.components;
        Err(ParameterError(format!(
            "invalid value of {components} components for parameter `{name}`: expected {expected}"
        )))
    }

    fn find(&self, name: &str) -> Result<&Parameter, ParameterError> {
        let found = self.list.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.list.iter().map(|one| one.name.as_str()).collect();
            let near = nearest(name, known.iter().copied());
            let hint = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            ParameterError(format!("the scene has no parameter `{name}`{hint}; available: {list}"))
        })
    }

    /// Parses one `NAME=VALUE` and stores it in `values`.
    ///
    /// # Errors
    /// Returns a [`ParameterError`] if the form, the name or the value is invalid; `values`
    /// is then unchanged.
    pub fn assign(&self, values: &mut Values, assignment: &str) -> Result<(), ParameterError> {
        let Some((name, text)) = assignment.split_once('=') else {
            return Err(ParameterError(format!(
                "invalid assignment `{assignment}`: expected NAME=VALUE"
            )));
        };
        let parameter = self.find(name.trim())?;
        let Some(value) = parameter.parse(text.trim()) else {
            return Err(ParameterError(format!(
                "invalid value `{}` for parameter `{}`: expected {}",
                text.trim(),
                parameter.name,
                parameter.accepted_values()
            )));
        };
        values.insert(parameter.name.clone(), value[..parameter.components].to_vec());
        Ok(())
    }

    /// Reads the parameters of a composed scene, with warnings about them. The comments are
    /// those in `described`, or in the source of the scene.
    pub(super) fn reflect(
        module: &naga::Module,
        sources: &SourceMap,
        described: Option<&str>,
    ) -> Checked<(Self, Vec<Diagnostic>)> {
        let mut globals = module.global_variables.iter();
        let uniform = globals.find(|(_, global)| {
            global.space == naga::AddressSpace::Uniform
                && global.binding.is_some_and(|binding| binding.group == GROUP)
        });
        let Some((_, global)) = uniform else {
            return Ok(Default::default());
        };
        let ty = &module.types[global.ty];
        let (TypeInner::Struct { members, span }, Some(name)) = (&ty.inner, &ty.name) else {
            let name = global.name.as_deref().unwrap_or_default();
            return Err(sources.error_at("", name, "the uniform of group 1 must be a struct"));
        };
        let declared = signatures::members(described.unwrap_or(sources.scene_text()), name);
        let declaration = |name: &str| declared.iter().find(|member| member.name == name);
        let error_at_member = |name: &str, message: String| {
            let member = declaration(name).filter(|_| described.is_none());
            let span = member.map(|member| member.span.clone());
            sources.error("", message).at(span)
        };
        let read = |member: &naga::StructMember| {
            let name = member.name.clone().unwrap_or_default();
            let Some((components, kind)) = shape(&module.types[member.ty].inner) else {
                return Err(error_at_member(&name, PARAMETER_TYPES.to_owned()));
            };
            let mut parameter = Parameter {
                label: name.clone(),
                name,
                control: Control::Slider(0.0, 1.0),
                default: [0.0; 4],
                components,
                kind,
                offset: member.offset as usize,
            };
            let comment = declaration(&parameter.name).map_or("", |member| &member.comment);
            match parameter.read_comment(&comment.replace('\n', " ")) {
                Ok(()) => Ok(parameter),
                Err(message) => Err(error_at_member(&parameter.name, message)),
            }
        };
        let list: Vec<Parameter> = members.iter().map(read).collect::<Result<_, _>>()?;
        let warnings = list.iter().filter_map(|parameter| {
            let outside = parameter.outside_range(&parameter.default[..parameter.components])?;
            let error = error_at_member(&parameter.name, format!("the default {outside}"));
            Some(error.into_warning())
        });
        let warnings = warnings.collect();
        let size = u64::from(*span);
        Ok((Self { list, size }, warnings))
    }
}

fn shape(ty: &TypeInner) -> Option<(usize, ScalarKind)> {
    let (size, scalar) = ty.vector_size_and_scalar()?;
    let kind = match scalar {
        naga::Scalar::F32 => ScalarKind::Float,
        naga::Scalar::I32 => ScalarKind::Signed,
        naga::Scalar::U32 => ScalarKind::Unsigned,
        _ => return None,
    };
    Some((size.map_or(1, |size| size as usize), kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Control;

    const SCENE: &str = "
struct Params {
    /// Length of the upper bone [0.1, 2] = 0.8
    upper: f32,
    /// Policy {stretch, clamp, none} = clamp
    policy: u32,
    /// Circles = on
    circles: u32,
    /// Shell = #ff8000
    shell: vec3f,
    plain: vec2f,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.upper); }
";

    fn reflect(text: &str) -> Checked<Parameters> {
        let module = naga::front::wgsl::parse_str(text).expect("WGSL");
        let scene = crate::Scene::from_text(text, "a.wgsl");
        let sources = SourceMap::of_scene(&crate::test_library(), "", &scene);
        Parameters::reflect(&module, &sources, None).map(|(parameters, _)| parameters)
    }

    #[test]
    fn comments_give_label_control_and_default() {
        let parameters = reflect(SCENE).expect("parameters");
        let list: Vec<&Parameter> = parameters.iter().collect();
        assert_eq!(list[0].label, "Length of the upper bone");
        assert_eq!(list[0].control, Control::Slider(0.1, 2.0));
        assert_eq!(list[0].default[0], 0.8);
        assert_eq!(list[1].default[0], 1.0);
        assert_eq!(list[2].control, Control::Switch);
        assert_eq!(list[3].control, Control::Color);
        assert_eq!(list[3].default, [1.0, 128.0 / 255.0, 0.0, 1.0]);
        assert_eq!(list[4].label, "plain");
    }

    #[test]
    fn bytes_follow_naga_layout() {
        let parameters = reflect(SCENE).expect("parameters");
        let bytes = parameters.bytes(&Values::default());
        assert_eq!(bytes.len(), 48);
        assert_eq!(bytes[0..4], 0.8f32.to_ne_bytes());
        assert_eq!(bytes[4..8], 1u32.to_ne_bytes());
        assert_eq!(bytes[16..20], 1f32.to_ne_bytes());
    }

    #[test]
    fn assignments_are_checked() {
        let parameters = reflect(SCENE).expect("parameters");
        let mut values = Values::default();
        for assignment in ["policy=none", "plain=1,-2.5", "shell=#0000ff"] {
            parameters.assign(&mut values, assignment).expect("valid");
        }
        let chosen = values.iter().map(|(name, value)| (&**name, &**value));
        assert_eq!(
            chosen.collect::<Vec<_>>(),
            [("plain", &[1.0, -2.5][..]), ("policy", &[2.0][..]), ("shell", &[0.0, 0.0, 1.0][..]),]
        );
        let before = values.clone();
        for wrong in ["upper", "uper=1", "upper=nan", "policy=7", "plain=1", "shell=#12"] {
            assert!(parameters.assign(&mut values, wrong).is_err(), "{wrong}");
            assert_eq!(values, before, "{wrong}");
        }
    }

    #[test]
    fn unsuitable_values_keep_the_default() {
        let parameters = reflect(SCENE).expect("parameters");
        let values = [("upper", 1.5), ("plain", 1.0), ("of_another_scene", 1.0)];
        let values = Values::from_iter(values.map(|(name, value)| (name.to_owned(), vec![value])));
        let resolved = parameters.resolve(&values);
        assert_eq!(resolved.len(), parameters.iter().count());
        assert_eq!(resolved.get("upper"), Some(&vec![1.5]));
        assert_eq!(resolved.get("plain"), Some(&vec![0.0, 0.0]));
        assert_eq!(resolved.get("circles"), Some(&vec![1.0]));
        assert_eq!(parameters.bytes(&resolved), parameters.bytes(&values));
        assert_ne!(parameters.bytes(&values), parameters.bytes(&Values::default()));
    }

    #[test]
    fn messages_name_parameter_and_expectation() {
        let parameters = reflect(SCENE).expect("parameters");
        let mut values = Values::default();
        let mut says = |assignment: &str| {
            let error = parameters.assign(&mut values, assignment);
            error.expect_err(assignment).to_string()
        };
        assert_eq!(
            says("circles=maybe"),
            "invalid value `maybe` for parameter `circles`: expected on or off"
        );
        assert_eq!(
            says("size=1"),
            "the scene has no parameter `size`; available: upper, policy, circles, shell, plain"
        );
        assert_eq!(says("upper"), "invalid assignment `upper`: expected NAME=VALUE");
    }

    #[test]
    fn invalid_comment_is_located_at_member() {
        let wrong = SCENE.replace("[0.1, 2]", "[2, 0.1]");
        let error = reflect(&wrong).expect_err("range");
        assert_eq!(error.line_column(), Some((4, 5)));
        // Not at `upper`, which ends in the name.
        let wrong = SCENE.replace("plain: vec2f", "/// [2, 1]\n    per: f32");
        let error = reflect(&wrong).expect_err("range");
        assert_eq!(error.line_column(), Some((12, 5)));
    }
}
