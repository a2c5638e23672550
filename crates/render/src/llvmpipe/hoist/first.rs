//! The function that works out what is shared.

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

/// Expressions of a function and those of another that are the same.
pub(super) type Copies = BTreeMap<Handle<Expression>, Handle<Expression>>;

/// The function that works out what is shared.
#[derive(Default)]
pub(super) struct First {
    pub(super) function: Function,
    /// Its expressions, each as it is written.
    written: HashMap<String, Handle<Expression>>,
    types: Typifier,
}

impl First {
    /// Copies `needed` of the function of a number, and what it is worked out from, with
    /// `arguments` in place of the function's.
    pub(super) fn copy(
        &mut self,
        origins: &Origins<'_>,
        number: usize,
        needed: &BTreeSet<Handle<Expression>>,
        arguments: &[Handle<Expression>],
    ) -> Copies {
        let expressions = &origins.function(number).expressions;
        let mut sources = BTreeMap::new();
        let mut left = needed.clone();
        while let Some(handle) = left.pop_last() {
            let source = origins.source(number, handle);
            match &source {
                Source::Operands => left.extend(operands(&expressions[handle])),
                Source::Member(whole, _) => left.extend([*whole]),
                Source::Call(_, arguments) => left.extend(arguments),
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
                Source::Member(whole, path) => self.member(copies[&whole], &path),
                Source::Argument(number, path) => self.member(arguments[number as usize], &path),
                Source::Call(function, arguments) => {
                    let arguments: Vec<_> = arguments.iter().map(|at| copies[at]).collect();
                    let returned = origins.returned(function).into_iter().collect();
                    let returned = self.copy(origins, function.index(), &returned, &arguments);
                    returned.into_values().next().expect("what it returns")
                }
                Source::Unknown => unreachable!("it is worked out from what is known"),
            };
            copies.insert(handle, copy);
        }
        copies.retain(|handle, _| needed.contains(handle));
        copies
    }

    fn member(&mut self, whole: Handle<Expression>, path: &[u32]) -> Handle<Expression> {
        path.iter().fold(whole, |base, &index| {
            self.add(Expression::AccessIndex { base, index })
        })
    }

    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        let Self {
            function, written, ..
        } = self;
        *written
            .entry(format!("{expression:?}"))
            .or_insert_with(|| add(function, expression))
    }

    /// Stores a value in a new variable, if it is a number, a vector or a matrix.
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
        let is_plain = matches!(
            inner,
            TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Matrix { .. }
        );
        if !is_plain {
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

/// A function that gives the value of a variable.
pub(super) fn value_of(module: &Module, variable: Handle<GlobalVariable>) -> Function {
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
