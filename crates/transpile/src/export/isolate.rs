//! Isolates a `per_frame` that runs inline: the scene gives it variables of its own, in which
//! every index begins with the initial values.

use std::collections::BTreeSet;

use naga::{
    AddressSpace, Arena, Block, Constant, Expression, Function, Handle, LocalVariable, Module,
    Range, Span, Statement,
};
use tarsus_shader::ir::{handles, rebuild_block};

use super::analysis::Analysis;

/// The module with a `per_frame` that initialises the variables that it uses and restores
/// those that the functions `passes` use too; `None` if its variables never change.
pub(super) fn isolated(
    analysis: &Analysis<'_>,
    per_frame: Handle<Function>,
    passes: &[Handle<Function>],
) -> Option<Module> {
    let mut module = analysis.module.clone();
    let functions = handles(&module.functions).into_iter();
    let changed: BTreeSet<_> = functions.flat_map(|function| analysis.writes(function)).collect();
    let is_kept = |global| {
        let mut used = passes.iter().flat_map(|&pass| analysis.globals(pass));
        used.any(|used| used == global)
    };
    let mut function = std::mem::take(&mut module.functions[per_frame]);
    let mut head = Block::new();
    let mut kept = Vec::new();
    let expressions = &mut function.expressions;
    for global in analysis.globals(per_frame).filter(|global| changed.contains(global)) {
        let variable = &module.global_variables[global];
        if variable.space != AddressSpace::Private {
            continue;
        }
        let (ty, init) = (variable.ty, variable.init);
        let pointer = expressions.append(Expression::GlobalVariable(global), Span::UNDEFINED);
        if is_kept(global) {
            let local = LocalVariable { name: Some("kept".to_owned()), ty, init: None };
            let local = function.local_variables.append(local, Span::UNDEFINED);
            let copy = expressions.append(Expression::LocalVariable(local), Span::UNDEFINED);
            push_copy(&mut head, expressions, pointer, copy);
            kept.push((copy, pointer));
        }
        let value = match init {
            None => Expression::ZeroValue(ty),
            Some(init) => {
                let constant = Constant { name: None, ty, init };
                Expression::Constant(module.constants.append(constant, Span::UNDEFINED))
            }
        };
        let value = expressions.append(value, Span::UNDEFINED);
        head.push(Statement::Store { pointer, value }, Span::UNDEFINED);
    }
    let is_changed = !head.is_empty();
    rebuild_block(&mut function.body, &mut |statement, span, block| {
        if matches!(statement, Statement::Return { .. }) {
            for &(copy, pointer) in &kept {
                push_copy(block, expressions, copy, pointer);
            }
        }
        block.push(statement, span);
    });
    head.append(&mut function.body);
    function.body = head;
    module.functions[per_frame] = function;
    is_changed.then_some(module)
}

/// Adds statements that copy a variable to another.
fn push_copy(
    block: &mut Block,
    expressions: &mut Arena<Expression>,
    from: Handle<Expression>,
    to: Handle<Expression>,
) {
    let value = expressions.append(Expression::Load { pointer: from }, Span::UNDEFINED);
    block.push(Statement::Emit(Range::new_from_bounds(value, value)), Span::UNDEFINED);
    block.push(Statement::Store { pointer: to, value }, Span::UNDEFINED);
}
