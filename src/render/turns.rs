//! Several turns of a short loop in one.
//!
//! What wgpu makes of a loop counts its turns, so that none runs for ever: about a dozen
//! instructions a turn, in loops of a few as much as the loop itself. So a short loop has
//! several turns written one behind the other, of which only one is counted. What is
//! computed stays the same, and in the same order.

mod copy;
mod cost;
#[cfg(test)]
mod tests;

use naga::{Block, Expression, Function, Handle, Module, Span, Statement};

use crate::shader::{inner_blocks, inner_blocks_mut};
use copy::Copier;
use cost::Costs;

/// Cost of one turn up to which a loop does so many turns in one.
const TURNS: [(u32, u32); 2] = [(48, 4), (160, 2)];

/// Cost that all functions of a module may gain: what compiling may take longer.
const MOST_GAINED: u32 = 20_000;

/// Writes several turns of the short loops of `module` one behind the other.
pub(super) fn write_several(module: &mut Module) {
    let mut costs = Costs::default();
    let mut left = MOST_GAINED;
    // Functions stand before those that call them.
    for (_, function) in module.functions.iter_mut() {
        in_function(function, &costs, &mut left);
        costs.add(function);
    }
    for point in &mut module.entry_points {
        in_function(&mut point.function, &costs, &mut left);
    }
}

fn in_function(function: &mut Function, costs: &Costs, left: &mut u32) {
    let mut body = std::mem::take(&mut function.body);
    in_block(&mut body, function, costs, left);
    function.body = body;
}

/// The same in a block of `function`, whose body is not with it.
fn in_block(block: &mut Block, function: &mut Function, costs: &Costs, left: &mut u32) {
    for statement in block.iter_mut() {
        for inner in inner_blocks_mut(statement) {
            in_block(inner, function, costs, left);
        }
        if let Statement::Loop {
            body,
            continuing,
            break_if,
        } = statement
        {
            end_plainly(body);
            let Some(turns) = turns(body, continuing, function, costs, left) else {
                continue;
            };
            if let Some(several) = several(body, continuing, *break_if, turns, function) {
                *statement = several;
            }
        }
    }
}

/// How many turns of a loop one may be, taken from what is left.
fn turns(
    body: &Block,
    continuing: &Block,
    function: &Function,
    costs: &Costs,
    left: &mut u32,
) -> Option<u32> {
    if continues(body) || ends(body) {
        return None;
    }
    let cost = costs.of_block(function, body)?;
    let cost = cost.checked_add(costs.of_block(function, continuing)?)?;
    let (_, turns) = *TURNS.iter().find(|(most, _)| cost <= *most)?;
    *left = left.checked_sub(cost * (turns - 1))?;
    Some(turns)
}

/// A loop that does so many turns in one, or `None` if a statement cannot be copied.
fn several(
    body: &Block,
    continuing: &Block,
    break_if: Option<Handle<Expression>>,
    turns: u32,
    function: &mut Function,
) -> Option<Statement> {
    let (mut all, mut last, mut leaves) = (body.clone(), continuing.clone(), break_if);
    for _ in 1..turns {
        append(&mut all, last);
        if let Some(condition) = leaves {
            let leave = Statement::If {
                condition,
                accept: Block::from_vec(vec![Statement::Break]),
                reject: Block::new(),
            };
            all.push(leave, Span::UNDEFINED);
        }
        let mut copier = Copier::new(&mut function.expressions);
        append(&mut all, copier.block(body)?);
        last = copier.block(continuing)?;
        leaves = break_if.map(|condition| copier.new_of(condition));
    }
    Some(Statement::Loop {
        body: all,
        continuing: last,
        break_if: leaves,
    })
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

/// True if nothing may follow the block.
fn ends(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Break | Statement::Return { .. } | Statement::Kill) => true,
        Some(Statement::Block(inner)) => ends(inner),
        _ => false,
    }
}
