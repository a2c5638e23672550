//! The function that computes hoisted values at the start of an entry point.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, Expression, Function, FunctionResult, GlobalVariable, Handle,
    MemoryDecorations, Module, Span, Statement, Type, TypeInner,
};

use super::origins::{Origins, Source};
use crate::calls::add;
use tarsus_shader::ir::{operands, operands_mut};

/// Expressions of a function and their copies in the prologue.
pub(super) type Copies = BTreeMap<Handle<Expression>, Handle<Expression>>;

#[derive(Default)]
pub(super) struct Prologue {
    pub(super) function: Function,
    /// Its expressions by their debug format, which removes duplicates.
    interned: HashMap<String, Handle<Expression>>,
    types: Typifier,
}

impl Prologue {
    /// Copies `required` values of function number `number`, and everything that they depend
    /// on. `arguments` replace the arguments of the function.
    pub(super) fn copy(
        &mut self,
        origins: &Origins<'_>,
        number: usize,
        required: &BTreeSet<Handle<Expression>>,
        arguments: &[Handle<Expression>],
    ) -> Copies {
        let expressions = &origins.function(number).expressions;
        let mut sources = BTreeMap::new();
        let mut pending = required.clone();
        while let Some(handle) = pending.pop_last() {
            let source = origins.source(number, handle);
            match &source {
                Source::Operands => pending.extend(operands(&expressions[handle])),
                Source::Member(base, _) => pending.extend([*base]),
                Source::Call(_, arguments) => pending.extend(arguments),
                Source::Argument(..) | Source::Unknown => {}
            }
            sources.insert(handle, source);
        }
        let mut copies = Copies::new();
        for (handle, source) in sources {
            let copy = match source {
                Source::Operands => {
                    let mut expression = expressions[handle].clone();
                    for operand in operands_mut(&mut expression).into_iter().flatten() {
                        *operand = copies[operand];
                    }
                    self.add(expression)
                }
                Source::Member(base, path) => self.member(copies[&base], &path),
                Source::Argument(number, path) => self.member(arguments[number as usize], &path),
                Source::Call(function, arguments) => {
                    let arguments: Vec<_> = arguments.iter().map(|at| copies[at]).collect();
                    let returned = origins.returned(function).into_iter().collect();
                    let returned = self.copy(origins, function.index(), &returned, &arguments);
                    returned.into_values().next().expect("a returned value")
                }
                Source::Unknown => unreachable!("required values have known sources"),
            };
            copies.insert(handle, copy);
        }
        copies.retain(|handle, _| required.contains(handle));
        copies
    }

    fn member(&mut self, base: Handle<Expression>, path: &[u32]) -> Handle<Expression> {
        path.iter().fold(base, |base, &index| {
            self.add(Expression::AccessIndex { base, index })
        })
    }

    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        let interned = self.interned.entry(format!("{expression:?}"));
        *interned.or_insert_with(|| add(&mut self.function, expression))
    }

    /// Stores a value in a new private variable, if it is a scalar, a vector or a matrix.
    pub(super) fn store(
        &mut self,
        module: &mut Module,
        value: Handle<Expression>,
    ) -> Option<Handle<GlobalVariable>> {
        let function = &mut self.function;
        let locals = Arena::new();
        let context = ResolveContext::with_locals(module, &locals, &[]);
        let typed = self.types.grow(value, &function.expressions, &context);
        typed.ok()?;
        let inner = self.types[value].inner_with(&module.types).clone();
        let is_numeric = matches!(
            inner,
            TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Matrix { .. }
        );
        if !is_numeric {
            return None;
        }
        let ty = Type { name: None, inner };
        let variable = GlobalVariable {
            name: None,
            space: AddressSpace::Private,
            binding: None,
            ty: module.types.insert(ty, Span::UNDEFINED),
            init: None,
            memory_decorations: MemoryDecorations::empty(),
        };
        let variable = module.global_variables.append(variable, Span::UNDEFINED);
        let pointer = add(function, Expression::GlobalVariable(variable));
        let store = Statement::Store { pointer, value };
        function.body.push(store, Span::UNDEFINED);
        Some(variable)
    }
}

/// A function that returns the value of a variable.
pub(super) fn getter(module: &Module, variable: Handle<GlobalVariable>) -> Function {
    let result = FunctionResult {
        ty: module.global_variables[variable].ty,
        binding: None,
    };
    let mut function = Function {
        result: Some(result),
        ..Function::default()
    };
    let pointer = add(&mut function, Expression::GlobalVariable(variable));
    let value = add(&mut function, Expression::Load { pointer });
    let end = Statement::Return { value: Some(value) };
    function.body.push(end, Span::UNDEFINED);
    function
}
