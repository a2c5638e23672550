//! Helpers over naga's IR that front ends, back ends and the renderer share.

use std::iter;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Arena, Block, EntryPoint, Expression, Function, GlobalVariable, Handle, ImageQuery, Literal,
    LocalVariable, Module, SampleLevel, Span, Statement, SwizzleComponent, TypeInner,
};

pub use crate::channel::GROUP as CHANNEL_GROUP;
pub use crate::names::{Name, demangle, display_name, is_overridden, last_segment, variable_name};

/// Validates a module for the capabilities that every supported device has.
///
/// # Errors
/// Returns the message of the error, then those of its causes.
pub fn validate(module: &Module) -> Result<ModuleInfo, Vec<String>> {
    let info = validator().validate(module).map_err(|error| with_causes(error.as_inner()))?;
    let functions = module.functions.iter();
    let functions = functions.map(|(handle, function)| (&info[handle], function));
    let entries = module.entry_points.iter().enumerate();
    let entries = entries.map(|(index, entry)| (info.get_entry_point(index), &entry.function));
    for (info, function) in functions.chain(entries) {
        // naga's validator accepts vectors here, its back ends do not.
        let switches_on_vector = |statement: &Statement| match statement {
            Statement::Switch { selector, .. } => {
                let ty = info[*selector].ty.inner_with(&module.types);
                !matches!(ty, TypeInner::Scalar(_))
            }
            _ => false,
        };
        if statements(&function.body).any(switches_on_vector) {
            return Err(vec!["`switch` takes a single integer".to_owned()]);
        }
    }
    Ok(info)
}

/// A validator for the capabilities that every supported device has.
pub(crate) fn validator() -> Validator {
    let capabilities = Capabilities::default() | Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    Validator::new(ValidationFlags::all(), capabilities)
}

/// All functions of a module, then those of its entry points.
pub fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    let points = module.entry_points.iter().map(|point| &point.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    functions.chain(points)
}

/// Like [`functions`], but mutable, of these fields of a module.
pub fn functions_mut<'m>(
    functions: &'m mut Arena<Function>,
    points: &'m mut [EntryPoint],
) -> impl Iterator<Item = &'m mut Function> {
    let points = points.iter_mut().map(|point| &mut point.function);
    let functions = functions.iter_mut().map(|(_, function)| function);
    functions.chain(points)
}

/// Message of an error, then those of its causes.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> Vec<String> {
    let causes = iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect()
}

/// A variable that can be stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A variable of the function.
    Local(Handle<LocalVariable>),
    /// A variable of the module.
    Global(Handle<GlobalVariable>),
    /// The variable that a pointer parameter of the function refers to.
    Argument(u32),
}

/// Variable that `pointer` points into.
pub fn root_variable(function: &Function, pointer: Handle<Expression>) -> Option<Variable> {
    match function.expressions[pointer] {
        Expression::LocalVariable(local) => Some(Variable::Local(local)),
        Expression::GlobalVariable(global) => Some(Variable::Global(global)),
        Expression::FunctionArgument(number) => Some(Variable::Argument(number)),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            root_variable(function, base)
        }
        _ => None,
    }
}

/// Variable that `value` loads, as a whole or in part.
pub fn loaded_variable(function: &Function, value: Handle<Expression>) -> Option<Variable> {
    match function.expressions[value] {
        Expression::Load { pointer } => root_variable(function, pointer),
        _ => None,
    }
}

/// Operands of `expression`.
pub fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    let mut copy = expression.clone();
    let operands = operands_mut(&mut copy).unwrap_or_default();
    operands.into_iter().map(|operand| *operand).collect()
}

/// Operands for replacement. Returns `None` for expressions without operands, such as
/// constants, and for kinds that scenes do not contain.
pub fn operands_mut(expression: &mut Expression) -> Option<Vec<&mut Handle<Expression>>> {
    use Expression as E;
    Some(match expression {
        E::Compose { components, .. } => components.iter_mut().collect(),
        E::Access { base, index } => vec![base, index],
        E::AccessIndex { base: one, .. }
        | E::Splat { value: one, .. }
        | E::Swizzle { vector: one, .. }
        | E::Load { pointer: one }
        | E::Unary { expr: one, .. }
        | E::Derivative { expr: one, .. }
        | E::As { expr: one, .. }
        | E::Relational { argument: one, .. }
        | E::ArrayLength(one) => vec![one],
        E::Binary { left, right, .. } => vec![left, right],
        E::Select { condition, accept, reject } => vec![condition, accept, reject],
        E::Math { arg, arg1, arg2, arg3, .. } => {
            let mut all = vec![arg];
            all.extend([arg1, arg2, arg3].into_iter().flatten());
            all
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
            let mut all = vec![image, sampler, coordinate];
            all.extend([array_index, offset, depth_ref].into_iter().flatten());
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => all.push(level),
                SampleLevel::Gradient { x, y } => all.extend([x, y]),
            }
            all
        }
        E::ImageLoad { image, coordinate, array_index, sample, level } => {
            let mut all = vec![image, coordinate];
            all.extend([array_index, sample, level].into_iter().flatten());
            all
        }
        E::ImageQuery { image, query } => match query {
            ImageQuery::Size { level: Some(level) } => vec![image, level],
            _ => vec![image],
        },
        _ => return None,
    })
}

