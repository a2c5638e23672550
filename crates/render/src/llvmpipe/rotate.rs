//! Loop rotation.
//!
//! llvmpipe does not branch out of the middle of an iteration: after the test that ends a loop,
//! it runs the rest of the body once more for no pixel. Here a loop tests at the end of its body
//! too, which leaves at once. Its continuing block, which the driver moves to the start of the
//! next iteration, becomes part of the body. The results stay the same.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use naga::{Block, Function, Module, Span, Statement};

use tarsus_shader::ir::{Variable, continues, loaded_variable, stored_local};

use super::cost::Costs;
use super::unroll::{diverges, remove_trailing_continue};
use crate::copy::Copier;
use crate::loops::edit_loops;

/// Maximum cost of a test that is worth repeating.
const MAX_TEST_COST: u32 = 64;

/// Iterations and total cost up to which the driver unrolls a loop that counts to a constant
/// (Mesa 22.3: 32 iterations, 832 instructions).
const DRIVER_ITERATIONS: u32 = 32;
const DRIVER_COST: u32 = 832;

/// Rotates the loops of `module` that the driver does not unroll.
pub(super) fn rotate_loops(module: &mut Module) {
    let costs = Costs::of(module);
    edit_loops(module, |statement, function, counted| {
        let Statement::Loop { body, .. } = statement else { return };
        let is_unrolled =
            counted.and_then(|counted| counted.iterations).is_some_and(|iterations| {
                let cost = costs.block(function, body).unwrap_or(u32::MAX);
                iterations <= DRIVER_ITERATIONS && iterations.saturating_mul(cost) <= DRIVER_COST
            });
        if !is_unrolled {
            rotate(statement, function);
        }
    });
}

fn rotate(statement: &mut Statement, function: &mut Function) {
    let Statement::Loop { body, continuing, break_if } = statement else {
        return;
    };
    remove_trailing_continue(body);
    if continues(body) || diverges(body) {
        return;
    }
    let test = first_test(body, function);
    body.extend_block(std::mem::take(continuing));
    if let Some(condition) = break_if.take() {
        let accept = Block::from_vec(vec![Statement::Break]);
        body.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
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
