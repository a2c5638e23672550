//! Elements of short constant arrays, chosen by comparisons.
//!
//! Software adapters fetch an element for each pixel by itself, and keep an array that is
//! indexed so in memory. A private array that nothing writes is constant, as those of GLSL
//! become: a function compares the index with those of its elements instead.

mod choice;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, ArraySize, Block, Expression, Function, GlobalVariable, Handle, Module,
    Span, Statement, Type, TypeInner,
};

use super::calls::{self, Call, Calls, functions};
use choice::Column;
use tarsus_shader::ir::{Variable, inner_blocks, root};

/// Elements of an array that are compared.
const MOST_ELEMENTS: u32 = 16;

/// A load of one element's component.
struct Load {
    column: Column,
    index: Handle<Expression>,
}

/// Loads of a function, in its order.
type Loads = BTreeMap<Handle<Expression>, Load>;

/// Lets functions choose what `module` loads of short constant arrays.
pub(super) fn choose_elements(module: &mut Module) {
    let arrays = constant_arrays(module);
    if arrays.is_empty() {
        return;
    }
    let mut choices = Arena::new();
    let mut chosen = HashMap::new();
    let loads = functions(module).map(|function| loads(module, function, &arrays));
    let calls: Vec<Calls> = loads
        .map(|loads| {
            let calls = loads.into_iter().filter_map(|(handle, load)| {
                let choice = chosen.entry(load.column).or_insert_with_key(|column| {
                    let function = choice::function(module, column)?;
                    Some(choices.append(function, Span::UNDEFINED))
                });
                let call = Call {
                    function: (*choice)?,
                    arguments: vec![load.index],
                };
                Some((handle, call))
            });
            calls.collect()
        })
        .collect();
    calls::insert(module, choices, &calls);
}

/// Private arrays of a few elements that have a value and that nothing may write.
fn constant_arrays(module: &Module) -> Vec<Handle<GlobalVariable>> {
    let is_short = |ty: Handle<Type>| {
        matches!(module.types[ty].inner, TypeInner::Array { size: ArraySize::Constant(size), .. }
            if size.get() <= MOST_ELEMENTS)
    };
    let globals = module.global_variables.iter();
    let arrays = globals.filter(|(_, global)| {
        global.space == AddressSpace::Private && global.init.is_some() && is_short(global.ty)
    });
    let mut arrays: Vec<_> = arrays.map(|(handle, _)| handle).collect();
    for function in functions(module) {
        let mut written = Vec::new();
        add_written(function, &function.body, &mut written);
        arrays.retain(|array| !written.contains(array));
    }
    arrays
}

/// Adds the variables that a block stores to or hands to functions.
fn add_written(function: &Function, block: &Block, written: &mut Vec<Handle<GlobalVariable>>) {
    for statement in block {
        match statement {
            Statement::Store { pointer, .. } => written.extend(global(function, *pointer)),
            Statement::Call { arguments, .. } => {
                let roots = arguments.iter().filter_map(|at| global(function, *at));
                written.extend(roots);
            }
            other => {
                for inner in inner_blocks(other) {
                    add_written(function, inner, written);
                }
            }
        }
    }
}

/// The global variable that a pointer leads into.
fn global(function: &Function, pointer: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    match root(function, pointer) {
        Some(Variable::Global(variable)) => Some(variable),
        _ => None,
    }
}

/// The loads of `function` from elements of `arrays` whose number is not known.
fn loads(module: &Module, function: &Function, arrays: &[Handle<GlobalVariable>]) -> Loads {
    let mut loads = Loads::new();
    let mut types = Typifier::new();
    let context =
        ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    for (handle, expression) in function.expressions.iter() {
        let Expression::Load { pointer } = *expression else {
            continue;
        };
        let mut path = Vec::new();
        let mut at = pointer;
        while let Expression::AccessIndex { base, index } = function.expressions[at] {
            path.insert(0, index);
            at = base;
        }
        let Expression::Access { base, index } = function.expressions[at] else {
            continue;
        };
        let Expression::GlobalVariable(array) = function.expressions[base] else {
            continue;
        };
        if !arrays.contains(&array) || types.grow(index, &function.expressions, &context).is_err() {
            continue;
        }
        // The type of a number stands in every module that has numbers of it by name.
        let index_type = module
            .types
            .iter()
            .find(|(_, ty)| ty.inner == *types[index].inner_with(&module.types));
        if let Some((index_type, _)) = index_type {
            let column = Column {
                array,
                path,
                index: index_type,
            };
            loads.insert(handle, Load { column, index });
        }
    }
    loads
}
