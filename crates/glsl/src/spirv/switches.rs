//! Orders the cases of switches for naga, which reads `default` as the last case and lets each case
//! fall through to the next one in the list.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Block, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::{Rewriter, id, ids};

impl Rewriter {
    /// Moves the `default` of each switch to its end. Where other cases must follow it, it becomes
    /// the case of an unused number, which the selector gets unless a case has its value.
    ///
    /// # Errors
    /// Returns a message if the selector has no type.
    pub(super) fn order_cases(&mut self) -> Result<(), String> {
        for function in 0..self.module.functions.len() {
            let blocks = &self.module.functions[function].blocks;
            let next: BTreeMap<Word, Vec<Word>> = blocks.iter().filter_map(successors).collect();
            for block in 0..blocks.len() {
                self.order_cases_of([function, block], &next)?;
            }
        }
        Ok(())
    }

    /// Orders the cases of the switch that ends a block, if one does. `next` has the labels of the
    /// blocks that may follow each block of the function.
    fn order_cases_of(
        &mut self,
        [function, block]: [usize; 2],
        next: &BTreeMap<Word, Vec<Word>>,
    ) -> Result<(), String> {
        let read = &self.module.functions[function].blocks[block];
        let switch = read.instructions.last().filter(|last| last.class.opcode == Op::Switch);
        let Some((switch, mut selector, default)) =
            switch.and_then(|switch| Some((switch, id(switch, 0)?, id(switch, 1)?)))
        else {
            return Ok(());
        };
        let (merge, head) = (merge_of(read), read.label_id());
        // Without a `default`, its label is that of the block after the switch.
        if Some(default) == merge {
            return Ok(());
        }
        let cases = switch.operands[2..].chunks(2).filter_map(|case| match *case {
            [Operand::LiteralBit32(value), Operand::IdRef(label)] => Some((value, label)),
            _ => None,
        });
        let mut cases: Vec<(u32, Word)> = cases.collect();
        let values: Vec<u32> = cases.iter().map(|(value, _)| *value).collect();
        let unused = (0..).find(|value| !values.contains(value)).unwrap_or_default();
        let labels: BTreeSet<Word> = labels(&switch.operands[1..]).collect();
        let leaves = |label: Word| Some(label) == merge || Some(label) == head;
        let falls_to = |label| fall_through(label, next, &labels, leaves);
        let following = falls_to(default);
        // Labels that share a block are one case.
        let place = cases.iter().rposition(|(_, label)| *label == default);
        let place = place
            .or_else(|| cases.iter().rposition(|(_, label)| falls_to(*label) == Some(default)));
        let place = place
            .map(|place| place + 1)
            .or_else(|| cases.iter().position(|(_, label)| Some(*label) == following));
        cases.insert(place.unwrap_or(cases.len()), (unused, default));
        let last = cases.last().map_or(default, |(_, label)| *label);
        cases.retain(|(_, label)| *label != last);
        if last != default {
            let chosen = self.value_or([function, block], selector, &values, unused);
            selector = chosen.ok_or("a switch has a selector without a type")?;
        }
        let cases = cases.into_iter();
        let cases =
            cases.flat_map(|(value, label)| [Operand::LiteralBit32(value), Operand::IdRef(label)]);
        let block = &mut self.module.functions[function].blocks[block];
        if let Some(switch) = block.instructions.last_mut() {
            switch.operands = ids([selector, last]).into_iter().chain(cases).collect();
        }
        Ok(())
    }

    /// Computes `selector` if it is one of `values`, or else `other`, at the end of a block with a
    /// switch.
    fn value_or(
        &mut self,
        [function, block]: [usize; 2],
        selector: Word,
        values: &[u32],
        other: u32,
    ) -> Option<Word> {
        let is_selector = |found: &&Instruction| found.result_id == Some(selector);
        let ty = self.module.all_inst_iter().find(is_selector)?.result_type?;
        let boolean = self.type_with(Op::TypeBool, Vec::new());
        let mut added = Vec::new();
        let mut add = |rewriter: &mut Self, op, ty, operands| {
            let result = rewriter.fresh();
            added.push(Instruction::new(op, Some(ty), Some(result), operands));
            result
        };
        let mut is_value = None;
        for &value in values {
            let value = self.constant(ty, value);
            let is_this = add(self, Op::IEqual, boolean, ids([selector, value]));
            is_value = Some(match is_value {
                Some(is_other) => add(self, Op::LogicalOr, boolean, ids([is_other, is_this])),
                None => is_this,
            });
        }
        let other = self.constant(ty, other);
        let chosen = add(self, Op::Select, ty, ids([is_value?, selector, other]));
        // Before the merge instruction and the switch.
        let instructions = &mut self.module.functions[function].blocks[block].instructions;
        let end = instructions.len().checked_sub(2)?;
        instructions.splice(end..end, added);
        Some(chosen)
    }
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
