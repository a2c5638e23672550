//! What statements cost.

use naga::{Block, Expression, Function, Handle, MathFunction, Statement};

/// What functions without loops cost, by the number of their handle.
#[derive(Default)]
pub(super) struct Costs(Vec<Option<u32>>);

impl Costs {
    /// Adds the next function, which calls none but those before it.
    pub(super) fn add(&mut self, function: &Function) {
        self.0.push(self.of_block(function, &function.body));
    }

    /// About how many instructions a block of `function` is for each pixel, or `None` if
    /// it has a loop or they are too many to count.
    pub(super) fn of_block(&self, function: &Function, block: &Block) -> Option<u32> {
        sum(block
            .iter()
            .map(|statement| self.of_statement(function, statement)))
    }

    fn of_statement(&self, function: &Function, statement: &Statement) -> Option<u32> {
        let of_block = |block| self.of_block(function, block);
        match statement {
            Statement::Emit(range) => {
                let expressions = range.clone();
                sum(expressions.map(|handle| Some(of(function, handle))))
            }
            Statement::Block(block) => of_block(block),
            Statement::If { accept, reject, .. } => {
                sum([Some(4), of_block(accept), of_block(reject)])
            }
            Statement::Switch { cases, .. } => sum(cases
                .iter()
                .map(|case| sum([Some(4), of_block(&case.body)]))),
            Statement::Loop { .. } => None,
            Statement::Call { function, .. } => *self.0.get(function.index())?,
            _ => Some(1),
        }
    }
}

fn sum(costs: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    let mut costs = costs.into_iter();
    costs.try_fold(0u32, |sum, cost| sum.checked_add(cost?))
}

fn of(function: &Function, handle: Handle<Expression>) -> u32 {
    match &function.expressions[handle] {
        Expression::Binary { .. }
        | Expression::Unary { .. }
        | Expression::Select { .. }
        | Expression::Relational { .. }
        | Expression::As { .. } => 2,
        Expression::Math { fun, .. } => match fun {
            MathFunction::Abs
            | MathFunction::Min
            | MathFunction::Max
            | MathFunction::Clamp
            | MathFunction::Saturate
            | MathFunction::Floor
            | MathFunction::Ceil
            | MathFunction::Fract
            | MathFunction::Trunc
            | MathFunction::Sign
            | MathFunction::Step
            | MathFunction::Sqrt
            | MathFunction::InverseSqrt
            | MathFunction::Fma
            | MathFunction::Mix
            | MathFunction::Dot => 4,
            MathFunction::Cross | MathFunction::Length | MathFunction::Distance => 8,
            _ => 24,
        },
        Expression::Derivative { .. } | Expression::Access { .. } => 4,
        Expression::ImageLoad { .. } | Expression::ImageSample { .. } => 100,
        _ => 0,
    }
}
