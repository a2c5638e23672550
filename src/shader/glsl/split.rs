//! SPIR-V as GLSL gives it to SPIR-V that naga reads.
//!
//! GLSL has textures and samplers in one, and hands them to functions. So each such
//! variable becomes an image and a sampler, a function with samplers among its
//! parameters is cloned for every set of variables that it is called with, and what
//! naga has no word for is said in other words.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, GlslStd450Op, Op, StorageClass, Word};

/// Clones of functions with samplers among their parameters.
const MAX_CLONES: usize = 512;

/// Rewrites a module.
///
/// # Errors
/// What it has that cannot be rewritten.
pub(super) fn rewrite(words: &[u32]) -> Result<Vec<u32>, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    let mut rewriting = Rewriting::new(module)?;
    rewriting.clone_functions()?;
    rewriting.split_samplers();
    rewriting.replace_instructions();
    Ok(rewriting.module.assemble())
}

/// A texture and sampler in one: the variable, then what it becomes.
struct Combined {
    /// Type of the image.
    image_type: Word,
    /// The variable of the sampler.
    sampler: Word,
}

struct Rewriting {
    module: Module,
    /// Image types by the type of the combined sampler.
    combined_types: BTreeMap<Word, Word>,
    /// By variable.
    combined: BTreeMap<Word, Combined>,
    /// Pointer types to combined samplers.
    pointers: BTreeSet<Word>,
}

impl Rewriting {
    fn new(module: Module) -> Result<Self, String> {
        let types = module.types_global_values.iter();
        let combined_types: BTreeMap<Word, Word> = types
            .clone()
            .filter(|found| found.class.opcode == Op::TypeSampledImage)
            .filter_map(|found| Some((found.result_id?, id(found, 0)?)))
            .collect();
        let pointers = types
            .clone()
            .filter(|found| found.class.opcode == Op::TypePointer)
            .filter(|found| id(found, 1).is_some_and(|to| combined_types.contains_key(&to)))
            .filter_map(|found| found.result_id);
        let pointers: BTreeSet<Word> = pointers.collect();
        let is_array = |found: &&Instruction| {
            found.class.opcode == Op::TypeArray
                && id(found, 0).is_some_and(|of| combined_types.contains_key(&of))
        };
        if types.clone().any(|found| is_array(&found)) {
            return Err("arrays of samplers are not supported".to_owned());
        }
        Ok(Self {
            module,
            combined_types,
            combined: BTreeMap::new(),
            pointers,
        })
    }

    fn fresh(&mut self) -> Word {
        let header = self.module.header.get_or_insert_with(|| rspirv::dr::ModuleHeader::new(1));
        let id = header.bound;
        header.bound += 1;
        id
    }

