//! Specializes functions with sampler parameters, once per set of variables they are called
//! with.

use std::collections::BTreeMap;

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::{Rewriter, id, renamed_copies};

/// Maximum number of clones per module.
const MAX_CLONES: usize = 512;

impl Rewriter {
    /// Replaces functions that have sampler parameters with clones that have none.
    ///
    /// # Errors
    /// Returns an error if there would be more than [`MAX_CLONES`].
    pub(super) fn clone_functions(&mut self) -> Result<(), String> {
        let functions = std::mem::take(&mut self.module.functions).into_iter();
        let originals: BTreeMap<Word, Function> =
            functions.filter_map(|function| Some((function.def_id()?, function))).collect();
        let takes_samplers: BTreeMap<Word, Vec<bool>> = originals
            .iter()
            .map(|(&id, function)| (id, self.sampler_parameters(function)))
            .filter(|(_, takes)| takes.contains(&true))
            .collect();
        let mut clones: BTreeMap<(Word, Vec<Word>), Word> = BTreeMap::new();
        let plain = originals.iter().filter(|(id, _)| !takes_samplers.contains_key(id));
        let mut waiting: Vec<Function> = plain.map(|(_, function)| function.clone()).collect();
        while let Some(mut function) = waiting.pop() {
            let blocks = function.blocks.iter_mut();
            for call in blocks.flat_map(|block| &mut block.instructions) {
                let Some((callee, takes)) = sampler_call(call, &takes_samplers) else {
                    continue;
                };
                let mut takes_next = takes.iter();
                let mut arguments = call.operands.split_off(1);
                let samplers = arguments.extract_if(.., |_| takes_next.next() == Some(&true));
                let samplers = samplers.filter_map(|sampler| sampler.id_ref_any()).collect();
                let key: (Word, Vec<Word>) = (callee, samplers);
                let clone = match clones.get(&key) {
                    Some(&clone) => clone,
                    None => {
                        if clones.len() >= MAX_CLONES {
                            return Err(format!(
                                "more than {MAX_CLONES} pairs of a function and the channels that \
                                 it is called with"
                            ));
                        }
                        let original = originals.get(&callee).ok_or("a call of nothing")?;
                        let clone = self.clone_function(original, takes, &key.1);
                        let new = clone.def_id().unwrap_or(callee);
                        waiting.push(clone);
                        clones.insert(key, new);
                        new
                    }
                };
                call.operands = vec![Operand::IdRef(clone)];
                call.operands.extend(arguments);
            }
            self.module.functions.push(function);
        }
        Ok(())
    }

    /// For every parameter of `function`, whether it is a sampler.
    fn sampler_parameters(&self, function: &Function) -> Vec<bool> {
        let types = function.parameters.iter().map(|parameter| parameter.result_type);
        types.map(|ty| ty.is_some_and(|ty| self.pointers.contains(&ty))).collect()
    }

    /// Copies `function` with fresh ids, replacing the parameters marked in `takes` with
    /// `variables`.
    fn clone_function(
        &mut self,
        function: &Function,
        takes: &[bool],
        variables: &[Word],
    ) -> Function {
        let mut clone = function.clone();
        let mut renamed: BTreeMap<Word, Word> = BTreeMap::new();
        let mut takes = takes.iter();
        let samplers = clone.parameters.extract_if(.., |_| takes.next() == Some(&true));
        let samplers: Vec<Instruction> = samplers.collect();
        for instruction in clone.all_inst_iter() {
            renamed.extend(instruction.result_id.map(|id| (id, self.fresh())));
        }
        let is_fresh = |new: Word| !variables.contains(&new);
        let sampler_ids = samplers.iter().filter_map(|sampler| sampler.result_id);
        renamed.extend(sampler_ids.zip(variables.iter().copied()));
        for instruction in clone.all_inst_iter_mut() {
            let operands = instruction.operands.iter_mut();
            let ids = operands.filter_map(Operand::id_ref_any_mut);
            for id in ids.chain(&mut instruction.result_id) {
                *id = renamed.get(id).copied().unwrap_or(*id);
            }
        }
        let function_type = self.function_type(&clone);
        if let (Some(definition), Some(ty)) = (&mut clone.def, function_type)
            && let Some(last) = definition.operands.last_mut()
        {
            *last = Operand::IdRef(ty);
        }
        let rename = |id: Word| renamed.get(&id).copied().filter(|&new| is_fresh(new));
        let mut names = renamed_copies(&self.module.debug_names, rename);
        names.retain(|name| name.class.opcode == Op::Name);
        self.module.debug_names.extend(names);
        let decorations = renamed_copies(&self.module.annotations, rename);
        self.module.annotations.extend(decorations);
        clone
    }

    /// A function type with the parameters and the return type of `function`.
    fn function_type(&mut self, function: &Function) -> Option<Word> {
        let returned = function.def.as_ref()?.result_type?;
        let parameters = function.parameters.iter();
        let types = parameters.filter_map(|parameter| parameter.result_type);
        let operands = std::iter::once(returned).chain(types).map(Operand::IdRef);
        Some(self.type_with(Op::TypeFunction, operands.collect()))
    }
}

/// The callee of an instruction and a mask of its sampler arguments, if it has any.
fn sampler_call<'a>(
    instruction: &Instruction,
    takes_samplers: &'a BTreeMap<Word, Vec<bool>>,
) -> Option<(Word, &'a Vec<bool>)> {
    let callee = (instruction.class.opcode == Op::FunctionCall).then(|| id(instruction, 0))??;
    Some((callee, takes_samplers.get(&callee)?))
}
