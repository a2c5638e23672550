//! Loop unrolling.
//!
//! Two or four iterations of a short loop share one test of the counter that
//! [`bound_loops`](crate::loops::bound_loops) adds. A loop that counts to a constant is only
//! unrolled if that factor divides its number of iterations; the others are left to the
//! driver. The order of operations stays the same, but the driver combines the constants of
//! consecutive iterations, which changes last bits. Loops that add fractions to a variable are
//! therefore left as they are: the whole part of such a sum is often used.

#[cfg(test)]
mod tests;

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, Handle, Literal, Module, Span, Statement,
};

use super::cost::Costs;
use crate::copy::Copier;
use crate::loops::{CountedLoop, edit_statements};
use tarsus_shader::ir::{continues, loaded_variable, root_variable, statements};

/// Factors of unrolling, each with the maximum cost of one iteration.
const UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Unrolls the short loops of `module`.
pub(super) fn unroll_loops(module: &mut Module) {
    let costs = Costs::of(module);
    let mut budget = MAX_ADDED_COST;
    edit_statements(module, |statement, function, module| {
        let Statement::Loop { .. } = statement else { return };
        let counted = CountedLoop::of(statement, function, module);
        if !sums_fractions(statement, function, module)
            && let Some((factor, added)) = factor(statement, function, counted, &costs)
            && let Some(rest) = budget.checked_sub(added)
        {
            budget = rest;
            *statement = repeat(statement, factor, function);
        }
    });
}

/// True if a loop adds a constant that is not an integer to a variable or a part of one.
fn sums_fractions(source: &Statement, function: &Function, module: &Module) -> bool {
    statements(std::slice::from_ref(source)).any(|statement| {
        let Statement::Store { pointer, value } = *statement else { return false };
        let terms = terms(value, function);
        let stored = root_variable(function, pointer);
        stored.is_some()
            && terms.iter().any(|term| loaded_variable(function, *term) == stored)
            && terms.iter().any(|term| has_fraction(&function.expressions, *term, module))
    })
}

/// Terms of a sum or difference.
fn terms(value: Handle<Expression>, function: &Function) -> Vec<Handle<Expression>> {
    match function.expressions[value] {
        Expression::Binary { op: BinaryOperator::Add | BinaryOperator::Subtract, left, right } => {
            [terms(left, function), terms(right, function)].concat()
        }
        _ => vec![value],
    }
}

/// True for a constant, or a vector of constants, of which one is not an integer.
fn has_fraction(values: &Arena<Expression>, value: Handle<Expression>, module: &Module) -> bool {
    match values[value] {
        Expression::Literal(literal) => is_fraction(literal),
        Expression::Constant(constant) => {
            has_fraction(&module.global_expressions, module.constants[constant].init, module)
        }
        Expression::Splat { value, .. } => has_fraction(values, value, module),
        Expression::Compose { ref components, .. } => {
            components.iter().any(|component| has_fraction(values, *component, module))
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
