//! Insertion of new functions, and of calls to them that replace expressions.

use std::collections::BTreeMap;

use naga::front::Typifier;
use naga::front::wgsl::parse_str;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, Expression, Function, FunctionArgument, FunctionResult, GlobalVariable,
    Handle, MemoryDecorations, Module, Range, ResourceBinding, Span, Statement, Type, TypeInner,
};

use tarsus_shader::ir::rebuild_block;

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

/// Calls that replace expressions of one function. The map is ordered so that the module
/// is the same every time, which driver caches need.
pub(super) type Calls = BTreeMap<Handle<Expression>, Call>;

/// Appends an expression to the end of a function.
pub(super) fn add(function: &mut Function, expression: Expression) -> Handle<Expression> {
    let is_emitted = !expression.needs_pre_emit();
    let handle = function.expressions.append(expression, Span::UNDEFINED);
    if is_emitted {
        let emit = Statement::Emit(Range::new_from_bounds(handle, handle));
        function.body.push(emit, Span::UNDEFINED);
    }
    handle
}

/// An expression to replace, the key of a function that computes it, and its arguments.
pub(super) type Replacement<K> = (Handle<Expression>, K, Vec<Handle<Expression>>);

/// Replaces expressions by calls of functions that `build` creates, one per key. `replacements`
/// has one entry per function in the order of [`tarsus_shader::ir::functions`].
pub(super) fn replace_all<K: PartialEq>(
    module: &mut Module,
    replacements: Vec<Vec<Replacement<K>>>,
    build: &mut dyn FnMut(&mut Module, &K) -> Function,
) {
    let mut new = Arena::new();
    // Not a map: the keys are few, and each kind of map adds to the size of the web page.
    let mut known: Vec<(K, Handle<Function>)> = Vec::new();
    let mut call = |(handle, key, arguments)| {
        let same = known.iter().find(|(known, _)| *known == key);
        let function = same.map(|(_, function)| *function).unwrap_or_else(|| {
            let function = new.append(build(module, &key), Span::UNDEFINED);
            known.push((key, function));
            function
        });
        (handle, Call { function, arguments })
    };
    let calls = replacements.into_iter();
    let calls = calls.map(|one| one.into_iter().map(&mut call).collect());
    let calls: Vec<Calls> = calls.collect();
    if !new.is_empty() {
        insert(module, new, &calls);
    }
}

/// The functions of `text`, WGSL, with their types and resources in `module`.
pub(super) fn parse(module: &mut Module, text: &str) -> Arena<Function> {
    let mut parsed = parse_str(text).expect("valid WGSL");
    let types = parsed.types.iter().map(|(_, ty)| module.types.insert(ty.clone(), Span::UNDEFINED));
    let types: Vec<_> = types.collect();
    let variables = parsed.global_variables.drain().map(|(_, mut variable, span)| {
        variable.ty = types[variable.ty.index()];
        module.global_variables.append(variable, span)
    });
    let variables: Vec<_> = variables.collect();
    for (_, function) in parsed.functions.iter_mut() {
        let arguments = function.arguments.iter_mut().map(|argument| &mut argument.ty);
        let result = function.result.iter_mut().map(|result| &mut result.ty);
        arguments.chain(result).for_each(|ty| *ty = types[ty.index()]);
        for (_, expression) in function.expressions.iter_mut() {
            match expression {
                Expression::Compose { ty, .. } => *ty = types[ty.index()],
                Expression::GlobalVariable(global) => *global = variables[global.index()],
                _ => {}
            }
        }
    }
    parsed.functions
}

/// The only function of `text`, like [`parse`], and without its name.
pub(super) fn parse_one(module: &mut Module, text: &str) -> Function {
    let mut functions = parse(module, text);
    let (_, function, _) = functions.drain().next().expect("a function");
    Function { name: None, ..function }
}

