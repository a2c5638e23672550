//! Restores call arguments as the author wrote them.
//!
//! The GLSL compiler copies every argument to a variable and passes its address. For `out`
//! and `inout` parameters it copies the variable back after the call. This module passes a
//! copy by value if nothing reads it after the call, and replaces a copy that is written
//! back to a local variable by the address of that variable.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use naga::valid::ModuleInfo;
use naga::{Block, Expression, Function, Handle, LocalVariable, Module, Statement, TypeInner};
use tarsus_shader::ir::{handles, inner_blocks_mut, local, statements, stored_local};

use super::uses::{LocalUse, Uses};
use crate::export::analysis::Analysis;
use crate::export::signature::{Passing, Signature, Signatures};

/// A parameter: function and argument index.
type Parameter = (Handle<Function>, usize);

/// Rewrites the calls in `module`, whose validation results are `info`. Returns the resulting
/// function signatures.
pub(super) fn simplify(module: &mut Module, info: &ModuleInfo) -> Signatures {
    let values = value_parameters(module);
    let signatures = signatures(&Analysis::new(module, info, Signatures::new()), &values);
    for handle in handles(&module.functions) {
        let mut function = std::mem::take(&mut module.functions[handle]);
        let uses = Uses::of(&function);
        let body = std::mem::take(&mut function.body);
        let mut caller = Caller { module, function: &mut function, uses, values: &values };
        function.body = caller.block(body);
        module.functions[handle] = function;
    }
    signatures
}

/// Passes the parameters `values` by value, in a copy if the function writes it.
fn signatures(analysis: &Analysis<'_>, values: &BTreeSet<Parameter>) -> Signatures {
    let functions = analysis.module.functions.iter();
    let signatures = functions.map(|(handle, function)| {
        let passing =
            (0..function.arguments.len()).map(|number| match values.contains(&(handle, number)) {
                false => Passing::Declared,
                true if analysis.writes_argument(handle, number) => Passing::Copied,
                true => Passing::Value,
            });
        (handle, Signature { passing: passing.collect(), ..Signature::default() })
    });
    signatures.collect()
}

/// Parameters that only receive copies which their callers do not read after the call.
fn value_parameters(module: &Module) -> BTreeSet<Parameter> {
    let unread_copy = LocalUse { stores: 1, arguments: 1, ..LocalUse::default() };
    let mut found: BTreeMap<Parameter, bool> = BTreeMap::new();
    for (_, caller) in module.functions.iter() {
        let uses = Uses::of(caller);
        for statement in statements(&caller.body) {
            let Statement::Call { function, arguments, .. } = statement else {
                continue;
            };
            for (number, &argument) in arguments.iter().enumerate() {
                let local = local(caller, argument);
                *found.entry((*function, number)).or_insert(true) &=
                    local.is_some_and(|local| uses.local(local) == unread_copy);
            }
        }
    }
    found.retain(|&(function, number), is_copy| {
        let argument = &module.functions[function].arguments[number];
        *is_copy && matches!(module.types[argument.ty].inner, TypeInner::Pointer { .. })
    });
    found.into_keys().collect()
}

struct Caller<'a> {
    module: &'a Module,
    function: &'a mut Function,
    uses: Uses,
    values: &'a BTreeSet<Parameter>,
}

