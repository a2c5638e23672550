//! Splits combined samplers into textures and samplers.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use super::spirv::{Rewriting, id};

/// The parts of a combined sampler variable; the variable itself becomes the image.
struct Combined {
    /// Image type.
    image_type: Word,
    /// Sampler variable.
    sampler: Word,
}

impl Rewriting {
    /// Splits each combined variable into an image and a sampler.
    pub(super) fn split_samplers(&mut self) {
        let globals = self.module.types_global_values.iter();
        let variables: Vec<(Word, Word)> = globals
            .filter(|found| found.class.opcode == Op::Variable)
            .filter(|found| {
                found
                    .result_type
                    .is_some_and(|ty| self.pointers.contains(&ty))
            })
            .filter_map(|found| Some((found.result_id?, found.result_type?)))
            .collect();
        if variables.is_empty() {
            return;
        }
        let sampler_type = self.fresh();
        let sampler_pointer = self.fresh();
        let mut added = vec![
            Instruction::new(Op::TypeSampler, None, Some(sampler_type), Vec::new()),
            pointer(sampler_pointer, sampler_type),
        ];
        let mut combined: BTreeMap<Word, Combined> = BTreeMap::new();
        let mut pointer_of: BTreeMap<Word, Word> = BTreeMap::new();
        for (variable, pointer_type) in variables {
            let types = self.module.types_global_values.iter();
            let combined_type = types
                .clone()
                .find(|found| found.result_id == Some(pointer_type))
                .and_then(|found| id(found, 1));
            let image_type = combined_type.and_then(|ty| self.combined_types.get(&ty).copied());
            let Some(image_type) = image_type else {
                continue;
            };
            let image_pointer = match pointer_of.get(&image_type) {
                Some(&made) => made,
                None => {
                    let made = self.fresh();
                    added.push(pointer(made, image_type));
                    pointer_of.insert(image_type, made);
                    made
                }
            };
            let sampler = self.fresh();
            added.push(variable_of(sampler, sampler_pointer));
            added.push(variable_of(variable, image_pointer));
            self.decorate_sampler(variable, sampler);
            combined.insert(
                variable,
                Combined {
                    image_type,
                    sampler,
                },
            );
        }
        let globals = &mut self.module.types_global_values;
        globals.retain(|found| {
            let is_old = found.class.opcode == Op::Variable
                && found.result_id.is_some_and(|id| combined.contains_key(&id));
            !is_old
        });
        globals.extend(added);
        self.split_loads(sampler_type, &combined);
    }

    /// Names the sampler and places it at the binding after its image.
    fn decorate_sampler(&mut self, image: Word, sampler: Word) {
        let of_image = self.module.annotations.iter();
        let of_image = of_image.filter(|found| id(found, 0) == Some(image));
        let decorations: Vec<Instruction> = of_image
            .cloned()
            .map(|mut decoration| {
                decoration.operands[0] = Operand::IdRef(sampler);
                if decoration.operands[1] == Operand::Decoration(Decoration::Binding)
                    && let Operand::LiteralBit32(binding) = &mut decoration.operands[2]
                {
                    *binding += 1;
                }
                decoration
            })
            .collect();
        self.module.annotations.extend(decorations);
        let mut names = self.module.debug_names.iter();
        let name =
            names.find(|found| found.class.opcode == Op::Name && id(found, 0) == Some(image));
        if let Some(mut name) = name.cloned() {
            name.operands[0] = Operand::IdRef(sampler);
            if let Operand::LiteralString(text) = &mut name.operands[1] {
                text.push_str("_sampler");
            }
            self.module.debug_names.push(name);
        }
    }

    /// Replaces loads of combined variables with separate loads of image and sampler.
    fn split_loads(&mut self, sampler_type: Word, combined: &BTreeMap<Word, Combined>) {
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in functions
            .iter_mut()
            .flat_map(|function| &mut function.blocks)
        {
            let mut loaded: BTreeMap<Word, Word> = BTreeMap::new();
            let mut instructions = Vec::with_capacity(block.instructions.len());
            for instruction in block.instructions.drain(..) {
                let from = id(&instruction, 0);
                let load = (instruction.class.opcode == Op::Load)
                    .then(|| from.and_then(|from| Some((from, combined.get(&from)?))))
                    .flatten();
                if let (Some((variable, parts)), Some(result)) = (load, instruction.result_id) {
                    let Combined {
                        image_type,
                        sampler,
                    } = *parts;
                    let [image, sampled] = [self.fresh(), self.fresh()];
                    loaded.insert(result, variable);
                    instructions.push(load_of(image, image_type, variable));
                    instructions.push(load_of(sampled, sampler_type, sampler));
                    instructions.push(Instruction::new(
                        Op::SampledImage,
                        instruction.result_type,
                        Some(result),
                        vec![Operand::IdRef(image), Operand::IdRef(sampled)],
                    ));
                    continue;
                }
                let variable = (instruction.class.opcode == Op::Image)
                    .then(|| from.and_then(|from| loaded.get(&from)))
                    .flatten();
                match (variable, instruction.result_id, instruction.result_type) {
                    (Some(&variable), Some(result), Some(ty)) => {
                        instructions.push(load_of(result, ty, variable));
                    }
                    _ => instructions.push(instruction),
                }
            }
            block.instructions = instructions;
        }
        self.module.functions = functions;
    }
}

fn pointer(result: Word, to: Word) -> Instruction {
    let operands = vec![
        Operand::StorageClass(StorageClass::UniformConstant),
        Operand::IdRef(to),
    ];
    Instruction::new(Op::TypePointer, None, Some(result), operands)
}

fn variable_of(result: Word, pointer: Word) -> Instruction {
    let operands = vec![Operand::StorageClass(StorageClass::UniformConstant)];
    Instruction::new(Op::Variable, Some(pointer), Some(result), operands)
}

fn load_of(result: Word, ty: Word, variable: Word) -> Instruction {
    Instruction::new(
        Op::Load,
        Some(ty),
        Some(result),
        vec![Operand::IdRef(variable)],
    )
}
