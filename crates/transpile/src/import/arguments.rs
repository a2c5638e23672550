//! Restores call arguments as the author wrote them.
//!
//! The GLSL compiler copies every argument to a variable and passes its address. For `out`
//! and `inout` parameters it copies the variable back after the call. This module passes a
//! copy by value if nothing reads it after the call, and replaces a copy that is written
//! back to a local variable by the address of that variable.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use naga::{
    Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement, TypeInner,
};
use tarsus_shader::ir::{
    Variable, handles, inner_blocks_mut, local, root_variable, statements, stored_local,
};

use super::uses::{LocalUse, Uses};

/// A parameter: function and argument index.
type Parameter = (Handle<Function>, usize);

/// Rewrites the calls in `module`, and the parameters of the called functions except `kept`.
pub(super) fn simplify(module: &mut Module, kept: Option<Handle<Function>>) {
    let mut values = value_parameters(module);
    values.retain(|(function, _)| Some(*function) != kept);
    for handle in handles(&module.functions) {
        let mut function = std::mem::take(&mut module.functions[handle]);
        let uses = Uses::of(&function);
        let body = std::mem::take(&mut function.body);
        let mut caller = Caller { module, function: &mut function, uses, values: &values };
        function.body = caller.block(body);
        module.functions[handle] = function;
    }
    for (handle, number) in values {
        let mut function = std::mem::take(&mut module.functions[handle]);
        take_value(module, &mut function, number);
        module.functions[handle] = function;
    }
}

/// Declares a parameter of `function` that is a pointer as a value. A function that changes it
/// does so in a copy.
pub(super) fn take_value(module: &Module, function: &mut Function, number: usize) {
    let TypeInner::Pointer { base, .. } = module.types[function.arguments[number].ty].inner else {
        return;
    };
    let of_argument = Some(Variable::Argument(number as u32));
    let is_changed = statements(&function.body).any(|statement| match statement {
        Statement::Store { pointer, .. } => root_variable(function, *pointer) == of_argument,
        Statement::Call { arguments, .. } => {
            arguments.iter().any(|&passed| root_variable(function, passed) == of_argument)
        }
        _ => false,
    });
    if is_changed && let Some(copy) = to_local(module, function, number) {
        let expressions = &mut function.expressions;
        let argument = Expression::FunctionArgument(number as u32);
        let value = expressions.append(argument, Span::UNDEFINED);
        let pointer = expressions.append(Expression::LocalVariable(copy), Span::UNDEFINED);
        let store = vec![Statement::Store { pointer, value }];
        function.body.splice(0..0, store.into());
        let name = &mut function.arguments[number].name;
        *name = name.take().map(|name| format!("{name}_in"));
    }
    for handle in handles(&function.expressions) {
        if let Expression::Load { pointer } = function.expressions[handle]
            && root_variable(function, pointer) == of_argument
        {
            function.expressions[handle] = function.expressions[pointer].clone();
        }
    }
    function.arguments[number].ty = base;
}

/// Replaces a parameter that is a pointer by a variable of `function`.
pub(super) fn to_local(
    module: &Module,
    function: &mut Function,
    number: usize,
) -> Option<Handle<LocalVariable>> {
    let argument = &function.arguments[number];
    let TypeInner::Pointer { base, .. } = module.types[argument.ty].inner else {
        return None;
    };
    let variable = LocalVariable { name: argument.name.clone(), ty: base, init: None };
    let variable = function.local_variables.append(variable, Span::UNDEFINED);
    for (_, expression) in function.expressions.iter_mut() {
        if *expression == Expression::FunctionArgument(number as u32) {
            *expression = Expression::LocalVariable(variable);
        }
    }
    Some(variable)
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
