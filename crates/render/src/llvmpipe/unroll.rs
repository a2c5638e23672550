//! Loop unrolling.
//!
//! Two or four iterations of a short loop share one test of the counter that
//! [`bound_loops`](crate::loops::bound_loops) adds. A loop that counts to a constant is only
//! unrolled if that factor divides its number of iterations; the others are left to the
//! driver. The results and the order of operations stay the same.

#[cfg(test)]
mod tests;

use naga::{Block, Function, Module, Span, Statement};

use super::cost::Costs;
use crate::copy::Copier;
use crate::loops::Constants;
use tarsus_shader::ir::{functions_mut, inner_blocks, inner_blocks_mut};

/// Factors of unrolling, each with the maximum cost of one iteration.
const UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Unrolls the short loops of `module`.
pub(super) fn unroll_loops(module: &mut Module) {
    let mut unroller = LoopUnroller {
        constants: Constants { constants: &module.constants, values: &module.global_expressions },
        costs: Costs::default(),
        budget: MAX_ADDED_COST,
    };
    // A function precedes its callers.
    for function in functions_mut(&mut module.functions, &mut module.entry_points) {
        unroller.function(function);
        unroller.costs.add(function);
    }
}

struct LoopUnroller<'a> {
    constants: Constants<'a>,
    /// Costs of the preceding functions.
    costs: Costs,
    /// Cost that may still be added.
    budget: u32,
}

impl LoopUnroller<'_> {
    fn function(&mut self, function: &mut Function) {
        let mut body = function.body.clone();
        self.block(&mut body, function);
        function.body = body;
    }

    /// Unrolls the loops in a block of `function`, whose body is still unchanged.
    fn block(&mut self, block: &mut Block, function: &mut Function) {
        for statement in block.iter_mut() {
            for inner in inner_blocks_mut(statement) {
                self.block(inner, function);
            }
            if let Some(unrolled) = self.unroll(statement, function) {
                *statement = unrolled;
            }
        }
    }

    /// Replacement of `source`, if it is a short loop.
    fn unroll(&mut self, source: &mut Statement, function: &mut Function) -> Option<Statement> {
        let counted = self.constants.counted(source, function);
        let Statement::Loop { body, continuing, .. } = source else {
            return None;
        };
        remove_trailing_continue(body);
        if continues(body) || diverges(body) {
            return None;
        }
        let cost = self.costs.block(function, body)?;
        let cost = cost.checked_add(self.costs.block(function, continuing)?)?;
        let divides = |factor: u32| match &counted {
            Some(counted) => counted.iterations.is_some_and(|count| count.is_multiple_of(factor)),
            None => true,
        };
        let mut factors = UNROLL_FACTORS.iter();
        let (_, factor) =
            *factors.find(|(max_cost, factor)| cost <= *max_cost && divides(*factor))?;
        self.budget = self.budget.checked_sub(cost * (factor - 1))?;
        Some(repeat(source, factor, function))
    }
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

/// True if a loop body contains a `continue` for that loop.
pub(super) fn continues(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}

/// True if control never reaches the end of `block`, so that nothing may follow it.
pub(super) fn diverges(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => diverges(inner),
        _ => false,
    }
}
