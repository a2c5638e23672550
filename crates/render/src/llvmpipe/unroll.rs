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
mod trip_count;

use naga::{Block, Expression, Function, Handle, Module, Span, Statement};

use copy::Copier;
use cost::Costs;
use tarsus_shader::ir::{inner_blocks, inner_blocks_mut};
use trip_count::{Constants, Counting};

/// Maximum cost of all iterations of a fully unrolled loop.
const MAX_FULL_COST: u32 = 1280;

/// Factors of partial unrolling, each with the maximum cost of one iteration.
const PARTIAL_UNROLL_FACTORS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Maximum cost added to a module, which limits compile time.
const MAX_ADDED_COST: u32 = 20_000;

/// Unrolls the short loops of `module`.
pub(super) fn unroll_loops(module: &mut Module) {
    let mut unroller = LoopUnroller {
        constants: Constants {
            constants: &module.constants,
            initializers: &module.global_expressions,
        },
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
    constants: Constants<'a>,
    /// Costs of the preceding functions.
    costs: Costs,
    /// Cost that may still be added.
    budget: u32,
}

/// A loop without `continue`. Its body can fall through to its continuing block.
struct Loop<'a> {
    body: &'a Block,
    continuing: &'a Block,
    break_if: Option<Handle<Expression>>,
}

impl LoopUnroller<'_> {
    fn function(&mut self, function: &mut Function) {
        let mut body = std::mem::take(&mut function.body);
        self.block(&mut body, function);
        function.body = body;
    }

    /// Unrolls the loops in a block of `function`, whose body has been taken out.
    fn block(&mut self, block: &mut Block, function: &mut Function) {
        let mut unrolled = Block::with_capacity(block.len());
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            for inner in inner_blocks_mut(&mut statement) {
                self.block(inner, function);
            }
            match self.unroll(&mut statement, function, &unrolled) {
                Some(iterations) => unrolled.extend_block(iterations),
                None => unrolled.push(statement, span),
            }
        }
        *block = unrolled;
    }

    /// Replacement of `statement`, which follows `before`, if it is a short loop.
    fn unroll(
        &mut self,
        statement: &mut Statement,
        function: &mut Function,
        before: &Block,
    ) -> Option<Block> {
        let Statement::Loop {
            body,
            continuing,
            break_if,
        } = statement
        else {
            return None;
        };
        remove_trailing_continue(body);
        if continues(body) || diverges(body) {
            return None;
        }
        let cost = self.costs.block(function, body)?;
        let cost = cost.checked_add(self.costs.block(function, continuing)?)?;
        let source = Loop {
            body,
            continuing,
            break_if: *break_if,
        };
        self.unroll_fully(&source, cost, function, before)
            .or_else(|| self.unroll_partially(&source, cost, function))
    }

    /// All iterations of a loop with a known trip count.
    fn unroll_fully(
        &mut self,
        source: &Loop<'_>,
        cost: u32,
        function: &mut Function,
        before: &Block,
    ) -> Option<Block> {
        if source.break_if.is_some() {
            return None;
        }
        let counting = Counting {
            function,
            constants: &self.constants,
            before,
            body: source.body,
            continuing: source.continuing,
        };
        let trip = counting.trip_count()?;
        // A loop that never runs stays: a call's result may not exist without its call.
        if trip.iterations == 0 {
            return None;
        }
        let cost = cost.checked_mul(trip.iterations)?;
        if cost > MAX_FULL_COST {
            return None;
        }
        self.budget = self.budget.checked_sub(cost)?;
        let body = without_exit_test(source.body, trip.exit_test);
        let iteration = Loop {
            body: &body,
            ..*source
        };
        let mut all = iteration.repeat(trip.iterations, function);
        all.body.extend_block(all.continuing);
        if !breaks(&all.body) {
            return Some(all.body);
        }
        all.body.push(Statement::Break, Span::UNDEFINED);
        all.continuing = Block::new();
        Some(all.into_block())
    }

    /// The loop with several iterations per pass through its body.
    fn unroll_partially(
        &mut self,
        source: &Loop<'_>,
        cost: u32,
        function: &mut Function,
    ) -> Option<Block> {
        let mut factors = PARTIAL_UNROLL_FACTORS.iter();
        let (_, factor) = *factors.find(|(max_cost, _)| cost <= *max_cost)?;
        self.budget = self.budget.checked_sub(cost * (factor - 1))?;
        Some(source.repeat(factor, function).into_block())
    }
}

/// Consecutive iterations of a loop.
struct Iterations {
    /// All but the last continuing block.
    body: Block,
    continuing: Block,
    break_if: Option<Handle<Expression>>,
}

impl Iterations {
    /// A loop with these iterations as its body.
    fn into_block(self) -> Block {
        Block::from_vec(vec![Statement::Loop {
            body: self.body,
            continuing: self.continuing,
            break_if: self.break_if,
        }])
    }
}

impl Loop<'_> {
    /// `count` consecutive iterations. The first uses the existing expressions of
    /// `function`, the others use copies.
    fn repeat(&self, count: u32, function: &mut Function) -> Iterations {
        let mut all = Iterations {
            body: self.body.clone(),
            continuing: self.continuing.clone(),
            break_if: self.break_if,
        };
        for _ in 1..count {
            all.body.extend_block(all.continuing);
            if let Some(condition) = all.break_if {
                let exit = Statement::If {
                    condition,
                    accept: Block::from_vec(vec![Statement::Break]),
                    reject: Block::new(),
                };
                all.body.push(exit, Span::UNDEFINED);
            }
            let mut copier = Copier::new(&mut function.expressions);
            all.body.extend_block(copier.block(self.body));
            all.continuing = copier.block(self.continuing);
            all.break_if = self.break_if.map(|condition| copier.mapped(condition));
        }
        all
    }
}

/// `body` with its exit test, the statement at index `exit_test`, replaced by the branch
/// that stays in the loop.
fn without_exit_test(body: &Block, exit_test: usize) -> Block {
    let mut rest = body.clone();
    if let Statement::If { accept, .. } = &body[exit_test] {
        rest.splice(exit_test..=exit_test, accept.clone());
    }
    rest
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

/// True if a loop body contains a `break` for that loop.
fn breaks(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Break => true,
        Statement::Loop { .. } | Statement::Switch { .. } => false,
        other => inner_blocks(other).into_iter().any(breaks),
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