impl Caller<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut done: Vec<Statement> = Vec::new();
        let statements = block.span_into_iter().map(|(statement, _)| statement);
        let mut rest: VecDeque<Statement> = statements.collect();
        while let Some(mut statement) = rest.pop_front() {
            for inner in inner_blocks_mut(&mut statement) {
                *inner = self.block(std::mem::take(inner));
            }
            if let Statement::Call { function, ref mut arguments, .. } = statement {
                self.pass_values(&mut done, function, arguments);
                self.pass_addresses(&mut done, &mut rest, function, arguments);
            }
            done.push(statement);
        }
        done.into()
    }

    /// Index of the last of the statements `done` that stores to `local`.
    fn store_to(&self, done: &[Statement], local: Handle<LocalVariable>) -> Option<usize> {
        let stores = |statement| {
            let stored = stored_local(self.function, statement);
            stored.is_some_and(|(to, _)| to == local)
        };
        done.iter().rposition(stores)
    }

    fn pass_values(
        &mut self,
        done: &mut Vec<Statement>,
        callee: Handle<Function>,
        arguments: &mut [Handle<Expression>],
    ) {
        for (number, argument) in arguments.iter_mut().enumerate() {
            if self.values.contains(&(callee, number))
                && let Some(copy) = local(self.function, *argument)
                && let Some(at) = self.store_to(done, copy)
                && let Some((_, value)) = stored_local(self.function, &done[at])
            {
                done.remove(at);
                *argument = value;
            }
        }
    }

    /// Replaces copies by the variables that their results are copied back to.
    fn pass_addresses(
        &mut self,
        done: &mut Vec<Statement>,
        rest: &mut VecDeque<Statement>,
        callee: Handle<Function>,
        arguments: &mut [Handle<Expression>],
    ) {
        for number in 0..arguments.len() {
            if !self.values.contains(&(callee, number))
                && let Some(target) = self.pass_address(done, rest, (callee, number), arguments)
            {
                arguments[number] = target;
            }
        }
    }

    /// Removes the statements that copy an argument before and after the call. Returns the
    /// address of the copied variable.
    fn pass_address(
        &mut self,
        done: &mut Vec<Statement>,
        rest: &mut VecDeque<Statement>,
        (callee, number): Parameter,
        arguments: &[Handle<Expression>],
    ) -> Option<Handle<Expression>> {
        let copy = local(self.function, arguments[number])?;
        let used = self.uses.local(copy);
        if used.arguments != 1 || used.others != 0 || used.loads > 1 || used.stores > 1 {
            return None;
        }
        let callee = self.module.functions.try_get(callee).ok();
        let name = callee.and_then(|callee| callee.arguments.get(number)?.name.clone());
        self.function.local_variables[copy].name = name;
        let after = self.copy_after(rest, copy)?;
        let Statement::Store { pointer: target, .. } = rest[after] else {
            return None;
        };
        let before = match used.stores {
            0 => None,
            _ => Some(self.store_to(done, copy)?),
        };
        let expressions = &self.function.expressions;
        // Nothing may change the variable between its copy and the call.
        let is_same = before.is_none_or(|at| {
            let mut between = done[at + 1..].iter();
            self.stores_value_of(&done[at], target)
                && between.all(|statement| match stored_local(self.function, statement) {
                    Some((local, _)) => expressions[target] != Expression::LocalVariable(local),
                    None => matches!(statement, Statement::Emit(_)),
                })
        });
        let is_variable = matches!(
            expressions[target],
            Expression::LocalVariable(_) | Expression::FunctionArgument(_)
        );
        let is_passed = |&argument| expressions[argument] == expressions[target];
        if !is_same || !is_variable || arguments.iter().any(is_passed) {
            return None;
        }
        if let Some(at) = before {
            done.remove(at);
        }
        rest.remove(after);
        Some(target)
    }

    /// Index of the statement directly after the call that stores the value of `copy`.
    fn copy_after(&self, rest: &VecDeque<Statement>, copy: Handle<LocalVariable>) -> Option<usize> {
        for (at, statement) in rest.iter().enumerate() {
            match *statement {
                Statement::Emit(_) => {}
                Statement::Store { value, .. } => {
                    let Expression::Load { pointer } = self.function.expressions[value] else {
                        return None;
                    };
                    let from = local(self.function, pointer);
                    if from == Some(copy) && self.uses.value(value) == 1 {
                        return Some(at);
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// True if a statement stores the value of the variable behind `pointer`.
    fn stores_value_of(&self, statement: &Statement, pointer: Handle<Expression>) -> bool {
        let expressions = &self.function.expressions;
        let Some((_, value)) = stored_local(self.function, statement) else {
            return false;
        };
        matches!(expressions[value], Expression::Load { pointer: from }
            if expressions[from] == expressions[pointer])
    }
}
