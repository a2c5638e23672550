//! Bounds for loops.
//!
//! Drivers assume that every loop ends; one that does not is undefined behaviour. wgpu
//! therefore adds a 64-bit counter to every loop, which costs about a dozen instructions per
//! iteration and hides the trip count from the driver. This module adds a 32-bit counter
//! instead, and none to a loop that only its own counter can end.
//!
//! A loop with other exits gets a counter even if it is known to end. Without one, llvmpipe
//! unrolls it and computes the iterations after the exit too: a Mandelbulb with six iterations
//! and a `break` took 2.3 times as long.

#[cfg(test)]
mod tests;

use naga::{
    BinaryOperator as Op, Block, Expression as E, Function, Handle, Literal, LocalVariable, Module,
    Range, Scalar, Span, Statement, Type, TypeInner,
};

use crate::calls;
use tarsus_shader::ir::{
    Variable, edit_block, emits, functions_mut, leaves_loop, literal, loaded_local, root_variable,
    statement_operands, statements, stored_local,
};

/// Number of steps that a 32-bit float counts without standing still.
const MAX_FLOAT_STEPS: f64 = 8_388_608.0;

/// Adds a counter to each loop of `module` that is not a [`CountedLoop`].
pub(super) fn bound_loops(module: &mut Module) {
    let ty = calls::type_of(module, TypeInner::Scalar(Scalar::U32));
    edit_statements(module, |statement, function, module| {
        let is_counted = CountedLoop::of(statement, function, module).is_some();
        if let Statement::Loop { body, .. } = statement
            && !is_counted
        {
            let reset = add_counter(body, function, ty);
            let bounded = std::mem::replace(statement, Statement::Break);
            *statement = Statement::Block(Block::from_vec(vec![reset, bounded]));
        }
    });
}

/// Calls `edit` with each statement of `module`, inner ones first, and with its function, whose
/// body is still unchanged.
pub(super) fn edit_statements(
    module: &mut Module,
    mut edit: impl FnMut(&mut Statement, &mut Function, &Module),
) {
    let mut functions = std::mem::take(&mut module.functions);
    let mut entry_points = std::mem::take(&mut module.entry_points);
    for function in functions_mut(&mut functions, &mut entry_points) {
        let mut edited = function.body.clone();
        edit_block(&mut edited, &mut |statement| edit(statement, function, module));
        function.body = edited;
    }
    (module.functions, module.entry_points) = (functions, entry_points);
}

/// Makes a loop with `body` leave after 2³² - 1 iterations; returns the statement that resets
/// its counter.
fn add_counter(body: &mut Block, function: &mut Function, ty: Handle<Type>) -> Statement {
    let counter = LocalVariable { name: None, ty, init: None };
    let counter = function.local_variables.append(counter, Span::UNDEFINED);
    let mut add = |expression| function.expressions.append(expression, Span::UNDEFINED);
    let pointer = add(E::LocalVariable(counter));
    let [zero, one, last] = [0, 1, u32::MAX].map(|value| add(E::Literal(Literal::U32(value))));
    let count = add(E::Load { pointer });
    let condition = add(E::Binary { op: Op::Equal, left: count, right: last });
    let value = add(E::Binary { op: Op::Add, left: count, right: one });
    let accept = Block::from_vec(vec![Statement::Break]);
    let mut bounded = Block::from_vec(vec![
        Statement::Emit(Range::new_from_bounds(count, value)),
        Statement::If { condition, accept, reject: Block::new() },
        Statement::Store { pointer, value },
    ]);
    bounded.extend_block(std::mem::take(body));
    *body = bounded;
    Statement::Store { pointer, value: zero }
}

/// Loop that ends only by the test of its counter.
#[derive(Clone, Copy)]
pub(super) struct CountedLoop {
    pub(super) counter: Handle<LocalVariable>,
    /// Number of iterations, if the counter always starts at the same integer.
    pub(super) iterations: Option<u32>,
    /// First value of an integer counter beyond the limit.
    pub(super) end: Option<Literal>,
}

