//! Cost estimates of statements.

use naga::{Block, Expression, Function, MathFunction, Module, Statement};
use tarsus_shader::ir::inner_blocks;

/// Costs of functions, by the index of their handle. A function that contains a loop has
/// none.
#[derive(Default)]
pub(super) struct Costs(Vec<Option<u32>>);

impl Costs {
    /// Costs of all functions of `module`.
    pub(super) fn of(module: &Module) -> Self {
        let mut costs = Self::default();
        // A function precedes its callers.
        for (_, function) in module.functions.iter() {
            costs.0.push(costs.block(function, &function.body));
        }
        costs
    }

    /// Approximate number of instructions per pixel in a block of `function`. `None` if the
    /// block contains a loop or a statement that `Copier` does not copy.
    pub(super) fn block(&self, function: &Function, block: &Block) -> Option<u32> {
        let statements = block.iter();
        sum(statements.map(|statement| self.statement(function, statement)))
    }

    fn statement(&self, function: &Function, statement: &Statement) -> Option<u32> {
        match statement {
            Statement::Emit(range) => {
                let costs = range.clone().map(|at| cost(&function.expressions[at]));
                sum(costs.map(Some))
            }
            Statement::Block(_) | Statement::If { .. } | Statement::Switch { .. } => {
                let blocks = inner_blocks(statement).into_iter();
                let costs = blocks.map(|block| self.block(function, block));
                sum(costs.chain([Some(4)]))
            }
            Statement::Call { function, .. } => self.0[function.index()],
            Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Kill
            | Statement::Store { .. } => Some(1),
            _ => None,
        }
    }
}

fn sum(costs: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    let mut costs = costs.into_iter();
    costs.try_fold(0u32, |sum, cost| sum.checked_add(cost?))
}

fn cost(expression: &Expression) -> u32 {
    use MathFunction as M;
    match expression {
        Expression::Binary { .. }
        | Expression::Unary { .. }
        | Expression::Select { .. }
        | Expression::Relational { .. }
        | Expression::As { .. } => 2,
        Expression::Math { fun, .. } => match fun {
            M::Abs | M::Sign | M::Min | M::Max | M::Clamp | M::Saturate | M::Step => 4,
            M::Floor | M::Ceil | M::Fract | M::Trunc | M::Mix | M::Fma | M::Dot => 4,
            M::Sqrt | M::InverseSqrt | M::Cross | M::Length | M::Distance => 8,
            _ => 24,
        },
        Expression::Access { .. } => 4,
        Expression::ImageLoad { .. } | Expression::ImageSample { .. } => 100,
        _ => 0,
    }
}
