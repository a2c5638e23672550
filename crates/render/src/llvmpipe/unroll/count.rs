//! How often a loop turns.

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module,
    Statement,
};

use tarsus_shader::ir::inner_blocks;

/// Turns that are counted.
const MOST: u32 = 32;

/// How often a loop turns that counts a variable from one number to another, and the
/// number of the statement in its body that looks whether it is done. `before` is what
/// stands before the loop.
pub(super) fn count(
    function: &Function,
    numbers: &Numbers,
    (body, continuing): (&Block, &Block),
    before: &Block,
) -> Option<(u32, usize)> {
    let is_check = |statement: &Statement| !matches!(statement, Statement::Emit(_));
    let check = body.iter().position(is_check)?;
    let Statement::If {
        condition, reject, ..
    } = &body[check]
    else {
        return None;
    };
    if !matches!(&reject[..], [Statement::Break]) {
        return None;
    }
    let Expression::Binary { op, left, right } = function.expressions[*condition] else {
        return None;
    };
    let Expression::Load { pointer } = function.expressions[left] else {
        return None;
    };
    let counter = local(function, pointer)?;
    // What was read before the loop stays the same in every turn.
    if ![*condition, left]
        .iter()
        .all(|at| emits(&body[..check], *at))
    {
        return None;
    }
    let reading = Reading { function, numbers };
    let end = reading.number(right)?;
    let step = reading.step((body, continuing), counter)?;
    if writes(function, body, counter) {
        return None;
    }
    let mut at = reading.start(before, counter)?.value;
    let least = if end.is_signed {
        i64::from(i32::MIN)
    } else {
        0
    };
    let range = least..=i64::from(i32::MAX);
    let end = end.value;
    let goes_on = |at: i64| match op {
        BinaryOperator::Less => at < end,
        BinaryOperator::LessEqual => at <= end,
        BinaryOperator::Greater => at > end,
        BinaryOperator::GreaterEqual => at >= end,
        BinaryOperator::NotEqual => at != end,
        _ => false,
    };
    let mut turns = 0;
    while goes_on(at) {
        turns += 1;
        at += step;
        if turns > MOST || !range.contains(&at) {
            return None;
        }
    }
    Some((turns, check))
}

/// A function and the constants that it reads.
struct Reading<'a> {
    function: &'a Function,
    numbers: &'a Numbers,
}

impl Reading<'_> {
    /// The number that the counter has before the loop.
    fn start(&self, before: &Block, counter: Handle<LocalVariable>) -> Option<Number> {
        for statement in before.iter().rev() {
            match statement {
                Statement::Emit(_) => {}
                Statement::Store { pointer, value } => match local(self.function, *pointer) {
                    Some(variable) if variable == counter => return self.number(*value),
                    _ => {}
                },
                _ => return None,
            }
        }
        None
    }

    /// What each turn adds to the counter, if that is all it does to it.
    fn step(
        &self,
        (body, continuing): (&Block, &Block),
        counter: Handle<LocalVariable>,
    ) -> Option<i64> {
        let mut step = None;
        for statement in continuing {
            match statement {
                Statement::Emit(_) => {}
                Statement::Store { pointer, value } => {
                    if local(self.function, *pointer) != Some(counter) {
                        continue;
                    }
                    let Expression::Binary { op, left, right } = self.function.expressions[*value]
                    else {
                        return None;
                    };
                    let Expression::Load { pointer } = self.function.expressions[left] else {
                        return None;
                    };
                    let is_new = |at: Handle<Expression>| emits(body, at) || emits(continuing, at);
                    if !is_new(*value) || !is_new(left) {
                        return None;
                    }
                    let by = self.number(right)?.value;
                    let by = match op {
                        BinaryOperator::Add => by,
                        BinaryOperator::Subtract => -by,
                        _ => return None,
                    };
                    if local(self.function, pointer) != Some(counter) || step.replace(by).is_some()
                    {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        step
    }

    /// The whole number that an expression is.
    fn number(&self, handle: Handle<Expression>) -> Option<Number> {
        number(&self.function.expressions, self.numbers, handle)
    }
}

/// True if these statements, without those inside of others, work the expression out.
fn emits(statements: &[Statement], expression: Handle<Expression>) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Emit(range) => range.index_range().contains(&(expression.index() as u32)),
        _ => false,
    })
}

/// True if `block` may write the counter: it stores to it or hands it to a function.
fn writes(function: &Function, block: &Block, counter: Handle<LocalVariable>) -> bool {
    let is_counter = |pointer: &Handle<Expression>| local(function, *pointer) == Some(counter);
    block.iter().any(|statement| match statement {
        Statement::Store { pointer, .. } => is_counter(pointer),
        Statement::Call { arguments, .. } => arguments.iter().any(is_counter),
        other => {
            let mut inner = inner_blocks(other).into_iter();
            inner.any(|block| writes(function, block, counter))
        }
    })
}

/// The variable that `pointer` is.
fn local(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(variable) => Some(variable),
        _ => None,
    }
}

/// A whole number of the kind that counters are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    value: i64,
    is_signed: bool,
}

/// Constants of a module by the number of their handle, those that are whole numbers.
#[derive(Default)]
pub(super) struct Numbers(Vec<Option<Number>>);

impl Numbers {
    pub(super) fn of(module: &Module) -> Self {
        let none = Self::default();
        let constants = module.constants.iter();
        let value = |init| number(&module.global_expressions, &none, init);
        Self(
            constants
                .map(|(_, constant)| value(constant.init))
                .collect(),
        )
    }
}

fn number(
    expressions: &Arena<Expression>,
    numbers: &Numbers,
    handle: Handle<Expression>,
) -> Option<Number> {
    let (value, is_signed) = match expressions[handle] {
        Expression::Literal(Literal::I32(number)) => (number.into(), true),
        Expression::Literal(Literal::U32(number)) => (number.into(), false),
        Expression::Constant(constant) => return *numbers.0.get(constant.index())?,
        _ => return None,
    };
    Some(Number { value, is_signed })
}
