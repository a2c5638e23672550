//! Calls of new functions in place of expressions.

use std::collections::BTreeMap;

use naga::{Arena, Block, Expression, Function, Handle, Module, Range, Span, Statement};

use crate::shader::inner_blocks_mut;

/// A call of a new function.
pub(super) struct Call {
    pub(super) function: Handle<Function>,
    pub(super) arguments: Vec<Handle<Expression>>,
}

impl Call {
    fn statement(&self, result: Handle<Expression>) -> Statement {
        Statement::Call {
            function: self.function,
            arguments: self.arguments.clone(),
            result: Some(result),
        }
    }
}

/// What calls take the place of in a function, in its order: modules are the same every
/// time, as the caches of drivers need it.
pub(super) type Calls = BTreeMap<Handle<Expression>, Call>;

/// Adds an expression at the end of a function.
pub(super) fn add(function: &mut Function, expression: Expression) -> Handle<Expression> {
    let is_emitted = !expression.needs_pre_emit();
    let handle = function.expressions.append(expression, Span::UNDEFINED);
    if is_emitted {
        let emitted = Range::new_from_bounds(handle, handle);
        let emit = Statement::Emit(emitted);
        function.body.push(emit, Span::UNDEFINED);
    }
    handle
}

/// All functions of a module in the order of [`insert`].
pub(super) fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    let points = module.entry_points.iter().map(|point| &point.function);
    module
        .functions
        .iter()
        .map(|(_, function)| function)
        .chain(points)
}

/// Puts `new` functions before those of `module`, and calls of them, given for each of its
/// [`functions`], in place of expressions.
pub(super) fn insert(module: &mut Module, new: Arena<Function>, calls: &[Calls]) {
    // Functions stand before those that call them.
    let mut old = std::mem::replace(&mut module.functions, new);
    let mut moved = Vec::with_capacity(old.len());
    let mut calls = calls.iter();
    let mut change = |function: &mut Function, moved: &[Handle<Function>]| {
        move_calls(function, moved);
        if let Some(calls) = calls.next() {
            call(function, calls);
        }
    };
    for (_, mut function, span) in old.drain() {
        change(&mut function, &moved);
        moved.push(module.functions.append(function, span));
    }
    for point in &mut module.entry_points {
        change(&mut point.function, &moved);
    }
}

/// Lets `function` call functions that stand elsewhere now.
fn move_calls(function: &mut Function, moved: &[Handle<Function>]) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::CallResult(called) = expression {
            *called = moved[called.index()];
        }
    }
    move_calls_in(&mut function.body, moved);
}

fn move_calls_in(block: &mut Block, moved: &[Handle<Function>]) {
    for statement in block.iter_mut() {
        if let Statement::Call { function, .. } = statement {
            *function = moved[function.index()];
        }
        for inner in inner_blocks_mut(statement) {
            move_calls_in(inner, moved);
        }
    }
}

fn call(function: &mut Function, calls: &Calls) {
    for (handle, call) in calls {
        function.expressions[*handle] = Expression::CallResult(call.function);
    }
    call_in(&mut function.body, calls);
}

fn call_in(block: &mut Block, calls: &Calls) {
    let mut called = Block::with_capacity(block.len());
    for (mut statement, span) in std::mem::take(block).span_into_iter() {
        for inner in inner_blocks_mut(&mut statement) {
            call_in(inner, calls);
        }
        match statement {
            Statement::Emit(range) => {
                for statement in emitted(range, calls) {
                    called.push(statement, span);
                }
            }
            Statement::Call {
                result: Some(result),
                ..
            } if let Some(call) = calls.get(&result) => called.push(call.statement(result), span),
            other => called.push(other, span),
        }
    }
    *block = called;
}

/// What emits a range of expressions, some of which are results of calls now.
fn emitted(range: Range<Expression>, calls: &Calls) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut run: Option<(Handle<Expression>, Handle<Expression>)> = None;
    let emit = |(first, last)| Statement::Emit(Range::new_from_bounds(first, last));
    for handle in range {
        let Some(call) = calls.get(&handle) else {
            run = Some((run.map_or(handle, |(first, _)| first), handle));
            continue;
        };
        statements.extend(run.take().map(emit));
        statements.push(call.statement(handle));
    }
    statements.extend(run.map(emit));
    statements
}
