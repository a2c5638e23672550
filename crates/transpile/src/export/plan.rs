//! Decides which values of a function get a variable and which are written inline.
//!
//! naga numbers every expression. One variable per expression would read like machine code,
//! so a value is written inline unless its author named it, it is used more than once, or
//! something it reads is stored to before its use.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::valid::FunctionInfo;
use naga::{
    BinaryOperator as Op, Block, Expression, Function, Handle, LocalVariable, Statement, TypeInner,
};

use super::analysis::Analysis;
use super::expression::Value;
use tarsus_shader::ir::{
    Variable, handles, inner_blocks, loaded_variable, operands, root_variable, statement_operands,
};

/// One statement, in source order; a `Loop` has an extra final step for its `break if`.
pub(super) struct Step {
    /// Index of the block that contains it.
    pub block: usize,
    /// The first step after it and its nested statements.
    pub end: usize,
    /// True for statements that only compute with values that are already known.
    is_silent: bool,
}

pub(super) struct BlockInfo {
    /// The step it belongs to; `None` for the function body.
    pub parent: Option<usize>,
    /// Number of the innermost enclosing loop.
    pub loop_number: usize,
}

/// A call with its arguments.
pub(super) struct Call {
    pub function: Handle<Function>,
    pub arguments: Vec<Value>,
}

/// Analysis of a function before it is written.
#[derive(Default)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    pub blocks: Vec<BlockInfo>,
    /// Step index of a statement, by its address.
    numbers: HashMap<usize, usize>,
    /// Calls, keyed by their result expression.
    pub calls: HashMap<Value, Call>,
    /// Expressions that get a variable.
    variables: BTreeSet<Value>,
    placements: HashMap<Value, Placement>,
    /// Steps that evaluate expressions.
    emitted: HashMap<Value, usize>,
    users: HashMap<Value, Vec<User>>,
    /// Steps that store to each variable.
    stores: BTreeMap<Variable, Vec<usize>>,
    /// Variables whose address a call gets.
    addressed: BTreeSet<Variable>,
    loops: usize,
}

/// Places of the text of a value that gets no variable.
#[derive(Default)]
struct Placement {
    /// Steps whose text contains it.
    sites: BTreeSet<usize>,
    /// Number of places that it is written to.
    count: usize,
    /// True if evaluation may skip it.
    is_lazy: bool,
}

#[derive(Clone, Copy)]
enum User {
    Expression(Value),
    Step(usize),
}

impl Plan {
    /// Plans `function` from its validation results `info`.
    pub(super) fn new(analysis: &Analysis<'_>, function: &Function, info: &FunctionInfo) -> Self {
        let mut planner = Planner { analysis, function, info, plan: Self::default() };
        planner.block(&function.body, None, 0);
        planner.record_users();
        planner.decide();
        planner.plan
    }

    /// Step index of `statement`.
    pub(super) fn step_of(&self, statement: &Statement) -> usize {
        self.numbers[&std::ptr::from_ref(statement).addr()]
    }

    /// Number of the innermost loop around a step.
    fn loop_of(&self, step: usize) -> usize {
        self.blocks[self.steps[step].block].loop_number
    }

    /// True if `expression` gets a variable.
    pub(super) fn has_variable(&self, expression: Value) -> bool {
        self.variables.contains(&expression)
    }

    /// True if `expression` appears in the text.
    pub(super) fn is_used(&self, expression: Value) -> bool {
        let placement = self.placements.get(&expression);
        placement.is_some_and(|placement| !placement.sites.is_empty())
    }

    /// True for a variable with one store, which initializes it.
    pub(super) fn is_constant(&self, local: Handle<LocalVariable>) -> bool {
        let variable = Variable::Local(local);
        let stores = self.stores.get(&variable).map_or(0, Vec::len);
        stores < 2 && !self.addressed.contains(&variable)
    }

    /// Steps that mention `local`.
    pub(super) fn sites_of(
        &self,
        function: &Function,
        local: Handle<LocalVariable>,
    ) -> BTreeSet<usize> {
        let expressions = function.expressions.iter();
        let naming = expressions.filter(|(_, found)| **found == Expression::LocalVariable(local));
        let placements = naming.filter_map(|(handle, _)| self.placements.get(&handle));
        placements.flat_map(|placement| &placement.sites).copied().collect()
    }

    /// Operands of an expression, or arguments of its call.
    pub(super) fn parts(&self, function: &Function, expression: Value) -> Vec<Value> {
        match self.calls.get(&expression) {
            Some(call) => call.arguments.clone(),
            None => operands(&function.expressions[expression]),
        }
    }
}

