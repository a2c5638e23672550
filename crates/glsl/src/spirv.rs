//! Converts the compiler's SPIR-V to a naga module.
//!
//! GLSL combines textures and samplers, and passes them to functions. Therefore functions
//! with sampler parameters are cloned for every set of variables they are called with, each
//! combined variable is split into an image and a sampler, and instructions that naga lacks
//! are replaced.

use std::collections::{BTreeMap, BTreeSet};

use naga::Module as NagaModule;
use naga::front::spv;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{Op, Word};

/// Parses rewritten SPIR-V.
///
/// # Errors
/// Returns naga's message if it cannot parse the module.
pub(super) fn read(words: &[u32]) -> Result<NagaModule, String> {
    let options = spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        ..Default::default()
    };
    let frontend = spv::Frontend::new(words.iter().copied(), &options);
    frontend.parse().map_err(|error| error.to_string())
}

/// Maximum scalars in an array: more than browsers allow for a shader's variables.
const MOST_NUMBERS: u64 = 1 << 24;

/// Rewrites SPIR-V so that naga can read it.
///
/// # Errors
/// Returns a message if something cannot be rewritten.
pub(super) fn rewrite(words: &[u32]) -> Result<Vec<u32>, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    check_arrays(&module)?;
    let mut rewriting = Rewriting::new(module)?;
    rewriting.clone_functions()?;
    rewriting.split_samplers();
    rewriting.share_tables();
    rewriting.replace_instructions();
    Ok(rewriting.module.assemble())
}

/// A module being rewritten.
pub(super) struct Rewriting {
    pub module: Module,
    /// Image types, by combined sampler type.
    pub combined_types: BTreeMap<Word, Word>,
    /// Pointer types of combined samplers.
    pub pointers: BTreeSet<Word>,
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
            pointers,
        })
    }

    /// Returns an unused id.
    pub(super) fn fresh(&mut self) -> Word {
        let header = self
            .module
            .header
            .get_or_insert_with(|| ModuleHeader::new(1));
        let id = header.bound;
        header.bound += 1;
        id
    }
}

/// Rejects arrays too large for any device.
fn check_arrays(module: &Module) -> Result<(), String> {
    let mut numbers: BTreeMap<Word, u64> = BTreeMap::new();
    let mut lengths: BTreeMap<Word, u64> = BTreeMap::new();
    for found in &module.types_global_values {
        let Some(result) = found.result_id else {
            continue;
        };
        let of = |operand| id(found, operand).and_then(|ty| numbers.get(&ty).copied());
        let held = match found.class.opcode {
            Op::Constant => {
                if let Some(&Operand::LiteralBit32(length)) = found.operands.first() {
                    lengths.insert(result, length.into());
                }
                continue;
            }
            Op::TypeVector | Op::TypeMatrix => {
                let count = match found.operands.get(1) {
                    Some(&Operand::LiteralBit32(count)) => count.into(),
                    _ => 1,
                };
                of(0).unwrap_or(1) * count
            }
            Op::TypeArray => {
                let length = id(found, 1).and_then(|length| lengths.get(&length).copied());
                of(0).unwrap_or(1).saturating_mul(length.unwrap_or(1))
            }
            Op::TypeStruct => (0..found.operands.len())
                .map(|member| of(member).unwrap_or(1))
                .fold(0, u64::saturating_add),
            _ => 1,
        };
        if held > MOST_NUMBERS {
            return Err(format!(
                "an array holds {held} numbers, and the limit is {MOST_NUMBERS}"
            ));
        }
        numbers.insert(result, held);
    }
    Ok(())
}

/// The id in an operand.
pub(super) fn id(instruction: &Instruction, operand: usize) -> Option<Word> {
    instruction.operands.get(operand)?.id_ref_any()
}
