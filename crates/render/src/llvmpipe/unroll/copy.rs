//! Copies of statements with new expressions.

use std::collections::HashMap;

use naga::{Arena, Block, Expression, Handle, Range, Span, Statement};

use tarsus_shader::ir::{inner_blocks_mut, operands_mut};

/// Copies statements of a function. Expressions that the statements evaluate are copied
/// too, and later copies refer to the new expressions.
pub(super) struct Copier<'a> {
    expressions: &'a mut Arena<Expression>,
    copies: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(expressions: &'a mut Arena<Expression>) -> Self {
        Self {
            expressions,
            copies: HashMap::new(),
        }
    }

    /// The copy of an expression, or the expression itself if it has none.
    pub(super) fn mapped(&self, old: Handle<Expression>) -> Handle<Expression> {
        self.copies.get(&old).copied().unwrap_or(old)
    }

    pub(super) fn block(&mut self, block: &Block) -> Block {
        let statements = block.iter().map(|statement| self.statement(statement));
        Block::from_vec(statements.collect())
    }

    /// Copies one of the statements that have a cost.
    fn statement(&mut self, statement: &Statement) -> Statement {
        let mut copy = statement.clone();
        match &mut copy {
            Statement::Emit(range) => *range = self.emitted(range.clone()),
            Statement::If { condition: one, .. }
            | Statement::Switch { selector: one, .. }
            | Statement::Return { value: Some(one) } => *one = self.mapped(*one),
            Statement::Store { pointer, value } => {
                *pointer = self.mapped(*pointer);
                *value = self.mapped(*value);
            }
            Statement::Call {
                function,
                arguments,
                result,
            } => {
                for argument in arguments {
                    *argument = self.mapped(*argument);
                }
                if let Some(result) = result {
                    *result = self.add(*result, Expression::CallResult(*function));
                }
            }
            _ => {}
        }
        for inner in inner_blocks_mut(&mut copy) {
            *inner = self.block(inner);
        }
        copy
    }

    /// Copies consecutive expressions.
    fn emitted(&mut self, range: Range<Expression>) -> Range<Expression> {
        let first = self.expressions.len() as u32;
        for old in range {
            let mut copy = self.expressions[old].clone();
            for operand in operands_mut(&mut copy).into_iter().flatten() {
                *operand = self.mapped(*operand);
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
