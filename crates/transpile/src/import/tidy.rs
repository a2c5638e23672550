//! Reverts the GLSL compiler's changes to the author's statements.
//!
//! ```text
//! t = a; if !a { t = b; } … t …            a || b
//! if c { t = x; } else { t = y; } … t …    select(y, x, c)
//! if c { t = f(); } else { t = g(); } v = t;   if c { v = f(); } else { v = g(); }
//! loop { if c { …; continue; } else { break; } }   while c { … }
//! x - y * floor(x / y)                     modulo(x, y)
//! i + bitcast<u32>(1)                      i + 1u
//! vec4(v.x, v.y, v.z, a)                   vec4(v, a)
//! ```
//!
//! Expressions keep their handles and types, so that the validation results of the module
//! remain valid.

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, ScalarKind, Statement, TypeInner, UnaryOperator,
};
use tarsus_shader::ir::{
    emits, handles, inner_blocks_mut, literal, loaded_local, local, only_load, stored_local,
};

use super::uses::{LocalUse, Uses};

/// Maximum number of values computed for both branches of a `select`.
const MAX_SELECT_VALUES: usize = 40;

/// Tidies every function of `module`.
pub(super) fn tidy(module: &mut Module, info: &ModuleInfo) {
    for handle in handles(&module.functions) {
        let mut function = std::mem::take(&mut module.functions[handle]);
        restore_expressions(module, &info[handle], &mut function);
        let uses = Uses::of(&function);
        let body = std::mem::take(&mut function.body);
        let mut tidier = Tidier { module, function: &mut function, uses };
        function.body = tidier.block(body, false);
        module.functions[handle] = function;
    }
}

struct Tidier<'a> {
    module: &'a Module,
    function: &'a mut Function,
    uses: Uses,
}

