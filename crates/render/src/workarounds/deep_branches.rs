//! Branches that are not nested as deep, for llvmpipe.
//!
//! llvmpipe ignores all conditions inside 80 others, and draws what no branch asks for. Mesa
//! inlines calls and nests whatever follows an early return in the other side of its `if`, so 80
//! letters whose glyphs a `switch` returns, or one `else if` after the other, are already too
//! many. Here the body of such a function is a loop that runs once, and a return leaves it, which
//! nests nothing. Branches that end with `break` or `continue` stay as they are.

use naga::{
    BinaryOperator as Op, Block, Expression as E, Function, Handle, Literal, LocalVariable, Module,
    Range, Scalar, Span, Statement, Type, TypeInner,
};

use crate::calls::type_of;
use tarsus_shader::ir::{functions, functions_mut, inner_blocks, inner_blocks_mut, statements};

/// Depth up to which branches stay as they are. Mesa adds a few to those that are counted here.
const MAX_DEPTH: usize = 60;

/// Length up to which a chain of `else if` stays as it is in a function with deeper branches.
const MAX_CHAIN: usize = 5;

/// Flattens the branches of functions on whose way too many are nested.
pub(super) fn flatten_branches(module: &mut Module) {
    let mut below: Vec<usize> = Vec::new();
    for function in functions(module) {
        let mut deepest = 0;
        visit_nested(&function.body, 0, &mut |statement, depth| {
            let called = callee(statement).map_or(0, |called| below[called.index()]);
            deepest = deepest.max(depth + called);
        });
        below.push(deepest);
    }
    if below.iter().all(|depth| *depth <= MAX_DEPTH) {
        return;
    }
    // Callers follow the functions they call.
    let mut above = vec![0; below.len()];
    for (index, function) in functions(module).enumerate().collect::<Vec<_>>().into_iter().rev() {
        visit_nested(&function.body, above[index], &mut |statement, depth| {
            if let Some(called) = callee(statement) {
                above[called.index()] = above[called.index()].max(depth);
            }
        });
    }
    let [flag, number] =
        [Scalar::BOOL, Scalar::U32].map(|scalar| type_of(module, TypeInner::Scalar(scalar)));
    let functions = functions_mut(&mut module.functions, &mut module.entry_points);
    for (function, depth) in functions.zip(above.iter().zip(below).map(|(a, b)| a + b)) {
        if depth <= MAX_DEPTH {
            continue;
        }
        let mut body = std::mem::take(&mut function.body);
        let mut flattener = Flattener::new(function, flag, number);
        flattener.flatten_chains(&mut body);
        if count_returns(&body) > 1 {
            body = flattener.return_at_end(body);
        }
        function.body = body;
    }
}

fn callee(statement: &Statement) -> Option<Handle<Function>> {
    match statement {
        Statement::Call { function, .. } => Some(*function),
        _ => None,
    }
}

/// Calls `visit` with each statement of a block and the number of conditions around it, which
/// begins at `depth`.
fn visit_nested(block: &Block, depth: usize, visit: &mut dyn FnMut(&Statement, usize)) {
    let mut depth = depth;
    for statement in block {
        visit(statement, depth);
        match statement {
            Statement::Block(inner) => {
                visit_nested(inner, depth, visit);
                depth += count_returns(inner);
            }
            // The cases become one `if` after the other.
            Statement::Switch { cases, .. } => {
                for case in cases {
                    visit_nested(&case.body, depth + 1, visit);
                    depth += count_returns(&case.body);
                }
            }
            _ => {
                for inner in inner_blocks(statement) {
                    visit_nested(inner, depth + 1, visit);
                }
                depth += count_returns(std::slice::from_ref(statement));
            }
        }
    }
}

fn count_returns(block: &[Statement]) -> usize {
    statements(block).filter(|statement| matches!(statement, Statement::Return { .. })).count()
}

/// Number of conditions in a chain of `else if`.
fn chain_length(statement: &Statement) -> usize {
    match statement {
        Statement::If { reject, .. } => 1 + reject.last().map_or(0, chain_length),
        Statement::Block(inner) => inner.last().map_or(0, chain_length),
        _ => 0,
    }
}

/// True if a statement contains a `break` or `continue` for a loop or switch around it.
fn jumps(statement: &Statement) -> bool {
    match statement {
        Statement::Break | Statement::Continue => true,
        Statement::Loop { .. } => false,
        Statement::Switch { cases, .. } => {
            cases.iter().any(|case| tarsus_shader::ir::continues(&case.body))
        }
        _ => inner_blocks(statement).into_iter().flat_map(|block| block.iter()).any(jumps),
    }
}

/// Adds a chain of `else if` to `body`, as one `if` after the other.
fn flatten(statement: Statement, span: Span, body: &mut Block) {
    let mut rest = match statement {
        Statement::If { condition, mut accept, reject } => {
            if super::reaches_end(&accept) {
                accept.push(Statement::Break, span);
            }
            body.push(Statement::If { condition, accept, reject: Block::new() }, span);
            reject
        }
        Statement::Block(inner) => inner,
        _ => return body.push(statement, span),
    };
    let last = rest.span_iter().last().map(|(last, span)| (last.clone(), *span));
    if let Some((last, span)) = last {
        rest.cull(rest.len() - 1..);
        body.extend_block(rest);
        flatten(last, span, body);
    }
}

