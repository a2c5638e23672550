//! Chooses where a function's variables are declared. naga declares them all at the top;
//! here each declaration moves as close to its first use as semantics allow.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::{Expression, Function, Handle, LocalVariable};
use tarsus_shader::ir::{statements, stored_local};

use super::plan::Plan;

/// Declaration position of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclarationSite {
    /// Before this step, with its initial value.
    Before(usize),
    /// At this step, a store that initializes it.
    At(usize),
}

impl DeclarationSite {
    pub(super) fn step(self) -> usize {
        match self {
            Self::Before(step) | Self::At(step) => step,
        }
    }
}

/// Declaration sites of all used variables of `function`.
pub(super) fn declaration_sites(
    function: &Function,
    plan: &Plan,
) -> BTreeMap<Handle<LocalVariable>, DeclarationSite> {
    let stores = statements(&function.body)
        .filter_map(|found| Some((plan.step_of(found), stored_local(function, found)?)));
    let stores: Stores = stores.collect();
    let locals = function.local_variables.iter().map(|(local, _)| local);
    let sites = locals.filter_map(|local| {
        let uses = plan.sites_of(function, local);
        Some((local, declaration_site(function, plan, local, &uses, &stores)?))
    });
    sites.collect()
}

/// Stores of whole variables and their values, by step.
type Stores = HashMap<usize, (Handle<LocalVariable>, Handle<Expression>)>;

fn declaration_site(
    function: &Function,
    plan: &Plan,
    local: Handle<LocalVariable>,
    uses: &BTreeSet<usize>,
    stores: &Stores,
) -> Option<DeclarationSite> {
    let &first_use = uses.first()?;
    // Fallback outside the loop, used unless a store inside the loop initializes the
    // variable.
    let mut outside_loop = None;
    let mut block = 0;
    loop {
        let places = || uses.iter().map(|&site| place_in(plan, site, block));
        let tops: BTreeSet<usize> = places().map(|(step, _)| step).collect();
        let inner: BTreeSet<usize> = places().filter_map(|(_, child)| child).collect();
        let first = *tops.first()?;
        if tops.len() == 1 && !uses.contains(&first) && inner.len() == 1 {
            let outer = std::mem::replace(&mut block, *inner.first()?);
            if plan.blocks[block].loop_number != plan.blocks[outer].loop_number {
                outside_loop.get_or_insert(DeclarationSite::Before(first));
            }
            continue;
        }
        // A store that does not read the variable initializes it.
        if let Some(&(stored, value)) = stores.get(&first_use)
            && first == first_use
            && stored == local
            && !mentions(function, plan, local, value)
        {
            return Some(DeclarationSite::At(first));
        }
        return Some(outside_loop.unwrap_or(DeclarationSite::Before(first)));
    }
}

/// True if the text of `value` mentions `local`.
fn mentions(
    function: &Function,
    plan: &Plan,
    local: Handle<LocalVariable>,
    value: Handle<Expression>,
) -> bool {
    if plan.has_variable(value) {
        return false;
    }
    let mut parts = plan.parts(function, value).into_iter();
    function.expressions[value] == Expression::LocalVariable(local)
        || parts.any(|part| mentions(function, plan, local, part))
}

/// The step of `block` that is or contains `site`, and the child block that contains it.
fn place_in(plan: &Plan, site: usize, block: usize) -> (usize, Option<usize>) {
    let (mut step, mut child) = (site, None);
    while plan.steps[step].block != block
        && let Some(parent) = plan.blocks[plan.steps[step].block].parent
    {
        child = Some(plan.steps[step].block);
        step = parent;
    }
    (step, child)
}
