//! Restores `&&` and `||`. The WGSL front end lowers `a && b` to
//!
//! ```text
//! var t: bool;
//! if a { t = b; } else { t = false; }
//! ```
//!
//! and reads `t` once. This pass replaces that read with the operator.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Statement,
    UnaryOperator,
};
use tarsus_shader::ir::inner_blocks_mut;

/// Returns a copy of `function` with `&&` and `||` restored, keeping expression handles.
/// Calls of impure functions stay where they are.
pub(super) fn restored(function: &Function, is_pure: IsPure<'_>) -> Function {
    let mut function = function.clone();
    let body = std::mem::take(&mut function.body);
    function.body = restored_block(&mut function, body, is_pure);
    function
}

/// True for functions without side effects.
pub(super) type IsPure<'a> = &'a dyn Fn(Handle<Function>) -> bool;

fn restored_block(function: &mut Function, block: Block, is_pure: IsPure<'_>) -> Block {
    let mut kept = Block::new();
    for (mut statement, span) in block.span_into_iter() {
        for inner in inner_blocks_mut(&mut statement) {
            *inner = restored_block(function, std::mem::take(inner), is_pure);
        }
        match operator(function, &statement, is_pure) {
            Some(before) => {
                for (statement, span) in before.span_into_iter() {
                    kept.push(statement, span);
                }
            }
            None => kept.push(statement, span),
        }
    }
    kept
}

/// Turns `statement` into an operator if it is a lowered one. Returns the statements that
/// evaluate its right operand.
fn operator(function: &mut Function, statement: &Statement, is_pure: IsPure<'_>) -> Option<Block> {
    let Statement::If {
        condition,
        accept,
        reject,
    } = statement
    else {
        return None;
    };
    let (last, before) = accept.split_last()?;
    let [alternative] = &reject[..] else {
        return None;
    };
    let (local, right) = stored(function, last)?;
    let (same, shortcut) = stored(function, alternative)?;
    let Expression::Literal(Literal::Bool(shortcut)) = function.expressions[shortcut] else {
        return None;
    };
    let only_values = before.iter().all(|statement| match statement {
        Statement::Emit(_) => true,
        Statement::Call { function, .. } => is_pure(*function),
        _ => false,
    });
    if local != same || !only_values {
        return None;
    }
    let (op, left) = match (shortcut, &function.expressions[*condition]) {
        (false, _) => (BinaryOperator::LogicalAnd, *condition),
        (
            true,
            &Expression::Unary {
                op: UnaryOperator::LogicalNot,
                expr,
            },
        ) => (BinaryOperator::LogicalOr, expr),
        _ => return None,
    };
    let reading = reading(function, local)?;
    function.expressions[reading] = Expression::Binary { op, left, right };
    let mut before = accept.clone();
    before.cull(accept.len() - 1..);
    Some(before)
}

/// The unnamed `bool` variable a statement stores to, and the stored value.
fn stored(
    function: &Function,
    statement: &Statement,
) -> Option<(Handle<LocalVariable>, Handle<Expression>)> {
    let Statement::Store { pointer, value } = *statement else {
        return None;
    };
    let Expression::LocalVariable(local) = function.expressions[pointer] else {
        return None;
    };
    let variable = &function.local_variables[local];
    (variable.name.is_none() && variable.init.is_none()).then_some((local, value))
}

/// The only expression that loads `local`.
fn reading(function: &Function, local: Handle<LocalVariable>) -> Option<Handle<Expression>> {
    let is_it = |pointer: Handle<Expression>| matches!(function.expressions[pointer], Expression::LocalVariable(found) if found == local);
    let mut readings = function.expressions.iter().filter_map(|(handle, found)| {
        let Expression::Load { pointer } = *found else {
            return None;
        };
        is_it(pointer).then_some(handle)
    });
    let first = readings.next()?;
    readings.next().is_none().then_some(first)
}
