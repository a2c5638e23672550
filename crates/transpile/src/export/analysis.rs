//! Properties of a module's functions, including the functions they call.

use std::collections::BTreeSet;

use naga::valid::{GlobalUse, ModuleInfo};
use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Statement};

use tarsus_shader::ir::handles;

use super::signature::{Passing, Signature, Signatures};

/// A validated module and the properties of its functions.
pub(crate) struct Analysis<'a> {
    pub module: &'a Module,
    pub info: &'a ModuleInfo,
    signatures: Signatures,
    /// Functions whose results use derivatives.
    differentiating: BTreeSet<Handle<Function>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(module: &'a Module, info: &'a ModuleInfo, signatures: Signatures) -> Self {
        let mut analysis = Self {
            module,
            info,
            signatures,
            differentiating: BTreeSet::new(),
        };
        // naga orders callees before callers.
        for (handle, function) in module.functions.iter() {
            let mut expressions = function.expressions.iter();
            if expressions.any(|(_, expression)| analysis.uses_derivatives(expression)) {
                analysis.differentiating.insert(handle);
            }
        }
        analysis
    }

    /// True for an expression that uses derivatives.
    pub(super) fn uses_derivatives(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Derivative { .. } => true,
            Expression::ImageSample { level, .. } => level.implicit_derivatives(),
            Expression::CallResult(callee) => self.differentiating.contains(callee),
            _ => false,
        }
    }

    /// True if a call of `function` has no side effects.
    pub(super) fn is_pure(&self, function: Handle<Function>) -> bool {
        let arguments = &self.module.functions[function].arguments;
        let signature = self.signature(function);
        let takes_pointer = arguments.iter().enumerate().any(|(number, argument)| {
            let inner = &self.module.types[argument.ty].inner;
            inner.pointer_space().is_some()
                && signature.is_none_or(|known| known.passing(number) == Passing::Declared)
        });
        let stores = self.globals(function, GlobalUse::WRITE).next().is_some();
        !takes_pointer && !stores && !self.info[function].may_kill
    }

    /// The signature of `function`, if it differs from the module's declaration.
    pub(super) fn signature(&self, function: Handle<Function>) -> Option<&Signature> {
        self.signatures.get(&function)
    }

    /// True for a function without effect or result.
    pub(super) fn is_empty(&self, function: Handle<Function>) -> bool {
        let function = &self.module.functions[function];
        function.result.is_none() && does_nothing(&function.body)
    }

    /// The module variables that `function` and its callees use in this way.
    pub(super) fn globals(
        &self,
        function: Handle<Function>,
        used: GlobalUse,
    ) -> impl Iterator<Item = Handle<GlobalVariable>> {
        let info = &self.info[function];
        let all = handles(&self.module.global_variables).into_iter();
        all.filter(move |&global| info[global].intersects(used))
    }
}

fn does_nothing(block: &Block) -> bool {
    block.iter().all(|statement| match statement {
        Statement::Emit(_) | Statement::Return { value: None } => true,
        Statement::Block(inner) => does_nothing(inner),
        _ => false,
    })
}
