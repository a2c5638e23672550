//! What the expressions of functions are worked out from.

use std::collections::HashMap;

use naga::{AddressSpace, Block, Expression, Function, Handle, Module, Statement, TypeInner};

use super::variables::{Variables, with_one_value};
use crate::calls::functions;
use tarsus_shader::ir::{Variable, inner_blocks, operands, root_variable};

/// Expressions that one call of a function may stand for, and all calls of a module.
const MOST_OF_CALL: usize = 512;
const MOST_OF_CALLS: usize = 50_000;

/// What an expression is worked out from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Constants, and what is said here.
    Values {
        uniforms: bool,
        arguments: bool,
    },
    /// It leads into a uniform, to a place that depends on no more than that.
    Pointer {
        arguments: bool,
    },
    Other,
}

impl Origin {
    const CONSTANT: Self = Self::Values {
        uniforms: false,
        arguments: false,
    };
    const ARGUMENT: Self = Self::Values {
        uniforms: false,
        arguments: true,
    };

    /// Of what is worked out from both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (
                Self::Values {
                    uniforms: a,
                    arguments: b,
                },
                Self::Values {
                    uniforms: c,
                    arguments: d,
                },
            ) => Self::Values {
                uniforms: a || c,
                arguments: b || d,
            },
            _ => Self::Other,
        }
    }
}

/// How an expression is worked out from others of its function.
pub(super) enum Source {
    /// By its operands.
    Operands,
    /// It is a member of what another expression is.
    Member(Handle<Expression>, Path),
    /// It is a member of what an argument is or leads to.
    Argument(u32, Path),
    /// It is what a function gives for these arguments, or for whichever if there are none.
    Call(Handle<Function>, Vec<Handle<Expression>>),
    Unknown,
}

/// Numbers of members, each of the one before.
type Path = Vec<u32>;

/// What the functions of a module work out, and from what.
pub(super) struct Origins<'a> {
    module: &'a Module,
    /// In the order of [`functions`].
    functions: Vec<Facts<'a>>,
    /// Expressions that calls may still stand for.
    left: usize,
}

struct Facts<'a> {
    function: &'a Function,
    /// Of its expressions, in their order.
    origins: Vec<Origin>,
    variables: Variables,
    calls: Calls,
    /// Whether it only reads what a pointer in its parameters leads to.
    only_reads: Vec<bool>,
    /// What it returns, if that is all it does.
    returned: Option<Handle<Expression>>,
    /// Number of expressions, those of functions that it calls included.
    size: usize,
}

/// Arguments of calls, by their results.
type Calls = HashMap<Handle<Expression>, Vec<Handle<Expression>>>;

impl<'a> Origins<'a> {
    pub(super) fn of(module: &'a Module) -> Self {
        let mut origins = Self {
            module,
            functions: Vec::new(),
            left: MOST_OF_CALLS,
        };
        for function in functions(module) {
            origins.add(function);
        }
        origins
    }

    /// The origin of an expression of the function of a number.
    pub(super) fn origin(&self, number: usize, handle: Handle<Expression>) -> Origin {
        self.functions[number].origins[handle.index()]
    }

    /// The local variables of a function that have one value, and their values.
    pub(super) fn variables(&self, number: usize) -> &Variables {
        &self.functions[number].variables
    }

    /// What a function returns, if that is all it does.
    pub(super) fn returned(&self, function: Handle<Function>) -> Option<Handle<Expression>> {
        self.functions[function.index()].returned
    }

    /// How an expression of a function is worked out.
    pub(super) fn source(&self, number: usize, handle: Handle<Expression>) -> Source {
        self.source_in(&self.functions[number], handle)
    }

    pub(super) fn function(&self, number: usize) -> &Function {
        self.functions[number].function
    }

    /// Adds the next function, which calls none but those before it.
    fn add(&mut self, function: &'a Function) {
        let variables = with_one_value(function, |callee, argument| {
            self.functions[callee.index()].only_reads[argument]
        });
        let mut facts = Facts {
            function,
            origins: Vec::with_capacity(function.expressions.len()),
            variables,
            calls: Calls::new(),
            only_reads: vec![true; function.arguments.len()],
            returned: None,
            size: function.expressions.len(),
        };
        self.add_calls(&function.body, &mut facts);
        for (handle, _) in function.expressions.iter() {
            let origin = self.next_origin(&facts, handle);
            facts.origins.push(origin);
        }
        if facts.size <= MOST_OF_CALL && self.only_returns(&facts) {
            facts.returned = match function.body.last() {
                Some(Statement::Return { value }) => *value,
                _ => None,
            };
        }
        self.functions.push(facts);
    }

    /// Adds what the statements of a block say.
    fn add_calls(&self, block: &Block, facts: &mut Facts<'_>) {
        for statement in block {
            match statement {
                Statement::Store { pointer, .. } => facts.add_written(*pointer),
                Statement::Call {
                    function,
                    arguments,
                    result,
                } => {
                    let callee = &self.functions[function.index()];
                    facts.size = facts.size.saturating_add(callee.size);
                    for (argument, only_reads) in arguments.iter().zip(&callee.only_reads) {
                        if !only_reads {
                            facts.add_written(*argument);
                        }
                    }
                    if let Some(result) = result {
                        facts.calls.insert(*result, arguments.clone());
                    }
                }
                _ => {}
            }
            for inner in inner_blocks(statement) {
                self.add_calls(inner, facts);
            }
        }
    }

