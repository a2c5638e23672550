//! Inputs that the expressions of functions depend on.

use std::collections::HashMap;

use naga::{AddressSpace, Block, Expression, Function, Handle, Module, Statement, TypeInner};

use super::variables::{Variables, single_values};
use crate::calls::functions;
use tarsus_shader::ir::{Variable, inner_blocks, operands, root_variable};

/// Maximum number of expressions of a function whose calls are inlined in the prologue,
/// callees included.
const MAX_INLINED_SIZE: usize = 512;
/// Maximum number of expressions that all calls of a module may expand to.
const MAX_TOTAL_SIZE: usize = 50_000;

/// Inputs of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A value computed from constants and from these inputs.
    Value {
        uniforms: bool,
        arguments: bool,
    },
    /// A pointer into a uniform, with indices that may depend on arguments.
    Pointer {
        arguments: bool,
    },
    Unknown,
}

impl Origin {
    const CONSTANT: Self = Self::Value {
        uniforms: false,
        arguments: false,
    };
    const ARGUMENT: Self = Self::Value {
        uniforms: false,
        arguments: true,
    };

    /// Origin of an expression that is computed from both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (
                Self::Value {
                    uniforms: a,
                    arguments: b,
                },
                Self::Value {
                    uniforms: c,
                    arguments: d,
                },
            ) => Self::Value {
                uniforms: a || c,
                arguments: b || d,
            },
            _ => Self::Unknown,
        }
    }
}

/// Computation of an expression from others of its function.
pub(super) enum Source {
    /// The operation on its operands.
    Operands,
    /// A member of another expression.
    Member(Handle<Expression>, Path),
    /// A member of an argument or of its pointee.
    Argument(u32, Path),
    /// A call with these arguments; none if the result does not depend on them.
    Call(Handle<Function>, Vec<Handle<Expression>>),
    Unknown,
}

/// Member indices, outermost first.
type Path = Vec<u32>;

/// Origins and sources of all expressions of a module.
pub(super) struct Origins<'a> {
    module: &'a Module,
    /// In the order of [`functions`].
    functions: Vec<FunctionInfo<'a>>,
    /// Expressions that calls may still expand to.
    budget: usize,
}

struct FunctionInfo<'a> {
    function: &'a Function,
    /// Origins of its expressions, by index.
    origins: Vec<Origin>,
    variables: Variables,
    /// Arguments of calls, by their results.
    calls: HashMap<Handle<Expression>, Vec<Handle<Expression>>>,
    /// For each parameter, whether the function never writes through it.
    only_reads: Vec<bool>,
    /// The returned value, if the function has no other effect.
    returned: Option<Handle<Expression>>,
    /// Number of expressions, callees included.
    size: usize,
}

