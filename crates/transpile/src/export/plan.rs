//! Decides which values of a function get a variable and which are written inline.
//!
//! naga numbers every expression. One variable per expression would read like machine code,
//! so a value is written inline unless its author named it, it is used more than once, or
//! something it reads is stored to before its use.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::valid::{FunctionInfo, GlobalUse};
use naga::{Block, Expression, Function, Handle, LocalVariable, Statement, TypeInner};

use super::facts::{Facts, is_beside};
use tarsus_shader::ir::{Variable, operands, root_variable};

/// One statement, in source order; a `Loop` has an extra final step for its `break if`.
pub(super) struct Step {
    /// Index of the block that contains it.
    pub block: usize,
    /// Number of the innermost enclosing loop.
    loop_number: usize,
    /// The first step after it and its nested statements.
    pub end: usize,
    /// False for statements that only evaluate values.
    has_effect: bool,
}

pub(super) struct BlockInfo {
    /// The step it belongs to; `None` for the function body.
    pub parent: Option<usize>,
    /// True if a loop repeats the block.
    pub is_repeated: bool,
}

/// A call with its arguments.
pub(super) struct Call {
    pub function: Handle<Function>,
    pub arguments: Vec<Handle<Expression>>,
}

/// Analysis of a function before it is written.
#[derive(Default)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    pub blocks: Vec<BlockInfo>,
    /// Step index of a statement, by its address.
    pub numbers: HashMap<usize, usize>,
    /// Calls, keyed by their result expression.
    pub calls: HashMap<Handle<Expression>, Call>,
    /// Expressions that get a variable.
    held: BTreeSet<Handle<Expression>>,
    /// Steps whose text contains an expression.
    sites: HashMap<Handle<Expression>, BTreeSet<usize>>,
    emitted: HashMap<Handle<Expression>, usize>,
    users: HashMap<Handle<Expression>, Vec<User>>,
    /// Steps that store to each variable.
    stores: BTreeMap<Variable, Vec<usize>>,
    loops: usize,
}

#[derive(Clone, Copy)]
enum User {
    Expression(Handle<Expression>),
    Step(usize),
}

/// The key of `statement` in [`Plan::numbers`].
pub(super) fn address(statement: &Statement) -> usize {
    std::ptr::from_ref(statement) as usize
}

impl Plan {
    /// Plans `function` from its validation results `info`.
    pub(super) fn new(facts: &Facts<'_>, function: &Function, info: &FunctionInfo) -> Self {
        let mut planner = Planner {
            facts,
            function,
            info,
            plan: Self::default(),
        };
        planner.block(&function.body, None, false, 0);
        planner.link();
        planner.decide();
        planner.plan
    }

    /// True if `expression` gets a variable.
    pub(super) fn is_held(&self, expression: Handle<Expression>) -> bool {
        self.held.contains(&expression)
    }

    /// True if `expression` appears in the text.
    pub(super) fn is_used(&self, expression: Handle<Expression>) -> bool {
        self.sites
            .get(&expression)
            .is_some_and(|sites| !sites.is_empty())
    }

    /// Number of steps that store to `local`.
    pub(super) fn stores_to(&self, local: Handle<LocalVariable>) -> usize {
        self.stores.get(&Variable::Local(local)).map_or(0, Vec::len)
    }

    /// Steps that mention `local`.
    pub(super) fn sites_of(
        &self,
        function: &Function,
        local: Handle<LocalVariable>,
    ) -> BTreeSet<usize> {
        let is_it = |found: &Expression| matches!(found, Expression::LocalVariable(other) if *other == local);
        let naming = function
            .expressions
            .iter()
            .filter(|(_, found)| is_it(found));
        naming
            .filter_map(|(handle, _)| self.sites.get(&handle))
            .flatten()
            .copied()
            .collect()
    }
}

struct Planner<'a> {
    facts: &'a Facts<'a>,
    function: &'a Function,
    info: &'a FunctionInfo,
    plan: Plan,
}

