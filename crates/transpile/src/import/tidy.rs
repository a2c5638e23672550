//! Reverts the GLSL compiler's changes to the author's statements.
//!
//! ```text
//! t = a; if !a { t = b; } … t …            a || b
//! if c { t = x; } else { t = y; } … t …    select(y, x, c)
//! if c { t = f(); } else { t = g(); } v = t;   if c { v = f(); } else { v = g(); }
//! loop { if c { …; continue; } else { break; } }   while c { … }
//! x - y * floor(x / y)                     modulo(x, y)
//! ```
//!
//! Expressions keep their handles and types, so that the validation results of the module
//! remain valid.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, Statement, UnaryOperator,
};
use tarsus_shader::ir::inner_blocks_mut;

use super::uses::{Uses, is_simple, stored};

/// Maximum number of values computed for both branches of a `select`.
const MOST_CHOSEN: usize = 40;

/// Tidies every function of `module`.
pub(super) fn tidy(module: &mut Module) {
    let handles: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut function = std::mem::take(&mut module.functions[handle]);
        find_components(module, &mut function);
        find_modulos(&mut function);
        name_tables(&mut function);
        // Inner blocks are tidied first, so that their values are already expressions when
        // the enclosing statement is examined.
        let body = std::mem::take(&mut function.body);
        let uses = {
            function.body = body;
            let uses = Uses::of(&function);
            (uses, std::mem::take(&mut function.body))
        };
        let (uses, body) = uses;
        let mut tidier = Tidier {
            module,
            function: &mut function,
            uses,
        };
        let body = tidier.block(body, false);
        function.body = body;
        module.functions[handle] = function;
    }
}

struct Tidier<'a> {
    module: &'a Module,
    function: &'a mut Function,
    uses: Uses,
}

