//! Shares constant arrays and matrices, which may be indexed dynamically. The compiler copies
//! such an array into a local variable before every use, and software renderers really perform
//! these copies. Here the arrays become module variables, initialized once and never written.

use std::collections::BTreeMap;

use naga::{
    AddressSpace, Arena, Constant, Expression, Function, GlobalVariable, Handle, LocalVariable,
    Module, Span, Statement, TypeInner,
};
use tarsus_shader::ir::{
    Variable, handles, loaded_variable, rebuild_block, root_variable, statements, stored_local,
};

/// The compiler's name for variables that hold indexed arrays.
const INDEXABLE: &str = "indexable";

/// Replaces local variables that only ever hold one constant array with module variables.
pub(super) fn share_tables(module: &mut Module) {
    let mut shared: BTreeMap<Handle<Constant>, Handle<GlobalVariable>> = BTreeMap::new();
    for handle in handles(&module.functions) {
        let mut function = std::mem::take(&mut module.functions[handle]);
        let tables = tables(module, &function);
        let mut body = std::mem::take(&mut function.body);
        rebuild_block(&mut body, &mut |statement, span, block| {
            let stored = stored_local(&function, &statement);
            if stored.is_none_or(|(local, _)| !tables.contains_key(&local)) {
                block.push(statement, span);
            }
        });
        function.body = body;
        // Back ends initialize every declared variable, so the replaced ones are removed.
        let locals = std::mem::take(&mut function.local_variables);
        let mut replace = |(local, variable): (_, &LocalVariable)| match tables.get(&local) {
            Some(&table) => {
                let (globals, constant) = (&mut module.global_variables, &module.constants[table]);
                let add = || add_table(globals, variable, constant);
                Expression::GlobalVariable(*shared.entry(table).or_insert_with(add))
            }
            None => {
                let span = locals.get_span(local);
                let kept = function.local_variables.append(variable.clone(), span);
                Expression::LocalVariable(kept)
            }
        };
        let variables: Vec<Expression> = locals.iter().map(&mut replace).collect();
        for (_, expression) in function.expressions.iter_mut() {
            if let Expression::LocalVariable(local) = *expression {
                *expression = variables[local.index()].clone();
            }
        }
        module.functions[handle] = function;
    }
}

/// Adds a module variable with the name of `variable` and the value of `constant`.
fn add_table(
    globals: &mut Arena<GlobalVariable>,
    variable: &LocalVariable,
    constant: &Constant,
) -> Handle<GlobalVariable> {
    let name = variable.name.as_deref().filter(|name| *name != INDEXABLE).unwrap_or("table");
    let global = GlobalVariable {
        name: Some(name.to_owned()),
        space: AddressSpace::Private,
        binding: None,
        ty: constant.ty,
        init: Some(constant.init),
        memory_decorations: naga::MemoryDecorations::empty(),
    };
    globals.append(global, Span::UNDEFINED)
}

/// Variables of `function` that are read-only apart from one store of a constant array before
/// every read, with the constants: the compiler's temporaries, and variables stored to outside
/// branches and loops.
fn tables(
    module: &Module,
    function: &Function,
) -> BTreeMap<Handle<LocalVariable>, Handle<Constant>> {
    let local = |pointer| match root_variable(function, pointer) {
        Some(Variable::Local(local)) => Some(local),
        _ => None,
    };
    let mut stored: BTreeMap<Handle<LocalVariable>, Option<Handle<Constant>>> = BTreeMap::new();
    for statement in statements(&function.body) {
        match statement {
            Statement::Emit(range) => {
                for value in range.clone() {
                    if let Some(Variable::Local(local)) = loaded_variable(function, value) {
                        stored.entry(local).or_insert(None);
                    }
                }
            }
            Statement::Call { arguments, .. } => {
                let passed = arguments.iter().filter_map(|&argument| local(argument));
                stored.extend(passed.map(|local| (local, None)));
            }
            Statement::Store { pointer, .. } => {
                let table = stored_local(function, statement);
                let table = table.and_then(|(_, value)| match function.expressions[value] {
                    Expression::Constant(constant) => Some(constant),
                    _ => None,
                });
                if let Some(local) = local(*pointer) {
                    stored.entry(local).and_modify(|known| *known = None).or_insert(table);
                }
            }
            _ => {}
        }
    }
    let is_table = |local: Handle<LocalVariable>| {
        let variable = &function.local_variables[local];
        let mut outer = function.body.iter().filter_map(|found| stored_local(function, found));
        match module.types[variable.ty].inner {
            _ if variable.init.is_some() => false,
            _ if variable.name.as_deref() == Some(INDEXABLE) => true,
            // They cost nothing as local variables.
            TypeInner::Scalar(_) | TypeInner::Vector { .. } => false,
            _ => outer.any(|(stored, _)| stored == local),
        }
    };
    let tables = stored.into_iter().filter_map(|(local, table)| Some((local, table?)));
    tables.filter(|&(local, _)| is_table(local)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_constant_tables_are_shared() {
        let text = "const TABLE: array<f32, 2> = array(1.0, 2.0);
fn f(i: u32) -> f32 {
    var first: array<f32, 2>;
    var second: array<f32, 2>;
    var written: array<f32, 2>;
    var indexable: array<f32, 2>;
    var in_loop: array<f32, 2>;
    var in_branch: array<f32, 2>;
    first = TABLE;
    second = TABLE;
    written = TABLE;
    var sum = first[i] + second[i] + written[i] + second[0];
    written[i] = 3.0;
    for (var k = 0u; k < 2u; k++) {
        sum += in_loop[i];
        indexable = TABLE;
        in_loop = TABLE;
        sum += indexable[k] + in_loop[k] + written[k];
    }
    if sum > 1.0 {
        in_branch = TABLE;
    }
    return sum + in_branch[i];
}";
        let mut module = naga::front::wgsl::parse_str(text).expect("WGSL");
        share_tables(&mut module);
        assert_eq!(tarsus_shader::ir::validate(&module).err(), None);
        let (_, function) = module.functions.iter().next().expect("a function");
        let globals = module.global_variables.iter().filter_map(|(_, one)| one.name.as_deref());
        assert_eq!(globals.collect::<Vec<_>>(), ["first"]);
        let locals = function.local_variables.iter().filter_map(|(_, one)| one.name.as_deref());
        let expected = ["written", "in_loop", "in_branch", "sum", "k"];
        assert_eq!(locals.collect::<Vec<_>>(), expected);
        let is_table = |found: &&Statement| {
            let Statement::Store { value, .. } = **found else { return false };
            matches!(function.expressions[value], Expression::Constant(_))
        };
        assert_eq!(statements(&function.body).filter(is_table).count(), 3);
    }
}