impl Planner<'_> {
    fn block(&mut self, block: &Block, parent: Option<usize>, is_repeated: bool, inside: usize) {
        let number = self.plan.blocks.len();
        self.plan.blocks.push(BlockInfo {
            parent,
            is_repeated,
        });
        for statement in block {
            self.statement(statement, number, inside);
        }
    }

    fn step(&mut self, block: usize, loop_number: usize) -> usize {
        let number = self.plan.steps.len();
        self.plan.steps.push(Step {
            block,
            loop_number,
            end: number + 1,
            has_effect: true,
        });
        number
    }

    fn statement(&mut self, statement: &Statement, block: usize, inside: usize) {
        let number = self.step(block, inside);
        self.plan.numbers.insert(address(statement), number);
        match statement {
            Statement::Emit(range) => {
                self.plan.steps[number].has_effect = false;
                for expression in range.clone() {
                    self.plan.emitted.insert(expression, number);
                }
            }
            Statement::Block(inner) => self.block(inner, Some(number), false, inside),
            Statement::If {
                condition,
                accept,
                reject,
            } => {
                self.uses(*condition, number);
                self.block(accept, Some(number), false, inside);
                self.block(reject, Some(number), false, inside);
            }
            Statement::Switch { selector, cases } => {
                self.uses(*selector, number);
                for case in cases {
                    self.block(&case.body, Some(number), false, inside);
                }
            }
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => {
                self.plan.loops += 1;
                let own = self.plan.loops;
                self.block(body, Some(number), true, own);
                let last = self.plan.blocks.len();
                self.block(continuing, Some(number), true, own);
                if let Some(condition) = *break_if {
                    let site = self.step(last, own);
                    self.uses(condition, site);
                }
            }
            Statement::Return { value: Some(value) } => self.uses(*value, number),
            Statement::Store { pointer, value } => {
                self.uses(*pointer, number);
                self.uses(*value, number);
                self.stores(*pointer, number);
            }
            Statement::Call {
                function,
                arguments,
                result,
            } => self.call(*function, arguments, *result, number),
            _ => {}
        }
        self.plan.steps[number].end = self.plan.steps.len();
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
        number: usize,
    ) {
        self.plan.steps[number].has_effect = !self.facts.is_pure(function);
        for &argument in arguments {
            self.stores(argument, number);
        }
        for global in self.facts.globals(function, GlobalUse::WRITE) {
            self.stored(Variable::Global(global), number);
        }
        let Some(result) = result else {
            for &argument in arguments {
                self.uses(argument, number);
            }
            return;
        };
        self.plan.emitted.insert(result, number);
        let call = Call {
            function,
            arguments: arguments.to_vec(),
        };
        self.plan.calls.insert(result, call);
    }

    fn uses(&mut self, expression: Handle<Expression>, step: usize) {
        let users = self.plan.users.entry(expression).or_default();
        users.push(User::Step(step));
    }

    /// Records a store to the variable behind `pointer`, if it is a pointer.
    fn stores(&mut self, pointer: Handle<Expression>, step: usize) {
        let is_pointer = matches!(
            self.info[pointer].ty.inner_with(&self.facts.module.types),
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }
        );
        if let (true, Some(variable)) = (is_pointer, root_variable(self.function, pointer)) {
            self.stored(variable, step);
        }
    }

    fn stored(&mut self, variable: Variable, step: usize) {
        self.plan.stores.entry(variable).or_default().push(step);
    }

    /// Records the users of every expression.
    fn link(&mut self) {
        for (handle, expression) in self.function.expressions.iter() {
            let called = self.plan.calls.get(&handle);
            let parts = called.map_or_else(|| operands(expression), |call| call.arguments.clone());
            for part in parts {
                let users = self.plan.users.entry(part).or_default();
                users.push(User::Expression(handle));
            }
        }
    }

    /// Visits expressions from last to first, so that users are decided before their
    /// operands.
    fn decide(&mut self) {
        let mut counts: HashMap<Handle<Expression>, usize> = HashMap::new();
        let handles: Vec<_> = self.function.expressions.iter().map(|(h, _)| h).collect();
        for &handle in handles.iter().rev() {
            let mut sites = BTreeSet::new();
            let mut count = 0;
            for &user in self.plan.users.get(&handle).into_iter().flatten() {
                match user {
                    User::Step(step) => {
                        sites.insert(step);
                        count += 1;
                    }
                    User::Expression(user) if !self.plan.is_used(user) => {
                        // Calls with side effects run even if their result is unused.
                        if let Some(&step) = self.plan.emitted.get(&user)
                            && self.must_run(user)
                        {
                            sites.insert(step);
                            count += 1;
                        }
                    }
                    User::Expression(user) if self.plan.is_held(user) => {
                        sites.extend(self.plan.emitted.get(&user));
                        count += 1;
                    }
                    User::Expression(user) => {
                        sites.extend(self.plan.sites.get(&user).into_iter().flatten());
                        count += counts.get(&user).copied().unwrap_or(0);
                    }
                }
            }
            if count > 0 && self.needs_variable(handle, &sites, count) {
                self.plan.held.insert(handle);
            }
            counts.insert(handle, count);
            self.plan.sites.insert(handle, sites);
        }
    }

    /// True for results of calls with side effects.
    fn must_run(&self, expression: Handle<Expression>) -> bool {
        let call = self.plan.calls.get(&expression);
        call.is_some_and(|call| !self.facts.is_pure(call.function))
    }

    fn needs_variable(
        &self,
        handle: Handle<Expression>,
        sites: &BTreeSet<usize>,
        count: usize,
    ) -> bool {
        let Some(&at) = self.plan.emitted.get(&handle) else {
            return false;
        };
        if self.is_reference(handle) {
            return false;
        }
        if self.function.named_expressions.contains_key(&handle) {
            return true;
        }
        if self.must_run(handle) {
            return count > 1 || !self.can_be_called_later(at, sites);
        }
        if count > 1 && !self.is_short(handle) {
            return true;
        }
        let mut reads = Vec::new();
        let mut differs_beside = false;
        self.gather(handle, &mut reads, &mut differs_beside);
        let step = &self.plan.steps[at];
        sites.iter().any(|&site| {
            let other = &self.plan.steps[site];
            let is_elsewhere = other.loop_number != step.loop_number;
            (is_elsewhere && (!reads.is_empty() || !self.is_short(handle)))
                || (differs_beside && other.block != step.block)
                || reads
                    .iter()
                    .any(|variable| self.is_stored_between(*variable, at, site))
        })
    }

    /// True if a call at step `at` can move into the single step of `sites`: no step in
    /// between has an effect, and the variables it stores to are not read in between.
    fn can_be_called_later(&self, at: usize, sites: &BTreeSet<usize>) -> bool {
        let Some(&site) = sites.first() else {
            return false;
        };
        let between = at + 1..site;
        let is_next = self.plan.steps[site].block == self.plan.steps[at].block
            && self.plan.steps[site].loop_number == self.plan.steps[at].loop_number
            && !between.clone().any(|step| self.plan.steps[step].has_effect);
        let is_stored = |variable: Variable| {
            let steps = self.plan.stores.get(&variable);
            steps.is_some_and(|steps| steps.contains(&at))
        };
        let mut read = self.plan.emitted.iter().filter_map(|(&value, step)| {
            let Expression::Load { pointer } = self.function.expressions[value] else {
                return None;
            };
            between
                .contains(step)
                .then(|| root_variable(self.function, pointer))?
        });
        is_next && !read.any(is_stored)
    }

    fn is_stored_between(&self, variable: Variable, from: usize, to: usize) -> bool {
        let stores = self.plan.stores.get(&variable);
        stores.is_some_and(|steps| steps.iter().any(|step| (from + 1..to).contains(step)))
    }

    /// True for pointers, textures and samplers, which cannot be stored in a variable.
    fn is_reference(&self, handle: Handle<Expression>) -> bool {
        matches!(
            self.info[handle].ty.inner_with(&self.facts.module.types),
            TypeInner::Pointer { .. }
                | TypeInner::ValuePointer { .. }
                | TypeInner::Image { .. }
                | TypeInner::Sampler { .. }
        )
    }

    /// True for expressions as short as a variable name.
    fn is_short(&self, handle: Handle<Expression>) -> bool {
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
                self.function.named_expressions.contains_key(&base) || self.is_short(base)
            }
            _ => false,
        }
    }

    /// Collects the variables that a value reads, and sets `beside` if it uses derivatives.
    fn gather(&self, handle: Handle<Expression>, reads: &mut Vec<Variable>, beside: &mut bool) {
        let expression = &self.function.expressions[handle];
        *beside |= is_beside(expression);
        if let Expression::Load { pointer } = *expression {
            reads.extend(self.changing(pointer));
        }
        let call = self.plan.calls.get(&handle);
        if let Some(call) = call {
            let globals = self.facts.globals(call.function, GlobalUse::READ);
            let variables = globals.map(Variable::Global);
            reads.extend(variables.filter(|variable| self.plan.stores.contains_key(variable)));
            *beside |= self.facts.differentiates(call.function);
        }
        let parts = call.map_or_else(|| operands(expression), |call| call.arguments.clone());
        for part in parts {
            let is_held_for_sure = self.function.named_expressions.contains_key(&part)
                && self.plan.emitted.contains_key(&part)
                && !self.is_reference(part);
            if !is_held_for_sure {
                self.gather(part, reads, beside);
            }
        }
    }

    /// The variable behind `pointer`, if it is ever stored to.
    fn changing(&self, pointer: Handle<Expression>) -> Option<Variable> {
        let variable = root_variable(self.function, pointer)?;
        self.plan.stores.contains_key(&variable).then_some(variable)
    }
}
