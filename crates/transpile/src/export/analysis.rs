//! Properties of a module's functions, including the functions they call.

use std::collections::{BTreeMap, BTreeSet};

use naga::valid::{GlobalUse, ModuleInfo};
use naga::{Expression, Function, GlobalVariable, Handle, Module, Statement};

use tarsus_shader::ir::{Variable, handles, root_variable, statements};

/// A validated module and the properties of its functions.
pub(crate) struct Analysis<'a> {
    pub module: &'a Module,
    pub info: &'a ModuleInfo,
    effects: BTreeMap<Handle<Function>, Effects>,
}

/// What a function does besides computing its result.
#[derive(Default)]
struct Effects {
    /// Module variables that it stores to, also through pointers.
    writes: BTreeSet<Handle<GlobalVariable>>,
    /// Pointer arguments that it stores through.
    written_arguments: BTreeSet<u32>,
    uses_derivatives: bool,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(module: &'a Module, info: &'a ModuleInfo) -> Self {
        let mut analysis = Self { module, info, effects: BTreeMap::new() };
        // naga orders callees before callers.
        for (handle, function) in module.functions.iter() {
            let effects = analysis.effects_of(function);
            analysis.effects.insert(handle, effects);
        }
        analysis
    }

    fn effects_of(&self, function: &Function) -> Effects {
        let mut effects = Effects::default();
        let mut written: Vec<Handle<Expression>> = Vec::new();
        for statement in statements(&function.body) {
            match statement {
                Statement::Store { pointer, .. } => written.push(*pointer),
                Statement::Call { function, arguments, .. } => {
                    effects.writes.extend(self.writes(*function));
                    effects.uses_derivatives |= self.effects[function].uses_derivatives;
                    written.extend(self.written_arguments(*function, arguments));
                }
                _ => {}
            }
        }
        for pointer in written {
            match root_variable(function, pointer) {
                Some(Variable::Global(global)) => drop(effects.writes.insert(global)),
                Some(Variable::Argument(number)) => {
                    effects.written_arguments.insert(number);
                }
                _ => {}
            }
        }
        let mut expressions = function.expressions.iter();
        effects.uses_derivatives |=
            expressions.any(|(_, expression)| self.uses_derivatives(expression));
        effects
    }

    /// True for an expression that uses derivatives.
    pub(super) fn uses_derivatives(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Derivative { .. } => true,
            Expression::ImageSample { level, .. } => level.implicit_derivatives(),
            Expression::CallResult(callee) => self.effects[callee].uses_derivatives,
            _ => false,
        }
    }

    /// True for a function that uses derivatives, or calls one that does.
    pub(super) fn calls_derivatives(&self, function: Handle<Function>) -> bool {
        self.effects[&function].uses_derivatives
    }

    /// True if a call of `function` has no side effects.
    pub(super) fn is_pure(&self, function: Handle<Function>) -> bool {
        let effects = &self.effects[&function];
        effects.writes.is_empty()
            && effects.written_arguments.is_empty()
            && !self.info[function].may_kill
    }

    /// The module variables that `function` and its callees store to.
    pub(super) fn writes(
        &self,
        function: Handle<Function>,
    ) -> impl Iterator<Item = Handle<GlobalVariable>> {
        self.effects[&function].writes.iter().copied()
    }

    /// The `arguments` of a call of `function` that it stores through.
    pub(super) fn written_arguments(
        &self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
    ) -> impl Iterator<Item = Handle<Expression>> {
        let numbers = self.effects[&function].written_arguments.iter();
        numbers.filter_map(|&number| arguments.get(number as usize).copied())
    }

    /// The module variables that `function` and its callees use.
    pub(super) fn globals(
        &self,
        function: Handle<Function>,
    ) -> impl Iterator<Item = Handle<GlobalVariable>> {
        let info = &self.info[function];
        let all = handles(&self.module.global_variables).into_iter();
        all.filter(move |&global| info[global].intersects(GlobalUse::all()))
    }
}
