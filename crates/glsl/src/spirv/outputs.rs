//! Initializes the copies that are passed for `out` parameters.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Function, Instruction};
use rspirv::spirv::{Op, Word};

use super::{Rewriter, id, ids, load};

impl Rewriter {
    /// Stores the value of a variable in the copy that a call gets for an `out` parameter, unless
    /// the function begins with writing it: shaders expect that a function that does not write
    /// the parameter leaves the variable as it was.
    pub(super) fn initialize_outputs(&mut self) {
        let mut functions = std::mem::take(&mut self.module.functions);
        let written = functions.iter().map(|function| (function.def_id(), written_first(function)));
        let written: BTreeMap<_, _> = written.collect();
        for function in &mut functions {
            let instructions = function.all_inst_iter();
            let stores = instructions.filter(|one| one.class.opcode == Op::Store);
            let stored: BTreeSet<Word> = stores.filter_map(|store| id(store, 0)).collect();
            for block in &mut function.blocks {
                let old = std::mem::take(&mut block.instructions);
                for (at, instruction) in old.iter().enumerate() {
                    if instruction.class.opcode == Op::FunctionCall {
                        let after = &old[at + 1..];
                        let written = written.get(&id(instruction, 0));
                        for (argument, &is_written) in (1..).zip(written.into_iter().flatten()) {
                            let Some(copy) = id(instruction, argument) else { continue };
                            if is_written || stored.contains(&copy) {
                                continue;
                            }
                            let Some((ty, mut variable, part)) = copied_to(copy, after) else {
                                continue;
                            };
                            if let Some(mut part) = part {
                                variable = self.fresh();
                                part.result_id = Some(variable);
                                block.instructions.push(part);
                            }
                            let value = self.fresh();
                            let store = Instruction::new(Op::Store, None, None, ids([copy, value]));
                            block.instructions.extend([load(value, ty, variable), store]);
                        }
                    }
                    block.instructions.push(instruction.clone());
                }
            }
        }
        self.module.functions = functions;
    }
}

/// For each parameter, whether the first use in the first block stores to it.
fn written_first(function: &Function) -> Vec<bool> {
    let is_written = |parameter: &Instruction| {
        let is_use = |one: &&Instruction| {
            (0..one.operands.len()).any(|operand| id(one, operand) == parameter.result_id)
        };
        let first = function.blocks.first()?.instructions.iter().find(is_use)?;
        Some(first.class.opcode == Op::Store)
    };
    function.parameters.iter().map(|one| is_written(one).unwrap_or(false)).collect()
}

/// The type of `copy`, the variable that it is stored in after a call, and the instruction that
/// makes the pointer if it is a part of a variable.
fn copied_to(copy: Word, after: &[Instruction]) -> Option<(Word, Word, Option<Instruction>)> {
    let is_copy =
        |one: &&Instruction| matches!(one.class.opcode, Op::Load | Op::Store | Op::AccessChain);
    let copies: Vec<&Instruction> = after.iter().take_while(is_copy).collect();
    let load =
        copies.iter().find(|one| one.class.opcode == Op::Load && id(one, 0) == Some(copy))?;
    let store = copies.iter().find(|one| id(one, 1).is_some() && id(one, 1) == load.result_id)?;
    let variable = id(store, 0)?;
    let made = |word: Word| copies.iter().find(|one| one.result_id == Some(word));
    let part = made(variable).map(|&part| part.clone());
    // An index that is read after the call may be another one before it.
    let is_known = |part: &Instruction| {
        (0..part.operands.len()).all(|operand| id(part, operand).and_then(made).is_none())
    };
    part.as_ref().is_none_or(is_known).then_some((load.result_type?, variable, part))
}
