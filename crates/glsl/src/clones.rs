//! Specializes functions with sampler parameters, once per set of variables they are called
//! with.

use std::collections::BTreeMap;

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::spirv::{Rewriting, id};

/// Maximum number of clones per module.
const MAX_CLONES: usize = 512;

impl Rewriting {
    /// Replaces functions that have sampler parameters with clones that have none.
    ///
    /// # Errors
    /// Returns an error if there would be more than [`MAX_CLONES`].
    pub(super) fn clone_functions(&mut self) -> Result<(), String> {
        let originals: BTreeMap<Word, Function> = self
            .module
            .functions
            .drain(..)
            .filter_map(|function| Some((function.def_id()?, function)))
            .collect();
        let takes_samplers: BTreeMap<Word, Vec<bool>> = originals
            .iter()
            .map(|(&id, function)| (id, self.sampler_parameters(function)))
            .filter(|(_, takes)| takes.contains(&true))
            .collect();
        let mut clones: BTreeMap<(Word, Vec<Word>), Word> = BTreeMap::new();
        let plain = originals
            .iter()
            .filter(|(id, _)| !takes_samplers.contains_key(id));
        let mut waiting: Vec<Function> = plain.map(|(_, f)| f.clone()).collect();
        let mut done = Vec::new();
        while let Some(mut function) = waiting.pop() {
            for block in &mut function.blocks {
                for call in &mut block.instructions {
                    let Some((callee, takes)) = called(call, &takes_samplers) else {
                        continue;
                    };
                    let arguments: Vec<Word> = call.operands[1..]
                        .iter()
                        .filter_map(Operand::id_ref_any)
                        .collect();
                    let split = |wanted: bool| {
                        let both = arguments.iter().zip(takes);
                        both.filter(move |(_, takes)| **takes == wanted)
                            .map(|(id, _)| *id)
                    };
                    let key: (Word, Vec<Word>) = (callee, split(true).collect());
                    let rest: Vec<Operand> = split(false).map(Operand::IdRef).collect();
                    let clone = match clones.get(&key) {
                        Some(&clone) => clone,
                        None => {
                            if clones.len() >= MAX_CLONES {
                                return Err(format!(
                                    "more than {MAX_CLONES} pairs of a function and the channels \
                                     that it is called with"
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
                    call.operands.truncate(0);
                    call.operands.push(Operand::IdRef(clone));
                    call.operands.extend(rest);
                }
            }
            done.push(function);
        }
        self.module.functions = done;
        Ok(())
    }

    fn sampler_parameters(&self, function: &Function) -> Vec<bool> {
        let types = function
            .parameters
            .iter()
            .map(|parameter| parameter.result_type);
        types
            .map(|ty| ty.is_some_and(|ty| self.pointers.contains(&ty)))
            .collect()
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
        let mut variables = variables.iter();
        let mut kept = Vec::new();
        for (parameter, &is_sampler) in clone.parameters.drain(..).zip(takes) {
            match (is_sampler, parameter.result_id) {
                (true, Some(id)) => {
                    renamed.extend(variables.next().map(|&variable| (id, variable)));
                }
                _ => kept.push(parameter),
            }
        }
        clone.parameters = kept;
        for instruction in clone.all_inst_iter() {
            if let Some(id) = instruction.result_id {
                let fresh = self.fresh();
                renamed.insert(id, fresh);
            }
        }
        for instruction in clone.all_inst_iter_mut() {
            let to = |id: &mut Word| {
                if let Some(&new) = renamed.get(id) {
                    *id = new;
                }
            };
            instruction.result_id.iter_mut().for_each(to);
            instruction
                .operands
                .iter_mut()
                .filter_map(Operand::id_ref_any_mut)
                .for_each(to);
        }
        let kept_types = clone
            .parameters
            .iter()
            .filter_map(|parameter| parameter.result_type);
        let kept_types: Vec<Word> = kept_types.collect();
        let function_type = self.function_type(&clone, kept_types);
        if let (Some(definition), Some(ty)) = (&mut clone.def, function_type)
            && let Some(last) = definition.operands.last_mut()
        {
            *last = Operand::IdRef(ty);
        }
        let names = self.module.debug_names.iter();
        let named: Vec<Instruction> = names
            .filter(|name| name.class.opcode == Op::Name)
            .filter_map(|name| {
                let new = *renamed.get(&id(name, 0)?)?;
                let is_variable = self.combined_variable(new);
                let mut name = name.clone();
                name.operands[0] = Operand::IdRef(new);
                (!is_variable).then_some(name)
            })
            .collect();
        self.module.debug_names.extend(named);
        let decorations = self.module.annotations.iter().filter_map(|decoration| {
            let new = *renamed.get(&id(decoration, 0)?)?;
            let mut decoration = decoration.clone();
            decoration.operands[0] = Operand::IdRef(new);
            (!self.combined_variable(new)).then_some(decoration)
        });
        let decorations: Vec<Instruction> = decorations.collect();
        self.module.annotations.extend(decorations);
        clone
    }

    fn combined_variable(&self, id: Word) -> bool {
        let mut globals = self.module.types_global_values.iter();
        globals.any(|global| global.result_id == Some(id) && global.class.opcode == Op::Variable)
    }

    /// A function type with these parameters and the return type of `function`.
    fn function_type(&mut self, function: &Function, parameters: Vec<Word>) -> Option<Word> {
        let returned = function.def.as_ref()?.result_type?;
        let wanted: Vec<Operand> = std::iter::once(returned)
            .chain(parameters)
            .map(Operand::IdRef)
            .collect();
        let mut types = self.module.types_global_values.iter();
        let same =
            types.find(|found| found.class.opcode == Op::TypeFunction && found.operands == wanted);
        if let Some(same) = same {
            return same.result_id;
        }
        let ty = self.fresh();
        let made = Instruction::new(Op::TypeFunction, None, Some(ty), wanted);
        self.module.types_global_values.push(made);
        Some(ty)
    }
}

/// The callee of an instruction and a mask of its sampler arguments, if it has any.
fn called<'a>(
    instruction: &Instruction,
    takes_samplers: &'a BTreeMap<Word, Vec<bool>>,
) -> Option<(Word, &'a Vec<bool>)> {
    let callee = (instruction.class.opcode == Op::FunctionCall).then(|| id(instruction, 0))??;
    Some((callee, takes_samplers.get(&callee)?))
}
