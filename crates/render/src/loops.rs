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
    Arena, BinaryOperator as Op, Block, Constant, Expression as E, Function, Handle, Literal,
    LocalVariable, Module, Range, Scalar, Span, Statement, Type, TypeInner,
};

use crate::calls;
use tarsus_shader::ir::{
    Variable, functions_mut, inner_blocks, inner_blocks_mut, root_variable, statement_operands,
    statements, stored_local,
};

/// Number of steps that a 32-bit float counts without standing still.
const MAX_FLOAT_STEPS: f64 = 8_388_608.0;

/// Adds a counter to each loop of `module` that is not [counted](Constants::counted).
pub(super) fn bound_loops(module: &mut Module) {
    let ty = calls::type_of(module, TypeInner::Scalar(Scalar::U32));
    let Module { constants, global_expressions: values, functions, entry_points, .. } = module;
    for function in functions_mut(functions, entry_points) {
        let mut bounded = function.body.clone();
        bound_in(&mut bounded, function, Constants { constants, values }, ty);
        function.body = bounded;
    }
}

/// Adds counters of type `ty` in a block of `function`, whose body is still unchanged.
fn bound_in(
    block: &mut Block,
    function: &mut Function,
    constants: Constants<'_>,
    ty: Handle<Type>,
) {
    for statement in block.iter_mut() {
        for inner in inner_blocks_mut(statement) {
            bound_in(inner, function, constants, ty);
        }
        if constants.counted(statement, function).is_some() {
            continue;
        }
        if let Statement::Loop { body, .. } = statement {
            let reset = add_counter(body, function, ty);
            let bounded = std::mem::replace(statement, Statement::Break);
            *statement = Statement::Block(Block::from_vec(vec![reset, bounded]));
        }
    }
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
pub(super) struct CountedLoop {
    /// Number of iterations, if the counter always starts at the same integer.
    pub(super) iterations: Option<u32>,
}

/// The constants of a module and their values.
#[derive(Clone, Copy)]
pub(super) struct Constants<'a> {
    pub(super) constants: &'a Arena<Constant>,
    pub(super) values: &'a Arena<E>,
}

impl Constants<'_> {
    /// Recognises a loop whose only exit is a test, at its start, of a variable that counts to
    /// a constant. The body of `function` must contain `statement`.
    pub(super) fn counted(self, statement: &Statement, function: &Function) -> Option<CountedLoop> {
        let Statement::Loop { body, continuing, break_if: None } = statement else {
            return None;
        };
        let is_emit = |statement: &&Statement| matches!(statement, Statement::Emit(_));
        let (tests, rest) = body.split_at(body.iter().take_while(is_emit).count());
        let (Statement::If { condition, accept, reject }, rest) = rest.split_first()? else {
            return None;
        };
        let goes_on = !exits(accept, true) && !exits(rest, true);
        let E::Binary { op, left, right } = function.expressions[*condition] else {
            return None;
        };
        let counter = loaded_local(left, function)?;
        let is_test = emits(tests, left)
            && emits(tests, *condition)
            && matches!(&reject[..], [Statement::Break]);
        let is_unchanged = stores(body, counter, function).is_empty();
        let limit = self.literal(right, function)?;
        let next = *stores(continuing, counter, function).first()?;
        let is_last = stored_local(function, continuing.last()?) == Some((counter, next));
        let step = self.step(next, counter, continuing, function)?;
        let init = function.local_variables[counter].init;
        let starts = stores(&function.body, counter, function).into_iter();
        let starts = starts.filter(|start| *start != next).chain(init);
        let starts: Vec<_> = starts.map(|start| number(self.literal(start, function)?)).collect();
        let count = Count { limit, op, step, starts: &starts };
        (goes_on && is_test && is_unchanged && is_last && count.ends())
            .then(|| CountedLoop { iterations: count.iterations() })
    }

    /// Constant that `value`, evaluated in `continuing`, adds to `counter`, if it is such a
    /// sum.
    fn step(
        self,
        value: Handle<E>,
        counter: Handle<LocalVariable>,
        continuing: &Block,
        function: &Function,
    ) -> Option<f64> {
        let E::Binary { op, left, right } = function.expressions[value] else {
            return None;
        };
        let is_current = loaded_local(left, function) == Some(counter)
            && emits(continuing, left)
            && emits(continuing, value);
        let step = number(self.literal(right, function)?)?;
        match op {
            Op::Add if is_current => Some(step),
            Op::Subtract if is_current => Some(-step),
            _ => None,
        }
    }

    /// The literal that `value` is or names.
    fn literal(self, value: Handle<E>, function: &Function) -> Option<Literal> {
        let expression = match function.expressions[value] {
            E::Constant(constant) => &self.values[self.constants[constant].init],
            ref expression => expression,
        };
        match expression {
            E::Literal(literal) => Some(*literal),
            _ => None,
        }
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

/// The local variable that `value` loads.
fn loaded_local(value: Handle<E>, function: &Function) -> Option<Handle<LocalVariable>> {
    let E::Load { pointer } = function.expressions[value] else {
        return None;
    };
    match function.expressions[pointer] {
        E::LocalVariable(local) => Some(local),
        _ => None,
    }
}

/// True if one of `statements` evaluates `value`.
fn emits(statements: &[Statement], value: Handle<E>) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Emit(range) => range.clone().any(|emitted| emitted == value),
        _ => false,
    })
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

/// True if `block` leaves the loop around it: by a `return` anywhere, or by a `break` that
/// `breaks` that loop rather than one inside.
fn exits(block: &[Statement], breaks: bool) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Return { .. } | Statement::Kill => true,
        Statement::Break => breaks,
        _ => {
            let is_inner = matches!(statement, Statement::Loop { .. } | Statement::Switch { .. });
            inner_blocks(statement).into_iter().any(|inner| exits(inner, breaks && !is_inner))
        }
    })
}
