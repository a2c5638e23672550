//! Copies of statements with new expressions.

use std::collections::HashMap;

use naga::{Arena, Block, Expression, Handle, Range, Span, Statement};

use tarsus_shader::ir::{inner_blocks_mut, operands_mut, statement_operands_mut};

/// Copies statements of a function. Expressions that the statements evaluate are copied
/// too, and later copies refer to the new expressions.
pub(super) struct Copier<'a> {
    expressions: &'a mut Arena<Expression>,
    copies: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(expressions: &'a mut Arena<Expression>) -> Self {
        Self { expressions, copies: HashMap::new() }
    }

    pub(super) fn block(&mut self, block: &Block) -> Block {
        let statements = block.iter().map(|statement| self.statement(statement));
        Block::from_vec(statements.collect())
    }

    /// Copies a statement whose only result, if any, is that of a call.
    pub(super) fn statement(&mut self, statement: &Statement) -> Statement {
        let mut copy = statement.clone();
        for inner in inner_blocks_mut(&mut copy) {
            *inner = self.block(inner);
        }
        for operand in statement_operands_mut(&mut copy) {
            *operand = self.copies.get(operand).copied().unwrap_or(*operand);
        }
        match &mut copy {
            Statement::Emit(range) => *range = self.emitted(range.clone()),
            Statement::Call { function, result: Some(result), .. } => {
                *result = self.add(*result, Expression::CallResult(*function));
            }
            _ => {}
        }
        copy
    }

    /// Copies consecutive expressions.
    fn emitted(&mut self, range: Range<Expression>) -> Range<Expression> {
        let first = self.expressions.len() as u32;
        for old in range {
            let mut copy = self.expressions[old].clone();
            for operand in operands_mut(&mut copy).into_iter().flatten() {
                *operand = self.copies.get(operand).copied().unwrap_or(*operand);
            }
            self.add(old, copy);
        }
        Range::from_index_range(first..self.expressions.len() as u32, self.expressions)
    }

    fn add(&mut self, old: Handle<Expression>, copy: Expression) -> Handle<Expression> {
        let new = self.expressions.append(copy, Span::UNDEFINED);
        self.copies.insert(old, new);
        new
    }
}