impl CountedLoop {
    /// Recognises a loop whose only exit is a test, at its start, of a variable that counts to
    /// a constant. The body of `function` must contain `statement`.
    pub(super) fn of(statement: &Statement, function: &Function, module: &Module) -> Option<Self> {
        let Statement::Loop { body, continuing, break_if: None } = statement else {
            return None;
        };
        let is_emit = |statement: &&Statement| matches!(statement, Statement::Emit(_));
        let (tests, rest) = body.split_at(body.iter().take_while(is_emit).count());
        let (Statement::If { condition, accept, reject }, rest) = rest.split_first()? else {
            return None;
        };
        let is_only_exit = matches!(&reject[..], [Statement::Break])
            && !accept.iter().chain(rest).any(leaves_loop);
        let E::Binary { op, left, right } = function.expressions[*condition] else {
            return None;
        };
        let counter = loaded_local(function, left)?;
        let is_current = emits(tests, left) && emits(tests, *condition);
        let is_unchanged = stores(body, counter, function).is_empty();
        let limit = literal(module, function, right)?;
        let next = *stores(continuing, counter, function).first()?;
        let is_last = stored_local(function, continuing.last()?) == Some((counter, next));
        let step = step(next, counter, continuing, function, module)?;
        let init = function.local_variables[counter].init;
        let stored = stores(&function.body, counter, function).into_iter();
        let stored = stored.filter(|start| *start != next);
        let starts = stored.chain(init).map(|start| number(literal(module, function, start)?));
        let starts: Vec<_> = starts.collect();
        let count = Count { limit, op, step, starts: &starts };
        (is_only_exit && is_current && is_unchanged && is_last && count.ends()).then(|| Self {
            counter,
            iterations: count.iterations(),
            end: count.end(),
        })
    }
}

/// Constant that `value`, evaluated in `continuing`, adds to `counter`, if it is such a sum.
fn step(
    value: Handle<E>,
    counter: Handle<LocalVariable>,
    continuing: &Block,
    function: &Function,
    module: &Module,
) -> Option<f64> {
    let E::Binary { op, left, right } = function.expressions[value] else {
        return None;
    };
    let is_current = loaded_local(function, left) == Some(counter)
        && emits(continuing, left)
        && emits(continuing, value);
    let step = number(literal(module, function, right)?)?;
    match op {
        Op::Add if is_current => Some(step),
        Op::Subtract if is_current => Some(-step),
        _ => None,
    }
}

/// Range of a counter: the loop continues while the counter `op` `limit` is true.
struct Count<'a> {
    limit: Literal,
    op: Op,
    step: f64,
    /// Initial values; `None` if unknown.
    starts: &'a [Option<f64>],
}

impl Count<'_> {
    /// Last integer for which the loop can continue.
    fn last(&self) -> Option<f64> {
        let limit = number(self.limit)?;
        match self.op {
            Op::Less if self.step > 0.0 => Some(limit - 1.0),
            Op::Greater if self.step < 0.0 => Some(limit + 1.0),
            Op::LessEqual if self.step > 0.0 => Some(limit),
            Op::GreaterEqual if self.step < 0.0 => Some(limit),
            _ => None,
        }
    }

    /// True if the counter reaches the limit.
    fn ends(&self) -> bool {
        let Some(last) = self.last() else {
            return false;
        };
        let after = last + self.step;
        match self.limit {
            Literal::I32(_) => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&after),
            Literal::U32(_) => (0.0..=f64::from(u32::MAX)).contains(&after),
            Literal::F32(limit) => {
                let largest = MAX_FLOAT_STEPS * self.step.abs();
                let counts = |value: f64| value.abs() <= largest;
                self.step.abs() >= f64::from(f32::MIN_POSITIVE)
                    && counts(limit.into())
                    && self.starts.iter().all(|start| start.is_some_and(counts))
            }
            _ => false,
        }
    }

    /// First integer beyond the limit, of the limit's type.
    fn end(&self) -> Option<Literal> {
        let end = self.last()? + self.step.signum();
        match self.limit {
            Literal::I32(_) => Some(Literal::I32(end as i32)),
            Literal::U32(_) => Some(Literal::U32(end as u32)),
            _ => None,
        }
    }

    fn iterations(&self) -> Option<u32> {
        let start = (*self.starts.first()?)?;
        let is_known = self.starts.iter().all(|other| *other == Some(start));
        let is_integer = !matches!(self.limit, Literal::F32(_));
        let count = ((self.last()? - start) / self.step).floor() + 1.0;
        (is_known && is_integer).then_some(count as u32)
    }
}

fn number(literal: Literal) -> Option<f64> {
    match literal {
        Literal::I32(value) => Some(value.into()),
        Literal::U32(value) => Some(value.into()),
        Literal::F32(value) => Some(value.into()),
        _ => None,
    }
}

/// Values that `block` stores to `local`, and pointers to it that are passed to a function.
fn stores(block: &Block, local: Handle<LocalVariable>, function: &Function) -> Vec<Handle<E>> {
    let is_local = |pointer| root_variable(function, pointer) == Some(Variable::Local(local));
    let stored = statements(block).flat_map(|statement| match *statement {
        Statement::Store { pointer, value } if is_local(pointer) => vec![value],
        Statement::Store { .. } => Vec::new(),
        _ => statement_operands(statement).into_iter().filter(|value| is_local(*value)).collect(),
    });
    stored.collect()
}
