//! Statements once more, with expressions of their own.

use std::collections::HashMap;

use naga::{Arena, Block, Expression, Handle, Range, Span, Statement, SwitchCase};

use tarsus_shader::ir::operands_mut;

/// Copies statements of a function. What a copy computes is a new expression, and
/// copies behind it read that.
pub(super) struct Copier<'a> {
    expressions: &'a mut Arena<Expression>,
    copied: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(expressions: &'a mut Arena<Expression>) -> Self {
        Self {
            expressions,
            copied: HashMap::new(),
        }
    }

    /// The copy of an expression, or itself if it has none.
    pub(super) fn new_of(&self, old: Handle<Expression>) -> Handle<Expression> {
        self.copied.get(&old).copied().unwrap_or(old)
    }

    /// A copy of `block`, or `None` if it has a statement that is not copied.
    pub(super) fn block(&mut self, block: &Block) -> Option<Block> {
        let mut copy = Block::with_capacity(block.len());
        for statement in block {
            copy.push(self.statement(statement)?, Span::UNDEFINED);
        }
        Some(copy)
    }

    fn statement(&mut self, statement: &Statement) -> Option<Statement> {
        Some(match statement {
            Statement::Emit(range) => Statement::Emit(self.emitted(range)?),
            Statement::Block(block) => Statement::Block(self.block(block)?),
            Statement::If {
                condition,
                accept,
                reject,
            } => Statement::If {
                condition: self.new_of(*condition),
                accept: self.block(accept)?,
                reject: self.block(reject)?,
            },
            Statement::Switch { selector, cases } => {
                let selector = self.new_of(*selector);
                let cases = cases.iter().map(|case| {
                    Some(SwitchCase {
                        value: case.value,
                        body: self.block(&case.body)?,
                        fall_through: case.fall_through,
                    })
                });
                Statement::Switch {
                    selector,
                    cases: cases.collect::<Option<_>>()?,
                }
            }
            Statement::Break => Statement::Break,
            Statement::Kill => Statement::Kill,
            Statement::Return { value } => Statement::Return {
                value: value.map(|value| self.new_of(value)),
            },
            Statement::Store { pointer, value } => Statement::Store {
                pointer: self.new_of(*pointer),
                value: self.new_of(*value),
            },
            Statement::Call {
                function,
                arguments,
                result,
            } => {
                let arguments = arguments.iter().map(|argument| self.new_of(*argument));
                let arguments = arguments.collect();
                Statement::Call {
                    function: *function,
                    arguments,
                    result: result
                        .map(|result| self.add(result, Expression::CallResult(*function))),
                }
            }
            _ => return None,
        })
    }

    /// Copies expressions that stand one behind the other.
    fn emitted(&mut self, range: &Range<Expression>) -> Option<Range<Expression>> {
        let mut ends = None;
        for old in range.clone() {
            let mut copy = self.expressions[old].clone();
            for operand in operands_mut(&mut copy)? {
                *operand = self.new_of(*operand);
            }
            let new = self.add(old, copy);
            ends = Some((ends.map_or(new, |(first, _)| first), new));
        }
        Some(ends.map_or_else(
            || range.clone(),
            |(first, last)| Range::new_from_bounds(first, last),
        ))
    }

    fn add(&mut self, old: Handle<Expression>, copy: Expression) -> Handle<Expression> {
        let new = self.expressions.append(copy, Span::UNDEFINED);
        self.copied.insert(old, new);
        new
    }
}