    /// True if a function does nothing that is seen outside but to return a value, which
    /// does not depend on a condition.
    fn only_returns(&self, facts: &Facts<'_>) -> bool {
        let body = facts.function.body.iter();
        let mut body = body.rev();
        matches!(body.next(), Some(Statement::Return { value: Some(_) }))
            && facts.only_reads.iter().all(|only_reads| *only_reads)
            && body.all(|statement| match statement {
                Statement::Emit(_) => true,
                Statement::Store { pointer, .. } => {
                    matches!(
                        root_variable(facts.function, *pointer),
                        Some(Variable::Local(_))
                    )
                }
                Statement::Call { function, .. } => self.returned(*function).is_some(),
                _ => false,
            })
    }

    /// The origin of the first expression whose origin is not known yet.
    fn next_origin(&mut self, facts: &Facts<'_>, handle: Handle<Expression>) -> Origin {
        let of = |from: Handle<Expression>| {
            let origin = facts.origins.get(from.index()).copied();
            origin.unwrap_or(Origin::Other)
        };
        match self.source_in(facts, handle) {
            Source::Operands => self.of_operands(&facts.function.expressions[handle], of),
            Source::Member(whole, _) => of(whole),
            Source::Argument(..) => Origin::ARGUMENT,
            Source::Call(function, arguments) => {
                let callee = &self.functions[function.index()];
                let Some(left) = self.left.checked_sub(callee.size) else {
                    return Origin::Other;
                };
                self.left = left;
                let origin = match callee.returned_from() {
                    Some(Origin::Values { uniforms, .. }) => Origin::Values {
                        uniforms,
                        arguments: false,
                    },
                    _ => Origin::Other,
                };
                arguments.into_iter().map(of).fold(origin, Origin::and)
            }
            Source::Unknown => Origin::Other,
        }
    }

    fn source_in(&self, facts: &Facts<'_>, handle: Handle<Expression>) -> Source {
        let expressions = &facts.function.expressions;
        let source = match expressions[handle] {
            Expression::FunctionArgument(number) => {
                let is_value = !self.is_pointer(facts.function, number);
                is_value.then(|| Source::Argument(number, Path::new()))
            }
            Expression::Load { pointer } => self.source_of_load(facts, pointer),
            Expression::CallResult(function) => {
                let arguments = facts.calls.get(&handle);
                let value = |argument: &Handle<Expression>| match expressions[*argument] {
                    Expression::LocalVariable(local) => facts.variables.get(&local).copied(),
                    _ => Some(*argument),
                };
                let arguments: Option<_> = match self.functions[function.index()].returned_from() {
                    Some(Origin::Values {
                        arguments: false, ..
                    }) => Some(Vec::new()),
                    _ => arguments.and_then(|all| all.iter().map(value).collect()),
                };
                arguments.map(|arguments| Source::Call(function, arguments))
            }
            _ => Some(Source::Operands),
        };
        source.unwrap_or(Source::Unknown)
    }

    fn source_of_load(&self, facts: &Facts<'_>, pointer: Handle<Expression>) -> Option<Source> {
        Some(match root_variable(facts.function, pointer)? {
            Variable::Global(_) => Source::Operands,
            Variable::Local(local) => {
                let whole = *facts.variables.get(&local)?;
                Source::Member(whole, path(facts.function, pointer)?)
            }
            Variable::Argument(number) => {
                if !facts.only_reads[number as usize] {
                    return None;
                }
                Source::Argument(number, path(facts.function, pointer)?)
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

    fn of_operands(
        &self,
        expression: &Expression,
        of: impl Fn(Handle<Expression>) -> Origin,
    ) -> Origin {
        use Expression as E;
        match expression {
            E::Literal(_) | E::Constant(_) | E::Override(_) | E::ZeroValue(_) => Origin::CONSTANT,
            E::GlobalVariable(variable) => match self.module.global_variables[*variable].space {
                AddressSpace::Uniform => Origin::Pointer { arguments: false },
                _ => Origin::Other,
            },
            E::AccessIndex { base, .. } => of(*base),
            E::Access { base, index } => match (of(*base), of(*index)) {
                (Origin::Pointer { arguments: a }, Origin::Values { arguments: b, .. }) => {
                    Origin::Pointer { arguments: a || b }
                }
                (base, index) => base.and(index),
            },
            E::Load { pointer } => match of(*pointer) {
                Origin::Pointer { arguments } => Origin::Values {
                    uniforms: true,
                    arguments,
                },
                _ => Origin::Other,
            },
            E::Compose { .. }
            | E::Splat { .. }
            | E::Swizzle { .. }
            | E::Unary { .. }
            | E::Binary { .. }
            | E::Select { .. }
            | E::Math { .. }
            | E::Relational { .. }
            | E::As { .. } => {
                let operands = operands(expression).into_iter();
                operands.map(of).fold(Origin::CONSTANT, Origin::and)
            }
            _ => Origin::Other,
        }
    }
}

impl Facts<'_> {
    fn add_written(&mut self, pointer: Handle<Expression>) {
        if let Some(Variable::Argument(number)) = root_variable(self.function, pointer) {
            self.only_reads[number as usize] = false;
        }
    }

    /// The origin of what it returns, if that is all it does.
    fn returned_from(&self) -> Option<Origin> {
        Some(self.origins[self.returned?.index()])
    }
}

/// The members that lead from a variable to what `pointer` leads to.
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
