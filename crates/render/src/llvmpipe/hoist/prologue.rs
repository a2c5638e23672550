//! The function that computes hoisted values at the start of an entry point.

use std::collections::{HashMap, HashSet};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{AddressSpace, Arena, Expression, Function, Handle, Module, Span, Statement, TypeInner};

use crate::calls::{self, add};
use tarsus_shader::ir::operands;

#[derive(Default)]
pub(super) struct Prologue {
    pub(super) function: Function,
    /// Its expressions by their debug format, which removes duplicates.
    interned: HashMap<String, Handle<Expression>>,
    /// Its expressions that depend on uniforms.
    uniform: HashSet<Handle<Expression>>,
    types: Typifier,
}

impl Prologue {
    pub(super) fn add(&mut self, expression: Expression) -> Handle<Expression> {
        let text = format!("{expression:?}");
        if let Some(handle) = self.interned.get(&text) {
            return *handle;
        }
        let is_load = matches!(expression, Expression::Load { .. });
        let mut operands = operands(&expression).into_iter();
        let is_uniform = is_load || operands.any(|operand| self.uniform.contains(&operand));
        let handle = add(&mut self.function, expression);
        self.interned.insert(text, handle);
        self.uniform.extend(is_uniform.then_some(handle));
        handle
    }

    /// Type of a value that depends on uniforms and is a scalar, a vector or a matrix.
    pub(super) fn hoistable_type(
        &mut self,
        module: &Module,
        value: Handle<Expression>,
    ) -> Option<TypeInner> {
        let locals = Arena::new();
        let context = ResolveContext::with_locals(module, &locals, &[]);
        let expressions = &self.function.expressions;
        self.types.grow(value, expressions, &context).ok()?;
        let inner = self.types[value].inner_with(&module.types);
        let is_numeric = matches!(
            inner,
            TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Matrix { .. }
        );
        (is_numeric && self.uniform.contains(&value)).then(|| inner.clone())
    }

    /// Stores a value in a new private variable; returns a function that returns it.
    pub(super) fn store(
        &mut self,
        module: &mut Module,
        value: Handle<Expression>,
        ty: &TypeInner,
    ) -> Function {
        let variable = calls::variable(module, AddressSpace::Private, None, ty.clone());
        let variable = Expression::GlobalVariable(variable);
        let pointer = add(&mut self.function, variable.clone());
        let store = Statement::Store { pointer, value };
        self.function.body.push(store, Span::UNDEFINED);

        let mut getter = calls::function(module, &[], ty.clone());
        let pointer = add(&mut getter, variable);
        let value = add(&mut getter, Expression::Load { pointer });
        calls::end(getter, value)
    }
}
