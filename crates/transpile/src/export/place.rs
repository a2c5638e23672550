//! Chooses where a function's variables are declared. naga declares them all at the top;
//! here each declaration moves as close to its first use as semantics allow.

use std::collections::{BTreeSet, HashMap};

use naga::{Block, Expression, Function, Handle, LocalVariable, Statement};
use tarsus_shader::ir::inner_blocks;

use super::plan::{Plan, address};
use tarsus_shader::ir::operands;

/// Declaration position of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before this step, with its initial value.
    Before(usize),
    /// At this step, a store that initializes it.
    At(usize),
}

impl Place {
    pub(super) fn step(self) -> usize {
        match self {
            Self::Before(step) | Self::At(step) => step,
        }
    }
}

/// Declaration places of all used variables of `function`.
pub(super) fn places(function: &Function, plan: &Plan) -> HashMap<Handle<LocalVariable>, Place> {
    let mut stores = HashMap::new();
    gather_stores(&function.body, plan, &mut stores);
    let placed = function.local_variables.iter().filter_map(|(local, _)| {
        let sites = plan.sites_of(function, local);
        Some((local, place(function, plan, local, &sites, &stores)?))
    });
    placed.collect()
}

/// Pointer and value of every `Store`, by its step.
type Stores = HashMap<usize, (Handle<Expression>, Handle<Expression>)>;

fn gather_stores(block: &Block, plan: &Plan, stores: &mut Stores) {
    for statement in block {
        match statement {
            Statement::Store { pointer, value } => {
                stores.insert(plan.numbers[&address(statement)], (*pointer, *value));
            }
            other => {
                for inner in inner_blocks(other) {
                    gather_stores(inner, plan, stores);
                }
            }
        }
    }
}

fn place(
    function: &Function,
    plan: &Plan,
    local: Handle<LocalVariable>,
    sites: &BTreeSet<usize>,
    stores: &Stores,
) -> Option<Place> {
    let &first_site = sites.first()?;
    // Fallback outside the loop, used unless a store inside the loop initializes the
    // variable.
    let mut outside_loop = None;
    let mut block = 0;
    loop {
        let tops: BTreeSet<usize> = sites
            .iter()
            .map(|&site| ancestor(plan, site, block))
            .collect();
        let first = *tops.first()?;
        let inner: BTreeSet<usize> = sites
            .iter()
            .filter_map(|&site| child_block(plan, site, block))
            .collect();
        let goes_inside = tops.len() == 1 && !sites.contains(&first) && inner.len() == 1;
        if goes_inside {
            block = *inner.first()?;
            if plan.blocks[block].is_repeated && outside_loop.is_none() {
                outside_loop = Some(Place::Before(first));
            }
            continue;
        }
        let begins = first == first_site
            && stores
                .get(&first)
                .is_some_and(|&(pointer, value)| begins(function, plan, local, pointer, value));
        return Some(match (begins, outside_loop) {
            (true, _) => Place::At(first),
            (false, Some(place)) => place,
            (false, None) => Place::Before(first),
        });
    }
}

/// True if a store writes all of `local` without reading it.
fn begins(
    function: &Function,
    plan: &Plan,
    local: Handle<LocalVariable>,
    pointer: Handle<Expression>,
    value: Handle<Expression>,
) -> bool {
    let is_it =
        |found: &Expression| matches!(found, Expression::LocalVariable(other) if *other == local);
    is_it(&function.expressions[pointer]) && !names(function, plan, local, value)
}

/// True if the text of `value` mentions `local`.
fn names(
    function: &Function,
    plan: &Plan,
    local: Handle<LocalVariable>,
    value: Handle<Expression>,
) -> bool {
    if plan.is_held(value) {
        return false;
    }
    let expression = &function.expressions[value];
    if matches!(expression, Expression::LocalVariable(other) if *other == local) {
        return true;
    }
    let call = plan.calls.get(&value);
    let parts = call.map_or_else(|| operands(expression), |call| call.arguments.clone());
    parts
        .into_iter()
        .any(|part| names(function, plan, local, part))
}

/// The step of `block` that is or contains `site`.
fn ancestor(plan: &Plan, site: usize, block: usize) -> usize {
    let mut step = site;
    while plan.steps[step].block != block {
        match plan.blocks[plan.steps[step].block].parent {
            Some(parent) => step = parent,
            None => return step,
        }
    }
    step
}

/// The direct child block of `block` that contains `site`.
fn child_block(plan: &Plan, site: usize, block: usize) -> Option<usize> {
    let mut here = plan.steps[site].block;
    while here != block {
        let parent = plan.blocks[here].parent?;
        if plan.steps[parent].block == block {
            return Some(here);
        }
        here = plan.steps[parent].block;
    }
    None
}
