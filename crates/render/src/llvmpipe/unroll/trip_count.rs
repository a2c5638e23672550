//! Trip counts of loops with an integer counter.

use naga::{
    Arena, BinaryOperator, Block, Constant, Expression, Function, Handle, Literal, LocalVariable,
    Statement,
};

use tarsus_shader::ir::inner_blocks;

/// Maximum trip count of a fully unrolled loop.
const MAX_ITERATIONS: u32 = 32;

/// Trip count of a loop.
pub(super) struct TripCount {
    pub(super) iterations: u32,
    /// Index of the exit test in the loop body.
    pub(super) exit_test: usize,
}

/// Constants of a module and their initializers.
pub(super) struct Constants<'a> {
    pub(super) constants: &'a Arena<Constant>,
    pub(super) initializers: &'a Arena<Expression>,
}

/// A loop of `function` and the statements before it.
pub(super) struct Counting<'a> {
    pub(super) function: &'a Function,
    pub(super) constants: &'a Constants<'a>,
    pub(super) before: &'a Block,
    pub(super) body: &'a Block,
    pub(super) continuing: &'a Block,
}

impl Counting<'_> {
    /// Trip count, if the loop counts a variable from one constant to another.
    pub(super) fn trip_count(&self) -> Option<TripCount> {
        let is_emit = |statement: &Statement| matches!(statement, Statement::Emit(_));
        let exit_test = self.body.iter().position(|statement| !is_emit(statement))?;
        let Statement::If {
            condition, reject, ..
        } = &self.body[exit_test]
        else {
            return None;
        };
        let Expression::Binary { op, left, right } = self.function.expressions[*condition] else {
            return None;
        };
        let counter = self.loaded(left)?;
        // Expressions evaluated before the loop keep their value in every iteration.
        let tested = &self.body[..exit_test];
        let is_tested_anew = emits(tested, *condition) && emits(tested, left);
        if !matches!(&reject[..], [Statement::Break])
            || !is_tested_anew
            || self.writes(self.body, counter)
        {
            return None;
        }
        let end = self.literal(right)?;
        let min = match end {
            Literal::I32(_) => i64::from(i32::MIN),
            _ => 0,
        };
        let range = min..=i64::from(i32::MAX);
        let end = integer(end)?;
        let continues = |value: i64| match op {
            BinaryOperator::Less => value < end,
            BinaryOperator::LessEqual => value <= end,
            BinaryOperator::Greater => value > end,
            BinaryOperator::GreaterEqual => value >= end,
            BinaryOperator::NotEqual => value != end,
            _ => false,
        };
        let step = self.step(counter)?;
        let mut value = self.start(counter)?;
        let mut iterations = 0;
        while continues(value) {
            iterations += 1;
            value += step;
            if iterations > MAX_ITERATIONS || !range.contains(&value) {
                return None;
            }
        }
        Some(TripCount {
            iterations,
            exit_test,
        })
    }

    /// Value of the counter before the loop.
    fn start(&self, counter: Handle<LocalVariable>) -> Option<i64> {
        for statement in self.before.iter().rev() {
            match statement {
                Statement::Store { pointer, value } if self.local(*pointer) == Some(counter) => {
                    return integer(self.literal(*value)?);
                }
                Statement::Emit(_) | Statement::Store { .. } => {}
                _ => return None,
            }
        }
        None
    }

    /// Increment of the counter per iteration, if the continuing block only adds a constant
    /// to it.
    fn step(&self, counter: Handle<LocalVariable>) -> Option<i64> {
        let is_new = |at| emits(self.body, at) || emits(self.continuing, at);
        let mut step = None;
        for statement in self.continuing {
            match statement {
                Statement::Store { pointer, value } if self.local(*pointer) == Some(counter) => {
                    let Expression::Binary { op, left, right } = self.function.expressions[*value]
                    else {
                        return None;
                    };
                    let sign = match op {
                        BinaryOperator::Add => 1,
                        BinaryOperator::Subtract => -1,
                        _ => return None,
                    };
                    let increment = sign * integer(self.literal(right)?)?;
                    let is_increment =
                        self.loaded(left) == Some(counter) && is_new(*value) && is_new(left);
                    if !is_increment || step.replace(increment).is_some() {
                        return None;
                    }
                }
                Statement::Emit(_) | Statement::Store { .. } => {}
                _ => return None,
            }
        }
        step
    }

    /// True if `block` may write the counter, by a store or through a pointer argument.
    fn writes(&self, block: &Block, counter: Handle<LocalVariable>) -> bool {
        let is_counter = |pointer: &Handle<Expression>| self.local(*pointer) == Some(counter);
        block.iter().any(|statement| match statement {
            Statement::Store { pointer, .. } => is_counter(pointer),
            Statement::Call { arguments, .. } => arguments.iter().any(is_counter),
            other => {
                let mut inner = inner_blocks(other).into_iter();
                inner.any(|block| self.writes(block, counter))
            }
        })
    }

    /// The local variable that `pointer` refers to.
    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        }
    }

    /// The local variable that `expression` loads.
    fn loaded(&self, expression: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[expression] {
            Expression::Load { pointer } => self.local(pointer),
            _ => None,
        }
    }

    /// Value of a literal or of a constant initialized with one.
    fn literal(&self, expression: Handle<Expression>) -> Option<Literal> {
        let mut expression = &self.function.expressions[expression];
        if let Expression::Constant(constant) = *expression {
            let initializer = self.constants.constants[constant].init;
            expression = &self.constants.initializers[initializer];
        }
        match *expression {
            Expression::Literal(literal) => Some(literal),
            _ => None,
        }
    }
}

fn integer(literal: Literal) -> Option<i64> {
    match literal {
        Literal::I32(value) => Some(value.into()),
        Literal::U32(value) => Some(value.into()),
        _ => None,
    }
}

/// True if an emit statement directly in `statements` evaluates `expression`.
fn emits(statements: &[Statement], expression: Handle<Expression>) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Emit(range) => range.index_range().contains(&(expression.index() as u32)),
        _ => false,
    })
}