/// Local variable that `pointer` points to as a whole.
pub fn local(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(local) => Some(local),
        _ => None,
    }
}

/// Local variable that a statement stores to as a whole, and the stored value.
pub fn stored_local(
    function: &Function,
    statement: &Statement,
) -> Option<(Handle<LocalVariable>, Handle<Expression>)> {
    let Statement::Store { pointer, value } = *statement else {
        return None;
    };
    Some((local(function, pointer)?, value))
}

/// Local variable that `value` loads as a whole.
pub fn loaded_local(
    function: &Function,
    value: Handle<Expression>,
) -> Option<Handle<LocalVariable>> {
    let Expression::Load { pointer } = function.expressions[value] else {
        return None;
    };
    local(function, pointer)
}

/// The expression that loads `local`, if there is only one.
pub fn only_load(function: &Function, local: Handle<LocalVariable>) -> Option<Handle<Expression>> {
    let values = function.expressions.iter().map(|(value, _)| value);
    let mut loads = values.filter(|value| loaded_local(function, *value) == Some(local));
    let first = loads.next()?;
    loads.next().is_none().then_some(first)
}

/// The literal that `value` is or names.
pub fn literal(module: &Module, function: &Function, value: Handle<Expression>) -> Option<Literal> {
    let mut expression = &function.expressions[value];
    while let Expression::Constant(constant) = *expression {
        expression = &module.global_expressions[module.constants[constant].init];
    }
    match *expression {
        Expression::Literal(literal) => Some(literal),
        _ => None,
    }
}

/// All handles of an arena.
pub fn handles<T>(arena: &Arena<T>) -> Vec<Handle<T>> {
    arena.iter().map(|(handle, _)| handle).collect()
}

/// Component letters of a swizzle.
pub fn swizzle_letters(pattern: &[SwizzleComponent]) -> String {
    let letters = pattern.iter().map(|component| COMPONENTS[*component as usize]);
    letters.collect()
}

/// Component letters of a vector.
pub const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Blocks directly inside a statement, in order. A loop has two: its body and its
/// continuing block.
pub fn inner_blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(inner) => vec![inner],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// Like [`inner_blocks`], but mutable.
pub fn inner_blocks_mut(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::Block(inner) => vec![inner],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// Rebuilds a block, inner blocks first: `edit` adds what replaces a statement to the new block.
pub fn rebuild_block(block: &mut Block, edit: &mut dyn FnMut(Statement, Span, &mut Block)) {
    let mut rebuilt = Block::with_capacity(block.len());
    for (mut statement, span) in std::mem::take(block).span_into_iter() {
        for inner in inner_blocks_mut(&mut statement) {
            rebuild_block(inner, edit);
        }
        edit(statement, span, &mut rebuilt);
    }
    *block = rebuilt;
}

/// Calls `edit` with each statement of a block, inner ones first.
pub fn edit_block(block: &mut Block, edit: &mut dyn FnMut(&mut Statement)) {
    for statement in block.iter_mut() {
        for inner in inner_blocks_mut(statement) {
            edit_block(inner, edit);
        }
        edit(statement);
    }
}

/// Statements of a block, each before those of its inner blocks.
pub fn statements(block: &[Statement]) -> impl Iterator<Item = &Statement> {
    let mut open = vec![block.iter()];
    iter::from_fn(move || {
        loop {
            if let Some(statement) = open.last_mut()?.next() {
                let inner = inner_blocks(statement).into_iter().rev();
                open.extend(inner.map(|block| block.iter()));
                return Some(statement);
            }
            open.pop();
        }
    })
}

/// Like [`statements`], each with its place in the source.
pub(crate) fn spanned_statements(block: &Block) -> impl Iterator<Item = (&Statement, Span)> {
    let mut open = vec![block.span_iter()];
    iter::from_fn(move || {
        loop {
            if let Some((statement, span)) = open.last_mut()?.next() {
                open.extend(inner_blocks(statement).into_iter().rev().map(Block::span_iter));
                return Some((statement, *span));
            }
            open.pop();
        }
    })
}

/// Expressions that a block evaluates, including nested blocks.
pub fn emitted(block: &[Statement]) -> impl Iterator<Item = Handle<Expression>> {
    let ranges = statements(block).filter_map(|statement| match statement {
        Statement::Emit(range) => Some(range.clone()),
        _ => None,
    });
    ranges.flatten()
}

/// True if a block evaluates `value`, or one of its nested blocks does.
pub fn emits(block: &[Statement], value: Handle<Expression>) -> bool {
    emitted(block).any(|emitted| emitted == value)
}

/// True if a loop with this body contains a `continue` for that loop.
pub fn continues(body: &Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => inner_blocks(other).into_iter().any(continues),
    })
}

