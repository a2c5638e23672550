//! Orders the cases of switches for naga, which reads `default` as the last case and lets each case
//! fall through to the next one in the list.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use rspirv::dr::{Block, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::{Rewriter, id};

impl Rewriter {
    /// Moves the cases that fall through to `default` to the end of each switch.
    ///
    /// # Errors
    /// Returns a message if a `default` falls through to another case.
    pub(super) fn order_cases(&mut self) -> Result<(), String> {
        for function in &mut self.module.functions {
            let next: BTreeMap<Word, Vec<Word>> =
                function.blocks.iter().filter_map(successors).collect();
            let mut blocks = function.blocks.iter_mut();
            if !blocks.all(|block| order_cases_of(block, &next)) {
                let name = name_of(&self.module.debug_names, function.def_id());
                return Err(format!(
                    "in `{name}`, a `default` falls through to another case: move it to the end \
                     of the switch"
                ));
            }
        }
        Ok(())
    }
}

/// Name in the source of a function.
fn name_of(names: &[Instruction], function: Option<Word>) -> &str {
    let mut names = names.iter().filter(|name| id(name, 0) == function);
    let mangled = names.find_map(|name| match name.operands.get(1) {
        Some(Operand::LiteralString(name)) => Some(&**name),
        _ => None,
    });
    // The types of the parameters follow.
    mangled.and_then(|name| name.split('(').next()).unwrap_or_default()
}

/// Orders the cases of the switch that ends a block, if one does. `next` has the labels of the
/// blocks that may follow each block of the function. Returns false if a `default` falls through
/// to another case.
fn order_cases_of(block: &mut Block, next: &BTreeMap<Word, Vec<Word>>) -> bool {
    let (merge, head) = (merge_of(block), block.label_id());
    let last = block.instructions.last_mut();
    let Some(switch) = last.filter(|last| last.class.opcode == Op::Switch) else {
        return true;
    };
    // Without a `default`, its label is that of the block after the switch.
    let Some(default) = id(switch, 1).filter(|default| Some(*default) != merge) else {
        return true;
    };
    let labels: BTreeSet<Word> = labels(&switch.operands[1..]).collect();
    let leaves = |label: Word| Some(label) == merge || Some(label) == head;
    let falls_to = |label: &Word| fall_through(*label, next, &labels, leaves);
    if falls_to(&default).is_some() {
        return false;
    }
    let cases = switch.operands.split_off(2);
    let mut cases: Vec<&[Operand]> = cases.chunks(2).collect();
    cases.sort_by_key(|case| {
        let mut reached = iter::successors(case[1].id_ref_any(), falls_to);
        reached.any(|label| label == default)
    });
    // Values that share the block of `default` need no case.
    cases.retain(|case| case[1].id_ref_any() != Some(default));
    switch.operands.extend_from_slice(&cases.concat());
    true
}

/// Label of the block after the construct that a block begins.
fn merge_of(block: &Block) -> Option<Word> {
    let mut instructions = block.instructions.iter();
    id(instructions.find(|found| found.class.opcode == Op::SelectionMerge)?, 0)
}

/// The case that is reached from another without the switch.
fn fall_through(
    case: Word,
    next: &BTreeMap<Word, Vec<Word>>,
    cases: &BTreeSet<Word>,
    leaves: impl Fn(Word) -> bool,
) -> Option<Word> {
    let mut seen = BTreeSet::from([case]);
    let mut open = vec![case];
    while let Some(label) = open.pop() {
        for &label in next.get(&label).into_iter().flatten() {
            if !leaves(label) && seen.insert(label) {
                if cases.contains(&label) {
                    return Some(label);
                }
                open.push(label);
            }
        }
    }
    None
}

/// A block's label, and those of the blocks that may follow it.
fn successors(block: &Block) -> Option<(Word, Vec<Word>)> {
    let end = block.instructions.last()?;
    let skipped = match end.class.opcode {
        Op::Branch => 0,
        Op::BranchConditional | Op::Switch => 1,
        _ => return Some((block.label_id()?, Vec::new())),
    };
    Some((block.label_id()?, labels(&end.operands[skipped..]).collect()))
}

fn labels(operands: &[Operand]) -> impl Iterator<Item = Word> {
    operands.iter().filter_map(Operand::id_ref_any)
}
