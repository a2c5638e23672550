//! What a composed scene looks at, read from its module.

use naga::{Expression, Function, GlobalVariable, Handle, Module, TypeInner};

use super::KEYBOARD_BINDING;

/// Members of the frame that change while nobody does anything.
const MOVING: &[&str] = &[
    "time",
    "time_delta",
    "date",
    "press_age",
    "release_age",
    "frame_rate",
    "index",
];

/// True if the scene looks at the keyboard.
pub(super) fn reads_keyboard(module: &Module) -> bool {
    global(module, KEYBOARD_BINDING).is_some()
}

/// True if the scene may change by itself. False is certain: then one picture
/// is as good as the next until the user does something.
pub(super) fn moves(module: &Module) -> bool {
    let Some(frame) = global(module, 0) else {
        return false;
    };
    let TypeInner::Struct { members, .. } = &module.types[module.global_variables[frame].ty].inner
    else {
        return true;
    };
    let is_moving = |index: u32| {
        let name = members
            .get(index as usize)
            .and_then(|member| member.name.as_deref());
        name.is_none_or(|name| MOVING.contains(&name))
    };
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    entries
        .chain(functions)
        .any(|function| reads(function, frame, is_moving))
}

/// The variable at a binding of group 0.
fn global(module: &Module, binding: u32) -> Option<Handle<GlobalVariable>> {
    let at = |global: &GlobalVariable| {
        let place = global.binding.as_ref();
        place.is_some_and(|place| (place.group, place.binding) == (0, binding))
    };
    let mut globals = module.global_variables.iter();
    globals
        .find(|(_, global)| at(global))
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
    use crate::shader::{Library, compose};

    fn moves(body: &str) -> bool {
        let text =
            format!("#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f {{ {body} }}\n");
        let composed = compose(&text, "s.wgsl", None, &Library::embedded(), &[]);
        composed.expect("a scene").moves
    }

    #[test]
    fn scenes_that_look_at_time_move() {
        assert!(moves("return vec4f(sin(frame::frame.time));"));
        assert!(moves("return vec4f(f32(frame::frame.index));"));
        assert!(moves("return frame::frame.date;"));
        assert!(
            moves("let f = frame::frame; return f.mouse;"),
            "taken as a whole"
        );
    }

    #[test]
    fn other_scenes_stand_still() {
        assert!(!moves("return vec4f(1.0);"));
        assert!(!moves(
            "return vec4f(p / frame::frame.resolution, 0.0, 1.0);"
        ));
        assert!(!moves(
            "return frame::frame.mouse + frame::frame.pointer + frame::frame.orbit;"
        ));
        assert!(!moves("return vec4f(frame::centred(p), 0.0, 1.0);"));
    }
}