/// True if a statement of a loop's body can end the loop.
pub fn leaves_loop(statement: &Statement) -> bool {
    match statement {
        Statement::Break | Statement::Return { .. } | Statement::Kill => true,
        // A `break` in them is their own.
        Statement::Loop { .. } | Statement::Switch { .. } => inner_blocks(statement)
            .into_iter()
            .flat_map(|block| statements(block))
            .any(|inner| matches!(inner, Statement::Return { .. } | Statement::Kill)),
        _ => inner_blocks(statement).into_iter().flat_map(|block| block.iter()).any(leaves_loop),
    }
}

/// Callee of every call in a block, including nested blocks, once per call.
pub fn calls(block: &Block) -> Vec<Handle<Function>> {
    let callees = statements(block).filter_map(|statement| match statement {
        Statement::Call { function, .. } => Some(*function),
        _ => None,
    });
    callees.collect()
}

/// Functions named `start` and all functions that they call, directly or indirectly.
pub fn reachable<'m>(module: &'m Module, start: &str) -> impl Iterator<Item = &'m Function> {
    let named = |&(_, function): &(_, &Function)| function.name.as_deref() == Some(start);
    let mut found: Vec<_> = module.functions.iter().filter(named).collect();
    let mut next = 0;
    iter::from_fn(move || {
        let (_, function) = *found.get(next)?;
        next += 1;
        for callee in calls(&function.body) {
            if found.iter().all(|(known, _)| *known != callee) {
                found.push((callee, &module.functions[callee]));
            }
        }
        Some(function)
    })
}

/// Values that a statement uses, without those of its inner blocks.
pub fn statement_operands(statement: &Statement) -> Vec<Handle<Expression>> {
    match *statement {
        Statement::Store { pointer, value } => vec![pointer, value],
        Statement::Call { ref arguments, .. } => arguments.clone(),
        Statement::Return { value: Some(value) } => vec![value],
        Statement::If { condition, .. } => vec![condition],
        Statement::Switch { selector, .. } => vec![selector],
        Statement::Loop { break_if, .. } => break_if.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Like [`statement_operands`], for replacement.
pub fn statement_operands_mut(statement: &mut Statement) -> Vec<&mut Handle<Expression>> {
    match statement {
        Statement::Store { pointer, value } => vec![pointer, value],
        Statement::Call { arguments, .. } => arguments.iter_mut().collect(),
        Statement::Return { value: Some(value) } => vec![value],
        Statement::If { condition, .. } => vec![condition],
        Statement::Switch { selector, .. } => vec![selector],
        Statement::Loop { break_if, .. } => break_if.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Gives `function` the arena `expressions`, to which its expressions have moved. The one of
/// index n has become the range `places[n]`, which ends with the expression itself; operands
/// become `value` of their old handle.
pub fn move_expressions(
    function: &mut Function,
    expressions: Arena<Expression>,
    places: &[(Handle<Expression>, Handle<Expression>)],
    value: &dyn Fn(Handle<Expression>) -> Handle<Expression>,
) {
    function.expressions = expressions;
    for (_, local) in function.local_variables.iter_mut() {
        local.init = local.init.map(|init| places[init.index()].1);
    }
    let named = std::mem::take(&mut function.named_expressions).into_iter();
    function.named_expressions = named.map(|(handle, name)| (value(handle), name)).collect();
    edit_block(&mut function.body, &mut |statement| {
        statement_operands_mut(statement).into_iter().for_each(|one| *one = value(*one));
        match statement {
            Statement::Emit(range) => {
                if let Some((first, last)) = range.first_and_last() {
                    let (first, last) = (places[first.index()].0, places[last.index()].1);
                    *range = naga::Range::new_from_bounds(first, last);
                }
            }
            Statement::Call { result: Some(result), .. } => *result = places[result.index()].1,
            _ => {}
        }
    });
}