/// A function without statements that takes `arguments` and returns a value.
pub(super) fn function(
    module: &mut Module,
    arguments: &[TypeInner],
    result: TypeInner,
) -> Function {
    let arguments = arguments.iter().map(|inner| FunctionArgument {
        name: None,
        ty: type_of(module, inner.clone()),
        binding: None,
    });
    Function {
        arguments: arguments.collect(),
        result: Some(FunctionResult { ty: type_of(module, result), binding: None }),
        ..Function::default()
    }
}

/// Adds a global variable.
pub(super) fn variable(
    module: &mut Module,
    space: AddressSpace,
    binding: Option<ResourceBinding>,
    inner: TypeInner,
) -> Handle<GlobalVariable> {
    let variable = GlobalVariable {
        name: None,
        space,
        binding,
        ty: type_of(module, inner),
        init: None,
        memory_decorations: MemoryDecorations::empty(),
    };
    module.global_variables.append(variable, Span::UNDEFINED)
}

/// The type in `module`.
pub(super) fn type_of(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    let ty = Type { name: None, inner };
    module.types.insert(ty, Span::UNDEFINED)
}

/// Returns a function that resolves the types of the expressions of `function`.
pub(super) fn resolver<'a>(
    module: &'a Module,
    function: &'a Function,
) -> impl FnMut(Handle<Expression>) -> Option<TypeInner> {
    let mut types = Typifier::new();
    let (locals, arguments) = (&function.local_variables, &function.arguments);
    let context = ResolveContext::with_locals(module, locals, arguments);
    move |handle| {
        types.grow(handle, &function.expressions, &context).ok()?;
        Some(types[handle].inner_with(&module.types).clone())
    }
}

/// Ends a function with the return of `value`.
pub(super) fn end(mut function: Function, value: Handle<Expression>) -> Function {
    let value = Some(value);
    function.body.push(Statement::Return { value }, Span::UNDEFINED);
    function
}

/// Inserts the functions `new` before those of `module`, and replaces expressions with
/// `calls`, which has one entry per function in the order of [`tarsus_shader::ir::functions`].
pub(super) fn insert(module: &mut Module, new: Arena<Function>, calls: &[Calls]) {
    // A function must precede its callers.
    let mut old = std::mem::replace(&mut module.functions, new);
    let mut moved = Vec::with_capacity(old.len());
    let mut calls = calls.iter();
    for ((_, mut function, span), calls) in old.drain().zip(&mut calls) {
        replace(&mut function, calls, &moved);
        moved.push(module.functions.append(function, span));
    }
    for (point, calls) in module.entry_points.iter_mut().zip(calls) {
        replace(&mut point.function, calls, &moved);
    }
}

/// Replaces expressions of a function with `calls`, and updates its other calls to the new
/// handles of `moved` functions.
fn replace(function: &mut Function, calls: &Calls, moved: &[Handle<Function>]) {
    for (handle, expression) in function.expressions.iter_mut() {
        if let Some(call) = calls.get(&handle) {
            *expression = Expression::CallResult(call.function);
        } else if let Expression::CallResult(called) = expression {
            *called = moved[called.index()];
        }
    }
    rebuild_block(&mut function.body, &mut |mut statement, span, block| {
        match &mut statement {
            Statement::Emit(range) => {
                for statement in emitted(range.clone(), calls) {
                    block.push(statement, span);
                }
                return;
            }
            Statement::Call { function, result, .. } => {
                let call = result.and_then(|result| Some(calls.get(&result)?.statement(result)));
                match call {
                    Some(call) => statement = call,
                    None => *function = moved[function.index()],
                }
            }
            _ => {}
        }
        block.push(statement, span);
    });
}

/// Statements that emit a range of expressions, with calls for the replaced ones.
fn emitted(range: Range<Expression>, calls: &Calls) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut run: Option<(Handle<Expression>, Handle<Expression>)> = None;
    let emit = |(first, last)| Statement::Emit(Range::new_from_bounds(first, last));
    for handle in range {
        if let Some(call) = calls.get(&handle) {
            statements.extend(run.take().map(emit));
            statements.push(call.statement(handle));
        } else {
            run = Some((run.map_or(handle, |(first, _)| first), handle));
        }
    }
    statements.extend(run.map(emit));
    statements
}
