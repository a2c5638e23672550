//! Loop unrolling.
//!
//! Two or four iterations of a short loop share one test of the counter that
//! [`bound_loops`](crate::loops::bound_loops) adds. A loop that counts to a constant is only
//! unrolled if that factor divides its number of iterations; the others are left to the
//! driver. The results and the order of operations stay the same: loops that add fractions to
//! a variable are left as they are, because the driver sums up the constants of consecutive
//! iterations and rounds them differently.

#[cfg(test)]
mod tests;

use naga::{BinaryOperator, Block, Expression, Function, Handle, Literal, Module, Span, Statement};

use super::cost::Costs;
use crate::copy::Copier;
use crate::loops::{CountedLoop, edit_loops};
use tarsus_shader::ir::{continues, loaded_local, statements, stored_local};

/// Factors of unrolling, each with the maximum cost of one iteration.
const UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Unrolls the short loops of `module`.
pub(super) fn unroll_loops(module: &mut Module) {
    let costs = Costs::of(module);
    let constants = module.constants.iter();
    let fractions = constants.map(|(_, constant)| {
        matches!(module.global_expressions[constant.init], Expression::Literal(value) if is_fraction(value))
    });
    let fractions: Vec<bool> = fractions.collect();
    let mut budget = MAX_ADDED_COST;
    edit_loops(module, |statement, function, counted| {
        if !sums_fractions(statement, function, &fractions)
            && let Some((factor, added)) = factor(statement, function, counted, &costs)
            && let Some(rest) = budget.checked_sub(added)
        {
            budget = rest;
            *statement = repeat(statement, factor, function);
        }
    });
}

/// True if a loop adds a constant that is not an integer to a variable. `fractions` tells
/// which constants of the module are not.
fn sums_fractions(source: &Statement, function: &Function, fractions: &[bool]) -> bool {
    statements(std::slice::from_ref(source)).any(|statement| {
        let Some((local, value)) = stored_local(function, statement) else { return false };
        let (left, right) = match function.expressions[value] {
            Expression::Binary { op: BinaryOperator::Add, left, right } => (left, right),
            Expression::Binary { op: BinaryOperator::Subtract, left, right } => (left, right),
            _ => return false,
        };
        let adds = |to, step| {
            loaded_local(function, to) == Some(local) && has_fraction(function, step, fractions)
        };
        adds(left, right) || adds(right, left)
    })
}

/// True for a constant, or a vector of constants, of which one is not an integer.
fn has_fraction(function: &Function, value: Handle<Expression>, fractions: &[bool]) -> bool {
    match function.expressions[value] {
        Expression::Literal(literal) => is_fraction(literal),
        Expression::Constant(constant) => fractions[constant.index()],
        Expression::Splat { value, .. } => has_fraction(function, value, fractions),
        Expression::Compose { ref components, .. } => {
            components.iter().any(|component| has_fraction(function, *component, fractions))
        }
        _ => false,
    }
}

fn is_fraction(literal: Literal) -> bool {
    matches!(literal, Literal::F32(value) if value.fract() != 0.0)
}

/// Factor by which a short loop is unrolled, and the cost that this adds. Drops a `continue` at
/// the end of the loop's body.
fn factor(
    source: &mut Statement,
    function: &Function,
    counted: Option<CountedLoop>,
    costs: &Costs,
) -> Option<(u32, u32)> {
    let Statement::Loop { body, continuing, .. } = source else {
        return None;
    };
    remove_trailing_continue(body);
    if continues(body) || diverges(body) {
        return None;
    }
    let cost = costs.block(function, body)?.checked_add(costs.block(function, continuing)?)?;
    let divides = |factor: u32| match counted {
        Some(counted) => counted.iterations.is_some_and(|count| count.is_multiple_of(factor)),
        None => true,
    };
    let mut factors = UNROLL_FACTORS.iter();
    let (_, factor) = *factors.find(|(max_cost, factor)| cost <= *max_cost && divides(*factor))?;
    Some((factor, cost * (factor - 1)))
}

/// A loop with `count` iterations of `source` per pass through its body. The first uses the
/// existing expressions of `function`, the others use copies.
fn repeat(source: &Statement, count: u32, function: &mut Function) -> Statement {
    let mut all = source.clone();
    for _ in 1..count {
        let mut copy = Copier::new(&mut function.expressions).statement(source);
        if let Statement::Loop { body, continuing, break_if } = &mut all
            && let Statement::Loop { body: next, continuing: then, break_if: exit } = &mut copy
        {
            body.extend_block(std::mem::replace(continuing, std::mem::take(then)));
            if let Some(condition) = std::mem::replace(break_if, *exit) {
                let exit = Statement::If {
                    condition,
                    accept: Block::from_vec(vec![Statement::Break]),
                    reject: Block::new(),
                };
                body.push(exit, Span::UNDEFINED);
            }
            body.extend_block(std::mem::take(next));
        }
    }
    all
}

/// Removes `continue` where the body of a loop ends with it.
pub(super) fn remove_trailing_continue(body: &mut Block) {
    match body.last_mut() {
        Some(Statement::Continue) => body.cull(body.len() - 1..),
        Some(Statement::If { accept, reject, .. }) => {
            remove_trailing_continue(accept);
            remove_trailing_continue(reject);
        }
        Some(Statement::Block(inner)) => remove_trailing_continue(inner),
        _ => {}
    }
}

/// True if control never reaches the end of `block`, so that nothing may follow it.
pub(super) fn diverges(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => diverges(inner),
        _ => false,
    }
}
