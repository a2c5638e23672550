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
    Range, Span, Statement, Type, TypeInner,
};

use crate::shader::{inner_blocks, inner_blocks_mut};
use choice::Column;

/// Elements of an array that are compared.
const MOST_ELEMENTS: u32 = 16;

/// A load of one element's component.
struct Load {
    column: Column,
    index: Handle<Expression>,
}

/// Loads of a function, in its order: modules are the same every time, as the caches of
/// drivers need it.
type Loads = BTreeMap<Handle<Expression>, Load>;

/// Where the functions are that choose.
type Choices = HashMap<Column, Handle<Function>>;

/// Lets functions choose what `module` loads of short constant arrays.
pub(super) fn choose_elements(module: &mut Module) {
    let arrays = constant_arrays(module);
    if arrays.is_empty() {
        return;
    }
    let mut functions = Arena::new();
    let mut choices = Choices::new();
    let all = module.functions.iter().map(|(_, function)| function);
    let points = module.entry_points.iter().map(|point| &point.function);
    let mut loads: Vec<Loads> = all
        .chain(points)
        .map(|function| loads(module, function, &arrays))
        .collect();
    for load in loads.iter().flat_map(BTreeMap::values) {
        if !choices.contains_key(&load.column)
            && let Some(function) = choice::function(module, &load.column)
        {
            let function = functions.append(function, Span::UNDEFINED);
            choices.insert(load.column.clone(), function);
        }
    }
    for loads in &mut loads {
        loads.retain(|_, load| choices.contains_key(&load.column));
    }
    // Functions stand before those that call them.
    let mut old = std::mem::take(&mut module.functions);
    let mut moved = Vec::with_capacity(old.len());
    let mut loads = loads.iter();
    for (_, mut function, span) in old.drain() {
        move_calls(&mut function, &moved);
        if let Some(loads) = loads.next() {
            call(&mut function, loads, &choices);
        }
        moved.push(functions.append(function, span));
    }
    for (point, loads) in module.entry_points.iter_mut().zip(loads) {
        move_calls(&mut point.function, &moved);
        call(&mut point.function, loads, &choices);
    }
    module.functions = functions;
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
    let all = module.functions.iter().map(|(_, function)| function);
    for function in all.chain(module.entry_points.iter().map(|point| &point.function)) {
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
            Statement::Store { pointer, .. } => written.extend(root(function, *pointer)),
            Statement::Call { arguments, .. } => {
                let roots = arguments.iter().filter_map(|at| root(function, *at));
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

/// The variable that a pointer leads into.
fn root(function: &Function, pointer: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    match function.expressions[pointer] {
        Expression::GlobalVariable(variable) => Some(variable),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            root(function, base)
        }
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

/// Lets `function` call functions that stand elsewhere now.
fn move_calls(function: &mut Function, moved: &[Handle<Function>]) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::CallResult(called) = expression {
            *called = moved[called.index()];
        }
    }
    move_calls_in(&mut function.body, moved);
}

fn move_calls_in(block: &mut Block, moved: &[Handle<Function>]) {
    for statement in block.iter_mut() {
        if let Statement::Call { function, .. } = statement {
            *function = moved[function.index()];
        }
        for inner in inner_blocks_mut(statement) {
            move_calls_in(inner, moved);
        }
    }
}

/// Puts calls of the functions that choose in place of `loads`.
fn call(function: &mut Function, loads: &Loads, choices: &Choices) {
    for (handle, load) in loads {
        function.expressions[*handle] = Expression::CallResult(choices[&load.column]);
    }
    call_in(&mut function.body, loads, choices);
}

fn call_in(block: &mut Block, loads: &Loads, choices: &Choices) {
    let mut called = Block::with_capacity(block.len());
    for (mut statement, span) in std::mem::take(block).span_into_iter() {
        for inner in inner_blocks_mut(&mut statement) {
            call_in(inner, loads, choices);
        }
        match statement {
            Statement::Emit(range) => {
                for statement in emitted(range, loads, choices) {
                    called.push(statement, span);
                }
            }
            other => called.push(other, span),
        }
    }
    *block = called;
}

/// What emits a range of expressions, some of which are results of calls now.
fn emitted(range: Range<Expression>, loads: &Loads, choices: &Choices) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut run: Option<(Handle<Expression>, Handle<Expression>)> = None;
    let emit = |(first, last)| Statement::Emit(Range::new_from_bounds(first, last));
    for handle in range {
        let Some(load) = loads.get(&handle) else {
            run = Some((run.map_or(handle, |(first, _)| first), handle));
            continue;
        };
        statements.extend(run.take().map(emit));
        statements.push(Statement::Call {
            function: choices[&load.column],
            arguments: vec![load.index],
            result: Some(handle),
        });
    }
    statements.extend(run.map(emit));
    statements
}
