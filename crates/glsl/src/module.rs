//! Adapts a naga module made from GLSL: names, and the order of functions.

use naga::{Arena, Expression, Function, Handle, Module, Statement, TypeInner};
use tarsus_shader::ir::{calls, edit_block, handles};

/// Members of the `Frame` uniform in order, as named in `tarsus::frame`.
const MEMBERS: &str = "\
    resolution sample_offset tile_origin stride lens time output_step mouse pointer orbit date \
    press_age release_age time_delta frame_rate index cube_face_or_sample unused";

/// Names the only entry point `entry` and restores the member names of the `Frame` uniform,
/// by which the program detects which inputs a scene reads.
pub(super) fn restore_names(mut module: Module, entry: &str) -> Module {
    for point in &mut module.entry_points {
        entry.clone_into(&mut point.name);
    }
    let is_frame = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some("tarsus_Frame");
    let frame = module.types.iter().find(is_frame);
    if let Some((handle, mut frame)) = frame.map(|(handle, ty)| (handle, ty.clone())) {
        if let TypeInner::Struct { members, .. } = &mut frame.inner {
            for (member, name) in members.iter_mut().zip(MEMBERS.split_whitespace()) {
                member.name = Some(name.to_owned());
            }
        }
        frame.name = Some("Frame".to_owned());
        module.types.replace(handle, frame);
    }
    for (_, function) in module.functions.iter_mut() {
        if let Some(name) = &mut function.name {
            name.truncate(name.find('(').unwrap_or(name.len()));
        }
    }
    module
}

/// Sorts the functions of `module` with callees before callers, as naga's validator requires;
/// its GLSL front end keeps declaration order. Recursive functions stay at their first
/// occurrence.
pub(super) fn sort_functions(module: &mut Module) {
    let handles = handles(&module.functions);
    let functions = module.functions.iter();
    let callees = functions.map(|(_, function)| calls(&function.body));
    let callees: Vec<Vec<Handle<Function>>> = callees.collect();
    let mut order = Vec::with_capacity(handles.len());
    let mut seen = vec![false; handles.len()];
    for start in 0..handles.len() {
        visit(start, &callees, &mut seen, &mut order);
    }
    if order.is_sorted() {
        return;
    }
    let mut sorted = Arena::new();
    let mut new_handles = handles.clone();
    for &index in &order {
        let function = std::mem::take(&mut module.functions[handles[index]]);
        let span = module.functions.get_span(handles[index]);
        new_handles[index] = sorted.append(function, span);
    }
    let functions = sorted.iter_mut().map(|(_, function)| function);
    let entries = module.entry_points.iter_mut();
    for function in functions.chain(entries.map(|entry| &mut entry.function)) {
        for (_, expression) in function.expressions.iter_mut() {
            if let Expression::CallResult(callee) = expression {
                *callee = new_handles[callee.index()];
            }
        }
        edit_block(&mut function.body, &mut |statement| {
            if let Statement::Call { function, .. } = statement {
                *function = new_handles[function.index()];
            }
        });
    }
    module.functions = sorted;
}

/// Appends the callees of `start`, then `start`. Iterative, since call chains may be long.
fn visit(start: usize, calls: &[Vec<Handle<Function>>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut open = vec![(start, 0)];
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    while let Some((function, next)) = open.last_mut() {
        match calls[*function].get(*next) {
            Some(callee) => {
                *next += 1;
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    open.push((callee.index(), 0));
                }
            }
            None => {
                order.push(*function);
                open.pop();
            }
        }
    }
}
