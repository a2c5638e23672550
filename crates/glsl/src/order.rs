//! Orders the functions of a naga module with callees before callers, as its validator
//! requires. naga's GLSL front end keeps declaration order.

use naga::{Arena, Block, Expression, Function, Handle, Module, Statement};
use tarsus_shader::ir::{calls, inner_blocks_mut};

/// Sorts the functions of `module`. Recursive functions stay at their first occurrence.
pub(super) fn sort_functions(module: &mut Module) {
    let mut functions: Vec<Option<(Function, naga::Span)>> = Vec::new();
    let mut callees: Vec<Vec<usize>> = Vec::new();
    for (handle, function) in module.functions.iter() {
        let called = calls(&function.body);
        callees.push(called.iter().map(|handle| handle.index()).collect());
        functions.push(Some((function.clone(), module.functions.get_span(handle))));
    }
    let mut order = Vec::with_capacity(functions.len());
    let mut seen = vec![false; functions.len()];
    for start in 0..functions.len() {
        visit(start, &callees, &mut seen, &mut order);
    }
    if order.is_sorted() {
        return;
    }
    let mut sorted = Arena::new();
    let mut places: Vec<Option<Handle<Function>>> = vec![None; functions.len()];
    for &index in &order {
        if let Some((function, span)) = functions[index].take() {
            places[index] = Some(sorted.append(function, span));
        }
    }
    let renamed = |handle: &mut Handle<Function>| {
        if let Some(Some(place)) = places.get(handle.index()) {
            *handle = *place;
        }
    };
    for (_, function) in sorted.iter_mut() {
        rename(function, &renamed);
    }
    for entry in &mut module.entry_points {
        rename(&mut entry.function, &renamed);
    }
    module.functions = sorted;
}

/// Appends the callees of `start`, then `start`. Iterative, since call chains may be long.
fn visit(start: usize, calls: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut open = vec![(start, 0)];
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    while let Some((function, next)) = open.last_mut() {
        match calls[*function].get(*next) {
            Some(&callee) => {
                *next += 1;
                if !std::mem::replace(&mut seen[callee], true) {
                    open.push((callee, 0));
                }
            }
            None => {
                order.push(*function);
                open.pop();
            }
        }
    }
}

fn rename(function: &mut Function, renamed: &impl Fn(&mut Handle<Function>)) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::CallResult(function) = expression {
            renamed(function);
        }
    }
    rename_calls(&mut function.body, renamed);
}

fn rename_calls(block: &mut Block, renamed: &impl Fn(&mut Handle<Function>)) {
    for statement in block.iter_mut() {
        match statement {
            Statement::Call { function, .. } => renamed(function),
            other => {
                for inner in inner_blocks_mut(other) {
                    rename_calls(inner, renamed);
                }
            }
        }
    }
}
