//! Insertion of new functions, and of calls that replace expressions and stores.

use std::collections::BTreeMap;

use naga::{
    Arena, Block, Expression, Function, Handle, Literal, MathFunction, Module, Range, Scalar,
    ScalarKind, Span, Statement,
};

use tarsus_shader::ir::inner_blocks_mut;

/// A call of a new function.
pub(super) struct Call {
    pub(super) function: Handle<Function>,
    pub(super) arguments: Vec<Handle<Expression>>,
}

impl Call {
    /// Call that returns `result`.
    fn value(&self, result: Handle<Expression>) -> Statement {
        Statement::Call {
            function: self.function,
            arguments: self.arguments.clone(),
            result: Some(result),
        }
    }

    /// Call with `value` as its last argument.
    fn store(&self, value: Handle<Expression>) -> Statement {
        let arguments = self.arguments.iter().copied();
        Statement::Call {
            function: self.function,
            arguments: arguments.chain([value]).collect(),
            result: None,
        }
    }
}

/// Expressions and stores of one function that calls replace. The maps are ordered, so
/// that the module is the same every time, which driver caches need.
#[derive(Default)]
pub(super) struct Calls {
    /// Calls that replace expressions.
    pub(super) values: BTreeMap<Handle<Expression>, Call>,
    /// Calls that replace stores, by their pointers; the stored value becomes the last
    /// argument.
    pub(super) stores: BTreeMap<Handle<Expression>, Call>,
}

impl FromIterator<(Handle<Expression>, Call)> for Calls {
    /// Collects calls that replace expressions.
    fn from_iter<T: IntoIterator<Item = (Handle<Expression>, Call)>>(values: T) -> Self {
        Self {
            values: values.into_iter().collect(),
            stores: BTreeMap::new(),
        }
    }
}

/// Appends an expression to the end of a function.
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

/// Argument `number` of a function, clamped to an index below `elements`. Like wgpu's
/// bounds checks, an index outside gives the last element.
pub(super) fn index_within(
    function: &mut Function,
    number: u32,
    index: Scalar,
    elements: u32,
) -> Handle<Expression> {
    let mut within = add(function, Expression::FunctionArgument(number));
    if index != Scalar::U32 {
        let whole = Expression::As {
            expr: within,
            kind: ScalarKind::Uint,
            convert: Some(4),
        };
        within = add(function, whole);
    }
    let last = Expression::Literal(Literal::U32(elements - 1));
    let least = Expression::Math {
        fun: MathFunction::Min,
        arg: within,
        arg1: Some(add(function, last)),
        arg2: None,
        arg3: None,
    };
    add(function, least)
}

/// All functions of a module, in the order of [`insert`].
pub(super) fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    let points = module.entry_points.iter().map(|point| &point.function);
    module
        .functions
        .iter()
        .map(|(_, function)| function)
        .chain(points)
}

/// Inserts the functions `new` before those of `module`, and replaces expressions and
/// stores with `calls`, which has one entry per function in the order of [`functions`].
pub(super) fn insert(module: &mut Module, new: Arena<Function>, calls: &[Calls]) {
    // A function must precede its callers.
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

/// Updates the calls in `function` to the new handles of moved functions.
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
    for (handle, call) in &calls.values {
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
            } if let Some(call) = calls.values.get(&result) => {
                called.push(call.value(result), span);
            }
            Statement::Store { pointer, value } if let Some(call) = calls.stores.get(&pointer) => {
                called.push(call.store(value), span);
            }
            other => called.push(other, span),
        }
    }
    *block = called;
}

/// Statements that emit a range of expressions, with calls for those that are replaced.
fn emitted(range: Range<Expression>, calls: &Calls) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut run: Option<(Handle<Expression>, Handle<Expression>)> = None;
    let emit = |(first, last)| Statement::Emit(Range::new_from_bounds(first, last));
    for handle in range {
        let Some(call) = calls.values.get(&handle) else {
            run = Some((run.map_or(handle, |(first, _)| first), handle));
            continue;
        };
        statements.extend(run.take().map(emit));
        statements.push(call.value(handle));
    }
    statements.extend(run.map(emit));
    statements
}
