//! Splits combined samplers into textures and samplers.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use super::{Rewriter, blocks_mut, id, ids, load, renamed_copies};

/// The parts of a combined sampler variable; the variable itself becomes the image.
#[derive(Clone, Copy)]
struct Combined {
    /// Image type.
    image_type: Word,
    /// Sampler variable.
    sampler: Word,
}

impl Rewriter {
    /// Splits each combined variable into an image and a sampler.
    pub(super) fn split_samplers(&mut self) {
        let combined = self.globals(Op::Variable).filter_map(|variable| {
            let pointer = self.global(variable.result_type?)?;
            let image_type = *self.combined_types.get(&id(pointer, 1)?)?;
            Some((variable.result_id?, image_type))
        });
        let combined: BTreeMap<Word, Word> = combined.collect();
        if combined.is_empty() {
            return;
        }
        let globals = &mut self.module.types_global_values;
        globals.retain(|global| {
            let is_split = |id: Word| combined.contains_key(&id);
            global.class.opcode != Op::Variable || !global.result_id.is_some_and(is_split)
        });
        let sampler_type = self.type_with(Op::TypeSampler, Vec::new());
        let class = StorageClass::UniformConstant;
        let sampler_pointer = self.pointer_type(class, sampler_type);
        let mut parts: BTreeMap<Word, Combined> = BTreeMap::new();
        for (variable, image_type) in combined {
            let operands = vec![Operand::StorageClass(class)];
            let sampler = self.add_global(Op::Variable, Some(sampler_pointer), operands.clone());
            let pointer = self.pointer_type(class, image_type);
            let image = Instruction::new(Op::Variable, Some(pointer), Some(variable), operands);
            self.module.types_global_values.push(image);
            self.decorate_sampler(variable, sampler);
            let part = Combined { image_type, sampler };
            parts.insert(variable, part);
        }
        self.split_loads(sampler_type, &parts);
    }

    /// Names the sampler and places it at the binding after its image.
    fn decorate_sampler(&mut self, image: Word, sampler: Word) {
        let rename = |of: Word| (of == image).then_some(sampler);
        let mut decorations = renamed_copies(&self.module.annotations, rename);
        for decoration in &mut decorations {
            if let [_, Operand::Decoration(Decoration::Binding), Operand::LiteralBit32(binding)] =
                &mut decoration.operands[..]
            {
                *binding += 1;
            }
        }
        self.module.annotations.extend(decorations);
        let mut names = renamed_copies(&self.module.debug_names, rename);
        for name in &mut names {
            if let [_, Operand::LiteralString(text)] = &mut name.operands[..] {
                text.push_str("_sampler");
            }
        }
        self.module.debug_names.extend(names);
    }

    /// Replaces loads of combined variables with separate loads of image and sampler.
    fn split_loads(&mut self, sampler_type: Word, combined: &BTreeMap<Word, Combined>) {
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in blocks_mut(&mut functions) {
            let mut loaded: BTreeMap<Word, Word> = BTreeMap::new();
            let instructions = std::mem::take(&mut block.instructions);
            for instruction in instructions {
                let op = instruction.class.opcode;
                let from = id(&instruction, 0).unwrap_or_default();
                let (Some(result), Some(ty)) = (instruction.result_id, instruction.result_type)
                else {
                    block.instructions.push(instruction);
                    continue;
                };
                match (op, combined.get(&from), loaded.get(&from)) {
                    (Op::Load, Some(&parts), _) => {
                        let [image, sampler] = [self.fresh(), self.fresh()];
                        loaded.insert(result, from);
                        block.instructions.extend([
                            load(image, parts.image_type, from),
                            load(sampler, sampler_type, parts.sampler),
                            Instruction::new(
                                Op::SampledImage,
                                Some(ty),
                                Some(result),
                                ids([image, sampler]),
                            ),
                        ]);
                    }
                    (Op::Image, _, Some(&variable)) => {
                        block.instructions.push(load(result, ty, variable));
                    }
                    _ => block.instructions.push(instruction),
                }
            }
        }
        self.module.functions = functions;
    }
}
