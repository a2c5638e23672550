//! Use counts of a function's variables and values.

use std::collections::HashMap;

use naga::{Block, Expression, Function, Handle, LocalVariable, Statement, TypeInner};

use tarsus_shader::ir::operands;

/// Number of stores, loads and other uses of a local variable.
#[derive(Clone, Copy, Debug, Default)]
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
            let is_load = matches!(expression, Expression::Load { .. });
            for operand in operands(expression) {
                *uses.values.entry(operand).or_default() += 1;
                if let Expression::LocalVariable(local) = function.expressions[operand] {
                    let found = uses.locals.entry(local).or_default();
                    match is_load {
                        true => found.loads += 1,
                        false => found.others += 1,
                    }
                }
            }
        }
        uses.block(function, &function.body);
        uses
    }

    pub(super) fn local(&self, local: Handle<LocalVariable>) -> LocalUse {
        self.locals.get(&local).copied().unwrap_or_default()
    }

    /// Number of expressions and statements that use a value.
    pub(super) fn value(&self, value: Handle<Expression>) -> usize {
        self.values.get(&value).copied().unwrap_or(0)
    }

    fn note(&mut self, value: Handle<Expression>) {
        *self.values.entry(value).or_default() += 1;
    }

    fn block(&mut self, function: &Function, block: &Block) {
        for statement in block {
            self.statement(function, statement);
        }
    }

    fn statement(&mut self, function: &Function, statement: &Statement) {
        match statement {
            Statement::Store { pointer, value } => {
                self.note(*pointer);
                self.note(*value);
                if let Expression::LocalVariable(local) = function.expressions[*pointer] {
                    self.locals.entry(local).or_default().stores += 1;
                }
            }
            Statement::Call { arguments, .. } => {
                for &argument in arguments {
                    self.note(argument);
                    if let Expression::LocalVariable(local) = function.expressions[argument] {
                        self.locals.entry(local).or_default().arguments += 1;
                    }
                }
            }
            Statement::Return { value: Some(value) } => self.note(*value),
            Statement::Block(inner) => self.block(function, inner),
            Statement::If {
                condition,
                accept,
                reject,
            } => {
                self.note(*condition);
                self.block(function, accept);
                self.block(function, reject);
            }
            Statement::Switch { selector, cases } => {
                self.note(*selector);
                for case in cases {
                    self.block(function, &case.body);
                }
            }
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => {
                self.block(function, body);
                self.block(function, continuing);
                break_if.iter().for_each(|condition| self.note(*condition));
            }
            _ => {}
        }
    }
}

/// Local variable that a statement stores to as a whole, and the stored value.
pub(super) fn stored(
    function: &Function,
    statement: &Statement,
) -> Option<(Handle<LocalVariable>, Handle<Expression>)> {
    let Statement::Store { pointer, value } = *statement else {
        return None;
    };
    match function.expressions[pointer] {
        Expression::LocalVariable(local) => Some((local, value)),
        _ => None,
    }
}

/// True for scalars and vectors.
pub(super) fn is_simple(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Scalar(_) | TypeInner::Vector { .. })
}