struct Planner<'a> {
    analysis: &'a Analysis<'a>,
    function: &'a Function,
    info: &'a FunctionInfo,
    plan: Plan,
}

impl Planner<'_> {
    fn block(&mut self, block: &Block, parent: Option<usize>, loop_number: usize) {
        let number = self.plan.blocks.len();
        self.plan.blocks.push(BlockInfo { parent, loop_number });
        for statement in block {
            self.statement(statement, number);
        }
    }

    fn step(&mut self, block: usize) -> usize {
        let number = self.plan.steps.len();
        self.plan.steps.push(Step { block, end: number + 1, is_silent: false });
        number
    }

    fn statement(&mut self, statement: &Statement, block: usize) {
        let number = self.step(block);
        let address = std::ptr::from_ref(statement).addr();
        self.plan.numbers.insert(address, number);
        let mut loop_number = self.plan.blocks[block].loop_number;
        match statement {
            // Not written, so it uses nothing: a call with an effect among its arguments remains.
            Statement::Call { function, result: None, .. } if self.analysis.is_pure(*function) => {
                return;
            }
            Statement::Emit(range) => {
                let mut values = range.clone().map(|value| &self.function.expressions[value]);
                self.plan.steps[number].is_silent =
                    !values.any(|value| matches!(value, Expression::Load { .. }));
                let emitted = range.clone().map(|expression| (expression, number));
                self.plan.emitted.extend(emitted);
            }
            Statement::Loop { .. } => {
                self.plan.loops += 1;
                loop_number = self.plan.loops;
            }
            Statement::Store { pointer, .. } => self.stores(*pointer, number),
            Statement::Call { function, result, .. } => {
                self.call(*function, statement_operands(statement), *result, number);
            }
            _ => {}
        }
        // Arguments of a call with a result are operands of the result.
        if !matches!(statement, Statement::Loop { .. } | Statement::Call { result: Some(_), .. }) {
            for operand in statement_operands(statement) {
                self.uses(operand, number);
            }
        }
        let mut last = block;
        for inner in inner_blocks(statement) {
            last = self.plan.blocks.len();
            self.block(inner, Some(number), loop_number);
        }
        if let Statement::Loop { break_if: Some(condition), .. } = *statement {
            let site = self.step(last);
            self.uses(condition, site);
        }
        self.plan.steps[number].end = self.plan.steps.len();
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<Value>,
        result: Option<Value>,
        number: usize,
    ) {
        for pointer in self.analysis.written_arguments(function, &arguments) {
            self.stores(pointer, number);
        }
        let addressed = arguments.iter();
        let addressed = addressed.filter_map(|&found| root_variable(self.function, found));
        self.plan.addressed.extend(addressed);
        for global in self.analysis.writes(function) {
            let stores = self.plan.stores.entry(Variable::Global(global));
            stores.or_default().push(number);
        }
        if let Some(result) = result {
            self.plan.emitted.insert(result, number);
            let call = Call { function, arguments };
            self.plan.calls.insert(result, call);
        }
    }

    fn uses(&mut self, expression: Value, step: usize) {
        let users = self.plan.users.entry(expression).or_default();
        users.push(User::Step(step));
    }

    fn inner(&self, value: Value) -> &TypeInner {
        self.info[value].ty.inner_with(&self.analysis.module.types)
    }

    /// Records a store to the variable behind `pointer`.
    fn stores(&mut self, pointer: Value, step: usize) {
        if let Some(variable) = root_variable(self.function, pointer) {
            self.plan.stores.entry(variable).or_default().push(step);
        }
    }

    /// Records the expressions that use others.
    fn record_users(&mut self) {
        for (handle, _) in self.function.expressions.iter() {
            for part in self.plan.parts(self.function, handle) {
                let users = self.plan.users.entry(part).or_default();
                users.push(User::Expression(handle));
            }
        }
    }

    /// Visits expressions from last to first, so that users are decided before their
    /// operands.
    fn decide(&mut self) {
        for handle in handles(&self.function.expressions).into_iter().rev() {
            let plan = &self.plan;
            let mut placement = Placement::default();
            for &user in plan.users.get(&handle).into_iter().flatten() {
                match user {
                    User::Step(step) => {
                        placement.sites.insert(step);
                        placement.count += 1;
                    }
                    // Calls with side effects run even if their result is unused.
                    User::Expression(user)
                        if plan.has_variable(user)
                            || !plan.is_used(user) && self.has_side_effects(user) =>
                    {
                        placement.sites.extend(plan.emitted.get(&user));
                        placement.count += 1;
                        placement.is_lazy |= self.is_lazy(user, handle);
                    }
                    User::Expression(user) => {
                        let Some(outer) = plan.placements.get(&user) else {
                            continue;
                        };
                        placement.sites.extend(&outer.sites);
                        placement.count += outer.count;
                        placement.is_lazy |= outer.is_lazy || self.is_lazy(user, handle);
                    }
                }
            }
            if placement.count > 0 && self.needs_variable(handle, &placement) {
                self.plan.variables.insert(handle);
            }
            self.plan.placements.insert(handle, placement);
        }
    }

    /// True if GLSL's `?:`, `&&` and `||` may skip `operand` of `user`.
    fn is_lazy(&self, user: Value, operand: Value) -> bool {
        match self.function.expressions[user] {
            Expression::Select { condition, .. } => condition != operand,
            Expression::Binary {
                op: Op::LogicalAnd | Op::LogicalOr | Op::And | Op::InclusiveOr,
                left,
                ..
            } => left != operand,
            _ => false,
        }
    }

    /// True for results of calls with side effects.
    fn has_side_effects(&self, expression: Value) -> bool {
        let call = self.plan.calls.get(&expression);
        call.is_some_and(|call| !self.analysis.is_pure(call.function))
    }

    fn is_named(&self, value: Value) -> bool {
        self.function.named_expressions.contains_key(&value)
    }

    fn needs_variable(&self, handle: Value, placement: &Placement) -> bool {
        let Some(&at) = self.plan.emitted.get(&handle) else {
            return false;
        };
        if self.is_reference(handle) {
            return false;
        }
        if self.is_named(handle) || placement.count > 1 && !self.is_short(handle) {
            return true;
        }
        if self.has_side_effects(handle) {
            return !self.is_next(handle, at);
        }
        let mut reads = Vec::new();
        let uses_derivatives = self.collect_reads(handle, &mut reads);
        let step = &self.plan.steps[at];
        if uses_derivatives && placement.is_lazy {
            return true;
        }
        placement.sites.iter().any(|&site| {
            let other = &self.plan.steps[site];
            let is_elsewhere = self.plan.loop_of(site) != self.plan.loop_of(at);
            let is_stored_between = |variable: &Variable| {
                let mut stores = self.plan.stores.get(variable).into_iter().flatten();
                stores.any(|step| (at + 1..site).contains(step))
            };
            (is_elsewhere && (!reads.is_empty() || !self.is_short(handle)))
                || (uses_derivatives && other.block != step.block)
                || reads.iter().any(is_stored_between)
        })
    }

    /// True if the value of a call at step `at` is all that the next statement uses, so that
    /// it runs there in the same order.
    fn is_next(&self, handle: Value, at: usize) -> bool {
        let Some([User::Step(site)]) = self.plan.users.get(&handle).map(Vec::as_slice) else {
            return false;
        };
        let steps = &self.plan.steps;
        steps[*site].block == steps[at].block
            && steps[at + 1..*site].iter().all(|step| step.is_silent)
    }

    /// True for pointers, textures and samplers, which cannot be stored in a variable.
    fn is_reference(&self, handle: Value) -> bool {
        let inner = self.inner(handle);
        inner.pointer_space().is_some() || inner.is_handle()
    }

    /// True for expressions as short as a variable name.
    fn is_short(&self, handle: Value) -> bool {
        match self.function.expressions[handle] {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::FunctionArgument(_)
            | Expression::LocalVariable(_)
            | Expression::GlobalVariable(_) => true,
            Expression::Load { pointer: base }
            | Expression::AccessIndex { base, .. }
            | Expression::Swizzle { vector: base, .. } => {
                self.is_named(base) || self.is_short(base)
            }
            _ => false,
        }
    }

    /// Collects the variables that a value reads and that are ever stored to. Returns true if
    /// it uses derivatives.
    fn collect_reads(&self, handle: Value, reads: &mut Vec<Variable>) -> bool {
        let expression = &self.function.expressions[handle];
        let is_stored = |variable: &Variable| self.plan.stores.contains_key(variable);
        reads.extend(loaded_variable(self.function, handle).filter(is_stored));
        if let Some(call) = self.plan.calls.get(&handle) {
            let globals = self.analysis.globals(call.function).map(Variable::Global);
            let arguments = call.arguments.iter();
            let pointers = arguments.filter_map(|&found| root_variable(self.function, found));
            reads.extend(globals.chain(pointers).filter(is_stored));
        }
        let mut uses_derivatives = self.analysis.uses_derivatives(expression);
        for part in self.plan.parts(self.function, handle) {
            let has_variable = self.is_named(part)
                && self.plan.emitted.contains_key(&part)
                && !self.is_reference(part);
            if !has_variable {
                uses_derivatives |= self.collect_reads(part, reads);
            }
        }
        uses_derivatives
    }
}