    /// Puts clones without sampler parameters in place of the functions that have
    /// some.
    fn clone_functions(&mut self) -> Result<(), String> {
        let originals: BTreeMap<Word, rspirv::dr::Function> = self
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
        let plain = originals.iter().filter(|(id, _)| !takes_samplers.contains_key(id));
        let mut waiting: Vec<rspirv::dr::Function> = plain.map(|(_, f)| f.clone()).collect();
        let mut done = Vec::new();
        while let Some(mut function) = waiting.pop() {
            for block in &mut function.blocks {
                for call in &mut block.instructions {
                    let Some((callee, takes)) = called(call, &takes_samplers) else {
                        continue;
                    };
                    let arguments: Vec<Word> =
                        call.operands[1..].iter().filter_map(Operand::id_ref_any).collect();
                    let split = |wanted: bool| {
                        let both = arguments.iter().zip(takes);
                        both.filter(move |(_, takes)| **takes == wanted).map(|(id, _)| *id)
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

    fn sampler_parameters(&self, function: &rspirv::dr::Function) -> Vec<bool> {
        let types = function.parameters.iter().map(|parameter| parameter.result_type);
        types
            .map(|ty| ty.is_some_and(|ty| self.pointers.contains(&ty)))
            .collect()
    }

    /// A copy of `function` with ids of its own, that reads `variables` in place of
    /// the parameters that `takes` marks.
    fn clone_function(
        &mut self,
        function: &rspirv::dr::Function,
        takes: &[bool],
        variables: &[Word],
    ) -> rspirv::dr::Function {
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
            instruction.operands.iter_mut().filter_map(Operand::id_ref_any_mut).for_each(to);
        }
        let kept_types = clone.parameters.iter().filter_map(|parameter| parameter.result_type);
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
        globals.any(|global| {
            global.result_id == Some(id) && global.class.opcode == Op::Variable
        })
    }

    /// The type of a function that takes these and returns what `function` does.
    fn function_type(
        &mut self,
        function: &rspirv::dr::Function,
        parameters: Vec<Word>,
    ) -> Option<Word> {
        let returned = function.def.as_ref()?.result_type?;
        let wanted: Vec<Operand> = std::iter::once(returned)
            .chain(parameters)
            .map(Operand::IdRef)
            .collect();
        let mut types = self.module.types_global_values.iter();
        let same = types.find(|found| {
            found.class.opcode == Op::TypeFunction && found.operands == wanted
        });
        if let Some(same) = same {
            return same.result_id;
        }
        let ty = self.fresh();
        let made = Instruction::new(Op::TypeFunction, None, Some(ty), wanted);
        self.module.types_global_values.push(made);
        Some(ty)
    }

    /// Makes an image and a sampler of each combined variable.
    fn split_samplers(&mut self) {
        let globals = self.module.types_global_values.iter();
        let variables: Vec<(Word, Word)> = globals
            .filter(|found| found.class.opcode == Op::Variable)
            .filter(|found| found.result_type.is_some_and(|ty| self.pointers.contains(&ty)))
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
            self.combined.insert(variable, Combined { image_type, sampler });
        }
        let combined = &self.combined;
        let globals = &mut self.module.types_global_values;
        globals.retain(|found| {
            let is_old = found.class.opcode == Op::Variable
                && found.result_id.is_some_and(|id| combined.contains_key(&id));
            !is_old
        });
        globals.extend(added);
        self.split_loads(sampler_type);
    }

    /// Puts the sampler at the binding behind that of its image, and names it.
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
        let name = names.find(|found| found.class.opcode == Op::Name && id(found, 0) == Some(image));
        if let Some(mut name) = name.cloned() {
            name.operands[0] = Operand::IdRef(sampler);
            if let Operand::LiteralString(text) = &mut name.operands[1] {
                text.push_str("_sampler");
            }
            self.module.debug_names.push(name);
        }
    }

    /// Loads image and sampler where the combined variable was loaded.
    fn split_loads(&mut self, sampler_type: Word) {
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in functions.iter_mut().flat_map(|function| &mut function.blocks) {
            let mut loaded: BTreeMap<Word, Word> = BTreeMap::new();
            let mut instructions = Vec::with_capacity(block.instructions.len());
            for instruction in block.instructions.drain(..) {
                let from = id(&instruction, 0);
                let load = (instruction.class.opcode == Op::Load)
                    .then(|| from.and_then(|from| Some((from, self.combined.get(&from)?))))
                    .flatten();
                if let (Some((variable, combined)), Some(result)) = (load, instruction.result_id) {
                    let Combined { image_type, sampler } = *combined;
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

    /// Says in other words what naga does not read, and makes constants finite.
    fn replace_instructions(&mut self) {
        let mut types = self.module.types_global_values.iter();
        let float_type = types.find(|found| found.class.opcode == Op::TypeFloat);
        let float_type = float_type.and_then(|found| found.result_id);
        for constant in &mut self.module.types_global_values {
            if constant.class.opcode == Op::Constant
                && let Some(Operand::LiteralBit32(bits)) = constant.operands.first_mut()
                && constant.result_type == float_type
            {
                *bits = finite(f32::from_bits(*bits)).to_bits();
            }
        }
        let number_types: BTreeMap<Word, Word> = self
            .module
            .all_inst_iter()
            .filter_map(|found| Some((found.result_id?, found.result_type?)))
            .collect();
        let mut functions = std::mem::take(&mut self.module.functions);
        for block in functions.iter_mut().flat_map(|function| &mut function.blocks) {
            let mut instructions = Vec::with_capacity(block.instructions.len());
            for mut instruction in block.instructions.drain(..) {
                if instruction.class.opcode == Op::SMod {
                    let Instruction { result_type, result_id, operands, .. } = instruction;
                    instruction = Instruction::new(Op::SRem, result_type, result_id, operands);
                }
                match modf(&instruction).zip(float_type) {
                    Some(((set, number), float)) => {
                        let number_type = number_types.get(&number).copied().unwrap_or(float);
                        let [whole, rest] = [self.fresh(), self.fresh()];
                        let trunc = vec![
                            Operand::IdRef(set),
                            Operand::LiteralExtInstInteger(GlslStd450Op::Trunc as u32),
                            Operand::IdRef(number),
                        ];
                        let operands = |ids: [Word; 2]| ids.map(Operand::IdRef).to_vec();
                        let (ty, result) = (instruction.result_type, instruction.result_id);
                        let number_type = Some(number_type);
                        instructions.extend([
                            Instruction::new(Op::ExtInst, number_type, Some(whole), trunc),
                            Instruction::new(
                                Op::FSub,
                                number_type,
                                Some(rest),
                                operands([number, whole]),
                            ),
                            Instruction::new(
                                Op::CompositeConstruct,
                                ty,
                                result,
                                operands([rest, whole]),
                            ),
                        ]);
                    }
                    None => instructions.push(instruction),
                }
            }
            block.instructions = instructions;
        }
        self.module.functions = functions;
    }
}

/// The id in an operand.
fn id(instruction: &Instruction, operand: usize) -> Option<Word> {
    instruction.operands.get(operand)?.id_ref_any()
}

/// The function that an instruction calls and which of its arguments are samplers,
/// if some are.
fn called<'a>(
    instruction: &Instruction,
    takes_samplers: &'a BTreeMap<Word, Vec<bool>>,
) -> Option<(Word, &'a Vec<bool>)> {
    let callee = (instruction.class.opcode == Op::FunctionCall).then(|| id(instruction, 0))??;
    Some((callee, takes_samplers.get(&callee)?))
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
    Instruction::new(Op::Load, Some(ty), Some(result), vec![Operand::IdRef(variable)])
}

/// Set of instructions and number of a `modf`.
fn modf(instruction: &Instruction) -> Option<(Word, Word)> {
    let is_modf = instruction.class.opcode == Op::ExtInst
        && instruction.operands.get(1)
            == Some(&Operand::LiteralExtInstInteger(GlslStd450Op::ModfStruct as u32));
    is_modf.then(|| Some((id(instruction, 0)?, id(instruction, 2)?)))?
}

/// The nearest number that is not infinite; 0 for what is none.
fn finite(number: f32) -> f32 {
    if number.is_nan() {
        0.0
    } else {
        number.clamp(f32::MIN, f32::MAX)
    }
}
