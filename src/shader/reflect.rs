//! What a validated module binds, and whether its picture changes by itself.

use naga::valid::ModuleInfo;
use naga::{
    AddressSpace, Expression, Function, GlobalVariable, Handle, ImageClass, ImageDimension, Module,
    TypeInner,
};

use super::diagnostic::Diagnostic;
use super::source_map::SourceMap;

/// Constant with which a scene tells its period.
const LOOP_SECONDS: &str = "LOOP_SECONDS";
/// Members of the frame that change while nobody does anything.
const CHANGING: &[&str] = &[
    "time",
    "time_delta",
    "date",
    "press_age",
    "release_age",
    "frame_rate",
    "index",
];

/// A resource that a pass uses, and where it expects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binding {
    /// `@group`
    pub group: u32,
    /// `@binding`
    pub binding: u32,
    /// What is bound there.
    pub resource: Resource,
}

/// What tarsus binds for a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// The `Frame` uniform.
    Frame,
    /// The texture of keys, see `shaders/lib/keyboard.wgsl`.
    Keyboard,
    /// The uniform of `struct Params`.
    Parameters,
}

/// What the entry points of `module` use, in the order of group and binding.
///
/// # Errors
/// A [`Diagnostic`] at the first resource that tarsus does not provide.
pub(super) fn bindings(
    module: &Module,
    info: &ModuleInfo,
    sources: &SourceMap,
) -> Result<Vec<Binding>, Box<Diagnostic>> {
    let mut bindings = Vec::new();
    for (handle, global) in module.global_variables.iter() {
        let entries = 0..module.entry_points.len();
        let is_used = entries
            .map(|entry| info.get_entry_point(entry))
            .any(|entry| !entry[handle].is_empty());
        let is_resource = matches!(
            global.space,
            AddressSpace::Uniform | AddressSpace::Storage { .. } | AddressSpace::Handle
        );
        if !is_resource || (!is_used && provided(module, global).is_some()) {
            continue;
        }
        let binding = provided(module, global).ok_or_else(|| not_provided(global, sources))?;
        bindings.push(binding);
    }
    bindings.sort();
    Ok(bindings)
}

/// What tarsus binds for `global`, if it has something of that place and type.
fn provided(module: &Module, global: &GlobalVariable) -> Option<Binding> {
    let place = global.binding?;
    let is_texture = matches!(
        module.types[global.ty].inner,
        TypeInner::Image {
            dim: ImageDimension::D2,
            arrayed: false,
            class: ImageClass::Sampled {
                kind: naga::ScalarKind::Float,
                multi: false
            }
        }
    );
    let resource = match (place.group, place.binding, global.space) {
        (0, 0, AddressSpace::Uniform) => Resource::Frame,
        (0, 1, AddressSpace::Handle) if is_texture => Resource::Keyboard,
        (1, 0, AddressSpace::Uniform) => Resource::Parameters,
        _ => return None,
    };
    Some(Binding {
        group: place.group,
        binding: place.binding,
        resource,
    })
}

fn not_provided(global: &GlobalVariable, sources: &SourceMap) -> Box<Diagnostic> {
    let name = global.name.as_deref().unwrap_or_default();
    let place = global.binding.map_or_else(String::new, |place| {
        format!(" at @group({}) @binding({})", place.group, place.binding)
    });
    let message = format!("cannot bind `{name}`: tarsus provides nothing of its type{place}");
    let note = "a scene has its parameters, `@group(1) @binding(0) var<uniform> params: Params;`, \
                and the uniforms and textures of the modules that it imports"
        .to_owned();
    let text = sources.scene_text();
    let span = text
        .match_indices(name)
        .map(|(start, _)| start..start + name.len())
        .find(|span| {
            let line = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
            let before = text[line..span.start].trim_end();
            before.ends_with("var") || before.ends_with('>')
        });
    sources.diagnostic("", message, span, String::new(), vec![note])
}

/// Seconds after which the scene repeats itself, if it has a constant that says so.
pub(super) fn period(module: &Module) -> Option<f64> {
    let (_, constant) = module
        .constants
        .iter()
        .find(|(_, constant)| constant.name.as_deref() == Some(LOOP_SECONDS))?;
    match module.global_expressions[constant.init] {
        Expression::Literal(naga::Literal::F32(value)) => Some(f64::from(value)),
        Expression::Literal(naga::Literal::I32(value)) => Some(f64::from(value)),
        Expression::Literal(naga::Literal::U32(value)) => Some(f64::from(value)),
        Expression::Literal(naga::Literal::AbstractFloat(value)) => Some(value),
        Expression::Literal(naga::Literal::AbstractInt(value)) => Some(value as f64),
        _ => None,
    }
}

/// True if the picture may change by itself. False is certain: then it stays the
/// same until the user does something.
pub(super) fn is_animated(module: &Module) -> bool {
    let Some(frame) = frame(module) else {
        return false;
    };
    let TypeInner::Struct { members, .. } = &module.types[module.global_variables[frame].ty].inner
    else {
        return true;
    };
    let changes_by_itself = |index: u32| {
        let name = members
            .get(index as usize)
            .and_then(|member| member.name.as_deref());
        name.is_none_or(|name| CHANGING.contains(&name))
    };
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    entries
        .chain(functions)
        .any(|function| reads(function, frame, changes_by_itself))
}

/// The variable of the frame uniform.
fn frame(module: &Module) -> Option<Handle<GlobalVariable>> {
    let is_frame = |global: &GlobalVariable| {
        provided(module, global).is_some_and(|binding| binding.resource == Resource::Frame)
    };
    let mut globals = module.global_variables.iter();
    globals
        .find(|(_, global)| is_frame(global))
        .map(|(handle, _)| handle)
}

/// True if `function` reads a member of `frame` that `wanted` names, or takes
/// the frame as a whole.
fn reads(function: &Function, frame: Handle<GlobalVariable>, wanted: impl Fn(u32) -> bool) -> bool {
    let is_frame = |handle: Handle<Expression>| matches!(function.expressions[handle], Expression::GlobalVariable(global) if global == frame);
    function
        .expressions
        .iter()
        .any(|(_, expression)| match *expression {
            Expression::AccessIndex { base, index } => is_frame(base) && wanted(index),
            Expression::Load { pointer } => is_frame(pointer),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use crate::shader::{Library, Program, Scene, compose};

    fn program(text: &str) -> Program {
        let scene = Scene::from_text(text, "s.wgsl");
        compose(&scene, &Library::embedded(), &[]).expect("a scene")
    }

    fn is_animated(body: &str) -> bool {
        let text =
            format!("#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f {{ {body} }}\n");
        program(&text).is_animated
    }

    #[test]
    fn scenes_that_read_time_are_animated() {
        assert!(is_animated("return vec4f(sin(frame::frame.time));"));
        assert!(is_animated("return vec4f(f32(frame::frame.index));"));
        assert!(is_animated("return frame::frame.date;"));
        assert!(
            is_animated("let f = frame::frame; return f.mouse;"),
            "taken as a whole"
        );
    }

    #[test]
    fn other_scenes_stand_still() {
        assert!(!is_animated("return vec4f(1.0);"));
        assert!(!is_animated(
            "return vec4f(p / frame::frame.resolution, 0.0, 1.0);"
        ));
        assert!(!is_animated(
            "return frame::frame.mouse + frame::frame.pointer + frame::frame.orbit;"
        ));
        assert!(!is_animated("return vec4f(frame::centred(p), 0.0, 1.0);"));
    }
}