impl<'a> Origins<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        let mut origins = Self {
            module,
            functions: Vec::new(),
            budget: MAX_TOTAL_SIZE,
        };
        for function in functions(module) {
            origins.add(function);
        }
        origins
    }

    /// Origin of an expression of function number `number`.
    pub(super) fn origin(&self, number: usize, handle: Handle<Expression>) -> Origin {
        self.functions[number].origins[handle.index()]
    }

    /// Local variables with a single value.
    pub(super) fn variables(&self, number: usize) -> &Variables {
        &self.functions[number].variables
    }

    /// The value that a function returns, if it has no other effect.
    pub(super) fn returned(&self, function: Handle<Function>) -> Option<Handle<Expression>> {
        self.functions[function.index()].returned
    }

    /// Source of an expression of function number `number`.
    pub(super) fn source(&self, number: usize, handle: Handle<Expression>) -> Source {
        self.source_in(&self.functions[number], handle)
    }

    pub(super) fn function(&self, number: usize) -> &Function {
        self.functions[number].function
    }

    /// Adds the next function. Its callees must have been added.
    fn add(&mut self, function: &'a Function) {
        let variables = single_values(function, |callee, argument| {
            self.functions[callee.index()].only_reads[argument]
        });
        let mut info = FunctionInfo {
            function,
            origins: Vec::with_capacity(function.expressions.len()),
            variables,
            calls: HashMap::new(),
            only_reads: vec![true; function.arguments.len()],
            returned: None,
            size: function.expressions.len(),
        };
        self.add_statements(&function.body, &mut info);
        for (handle, _) in function.expressions.iter() {
            let origin = self.next_origin(&info, handle);
            info.origins.push(origin);
        }
        if info.size <= MAX_INLINED_SIZE {
            info.returned = self.only_returned(&info);
        }
        self.functions.push(info);
    }

    /// Records the calls and the writes through pointers in a block.
    fn add_statements(&self, block: &Block, info: &mut FunctionInfo<'_>) {
        for statement in block {
            match statement {
                Statement::Store { pointer, .. } => info.add_write(*pointer),
                Statement::Call {
                    function,
                    arguments,
                    result,
                } => {
                    let callee = &self.functions[function.index()];
                    info.size = info.size.saturating_add(callee.size);
                    for (argument, only_reads) in arguments.iter().zip(&callee.only_reads) {
                        if !only_reads {
                            info.add_write(*argument);
                        }
                    }
                    if let Some(result) = result {
                        info.calls.insert(*result, arguments.clone());
                    }
                }
                _ => {}
            }
            for inner in inner_blocks(statement) {
                self.add_statements(inner, info);
            }
        }
    }

    /// The value that a function returns, if it has no branches and no other effect.
    fn only_returned(&self, info: &FunctionInfo<'_>) -> Option<Handle<Expression>> {
        let (last, rest) = info.function.body.split_last()?;
        let Statement::Return { value } = last else {
            return None;
        };
        let mut rest = rest.iter();
        let is_pure = info.only_reads.iter().all(|only_reads| *only_reads)
            && rest.all(|statement| match statement {
                Statement::Emit(_) => true,
                Statement::Store { pointer, .. } => {
                    matches!(
                        root_variable(info.function, *pointer),
                        Some(Variable::Local(_))
                    )
                }
                Statement::Call { function, .. } => self.returned(*function).is_some(),
                _ => false,
            });
        value.filter(|_| is_pure)
    }

    /// Origin of the first expression without one.
    fn next_origin(&mut self, info: &FunctionInfo<'_>, handle: Handle<Expression>) -> Origin {
        let origin_of = |from: Handle<Expression>| {
            let origin = info.origins.get(from.index()).copied();
            origin.unwrap_or(Origin::Unknown)
        };
        match self.source_in(info, handle) {
            Source::Operands => {
                self.operation_origin(&info.function.expressions[handle], origin_of)
            }
            Source::Member(base, _) => origin_of(base),
            Source::Argument(..) => Origin::ARGUMENT,
            Source::Call(function, arguments) => {
                let callee = &self.functions[function.index()];
                let Some(budget) = self.budget.checked_sub(callee.size) else {
                    return Origin::Unknown;
                };
                self.budget = budget;
                let origin = match callee.returned_origin() {
                    Some(Origin::Value { uniforms, .. }) => Origin::Value {
                        uniforms,
                        arguments: false,
                    },
                    _ => Origin::Unknown,
                };
                let arguments = arguments.into_iter().map(origin_of);
                arguments.fold(origin, Origin::and)
            }
            Source::Unknown => Origin::Unknown,
        }
    }

    fn source_in(&self, info: &FunctionInfo<'_>, handle: Handle<Expression>) -> Source {
        let expressions = &info.function.expressions;
        let source = match expressions[handle] {
            Expression::FunctionArgument(number) => {
                let is_value = !self.is_pointer(info.function, number);
                is_value.then(|| Source::Argument(number, Path::new()))
            }
            Expression::Load { pointer } => self.load_source(info, pointer),
            Expression::CallResult(function) => {
                let value = |argument: &Handle<Expression>| match expressions[*argument] {
                    Expression::LocalVariable(local) => info.variables.get(&local).copied(),
                    _ => Some(*argument),
                };
                let callee = &self.functions[function.index()];
                let arguments: Option<_> = match callee.returned_origin() {
                    Some(Origin::Value {
                        arguments: false, ..
                    }) => Some(Vec::new()),
                    _ => {
                        let arguments = info.calls.get(&handle);
                        arguments.and_then(|all| all.iter().map(value).collect())
                    }
                };
                arguments.map(|arguments| Source::Call(function, arguments))
            }
            _ => Some(Source::Operands),
        };
        source.unwrap_or(Source::Unknown)
    }

    fn load_source(&self, info: &FunctionInfo<'_>, pointer: Handle<Expression>) -> Option<Source> {
        Some(match root_variable(info.function, pointer)? {
            Variable::Global(_) => Source::Operands,
            Variable::Local(local) => {
                let value = *info.variables.get(&local)?;
                Source::Member(value, path(info.function, pointer)?)
            }
            Variable::Argument(number) => {
                if !info.only_reads[number as usize] {
                    return None;
                }
                Source::Argument(number, path(info.function, pointer)?)
            }
        })
    }

    fn is_pointer(&self, function: &Function, number: u32) -> bool {
        let ty = function.arguments[number as usize].ty;
        matches!(
            self.module.types[ty].inner,
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }
        )
    }

    /// Origin of an operation, with `origin_of` its operands.
    fn operation_origin(
        &self,
        expression: &Expression,
        origin_of: impl Fn(Handle<Expression>) -> Origin,
    ) -> Origin {
        use Expression as E;
        match expression {
            E::GlobalVariable(variable) => match self.module.global_variables[*variable].space {
                AddressSpace::Uniform => Origin::Pointer { arguments: false },
                _ => Origin::Unknown,
            },
            E::AccessIndex { base, .. } => origin_of(*base),
            E::Access { base, index } => match (origin_of(*base), origin_of(*index)) {
                (Origin::Pointer { arguments: a }, Origin::Value { arguments: b, .. }) => {
                    Origin::Pointer { arguments: a || b }
                }
                (base, index) => base.and(index),
            },
            E::Load { pointer } => match origin_of(*pointer) {
                Origin::Pointer { arguments } => Origin::Value {
                    uniforms: true,
                    arguments,
                },
                _ => Origin::Unknown,
            },
            E::Literal(_)
            | E::Constant(_)
            | E::Override(_)
            | E::ZeroValue(_)
            | E::Compose { .. }
            | E::Splat { .. }
            | E::Swizzle { .. }
            | E::Unary { .. }
            | E::Binary { .. }
            | E::Select { .. }
            | E::Math { .. }
            | E::Relational { .. }
            | E::As { .. } => {
                let operands = operands(expression).into_iter();
                operands.map(origin_of).fold(Origin::CONSTANT, Origin::and)
            }
            _ => Origin::Unknown,
        }
    }
}

impl FunctionInfo<'_> {
    fn add_write(&mut self, pointer: Handle<Expression>) {
        if let Some(Variable::Argument(number)) = root_variable(self.function, pointer) {
            self.only_reads[number as usize] = false;
        }
    }

    /// Origin of the returned value, if the function has no other effect.
    fn returned_origin(&self) -> Option<Origin> {
        Some(self.origins[self.returned?.index()])
    }
}

/// Path of the member that `pointer` refers to. `None` if an index is dynamic.
fn path(function: &Function, pointer: Handle<Expression>) -> Option<Path> {
    match function.expressions[pointer] {
        Expression::AccessIndex { base, index } => {
            let mut path = path(function, base)?;
            path.push(index);
            Some(path)
        }
        Expression::Access { .. } => None,
        _ => Some(Path::new()),
    }
}
