//! Loop unrolling.
//!
//! wgpu adds an iteration counter to every loop so that none runs forever. The counter
//! costs about a dozen instructions per iteration, as much as the body of a short loop,
//! and hides the trip count from the driver. Short loops with a known trip count are
//! therefore unrolled fully and other short loops partially. The results and the order of
//! operations stay the same.

mod copy;
mod cost;
#[cfg(test)]
mod tests;

use naga::{
    Arena, BinaryOperator, Block, Constant, Expression as E, Function, Literal, Module, Span,
    Statement,
};

use copy::Copier;
use cost::Costs;
use tarsus_shader::ir::{inner_blocks, inner_blocks_mut};

/// Maximum trip count of a fully unrolled loop.
const MAX_ITERATIONS: u32 = 32;

/// Maximum cost of all iterations of a fully unrolled loop.
const MAX_FULL_COST: u32 = 1280;

/// Factors of partial unrolling, each with the maximum cost of one iteration.
const PARTIAL_UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Unrolls the short loops of `module`.
pub(super) fn unroll_loops(module: &mut Module) {
    let mut unroller = LoopUnroller {
        constants: &module.constants,
        initializers: &module.global_expressions,
        costs: Costs::default(),
        budget: MAX_ADDED_COST,
    };
    // A function precedes its callers.
    for (_, function) in module.functions.iter_mut() {
        unroller.function(function);
        unroller.costs.add(function);
    }
    for point in &mut module.entry_points {
        unroller.function(&mut point.function);
    }
}

struct LoopUnroller<'a> {
    constants: &'a Arena<Constant>,
    /// Values of constants.
    initializers: &'a Arena<E>,
    /// Costs of the preceding functions.
    costs: Costs,
    /// Cost that may still be added.
    budget: u32,
}

impl LoopUnroller<'_> {
    fn function(&mut self, function: &mut Function) {
        let mut body = std::mem::take(&mut function.body);
        self.block(&mut body, function);
        function.body = body;
    }

    /// Unrolls the loops in a block of `function`, whose body has been taken out.
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
        let Statement::Loop { body, continuing, break_if } = source else {
            return None;
        };
        remove_trailing_continue(body);
        if continues(body) || diverges(body) {
            return None;
        }
        let cost = self.costs.block(function, body)?;
        let cost = cost.checked_add(self.costs.block(function, continuing)?)?;
        let trip = self.suggested_trip_count(body, function);
        let trip = trip.filter(|(_, count)| {
            break_if.is_none() && cost.saturating_mul(*count) <= MAX_FULL_COST
        });
        let mut factors = PARTIAL_UNROLL_FACTORS.iter();
        let factor = match &trip {
            Some((_, count)) => *count,
            None => factors.find(|(max_cost, _)| cost <= *max_cost)?.1,
        };
        self.budget = self.budget.checked_sub(cost * (factor - 1))?;
        let mut unrolled = repeat(source, factor, function);
        if let (Some((tests, _)), Statement::Loop { body, continuing, .. }) = (trip, &mut unrolled)
        {
            // The driver removes the loop for the other iterations if it finds that there are
            // none.
            let mut copier = Copier::new(&mut function.expressions);
            body.extend_block(std::mem::take(continuing));
            body.extend_block(copier.block(&tests));
            body.push(copier.statement(source), Span::UNDEFINED);
            body.push(Statement::Break, Span::UNDEFINED);
        }
        Some(unrolled)
    }

    /// The exit test at the beginning of a loop's body, and the trip count if the loop counts
    /// from 0 in steps of 1.
    fn suggested_trip_count(&self, body: &Block, function: &Function) -> Option<(Block, u32)> {
        let is_emit = |statement: &&Statement| matches!(statement, Statement::Emit(_));
        let mut tests = body.iter().take_while(is_emit).cloned().collect::<Vec<_>>();
        let Statement::If { condition, reject, .. } = body.get(tests.len())? else {
            return None;
        };
        let E::Binary { op, right, .. } = function.expressions[*condition] else {
            return None;
        };
        let limit = match function.expressions[right] {
            E::Constant(constant) => &self.initializers[self.constants[constant].init],
            ref other => other,
        };
        let count = match *limit {
            E::Literal(Literal::I32(limit)) => u32::try_from(limit).ok()?,
            E::Literal(Literal::U32(limit)) => limit,
            _ => return None,
        };
        tests.push(Statement::If {
            condition: *condition,
            accept: Block::new(),
            reject: reject.clone(),
        });
        let is_exit = op == BinaryOperator::Less && matches!(&reject[..], [Statement::Break]);
        let is_short = is_exit && (1..=MAX_ITERATIONS).contains(&count);
        is_short.then(|| (Block::from_vec(tests), count))
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

/// True if a loop body contains a `continue` for that loop.
fn continues(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}

/// True if control never reaches the end of `block`, so that nothing may follow it.
fn diverges(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => diverges(inner),
        _ => false,
    }
}
