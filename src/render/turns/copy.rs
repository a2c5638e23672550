//! Statements once more, with expressions of their own.

use std::collections::HashMap;

use naga::{
    Arena, Block, Expression, Handle, ImageQuery, Range, SampleLevel, Span, Statement, SwitchCase,
};

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
            self.read_copies(&mut copy)?;
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

    /// Lets `expression` read copies of what it reads, unless it is of a rare kind.
    fn read_copies(&self, expression: &mut Expression) -> Option<()> {
        use Expression as E;
        let read = |handle: &mut Handle<Expression>| *handle = self.new_of(*handle);
        let read_all = |handles: &mut [&mut Option<Handle<Expression>>]| {
            let given = handles.iter_mut().filter_map(|handle| handle.as_mut());
            given.for_each(read);
        };
        match expression {
            E::Compose { components, .. } => components.iter_mut().for_each(read),
            E::Access { base, index } => [base, index].into_iter().for_each(read),
            E::AccessIndex { base: one, .. }
            | E::Splat { value: one, .. }
            | E::Swizzle { vector: one, .. }
            | E::Load { pointer: one }
            | E::Unary { expr: one, .. }
            | E::Derivative { expr: one, .. }
            | E::As { expr: one, .. }
            | E::Relational { argument: one, .. }
            | E::ArrayLength(one) => read(one),
            E::Binary { left, right, .. } => [left, right].into_iter().for_each(read),
            E::Select {
                condition,
                accept,
                reject,
            } => [condition, accept, reject].into_iter().for_each(read),
            E::Math {
                arg,
                arg1,
                arg2,
                arg3,
                ..
            } => {
                read(arg);
                read_all(&mut [arg1, arg2, arg3]);
            }
            E::ImageSample {
                image,
                sampler,
                coordinate,
                array_index,
                offset,
                level,
                depth_ref,
                ..
            } => {
                [image, sampler, coordinate].into_iter().for_each(read);
                read_all(&mut [array_index, offset, depth_ref]);
                match level {
                    SampleLevel::Auto | SampleLevel::Zero => {}
                    SampleLevel::Exact(level) | SampleLevel::Bias(level) => read(level),
                    SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(read),
                }
            }
            E::ImageLoad {
                image,
                coordinate,
                array_index,
                sample,
                level,
            } => {
                [image, coordinate].into_iter().for_each(read);
                read_all(&mut [array_index, sample, level]);
            }
            E::ImageQuery { image, query } => {
                read(image);
                if let ImageQuery::Size { level: Some(level) } = query {
                    read(level);
                }
            }
            // Expressions that nothing computes are never among those emitted.
            _ => return None,
        }
        Some(())
    }
}
