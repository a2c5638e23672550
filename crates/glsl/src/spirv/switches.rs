//! Reorders switches for naga, which always reads `default` as the last case and takes the
//! next case in the list for the one that a case falls through to.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::id;

/// Moves the cases that fall through to `default` to the end of each switch.
///
/// # Errors
/// Returns a message if a `default` itself falls through to another case.
pub(super) fn move_default_to_end(function: &mut Function) -> Result<(), String> {
    let next: BTreeMap<Word, Vec<Word>> = function.blocks.iter().filter_map(successors).collect();
    for block in &mut function.blocks {
        let (merge, head) = (merge_of(block), block.label_id());
        let Some(switch) = block.instructions.last_mut() else {
            continue;
        };
        let Some(default) = id(switch, 1).filter(|_| switch.class.opcode == Op::Switch) else {
            continue;
        };
        // Without a `default`, its label is that of the block after the switch.
        if Some(default) == merge {
            continue;
        }
        let cases: BTreeSet<Word> = labels(&switch.operands[1..]).collect();
        let leaves = |label: Word| Some(label) == merge || Some(label) == head;
        let falls_to = |case| fall_through(case, &next, &cases, leaves);
        if falls_to(default).is_some() {
            return Err("`default` falls through to the next case: write it as the last one".into());
        }
        let mut chain = vec![default];
        while let Some(last) = chain.last()
            && let Some(case) = cases.iter().find(|case| falls_to(**case) == Some(*last))
        {
            chain.push(*case);
        }
        reorder(switch, &chain);
    }
    Ok(())
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

/// Moves the cases of `chain` to the end of a switch, from its last to its second label, and
/// removes those that share the block of its first, `default`.
fn reorder(switch: &mut Instruction, chain: &[Word]) {
    let place = |case: &[Operand]| {
        let label = case.last().and_then(Operand::id_ref_any);
        chain.iter().position(|of| Some(*of) == label)
    };
    let cases = switch.operands.split_off(2);
    let mut cases: Vec<_> = cases.chunks(2).filter(|case| place(case) != Some(0)).collect();
    cases.sort_by_key(|case| place(case).map(|place| chain.len() - place));
    switch.operands.extend(cases.concat());
}

/// Label of the block after the construct that a block begins.
fn merge_of(block: &Block) -> Option<Word> {
    let mut instructions = block.instructions.iter();
    id(instructions.find(|found| found.class.opcode == Op::SelectionMerge)?, 0)
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
