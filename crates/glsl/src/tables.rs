//! Shares constant arrays that are indexed dynamically. The compiler copies such an array
//! into a local variable before every use, and software renderers really perform these
//! copies. Here the arrays become module variables, initialized once and never written.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

use super::spirv::{Rewriting, id};

/// The compiler's name for variables that hold indexed arrays.
const INDEXABLE: &str = "indexable";

impl Rewriting {
    /// Replaces local variables that only ever hold one constant array with module
    /// variables.
    pub(super) fn share_tables(&mut self) {
        let globals = &self.module.types_global_values;
        let tables: BTreeMap<Word, Word> = globals
            .iter()
            .filter(|found| found.class.opcode == Op::ConstantComposite)
            .filter_map(|found| Some((found.result_id?, found.result_type?)))
            .collect();
        let temporary: BTreeSet<Word> = self
            .module
            .debug_names
            .iter()
            .filter(|name| {
                let text = name.operands.get(1);
                text == Some(&Operand::LiteralString(INDEXABLE.to_owned()))
            })
            .filter_map(|name| id(name, 0))
            .collect();
        let mut shared: BTreeMap<Word, Word> = BTreeMap::new();
        let mut gone: BTreeSet<Word> = BTreeSet::new();
        let mut functions = std::mem::take(&mut self.module.functions);
        for function in &mut functions {
            let constant = constant_variables(function, &tables, &temporary);
            let mut renamed: BTreeMap<Word, Word> = BTreeMap::new();
            for (&variable, &table) in &constant {
                let global = match shared.get(&table) {
                    Some(&global) => global,
                    None => {
                        let global = self.table(table, tables[&table]);
                        shared.insert(table, global);
                        global
                    }
                };
                renamed.insert(variable, global);
            }
            self.read_from(function, &renamed);
            gone.extend(renamed.into_keys());
        }
        self.module.functions = functions;
        let is_kept = |found: &Instruction| id(found, 0).is_none_or(|of| !gone.contains(&of));
        self.module.debug_names.retain(is_kept);
        self.module.annotations.retain(is_kept);
    }

    /// A module variable initialized with `table`.
    fn table(&mut self, table: Word, ty: Word) -> Word {
        let pointer = self.private_pointer(ty);
        let variable = self.fresh();
        let operands = vec![
            Operand::StorageClass(StorageClass::Private),
            Operand::IdRef(table),
        ];
        let made = Instruction::new(Op::Variable, Some(pointer), Some(variable), operands);
        self.module.types_global_values.push(made);
        variable
    }

    /// The pointer type of module variables of type `ty`.
    fn private_pointer(&mut self, ty: Word) -> Word {
        let operands = vec![
            Operand::StorageClass(StorageClass::Private),
            Operand::IdRef(ty),
        ];
        let mut globals = self.module.types_global_values.iter();
        let known = globals
            .find(|found| found.class.opcode == Op::TypePointer && found.operands == operands)
            .and_then(|found| found.result_id);
        known.unwrap_or_else(|| {
            let made = self.fresh();
            let pointer = Instruction::new(Op::TypePointer, None, Some(made), operands);
            self.module.types_global_values.push(pointer);
            made
        })
    }

    /// Replaces reads of the local variables in `renamed` and removes those variables.
    fn read_from(&mut self, function: &mut Function, renamed: &BTreeMap<Word, Word>) {
        if renamed.is_empty() {
            return;
        }
        let pointees: BTreeMap<Word, Word> = self
            .module
            .types_global_values
            .iter()
            .filter(|found| found.class.opcode == Op::TypePointer)
            .filter_map(|found| Some((found.result_id?, id(found, 1)?)))
            .collect();
        for block in &mut function.blocks {
            block.instructions.retain(|found| match found.class.opcode {
                Op::Variable => !found.result_id.is_some_and(|id| renamed.contains_key(&id)),
                Op::Store => !id(found, 0).is_some_and(|to| renamed.contains_key(&to)),
                _ => true,
            });
            for found in &mut block.instructions {
                let Some(&global) = id(found, 0).and_then(|base| renamed.get(&base)) else {
                    continue;
                };
                found.operands[0] = Operand::IdRef(global);
                let pointee = found.result_type.and_then(|ty| pointees.get(&ty).copied());
                if let (Op::AccessChain, Some(pointee)) = (found.class.opcode, pointee) {
                    found.result_type = Some(self.private_pointer(pointee));
                }
            }
        }
    }
}

/// Variables of `function` that are read-only apart from one store of a constant array
/// before every read: the compiler's temporaries, and variables stored to in the first
/// block.
fn constant_variables(
    function: &Function,
    tables: &BTreeMap<Word, Word>,
    temporary: &BTreeSet<Word>,
) -> BTreeMap<Word, Word> {
    let mut found: BTreeMap<Word, Option<Word>> = BTreeMap::new();
    let mut chains: BTreeMap<Word, Word> = BTreeMap::new();
    let mut refused: BTreeSet<Word> = BTreeSet::new();
    for (number, block) in function.blocks.iter().enumerate() {
        for instruction in &block.instructions {
            let base = id(instruction, 0);
            match (instruction.class.opcode, instruction.result_id, base) {
                (Op::Variable, Some(variable), _) if instruction.operands.len() == 1 => {
                    found.insert(variable, None);
                }
                (Op::AccessChain, Some(chain), Some(base)) if found.contains_key(&base) => {
                    chains.insert(chain, base);
                    if found[&base].is_none() {
                        refused.insert(base);
                    }
                }
                (Op::Load, _, Some(base)) if found.contains_key(&base) => {
                    if found[&base].is_none() {
                        refused.insert(base);
                    }
                }
                (Op::Load, _, Some(base)) if chains.contains_key(&base) => {}
                (Op::Store, _, Some(to)) if found.contains_key(&to) => {
                    let table = id(instruction, 1).filter(|table| tables.contains_key(table));
                    let is_first = number == 0 || temporary.contains(&to);
                    match (table, found[&to]) {
                        (Some(table), None) if is_first => {
                            found.insert(to, Some(table));
                        }
                        _ => {
                            refused.insert(to);
                        }
                    }
                }
                _ => {
                    let used = instruction.operands.iter().filter_map(Operand::id_ref_any);
                    for used in used {
                        refused.insert(*chains.get(&used).unwrap_or(&used));
                    }
                }
            }
        }
    }
    found
        .into_iter()
        .filter(|(variable, _)| !refused.contains(variable))
        .filter_map(|(variable, table)| Some((variable, table?)))
        .collect()
}
