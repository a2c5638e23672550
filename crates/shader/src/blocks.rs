//! Traversal of the blocks and calls nested in naga statements.

use naga::{Block, Function, Handle, Statement};

/// The blocks directly inside of a statement, in their order; those of a loop are its body
/// and what continues it.
#[must_use]
/// Blocks directly inside a statement, in order. A loop has two: its body and its
/// continuing block.
pub fn inner_blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(inner) => vec![inner],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop {
            body, continuing, ..
        } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// Like [`inner_blocks`], but mutable.
pub fn inner_blocks_mut(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::Block(inner) => vec![inner],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop {
            body, continuing, ..
        } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// The function of every call in a block, as often as it stands there.
#[must_use]
/// Callee of every call in a block, including nested blocks, once per call.
pub fn calls(block: &Block) -> Vec<Handle<Function>> {
    let mut found = Vec::new();
    for statement in block {
        match statement {
            Statement::Call { function, .. } => found.push(*function),
            other => found.extend(inner_blocks(other).into_iter().flat_map(calls)),
        }
    }
    found
}
