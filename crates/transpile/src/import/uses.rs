//! Use counts of a function's variables and values.

use std::collections::HashMap;

use naga::{Expression, Function, Handle, LocalVariable, Statement};
use tarsus_shader::ir::{operands, statement_operands, statements};

/// Number of stores, loads and other uses of a local variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LocalUse {
    pub stores: usize,
    pub loads: usize,
    /// Uses as a call argument.
    pub arguments: usize,
    /// Uses of a part of it, or of its address elsewhere.
    pub others: usize,
}

/// Use counts of everything in a function.
#[derive(Default)]
pub(super) struct Uses {
    locals: HashMap<Handle<LocalVariable>, LocalUse>,
    values: HashMap<Handle<Expression>, usize>,
}

impl Uses {
    pub(super) fn of(function: &Function) -> Self {
        let mut uses = Self::default();
        for (_, expression) in function.expressions.iter() {
            for operand in operands(expression) {
                match (uses.count(function, operand), expression) {
                    (Some(local), Expression::Load { .. }) => local.loads += 1,
                    (Some(local), _) => local.others += 1,
                    (None, _) => {}
                }
            }
        }
        for statement in statements(&function.body) {
            for operand in statement_operands(statement) {
                match (uses.count(function, operand), statement) {
                    (Some(local), Statement::Store { .. }) => local.stores += 1,
                    (Some(local), Statement::Call { .. }) => local.arguments += 1,
                    _ => {}
                }
            }
        }
        uses
    }

    /// Counts a use of `value`. Returns the local variable that it is.
    fn count(&mut self, function: &Function, value: Handle<Expression>) -> Option<&mut LocalUse> {
        *self.values.entry(value).or_default() += 1;
        match function.expressions[value] {
            Expression::LocalVariable(local) => Some(self.locals.entry(local).or_default()),
            _ => None,
        }
    }

    pub(super) fn local(&self, local: Handle<LocalVariable>) -> LocalUse {
        self.locals.get(&local).copied().unwrap_or_default()
    }

    /// Number of expressions and statements that use a value.
    pub(super) fn value(&self, value: Handle<Expression>) -> usize {
        self.values.get(&value).copied().unwrap_or(0)
    }
}
