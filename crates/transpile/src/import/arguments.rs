//! Restores call arguments as the author wrote them.
//!
//! The GLSL compiler copies every argument to a variable and passes its address. For `out`
//! and `inout` parameters it copies the variable back after the call. This module passes a
//! copy by value if nothing reads it after the call, and replaces a copy that is written
//! back to a local variable by the address of that variable.

use std::collections::{BTreeMap, BTreeSet};

use naga::{Block, Expression, Function, Handle, LocalVariable, Module, Statement, TypeInner};

use super::uses::{Uses, stored};
use crate::export::signature::{Passing, Signatures};
use tarsus_shader::ir::{Variable, root_variable};
use tarsus_shader::ir::{inner_blocks, inner_blocks_mut};

/// A parameter: function and argument index.
type Parameter = (Handle<Function>, usize);

/// Rewrites the calls in `module` and returns the resulting function signatures.
pub(super) fn simplify(module: &mut Module) -> Signatures {
    let values = by_value(module);
    let handles: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    for &handle in &handles {
        let mut function = std::mem::take(&mut module.functions[handle]);
        let uses = Uses::of(&function);
        let body = std::mem::take(&mut function.body);
        let mut caller = Caller {
            module,
            function: &mut function,
            uses,
            values: &values,
        };
        let body = caller.block(body);
        function.body = body;
        module.functions[handle] = function;
    }
    let changed = changed(module);
    let mut signatures = Signatures::new();
    for &handle in &handles {
        let count = module.functions[handle].arguments.len();
        let passing = (0..count).map(|number| match values.contains(&(handle, number)) {
            true if changed.contains(&(handle, number)) => Passing::Copied,
            true => Passing::Value,
            false => Passing::Declared,
        });
        signatures.entry(handle).or_default().passing = passing.collect();
    }
    signatures
}

/// Parameters that only receive copies which their callers do not read after the call.
fn by_value(module: &Module) -> BTreeSet<Parameter> {
    let mut found: BTreeMap<Parameter, bool> = BTreeMap::new();
    for (_, function) in module.functions.iter() {
        let uses = Uses::of(function);
        note_calls(&function.body, &mut |callee, arguments| {
            for (number, &argument) in arguments.iter().enumerate() {
                let is_copy = local(function, argument).is_some_and(|local| {
                    let used = uses.local(local);
                    (used.stores, used.loads, used.others, used.arguments) == (1, 0, 0, 1)
                });
                let all = found.entry((callee, number)).or_insert(true);
                *all &= is_copy;
            }
        });
    }
    let is_pointer = |(function, number): Parameter| {
        let argument = &module.functions[function].arguments[number];
        matches!(module.types[argument.ty].inner, TypeInner::Pointer { .. })
    };
    let kept = found
        .into_iter()
        .filter(|&(parameter, all)| all && is_pointer(parameter));
    kept.map(|(parameter, _)| parameter).collect()
}

/// Pointer parameters whose functions store through them or pass them on.
fn changed(module: &Module) -> BTreeSet<Parameter> {
    let mut changed = BTreeSet::new();
    for (handle, function) in module.functions.iter() {
        let mut note = |pointer: Handle<Expression>| {
            if let Some(Variable::Argument(number)) = root_variable(function, pointer) {
                changed.insert((handle, number as usize));
            }
        };
        stores(&function.body, &mut note);
    }
    changed
}

/// Calls `note` for every pointer that a block stores through or passes to a function.
fn stores(block: &Block, note: &mut dyn FnMut(Handle<Expression>)) {
    for statement in block {
        match statement {
            Statement::Store { pointer, .. } => note(*pointer),
            Statement::Call { arguments, .. } => {
                for &argument in arguments {
                    note(argument);
                }
            }
            other => {
                for inner in inner_blocks(other) {
                    stores(inner, note);
                }
            }
        }
    }
}

/// Callback for the callee and the arguments of a call.
type NoteCall<'a> = &'a mut dyn FnMut(Handle<Function>, &[Handle<Expression>]);

fn note_calls(block: &Block, note: NoteCall<'_>) {
    for statement in block {
        match statement {
            Statement::Call {
                function,
                arguments,
                ..
            } => note(*function, arguments),
            other => {
                for inner in inner_blocks(other) {
                    note_calls(inner, note);
                }
            }
        }
    }
}

fn local(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(local) => Some(local),
        _ => None,
    }
}

struct Caller<'a> {
    module: &'a Module,
    function: &'a mut Function,
    uses: Uses,
    values: &'a BTreeSet<Parameter>,
}

