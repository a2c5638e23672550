//! Loop unrolling and rotation.
//!
//! Two or four iterations of a short loop share one test of the counter that
//! [`bound_loops`](crate::loops::bound_loops) adds. A loop that counts to a constant is only
//! unrolled if that factor divides its number of iterations; the others are left to the
//! driver. The order of operations stays the same, but the driver combines the constants of
//! consecutive iterations, which changes last bits. Loops that add fractions to a variable are
//! therefore left as they are: the whole part of such a sum is often used.
//!
//! llvmpipe does not branch out of the middle of an iteration: after the test that ends a loop,
//! it runs the rest of the body once more for no pixel. Here a loop that the driver does not unroll
//! tests at the end of its body too, which leaves at once. Its continuing block, which the driver
//! moves to the start of the next iteration, becomes part of the body. The results stay the same.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, Handle, Literal, Module, Span, Statement,
};

use super::cost::Costs;
use crate::copy::Copier;
use crate::loops::{CountedLoop, edit_statements};
use tarsus_shader::ir::{
    Variable, continues, loaded_variable, root_variable, statements, stored_local,
};

/// Factors of unrolling, each with the maximum cost of one iteration.
const UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module by unrolling, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Maximum cost of a test that is worth repeating.
const MAX_TEST_COST: u32 = 64;

/// Iterations and total cost up to which the driver unrolls a loop that counts to a constant
/// (Mesa 22.3: 32 iterations, 832 instructions).
const DRIVER_ITERATIONS: u32 = 32;
const DRIVER_COST: u32 = 832;

/// Unrolls the short loops of `module`, and rotates all that the driver does not unroll.
pub(super) fn unroll_and_rotate_loops(module: &mut Module) {
    let costs = Costs::of(module);
    let mut budget = MAX_ADDED_COST;
    edit_statements(module, |statement, function, module| {
        let counted = CountedLoop::of(statement, function, module);
        let Statement::Loop { body, continuing, .. } = statement else { return };
        remove_trailing_continue(body);
        if continues(body) || diverges(body) {
            return;
        }
        let cost = costs.block(function, body);
        let whole = cost.zip(costs.block(function, continuing)).map(|(a, b)| a.saturating_add(b));
        if let Some(cost) = whole
            && let Some(factor) = factor(cost, counted)
            && let Some(rest) = budget.checked_sub(cost * (factor - 1))
            && !sums_fractions(statement, function, module)
        {
            budget = rest;
            *statement = repeat(statement, factor, function);
        } else if is_unrolled_by_driver(cost, counted) {
            return;
        }
        rotate(statement, function);
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
        Expression::Literal(Literal::F32(value)) => value.fract() != 0.0,
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

/// Factor by which a loop is unrolled, by the cost of an iteration.
fn factor(cost: u32, counted: Option<CountedLoop>) -> Option<u32> {
    let divides = |factor: u32| match counted {
        Some(counted) => counted.iterations.is_some_and(|count| count.is_multiple_of(factor)),
        None => true,
    };
    let mut factors = UNROLL_FACTORS.into_iter();
    let (_, factor) = factors.find(|(max_cost, factor)| cost <= *max_cost && divides(*factor))?;
    Some(factor)
}

/// True if the driver unrolls a loop whose body has this cost.
fn is_unrolled_by_driver(cost: Option<u32>, counted: Option<CountedLoop>) -> bool {
    let iterations = counted.and_then(|counted| counted.iterations);
    iterations.zip(cost).is_some_and(|(iterations, cost)| {
        iterations <= DRIVER_ITERATIONS && iterations.saturating_mul(cost) <= DRIVER_COST
    })
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
                push_exit(body, condition);
            }
            body.extend_block(std::mem::take(next));
        }
    }
    all
}

/// Moves the test of a loop to its end.
fn rotate(statement: &mut Statement, function: &mut Function) {
    let Statement::Loop { body, continuing, break_if } = statement else {
        return;
    };
    let test = first_test(body, function);
    body.extend_block(std::mem::take(continuing));
    if let Some(condition) = break_if.take() {
        push_exit(body, condition);
    } else if let Some(test) = test {
        body.extend_block(Copier::new(&mut function.expressions).block(&test));
    }
}

/// The statements with which `body` begins and that may leave the loop, if they are short and
/// can be repeated without an effect.
fn first_test(body: &Block, function: &Function) -> Option<Block> {
    let breaks = |block: &Block| matches!(&block[..], [Statement::Break]);
    let at = body.iter().position(|statement| match statement {
        Statement::If { accept, reject, .. } => {
            breaks(accept) && reject.is_empty() || breaks(reject) && accept.is_empty()
        }
        _ => false,
    })?;
    let test = Block::from_vec(body[..=at].to_vec());
    // Without calls, whose costs would have to be known.
    let is_repeatable = is_repeatable(&test[..at], function, &mut BTreeSet::new());
    (is_repeatable && Costs::default().block(function, &test)? <= MAX_TEST_COST).then_some(test)
}

/// True if running `block` twice has the effect of running it once: it changes only local
/// variables, and none after reading it. `loaded` are the variables that were read so far.
fn is_repeatable(
    block: &[Statement],
    function: &Function,
    loaded: &mut BTreeSet<Variable>,
) -> bool {
    block.iter().all(|statement| match statement {
        Statement::Emit(range) => {
            loaded.extend(range.clone().filter_map(|value| loaded_variable(function, value)));
            true
        }
        Statement::Store { .. } => stored_local(function, statement)
            .is_some_and(|(local, _)| !loaded.contains(&Variable::Local(local))),
        Statement::Block(inner) => is_repeatable(inner, function, loaded),
        Statement::If { accept, reject, .. } => {
            is_repeatable(accept, function, loaded) && is_repeatable(reject, function, loaded)
        }
        _ => false,
    })
}

/// Ends a body with a test that leaves its loop.
fn push_exit(body: &mut Block, condition: Handle<Expression>) {
    let accept = Block::from_vec(vec![Statement::Break]);
    body.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
}

/// Removes `continue` where the body of a loop ends with it.
fn remove_trailing_continue(body: &mut Block) {
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
fn diverges(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => diverges(inner),
        _ => false,
    }
}