/// Lets the end of a loop's body be reached.
fn remove_breaks_at_end(body: &mut Block) {
    match body.last_mut() {
        Some(Statement::Break) => body.cull(body.len() - 1..),
        Some(Statement::Block(inner)) => remove_breaks_at_end(inner),
        Some(Statement::If { accept, reject, .. }) => {
            remove_breaks_at_end(accept);
            remove_breaks_at_end(reject);
        }
        _ => {}
    }
}

/// Flattens the branches of a function, whose body was taken out of it.
struct Flattener<'a> {
    function: &'a mut Function,
    /// Pointer to a flag that is set once the function has returned.
    has_returned: Handle<E>,
    /// Pointer to a number of iterations.
    count: Handle<E>,
    /// The conditions that end the loops that run once.
    ends: Vec<Handle<E>>,
}

impl<'a> Flattener<'a> {
    fn new(function: &'a mut Function, flag: Handle<Type>, number: Handle<Type>) -> Self {
        let [has_returned, count] = [flag, number].map(|ty| add_local(function, ty));
        Self { function, has_returned, count, ends: Vec::new() }
    }

    /// Makes each long chain of `else if` a loop that its branches leave.
    fn flatten_chains(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            if chain_length(statement) > MAX_CHAIN && !jumps(statement) {
                let mut body = Block::new();
                flatten(std::mem::replace(statement, Statement::Break), Span::UNDEFINED, &mut body);
                *statement = self.once(body);
            }
            for inner in inner_blocks_mut(statement) {
                self.flatten_chains(inner);
            }
        }
    }

    /// A function body that returns only at its end.
    fn return_at_end(&mut self, body: Block) -> Block {
        let ty = self.function.result.as_ref().map(|result| result.ty);
        let result = ty.map(|ty| add_local(self.function, ty));
        let body = self.replace_returns(body, result, false);
        let mut replaced = Block::new();
        replaced.push(self.set_returned(false), Span::UNDEFINED);
        replaced.push(self.once(body), Span::UNDEFINED);
        let value = result.map(|result| self.emit(E::Load { pointer: result }, &mut replaced));
        replaced.push(Statement::Return { value }, Span::UNDEFINED);
        replaced
    }

    /// A block that ends with `break` where `block` returns. If it `is_inside` another loop or a
    /// switch, the flag is set as well.
    fn replace_returns(
        &mut self,
        block: Block,
        result: Option<Handle<E>>,
        is_inside: bool,
    ) -> Block {
        let mut replaced = Block::with_capacity(block.len());
        for (mut statement, span) in block.span_into_iter() {
            if let Statement::Return { value } = statement {
                if let (Some(pointer), Some(value)) = (result, value) {
                    replaced.push(Statement::Store { pointer, value }, span);
                }
                if is_inside {
                    replaced.push(self.set_returned(true), span);
                }
                replaced.push(Statement::Break, span);
                continue;
            }
            let is_own = matches!(statement, Statement::Loop { .. } | Statement::Switch { .. });
            let returns = count_returns(std::slice::from_ref(&statement)) > 0;
            for inner in inner_blocks_mut(&mut statement) {
                let block = std::mem::take(inner);
                *inner = self.replace_returns(block, result, is_inside || is_own);
            }
            if let Statement::Loop { body, break_if: Some(end), .. } = &mut statement
                && self.ends.contains(end)
            {
                remove_breaks_at_end(body);
            }
            replaced.push(statement, span);
            if is_own && returns {
                let condition = self.emit(E::Load { pointer: self.has_returned }, &mut replaced);
                let accept = Block::from_vec(vec![Statement::Break]);
                replaced.push(Statement::If { condition, accept, reject: Block::new() }, span);
            }
        }
        replaced
    }

    fn set_returned(&mut self, value: bool) -> Statement {
        let value = self.append(E::Literal(Literal::Bool(value)));
        Statement::Store { pointer: self.has_returned, value }
    }

    /// A loop that runs once. If Mesa knew that, it would nest what follows each `break`, so the
    /// loop tests whether n (n + 1) is even, which it always is.
    fn once(&mut self, mut body: Block) -> Statement {
        remove_breaks_at_end(&mut body);
        let [zero, one] = [0, 1].map(|value| self.append(E::Literal(Literal::U32(value))));
        let mut continuing = Block::new();
        let before = self.emit(E::Load { pointer: self.count }, &mut continuing);
        let mut binary =
            |op, left, right| self.emit(E::Binary { op, left, right }, &mut continuing);
        let now = binary(Op::Add, before, one);
        let product = binary(Op::Multiply, before, now);
        let parity = binary(Op::And, product, one);
        let is_even = binary(Op::Equal, parity, zero);
        let count = Statement::Store { pointer: self.count, value: now };
        continuing.push(count, Span::UNDEFINED);
        self.ends.push(is_even);
        Statement::Loop { body, continuing, break_if: Some(is_even) }
    }

    fn append(&mut self, expression: E) -> Handle<E> {
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    /// Evaluates an expression at the end of `block`.
    fn emit(&mut self, expression: E, block: &mut Block) -> Handle<E> {
        let value = self.append(expression);
        block.push(Statement::Emit(Range::new_from_bounds(value, value)), Span::UNDEFINED);
        value
    }
}

/// Adds a local variable and returns a pointer to it.
fn add_local(function: &mut Function, ty: Handle<Type>) -> Handle<E> {
    let local = LocalVariable { name: None, ty, init: None };
    let local = function.local_variables.append(local, Span::UNDEFINED);
    function.expressions.append(E::LocalVariable(local), Span::UNDEFINED)
}