impl Caller<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut kept: Vec<Statement> = Vec::new();
        let mut rest = block
            .span_into_iter()
            .map(|(statement, _)| statement)
            .collect::<std::collections::VecDeque<_>>();
        while let Some(statement) = rest.pop_front() {
            match statement {
                Statement::Call {
                    function,
                    mut arguments,
                    result,
                } => {
                    self.hand_over_values(&mut kept, function, &mut arguments);
                    self.hand_over_addresses(&mut kept, &mut rest, function, &mut arguments);
                    kept.push(Statement::Call {
                        function,
                        arguments,
                        result,
                    });
                }
                other => kept.push(self.inside(other)),
            }
        }
        kept.into()
    }

    fn inside(&mut self, mut statement: Statement) -> Statement {
        for inner in inner_blocks_mut(&mut statement) {
            *inner = self.block(std::mem::take(inner));
        }
        statement
    }

    /// Index of the last statement in `kept` that stores to `local`.
    fn store_to(&self, kept: &[Statement], local: Handle<LocalVariable>) -> Option<usize> {
        kept.iter()
            .rposition(|found| stored(self.function, found).is_some_and(|(to, _)| to == local))
    }

    fn hand_over_values(
        &mut self,
        kept: &mut Vec<Statement>,
        callee: Handle<Function>,
        arguments: &mut [Handle<Expression>],
    ) {
        for (number, argument) in arguments.iter_mut().enumerate() {
            if !self.values.contains(&(callee, number)) {
                continue;
            }
            let copy = local(self.function, *argument);
            let Some(at) = copy.and_then(|copy| self.store_to(kept, copy)) else {
                continue;
            };
            if let Some((_, value)) = stored(self.function, &kept[at]) {
                kept.remove(at);
                *argument = value;
            }
        }
    }

    /// Replaces copies by the variables that their results are copied back to.
    fn hand_over_addresses(
        &mut self,
        kept: &mut Vec<Statement>,
        rest: &mut std::collections::VecDeque<Statement>,
        callee: Handle<Function>,
        arguments: &mut [Handle<Expression>],
    ) {
        for number in 0..arguments.len() {
            if self.values.contains(&(callee, number)) {
                continue;
            }
            let Some(copy) = local(self.function, arguments[number]) else {
                continue;
            };
            let used = self.uses.local(copy);
            if used.arguments != 1 || used.others != 0 || used.loads > 1 || used.stores > 1 {
                continue;
            }
            let named = self.module.functions.try_get(callee).ok();
            let named = named.and_then(|callee| callee.arguments.get(number)?.name.clone());
            self.function.local_variables[copy].name = named;
            let Some(back) = self.copied_back(rest, copy) else {
                continue;
            };
            let Statement::Store { pointer: to, .. } = rest[back] else {
                continue;
            };
            let before = (used.stores == 1)
                .then(|| self.store_to(kept, copy))
                .flatten();
            if used.stores == 1 && before.is_none() {
                continue;
            }
            let is_same = before.is_none_or(|at| self.stores_content_of(&kept[at], to));
            if !is_same || !self.is_local(to) || self.is_among(arguments, to) {
                continue;
            }
            if let Some(at) = before {
                kept.remove(at);
            }
            rest.remove(back);
            arguments[number] = to;
        }
    }

    /// Index of the statement directly after the call that stores the value of `copy`.
    fn copied_back(
        &self,
        rest: &std::collections::VecDeque<Statement>,
        copy: Handle<LocalVariable>,
    ) -> Option<usize> {
        for (at, statement) in rest.iter().enumerate() {
            match *statement {
                Statement::Emit(_) => {}
                Statement::Store { value, .. } => {
                    let is_load = self.function.expressions.try_get(value).ok();
                    let from = match is_load {
                        Some(Expression::Load { pointer }) => local(self.function, *pointer),
                        _ => return None,
                    };
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
    fn stores_content_of(&self, statement: &Statement, pointer: Handle<Expression>) -> bool {
        let Some((_, value)) = stored(self.function, statement) else {
            return false;
        };
        let Expression::Load { pointer: from } = self.function.expressions[value] else {
            return false;
        };
        self.function.expressions[from] == self.function.expressions[pointer]
    }

    /// True for a whole local variable, or for the target of a pointer parameter.
    fn is_local(&self, pointer: Handle<Expression>) -> bool {
        matches!(
            self.function.expressions[pointer],
            Expression::LocalVariable(_) | Expression::FunctionArgument(_)
        )
    }

    fn is_among(&self, arguments: &[Handle<Expression>], pointer: Handle<Expression>) -> bool {
        let same = &self.function.expressions[pointer];
        arguments
            .iter()
            .any(|&argument| self.function.expressions[argument] == *same)
    }
}
