//! Restores `&&` and `||`. The WGSL front end lowers `a && b` to
//!
//! ```text
//! var t: bool;
//! if a { t = b; } else { t = false; }
//! ```
//!
//! and reads `t` once. This pass replaces that read with the operator.

use naga::{BinaryOperator, Block, Expression, Function, Literal, Statement, UnaryOperator};
use tarsus_shader::ir::{only_load, rebuild_block, stored_local};

use super::analysis::Analysis;

/// Returns a copy of `function` with `&&` and `||` restored, keeping expression handles.
/// Calls of impure functions stay where they are.
pub(super) fn restore_short_circuits(function: &Function, analysis: &Analysis<'_>) -> Function {
    let mut function = function.clone();
    let mut body = std::mem::take(&mut function.body);
    rebuild_block(&mut body, &mut |statement, span, block| match restore(
        &mut function,
        &statement,
        analysis,
    ) {
        Some(before) => block.extend_block(before),
        None => block.push(statement, span),
    });
    function.body = body;
    function
}

/// Turns `statement` into an operator if it is a lowered one. Returns the statements that
/// evaluate its right operand.
fn restore(
    function: &mut Function,
    statement: &Statement,
    analysis: &Analysis<'_>,
) -> Option<Block> {
    let Statement::If { condition, accept, reject } = statement else {
        return None;
    };
    let (last, before) = accept.split_last()?;
    let [alternative] = &reject[..] else {
        return None;
    };
    let (local, right) = stored_local(function, last)?;
    let (same, shortcut) = stored_local(function, alternative)?;
    let variable = &function.local_variables[local];
    let Expression::Literal(Literal::Bool(shortcut)) = function.expressions[shortcut] else {
        return None;
    };
    let only_values = before.iter().all(|statement| match statement {
        Statement::Emit(_) => true,
        Statement::Call { function, .. } => analysis.is_pure(*function),
        _ => false,
    });
    let is_unnamed = variable.name.is_none() && variable.init.is_none();
    if local != same || !is_unnamed || !only_values {
        return None;
    }
    let (op, left) = match function.expressions[*condition] {
        _ if !shortcut => (BinaryOperator::LogicalAnd, *condition),
        Expression::Unary { op: UnaryOperator::LogicalNot, expr } => {
            (BinaryOperator::LogicalOr, expr)
        }
        _ => return None,
    };
    let load = only_load(function, local)?;
    function.expressions[load] = Expression::Binary { op, left, right };
    let mut before = accept.clone();
    before.cull(accept.len() - 1..);
    Some(before)
}
