//! The blocks and calls inside of naga's statements, for all that walks through a function.

use naga::{Block, Function, Handle, Statement};

/// The blocks directly inside of a statement, in their order; those of a loop are its body
/// and what continues it.
#[must_use]
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

/// The same, to be changed.
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
