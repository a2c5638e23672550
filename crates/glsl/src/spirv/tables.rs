//! Shares constant arrays and matrices, which may be indexed dynamically. The compiler copies
//! such an array into a local variable before every use, and software renderers really perform
//! these copies. Here the arrays become module variables, initialized once and never written.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

use super::{Rewriter, id};

/// The compiler's name for variables that hold indexed arrays.
const INDEXABLE: &str = "indexable";

impl Rewriter {
    /// Replaces local variables that only ever hold one constant array with module
    /// variables.
    pub(super) fn share_tables(&mut self) {
        let vectors: BTreeSet<Word> =
            self.globals(Op::TypeVector).filter_map(|vector| vector.result_id).collect();
        let tables = self.globals(Op::ConstantComposite);
        let tables = tables.filter_map(|table| Some((table.result_id?, table.result_type?)));
        let tables: BTreeMap<Word, Word> = tables.collect();
        let names = self.module.debug_names.iter();
        let names = names.filter_map(|name| match name.operands.get(1)? {
            Operand::LiteralString(text) => Some((id(name, 0)?, text.clone())),
            _ => None,
        });
        let names: BTreeMap<Word, String> = names.collect();
        let is_temporary =
            |(variable, name): (&Word, &String)| (name == INDEXABLE).then_some(*variable);
        let temporary: BTreeSet<Word> = names.iter().filter_map(is_temporary).collect();
        let mut shared: BTreeMap<Word, Word> = BTreeMap::new();
        let mut gone: BTreeSet<Word> = BTreeSet::new();
        let mut functions = std::mem::take(&mut self.module.functions);
        for function in &mut functions {
            let mut renamed: BTreeMap<Word, Word> = BTreeMap::new();
            for (variable, table) in constant_variables(function, &tables, &temporary) {
                // A vector of the author costs nothing as a local variable.
                if vectors.contains(&tables[&table]) && !temporary.contains(&variable) {
                    continue;
                }
                let global = match shared.get(&table) {
                    Some(&global) => global,
                    None => {
                        let name = names.get(&variable).filter(|name| *name != INDEXABLE);
                        self.add_table(table, tables[&table], name.map_or("table", String::as_str))
                    }
                };
                shared.insert(table, global);
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

    /// Adds a module variable initialized with `table`.
    fn add_table(&mut self, table: Word, ty: Word, name: &str) -> Word {
        let class = StorageClass::Private;
        let pointer = self.pointer_type(class, ty);
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(table)];
        let variable = self.add_global(Op::Variable, Some(pointer), operands);
        let operands = vec![Operand::IdRef(variable), Operand::LiteralString(name.to_owned())];
        self.module.debug_names.push(Instruction::new(Op::Name, None, None, operands));
        variable
    }

    /// Replaces reads of the local variables in `renamed` and removes those variables.
    fn read_from(&mut self, function: &mut Function, renamed: &BTreeMap<Word, Word>) {
        if renamed.is_empty() {
            return;
        }
        let pointers = self.globals(Op::TypePointer);
        let pointees: BTreeMap<Word, Word> =
            pointers.filter_map(|pointer| Some((pointer.result_id?, id(pointer, 1)?))).collect();
        let is_renamed = |id: Option<Word>| id.is_some_and(|id| renamed.contains_key(&id));
        for block in &mut function.blocks {
            block.instructions.retain(|found| match found.class.opcode {
                Op::Variable => !is_renamed(found.result_id),
                Op::Store => !is_renamed(id(found, 0)),
                _ => true,
            });
            for found in &mut block.instructions {
                let Some(&global) = id(found, 0).and_then(|base| renamed.get(&base)) else {
                    continue;
                };
                found.operands[0] = Operand::IdRef(global);
                let pointee = found.result_type.and_then(|ty| pointees.get(&ty).copied());
                if let (Op::AccessChain, Some(pointee)) = (found.class.opcode, pointee) {
                    let pointer = self.pointer_type(StorageClass::Private, pointee);
                    found.result_type = Some(pointer);
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
                (op @ (Op::AccessChain | Op::Load), Some(result), Some(base))
                    if found.contains_key(&base) =>
                {
                    if op == Op::AccessChain {
                        chains.insert(result, base);
                    }
                    refused.extend(found[&base].is_none().then_some(base));
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
                    refused.extend(used.map(|used| *chains.get(&used).unwrap_or(&used)));
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
