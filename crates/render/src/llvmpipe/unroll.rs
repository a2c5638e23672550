//! Turns of short loops, written one behind the other.
//!
//! What wgpu makes of a loop counts its turns, so that none runs for ever: about a dozen
//! instructions a turn, in loops of a few as much as the loop itself, and drivers cannot
//! see any more how often it turns. So a loop that turns a known number of times and does
//! little stands there as many times, and other loops of a few instructions do several
//! turns in one. What is computed stays the same, and in the same order.

mod copy;
mod cost;
mod count;
#[cfg(test)]
mod tests;

use naga::{Block, Expression, Function, Handle, Module, Span, Statement};

use copy::Copier;
use cost::Costs;
use count::Numbers;
use tarsus_shader::ir::{inner_blocks, inner_blocks_mut};

/// Cost of all turns of a loop that is written out whole.
const MOST_WHOLE: u32 = 1280;

/// Cost of one turn up to which another loop does so many turns in one.
const SEVERAL: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Cost that all functions of a module may gain: what compiling may take longer.
const MOST_GAINED: u32 = 20_000;

/// Writes turns of the short loops of `module` one behind the other.
pub(super) fn unroll_loops(module: &mut Module) {
    let mut writer = Writer {
        numbers: Numbers::of(module),
        costs: Costs::default(),
        left: MOST_GAINED,
    };
    // Functions stand before those that call them.
    for (_, function) in module.functions.iter_mut() {
        writer.function(function);
        writer.costs.add(function);
    }
    for point in &mut module.entry_points {
        writer.function(&mut point.function);
    }
}

struct Writer {
    numbers: Numbers,
    /// Of the functions before.
    costs: Costs,
    /// Cost that may be gained.
    left: u32,
}

/// A loop whose turns end where its body does, unless it is left.
struct Loop<'a> {
    body: &'a Block,
    continuing: &'a Block,
    break_if: Option<Handle<Expression>>,
    /// Of one turn.
    cost: u32,
}

impl Writer {
    fn function(&mut self, function: &mut Function) {
        let mut body = std::mem::take(&mut function.body);
        self.block(&mut body, function);
        function.body = body;
    }

    /// Writes out what is in a block of `function`, whose body is not with it.
    fn block(&mut self, block: &mut Block, function: &mut Function) {
        let mut written = Block::with_capacity(block.len());
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            for inner in inner_blocks_mut(&mut statement) {
                self.block(inner, function);
            }
            match self.turns(&mut statement, function, &written) {
                Some(turns) => append(&mut written, turns),
                None => written.push(statement, span),
            }
        }
        *block = written;
    }

    /// What stands in place of a loop behind `before`, if it is a short one.
    fn turns(
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
        end_plainly(body);
        if continues(body) || ends(body) {
            return None;
        }
        let cost = self.costs.of_block(function, body)?;
        let turn = Loop {
            body,
            continuing,
            break_if: *break_if,
            cost: cost.checked_add(self.costs.of_block(function, continuing)?)?,
        };
        self.whole(&turn, function, before)
            .or_else(|| self.several(&turn, function))
    }

    /// All turns of a loop that counts from a number to another.
    fn whole(&mut self, turn: &Loop<'_>, function: &mut Function, before: &Block) -> Option<Block> {
        if turn.break_if.is_some() {
            return None;
        }
        let parts = (turn.body, turn.continuing);
        let (turns, check) = count::count(function, &self.numbers, parts, before)?;
        // What a call gives may not be left without its call.
        if turns == 0 {
            return None;
        }
        let gained = turn.cost.checked_mul(turns)?;
        if gained > MOST_WHOLE {
            return None;
        }
        self.left = self.left.checked_sub(gained)?;
        let body = without_check(turn.body, check);
        // Expressions of a copy that breaks off would be in nobody's statements.
        let mut expressions = function.expressions.clone();
        let mut all = Block::new();
        for number in 0..turns {
            // The first has the expressions that are there.
            if number == 0 {
                append(&mut all, body.clone());
                append(&mut all, turn.continuing.clone());
            } else {
                let mut copier = Copier::new(&mut expressions);
                append(&mut all, copier.block(&body)?);
                append(&mut all, copier.block(turn.continuing)?);
            }
        }
        function.expressions = expressions;
        if !breaks(&all) {
            return Some(all);
        }
        all.push(Statement::Break, Span::UNDEFINED);
        Some(Block::from_vec(vec![Statement::Loop {
            body: all,
            continuing: Block::new(),
            break_if: None,
        }]))
    }

    /// A loop that does several turns in one.
    fn several(&mut self, turn: &Loop<'_>, function: &mut Function) -> Option<Block> {
        let (_, turns) = *SEVERAL.iter().find(|(most, _)| turn.cost <= *most)?;
        self.left = self.left.checked_sub(turn.cost * (turns - 1))?;
        let mut expressions = function.expressions.clone();
        let (mut all, mut last) = (turn.body.clone(), turn.continuing.clone());
        let mut break_if = turn.break_if;
        for _ in 1..turns {
            append(&mut all, last);
            if let Some(condition) = break_if {
                let leave = Statement::If {
                    condition,
                    accept: Block::from_vec(vec![Statement::Break]),
                    reject: Block::new(),
                };
                all.push(leave, Span::UNDEFINED);
            }
            let mut copier = Copier::new(&mut expressions);
            append(&mut all, copier.block(turn.body)?);
            last = copier.block(turn.continuing)?;
            break_if = turn.break_if.map(|condition| copier.new_of(condition));
        }
        function.expressions = expressions;
        Some(Block::from_vec(vec![Statement::Loop {
            body: all,
            continuing: last,
            break_if,
        }]))
    }
}

/// `body` with what its check, statement number `check`, does while the loop goes on.
fn without_check(body: &Block, check: usize) -> Block {
    let mut rest = Block::with_capacity(body.len());
    for (number, statement) in body.iter().enumerate() {
        match statement {
            Statement::If { accept, .. } if number == check => append(&mut rest, accept.clone()),
            other => rest.push(other.clone(), Span::UNDEFINED),
        }
    }
    rest
}

fn append(all: &mut Block, block: Block) {
    for (statement, span) in block.span_into_iter() {
        all.push(statement, span);
    }
}

/// Takes `continue` away where the body of a loop ends with it.
fn end_plainly(body: &mut Block) {
    match body.iter_mut().last() {
        Some(Statement::Continue) => body.cull(body.len() - 1..),
        Some(Statement::If { accept, reject, .. }) => {
            end_plainly(accept);
            end_plainly(reject);
        }
        Some(Statement::Block(inner)) => end_plainly(inner),
        _ => {}
    }
}

/// True if the body of a loop jumps to its next turn.
fn continues(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}

/// True if the body of a loop leaves it.
fn breaks(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Break => true,
        Statement::Loop { .. } | Statement::Switch { .. } => false,
        other => inner_blocks(other).into_iter().any(breaks),
    })
}

/// True if nothing may follow the block.
fn ends(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => ends(inner),
        _ => false,
    }
}