impl Tidier<'_> {
    /// Tidies inner blocks first, so that their values are already expressions when the
    /// enclosing statement is examined.
    fn block(&mut self, block: Block, is_loop_body: bool) -> Block {
        let mut done: Vec<Statement> = Vec::new();
        let rest = block.span_into_iter().map(|(statement, _)| statement);
        let mut rest: Vec<Statement> = rest.collect();
        rest.reverse();
        while let Some(mut statement) = rest.pop() {
            let is_loop = matches!(statement, Statement::Loop { .. });
            for (number, inner) in inner_blocks_mut(&mut statement).into_iter().enumerate() {
                *inner = self.block(std::mem::take(inner), is_loop && number == 0);
            }
            match self.replacement(&mut done, &statement, &rest) {
                Some(values) => done.extend(values),
                None => done.push(statement),
            }
        }
        if is_loop_body {
            unwrap_loop(&mut done);
        }
        done.into()
    }

    /// Statements that replace `statement` between those that are `done` and the `rest` of the
    /// block, from its end, if what the author wrote there was an expression.
    fn replacement(
        &mut self,
        done: &mut Vec<Statement>,
        statement: &Statement,
        rest: &[Statement],
    ) -> Option<Vec<Statement>> {
        match *statement {
            Statement::If { condition, ref accept, ref reject } => self
                .short_circuit(done, condition, accept, reject, rest)
                .or_else(|| self.select(condition, accept, reject, rest)),
            Statement::Store { pointer, value } => self.forward_store(done, pointer, value),
            _ => None,
        }
    }

    /// The only expression that reads `local`, if `local` is stored twice, read once and not
    /// used otherwise.
    fn only_load(&self, local: Handle<LocalVariable>) -> Option<Handle<Expression>> {
        let of_temporary = LocalUse { stores: 2, loads: 1, ..LocalUse::default() };
        let is_temporary = self.uses.local(local) == of_temporary
            && self.function.local_variables[local].init.is_none();
        only_load(self.function, local).filter(|_| is_temporary)
    }

    /// Converts `t = a; if !a { t = b; }` to `a || b`, and `t = a; if a { t = b; }` to `a
    /// && b`. Returns the statements that compute `b`.
    fn short_circuit(
        &mut self,
        done: &mut Vec<Statement>,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
        rest: &[Statement],
    ) -> Option<Vec<Statement>> {
        let (last, before) = accept.split_last()?;
        let (local, right) = stored_local(self.function, last)?;
        let only_values = before.iter().all(is_emit);
        if !reject.is_empty() || !only_values {
            return None;
        }
        let load = self.only_load(local).filter(|load| emits(rest, *load))?;
        let at = done.iter().rposition(|statement| !is_emit(statement))?;
        let (first, left) = stored_local(self.function, &done[at])?;
        if first != local {
            return None;
        }
        let op = match self.function.expressions[condition] {
            _ if condition == left => BinaryOperator::LogicalAnd,
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } if expr == left => {
                BinaryOperator::LogicalOr
            }
            _ => return None,
        };
        done.remove(at);
        self.function.expressions[load] = Expression::Binary { op, left, right };
        Some(before.to_vec())
    }

    /// Converts `if c { t = x; } else { t = y; }` to `select(y, x, c)` if both branches are
    /// cheap.
    fn select(
        &mut self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
        rest: &[Statement],
    ) -> Option<Vec<Statement>> {
        let (last, first) = accept.split_last()?;
        let (other, second) = reject.split_last()?;
        let (local, accepted) = stored_local(self.function, last)?;
        let (same, rejected) = stored_local(self.function, other)?;
        let inner = &self.module.types[self.function.local_variables[local].ty].inner;
        let is_simple = matches!(inner, TypeInner::Scalar(_) | TypeInner::Vector { .. });
        if local != same || !is_simple || !self.is_cheap(first) || !self.is_cheap(second) {
            return None;
        }
        let load = self.only_load(local).filter(|load| emits(rest, *load))?;
        self.function.expressions[load] =
            Expression::Select { condition, accept: accepted, reject: rejected };
        Some(first.iter().chain(second).cloned().collect())
    }

    /// True for statements that only compute a few values, all of them safe to compute when
    /// the branch is not taken.
    fn is_cheap(&self, statements: &[Statement]) -> bool {
        let mut count = 0;
        statements.iter().all(|statement| match statement {
            Statement::Emit(range) => range.clone().all(|value| {
                count += 1;
                count <= MAX_SELECT_VALUES
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
    /// become an expression: the branches store to `v` directly.
    fn forward_store(
        &self,
        done: &mut [Statement],
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) -> Option<Vec<Statement>> {
        let function = &*self.function;
        let target = local(function, pointer)?;
        let source = loaded_local(function, value)?;
        if source == target
            || function.local_variables[source].name.is_some()
            || self.uses.local(target).arguments > 0
            || self.uses.value(value) != 1
            || self.only_load(source) != Some(value)
        {
            return None;
        }
        let last = done.iter_mut().rev().find(|statement| !is_emit(statement))?;
        let Statement::If { accept, reject, .. } = last else {
            return None;
        };
        let ends = [accept.last_mut()?, reject.last_mut()?];
        let is_stored =
            |end: &Statement| stored_local(function, end).is_some_and(|(to, _)| to == source);
        if !ends.iter().all(|end| is_stored(end)) {
            return None;
        }
        for end in ends {
            if let Statement::Store { pointer: to, .. } = end {
                *to = pointer;
            }
        }
        Some(Vec::new())
    }
}

fn is_emit(statement: &Statement) -> bool {
    matches!(statement, Statement::Emit(_))
}

/// Converts `if c { …; continue; } else { break; }` at the end of a loop to `if c {} else {
/// break; } …`, and removes a trailing `continue`.
fn unwrap_loop(body: &mut Vec<Statement>) {
    if let Some(Statement::If { accept, reject, .. }) = body.last_mut()
        && matches!(accept.last(), Some(Statement::Continue))
        && matches!(reject[..], [Statement::Break])
    {
        let inner = std::mem::take(accept);
        body.extend(inner.span_into_iter().map(|(statement, _)| statement));
    }
    if matches!(body.last(), Some(Statement::Continue)) {
        body.pop();
    }
}

fn restore_expressions(module: &Module, info: &FunctionInfo, function: &mut Function) {
    for handle in handles(&function.expressions) {
        let restored = constant_index(module, function, handle)
            .or_else(|| unsigned_literal(module, function, handle))
            .or_else(|| whole_vectors(module, info, function, handle))
            .or_else(|| modulo(function, handle));
        if let Some(restored) = restored {
            function.expressions[handle] = restored;
        }
    }
}

/// The unsigned number that `handle` reinterprets: the compiler adds a signed 1 in `i++`.
fn unsigned_literal(
    module: &Module,
    function: &Function,
    handle: Handle<Expression>,
) -> Option<Expression> {
    let Expression::As { expr, kind: ScalarKind::Uint, convert: None } =
        function.expressions[handle]
    else {
        return None;
    };
    let Literal::I32(number) = literal(module, function, expr)? else {
        return None;
    };
    Some(Expression::Literal(Literal::U32(number.cast_unsigned())))
}

/// The constructor of a vector whose arguments are whole vectors where `handle` lists all their
/// components.
fn whole_vectors(
    module: &Module,
    info: &FunctionInfo,
    function: &Function,
    handle: Handle<Expression>,
) -> Option<Expression> {
    let Expression::Compose { ty, ref components } = function.expressions[handle] else {
        return None;
    };
    let component = |at: usize| match function.expressions[*components.get(at)?] {
        Expression::AccessIndex { base, index } => Some((base, index as usize)),
        _ => None,
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < components.len() {
        let vector = component(at).and_then(|(base, _)| {
            let inner = info[base].ty.inner_with(&module.types);
            let TypeInner::Vector { size, .. } = *inner else {
                return None;
            };
            let size = size as usize;
            let is_whole = (0..size).all(|index| component(at + index) == Some((base, index)));
            is_whole.then_some((base, size))
        });
        let (part, count) = vector.unwrap_or((components[at], 1));
        parts.push(part);
        at += count;
    }
    // A copy of one vector stays as it is.
    let is_changed = parts.len() > 1 && parts.len() < components.len();
    is_changed.then_some(Expression::Compose { ty, components: parts })
}

/// The access to a component that indexing with a constant is.
fn constant_index(
    module: &Module,
    function: &Function,
    handle: Handle<Expression>,
) -> Option<Expression> {
    let Expression::Access { base, index } = function.expressions[handle] else {
        return None;
    };
    let index = match literal(module, function, index)? {
        Literal::U32(index) => index,
        Literal::I32(index) => u32::try_from(index).ok()?,
        _ => return None,
    };
    Some(Expression::AccessIndex { base, index })
}

/// The remainder that `x - y * floor(x / y)` is, the expansion of GLSL's `mod`.
fn modulo(function: &Function, handle: Handle<Expression>) -> Option<Expression> {
    let operands =
        |handle: Handle<Expression>, wanted: BinaryOperator| match function.expressions[handle] {
            Expression::Binary { op, left, right } if op == wanted => Some((left, right)),
            _ => None,
        };
    let is_quotient = |handle: Handle<Expression>, x, y| match function.expressions[handle] {
        Expression::Math { fun: MathFunction::Floor, arg, .. } => {
            operands(arg, BinaryOperator::Divide) == Some((x, y))
        }
        _ => false,
    };
    let (left, product) = operands(handle, BinaryOperator::Subtract)?;
    let (a, b) = operands(product, BinaryOperator::Multiply)?;
    let right = [(a, b), (b, a)].into_iter().find(|&(floor, y)| is_quotient(floor, left, y))?.1;
    Some(Expression::Binary { op: BinaryOperator::Modulo, left, right })
}