impl Tidier<'_> {
    fn block(&mut self, block: Block, is_loop: bool) -> Block {
        let mut kept: Vec<Statement> = Vec::new();
        for (statement, _) in block.span_into_iter() {
            let statement = self.inside(statement);
            match statement {
                Statement::If {
                    condition,
                    accept,
                    reject,
                } => {
                    let spliced = self
                        .short_circuit(&mut kept, condition, &accept, &reject)
                        .or_else(|| self.choice(condition, &accept, &reject));
                    match spliced {
                        Some(before) => kept.extend(before),
                        None => kept.push(Statement::If {
                            condition,
                            accept,
                            reject,
                        }),
                    }
                }
                Statement::Store { .. } => {
                    if !self.stored_through(&mut kept, &statement) {
                        kept.push(statement);
                    }
                }
                other => kept.push(other),
            }
        }
        if is_loop {
            self.unwrap_loop(&mut kept);
        }
        kept.into()
    }

    fn inside(&mut self, mut statement: Statement) -> Statement {
        let is_loop = matches!(statement, Statement::Loop { .. });
        for (number, inner) in inner_blocks_mut(&mut statement).into_iter().enumerate() {
            *inner = self.block(std::mem::take(inner), is_loop && number == 0);
        }
        statement
    }

    /// The only expression that reads `local`, if `local` is stored `stores` times, read
    /// once and not used otherwise.
    fn only_load(&self, local: Handle<LocalVariable>, stores: usize) -> Option<Handle<Expression>> {
        let used = self.uses.local(local);
        let is_temporary = (used.stores, used.loads, used.others, used.arguments)
            == (stores, 1, 0, 0)
            && self.function.local_variables[local].init.is_none();
        let is_it = |pointer: Handle<Expression>| matches!(self.function.expressions[pointer], Expression::LocalVariable(found) if found == local);
        let mut loads = self.function.expressions.iter();
        is_temporary.then(|| {
            let found = loads.find(
                |(_, found)| matches!(found, Expression::Load { pointer } if is_it(*pointer)),
            );
            found.map(|(handle, _)| handle)
        })?
    }

    /// Converts `t = a; if !a { t = b; }` to `a || b`, and `t = a; if a { t = b; }` to `a
    /// && b`. Returns the statements that compute `b`.
    fn short_circuit(
        &mut self,
        kept: &mut Vec<Statement>,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Option<Vec<Statement>> {
        let (last, before) = accept.split_last()?;
        let (local, right) = stored(self.function, last)?;
        let is_values = before
            .iter()
            .all(|found| matches!(found, Statement::Emit(_)));
        if !reject.is_empty() || !is_values {
            return None;
        }
        let load = self.only_load(local, 2)?;
        let at = kept
            .iter()
            .rposition(|found| !matches!(found, Statement::Emit(_)))?;
        let (first, left) = stored(self.function, &kept[at])?;
        if first != local {
            return None;
        }
        let op = match self.function.expressions[condition] {
            _ if condition == left => BinaryOperator::LogicalAnd,
            Expression::Unary {
                op: UnaryOperator::LogicalNot,
                expr,
            } if expr == left => BinaryOperator::LogicalOr,
            _ => return None,
        };
        kept.remove(at);
        self.function.expressions[load] = Expression::Binary { op, left, right };
        Some(before.to_vec())
    }

    /// Converts `if c { t = x; } else { t = y; }` to `select(y, x, c)` if both branches are
    /// cheap.
    fn choice(
        &mut self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Option<Vec<Statement>> {
        let (last, first) = accept.split_last()?;
        let (other, second) = reject.split_last()?;
        let (local, accepted) = stored(self.function, last)?;
        let (same, rejected) = stored(self.function, other)?;
        let ty = self.function.local_variables[local].ty;
        if local != same || !is_simple(&self.module.types[ty].inner) {
            return None;
        }
        if !self.is_cheap(first) || !self.is_cheap(second) {
            return None;
        }
        let load = self.only_load(local, 2)?;
        self.function.expressions[load] = Expression::Select {
            condition,
            accept: accepted,
            reject: rejected,
        };
        Some(first.iter().chain(second).cloned().collect())
    }

    /// True for statements that only compute a few values, all of them safe to compute when
    /// the branch is not taken.
    fn is_cheap(&self, statements: &[Statement]) -> bool {
        let mut count = 0;
        statements.iter().all(|statement| match statement {
            Statement::Emit(range) => range.clone().all(|value| {
                count += 1;
                count <= MOST_CHOSEN
                    && !matches!(
                        self.function.expressions[value],
                        Expression::ImageSample { .. }
                            | Expression::ImageLoad { .. }
                            | Expression::Derivative { .. }
                    )
            }),
            _ => false,
        })
    }

    /// Handles `v = t` after an `if` whose branches both end in `t = …` and which could not
    /// become an expression: the branches store to `v` directly. Returns true if that
    /// applies.
    fn stored_through(&mut self, kept: &mut [Statement], store: &Statement) -> bool {
        let Statement::Store { pointer, value } = *store else {
            return false;
        };
        let Expression::Load { pointer: from } = self.function.expressions[value] else {
            return false;
        };
        let Expression::LocalVariable(local) = self.function.expressions[from] else {
            return false;
        };
        let is_variable = matches!(
            self.function.expressions[pointer],
            Expression::LocalVariable(other) if other != local
        );
        let is_temporary = self.function.local_variables[local].name.is_none();
        if !is_variable
            || !is_temporary
            || self.uses.value(value) != 1
            || self.only_load(local, 2) != Some(value)
        {
            return false;
        }
        let choice = kept
            .iter_mut()
            .rev()
            .find(|found| !matches!(found, Statement::Emit(_)));
        let Some(Statement::If { accept, reject, .. }) = choice else {
            return false;
        };
        let ends = |function: &Function, block: &Block| {
            let last = block.last().and_then(|last| stored(function, last));
            last.is_some_and(|(found, _)| found == local)
        };
        if !ends(self.function, accept) || !ends(self.function, reject) {
            return false;
        }
        for block in [accept, reject] {
            if let Some(Statement::Store { pointer: to, .. }) = block.last_mut() {
                *to = pointer;
            }
        }
        true
    }

    /// Converts `if c { …; continue; } else { break; }` at the end of a loop to `if c {}
    /// else { break; } …`, and removes a trailing `continue`.
    fn unwrap_loop(&mut self, body: &mut Vec<Statement>) {
        let Some(Statement::If {
            condition,
            accept,
            reject,
        }) = body.last()
        else {
            drop_continue(body);
            return;
        };
        let leaves = matches!(reject[..], [Statement::Break]);
        let goes_on = matches!(accept.last(), Some(Statement::Continue));
        if !leaves || !goes_on {
            return;
        }
        let condition = *condition;
        let inside: Vec<Statement> = accept.iter().cloned().collect();
        let reject = reject.clone();
        body.pop();
        body.push(Statement::If {
            condition,
            accept: Block::new(),
            reject,
        });
        body.extend(inside);
        drop_continue(body);
    }
}

fn drop_continue(body: &mut Vec<Statement>) {
    if matches!(body.last(), Some(Statement::Continue)) {
        body.pop();
    }
}

/// Converts indexing with a constant to component access.
fn find_components(module: &Module, function: &mut Function) {
    let number = |expression: &Expression| match *expression {
        Expression::Literal(Literal::U32(index)) => Some(index),
        Expression::Literal(Literal::I32(index)) => u32::try_from(index).ok(),
        _ => None,
    };
    let handles: Vec<_> = function
        .expressions
        .iter()
        .map(|(handle, _)| handle)
        .collect();
    for handle in handles {
        if let Expression::Access { base, index } = function.expressions[handle]
            && let Some(index) = match function.expressions[index] {
                Expression::Constant(constant) => {
                    number(&module.global_expressions[module.constants[constant].init])
                }
                ref other => number(other),
            }
        {
            function.expressions[handle] = Expression::AccessIndex { base, index };
        }
    }
}

/// Renames `indexable`, the variables to which the compiler copies constant arrays to index
/// them.
fn name_tables(function: &mut Function) {
    for (_, variable) in function.local_variables.iter_mut() {
        if variable.name.as_deref() == Some("indexable") {
            variable.name = Some("table".to_owned());
        }
    }
}

/// Converts `x - y * floor(x / y)`, the expansion of GLSL's `mod`, to the operator `%` on
/// floats. GLSL ES has no such operator, so it is free to denote `mod` here.
fn find_modulos(function: &mut Function) {
    let handles: Vec<_> = function
        .expressions
        .iter()
        .map(|(handle, _)| handle)
        .collect();
    for handle in handles {
        if let Some((left, right)) = modulo(function, handle) {
            function.expressions[handle] = Expression::Binary {
                op: BinaryOperator::Modulo,
                left,
                right,
            };
        }
    }
}

fn modulo(
    function: &Function,
    handle: Handle<Expression>,
) -> Option<(Handle<Expression>, Handle<Expression>)> {
    let binary =
        |handle: Handle<Expression>, wanted: BinaryOperator| match function.expressions[handle] {
            Expression::Binary { op, left, right } if op == wanted => Some((left, right)),
            _ => None,
        };
    let (x, whole) = binary(handle, BinaryOperator::Subtract)?;
    let (a, b) = binary(whole, BinaryOperator::Multiply)?;
    let floored = |handle: Handle<Expression>| match function.expressions[handle] {
        Expression::Math {
            fun: MathFunction::Floor,
            arg,
            ..
        } => binary(arg, BinaryOperator::Divide),
        _ => None,
    };
    let (y, (over, under)) = floored(a)
        .map(|quotient| (b, quotient))
        .or_else(|| floored(b).map(|quotient| (a, quotient)))?;
    (over == x && under == y).then_some((x, y))
}
