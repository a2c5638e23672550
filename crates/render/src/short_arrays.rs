//! Elements of short arrays, found by comparisons.
//!
//! Software adapters keep an array in memory if an index into it is not known, and load and
//! store its elements for each pixel by itself, even the zeros at its beginning. So functions
//! compare such an index with all there are: the elements are variables of their own then.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, ArraySize, BinaryOperator, Block, Expression, Function, FunctionArgument,
    FunctionResult, Handle, Literal, LocalVariable, Module, Scalar, Span, Statement, Type,
    TypeInner,
};

use super::calls::{self, Call, Calls, add, functions, index_within};
use tarsus_shader::ir::{Variable, inner_blocks, root};

/// Elements of an array that are compared.
const MOST_ELEMENTS: u32 = 16;

/// Lets functions find what `module` loads of short arrays and stores there.
pub(super) fn compare_indices(module: &mut Module) {
    let found: Vec<Found> = functions(module)
        .map(|function| Found::in_function(module, function))
        .collect();
    // An array that stays in memory for one index gains nothing by the others.
    let staying = found.iter().flat_map(|found| found.staying.iter().copied());
    let globals = staying.filter(|variable| matches!(variable, Variable::Global(_)));
    let globals: BTreeSet<Variable> = globals.collect();
    let mut accessors = Accessors::default();
    let calls = found.into_iter().map(|found| {
        let stays = |place: &Place| {
            found.staying.contains(&place.variable) || globals.contains(&place.variable)
        };
        let mut calls = Calls::default();
        for (handle, place) in found.loads.into_iter().filter(|(_, place)| !stays(place)) {
            calls
                .values
                .insert(handle, accessors.call(module, place, Does::Load));
        }
        for (handle, place) in found.stores.into_iter().filter(|(_, place)| !stays(place)) {
            calls
                .stores
                .insert(handle, accessors.call(module, place, Does::Store));
        }
        calls
    });
    let calls: Vec<Calls> = calls.collect();
    if !accessors.functions.is_empty() {
        calls::insert(module, accessors.functions, &calls);
    }
}

/// A place in an array whose index is not known.
struct Place {
    variable: Variable,
    array: Handle<Expression>,
    index: Handle<Expression>,
    kind: Kind,
}

/// What places have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Kind {
    space: AddressSpace,
    array: Handle<Type>,
    elements: u32,
    index: Scalar,
    /// What is inside of an element.
    path: Vec<u32>,
    inner: Handle<Type>,
}

/// Places that a function loads and stores.
#[derive(Default)]
struct Found {
    /// By loads, and by pointers.
    loads: BTreeMap<Handle<Expression>, Place>,
    stores: BTreeMap<Handle<Expression>, Place>,
    /// Variables with an array that stays in memory.
    staying: BTreeSet<Variable>,
}

impl Found {
    fn in_function(module: &Module, function: &Function) -> Self {
        let mut found = Self::default();
        let mut places = Places {
            module,
            function,
            types: Typifier::new(),
        };
        let mut used = BTreeSet::new();
        for (handle, expression) in function.expressions.iter() {
            if let Expression::Load { pointer } = *expression
                && let Some(place) = places.place(pointer)
            {
                used.insert(pointer);
                found.loads.insert(handle, place);
            }
        }
        let mut pointers = Pointers::default();
        pointers.add(&function.body);
        for pointer in pointers.stored {
            if let Some(place) = places.place(pointer) {
                used.insert(pointer);
                found.stores.insert(pointer, place);
            }
        }
        // Of what is not found like that, and of what other functions are given, the array is
        // needed as it is.
        let through: BTreeSet<_> = used.iter().flat_map(|at| way(function, *at)).collect();
        let accesses = function.expressions.iter().filter(|(handle, expression)| {
            matches!(expression, Expression::Access { .. }) && !through.contains(handle)
        });
        let needed = accesses.map(|(handle, _)| handle).chain(pointers.given);
        found.staying = needed.filter_map(|at| root(function, at)).collect();
        found
    }
}

/// The expressions that lead from a variable to `pointer`.
fn way(function: &Function, pointer: Handle<Expression>) -> Vec<Handle<Expression>> {
    let base = |at: &Handle<Expression>| match function.expressions[*at] {
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => Some(base),
        _ => None,
    };
    std::iter::successors(Some(pointer), base).collect()
}

/// What the statements of a function need of its variables.
#[derive(Default)]
struct Pointers {
    stored: Vec<Handle<Expression>>,
    /// The arguments of calls.
    given: Vec<Handle<Expression>>,
}

impl Pointers {
    fn add(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Store { pointer, .. } => self.stored.push(*pointer),
                Statement::Call { arguments, .. } => self.given.extend(arguments),
                other => inner_blocks(other)
                    .into_iter()
                    .for_each(|inner| self.add(inner)),
            }
        }
    }
}

/// What finds places in a function.
struct Places<'a> {
    module: &'a Module,
    function: &'a Function,
    types: Typifier,
}

impl Places<'_> {
    /// The place that `pointer` leads to, if it is in a short array that is a variable.
    fn place(&mut self, pointer: Handle<Expression>) -> Option<Place> {
        let expressions = &self.function.expressions;
        let mut path = Vec::new();
        let mut at = pointer;
        while let Expression::AccessIndex { base, index } = expressions[at] {
            path.insert(0, index);
            at = base;
        }
        let Expression::Access { base: array, index } = expressions[at] else {
            return None;
        };
        let (variable, space, ty) = self.variable(array)?;
        let TypeInner::Array {
            base,
            size: ArraySize::Constant(elements),
            ..
        } = self.module.types[ty].inner
        else {
            return None;
        };
        if elements.get() > MOST_ELEMENTS {
            return None;
        }
        let arguments = &self.function.arguments;
        let context =
            ResolveContext::with_locals(self.module, &self.function.local_variables, arguments);
        self.types.grow(index, expressions, &context).ok()?;
        let TypeInner::Scalar(scalar) = *self.types[index].inner_with(&self.module.types) else {
            return None;
        };
        let inner = member(self.module, base, &path)?;
        let kind = Kind {
            space,
            array: ty,
            elements: elements.get(),
            index: scalar,
            path,
            inner,
        };
        Some(Place {
            variable,
            array,
            index,
            kind,
        })
    }

    /// The variable that `pointer` leads to as a whole, where it is, and its type.
    fn variable(
        &self,
        pointer: Handle<Expression>,
    ) -> Option<(Variable, AddressSpace, Handle<Type>)> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(local) => {
                let ty = self.function.local_variables[local].ty;
                Some((Variable::Local(local), AddressSpace::Function, ty))
            }
            Expression::GlobalVariable(variable) => {
                let global = &self.module.global_variables[variable];
                let is_private = global.space == AddressSpace::Private;
                is_private.then_some((Variable::Global(variable), global.space, global.ty))
            }
            _ => None,
        }
    }
}

/// The type of what is at a path inside of a type, if it stands in the module.
fn member(module: &Module, ty: Handle<Type>, path: &[u32]) -> Option<Handle<Type>> {
    let [first, rest @ ..] = path else {
        return Some(ty);
    };
    let inner = match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => members.get(*first as usize)?.ty,
        TypeInner::Array { base, .. } => *base,
        TypeInner::Vector { scalar, .. } => {
            let inner = TypeInner::Scalar(*scalar);
            let mut types = module.types.iter();
            types.find(|(_, ty)| ty.inner == inner)?.0
        }
        _ => return None,
    };
    member(module, inner, rest)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Does {
    Load,
    Store,
}

/// The functions that load and store, each made once.
#[derive(Default)]
struct Accessors {
    functions: Arena<Function>,
    made: HashMap<(Kind, Does), Handle<Function>>,
}

impl Accessors {
    fn call(&mut self, module: &mut Module, place: Place, does: Does) -> Call {
        let Self { functions, made } = self;
        let arguments = vec![place.array, place.index];
        let function = *made
            .entry((place.kind, does))
            .or_insert_with_key(|(kind, _)| {
                functions.append(accessor(module, kind, does), Span::UNDEFINED)
            });
        Call {
            function,
            arguments,
        }
    }
}

/// A function of the array, the index and, to be stored, a value. An index that is none is
/// that of the last element, as wgpu has it.
fn accessor(module: &mut Module, kind: &Kind, does: Does) -> Function {
    let mut type_of = |inner| {
        let ty = Type { name: None, inner };
        module.types.insert(ty, Span::UNDEFINED)
    };
    let pointer = TypeInner::Pointer {
        base: kind.array,
        space: kind.space,
    };
    let mut arguments = vec![type_of(pointer), type_of(TypeInner::Scalar(kind.index))];
    arguments.extend((does == Does::Store).then_some(kind.inner));
    let argument = |ty| FunctionArgument {
        name: None,
        ty,
        binding: None,
    };
    let result = FunctionResult {
        ty: kind.inner,
        binding: None,
    };
    let mut function = Function {
        arguments: arguments.into_iter().map(argument).collect(),
        result: (does == Does::Load).then_some(result),
        ..Function::default()
    };
    let array = add(&mut function, Expression::FunctionArgument(0));
    let index = index_within(&mut function, 1, kind.index, kind.elements);
    // What is loaded in between.
    let loaded = (does == Does::Load).then(|| {
        let variable = LocalVariable {
            name: None,
            ty: kind.inner,
            init: None,
        };
        let variable = function.local_variables.append(variable, Span::UNDEFINED);
        add(&mut function, Expression::LocalVariable(variable))
    });
    for number in 0..kind.elements {
        let mut place = array;
        for index in [number].into_iter().chain(kind.path.iter().copied()) {
            place = add(
                &mut function,
                Expression::AccessIndex { base: place, index },
            );
        }
        let (pointer, value) = match loaded {
            Some(loaded) => (loaded, Expression::Load { pointer: place }),
            None => (place, Expression::FunctionArgument(2)),
        };
        let value = add(&mut function, value);
        let number = Expression::Literal(Literal::U32(number));
        let is_it = Expression::Binary {
            op: BinaryOperator::Equal,
            left: index,
            right: add(&mut function, number),
        };
        let store = Statement::If {
            condition: add(&mut function, is_it),
            accept: Block::from_vec(vec![Statement::Store { pointer, value }]),
            reject: Block::new(),
        };
        function.body.push(store, Span::UNDEFINED);
    }
    let value = loaded.map(|pointer| add(&mut function, Expression::Load { pointer }));
    function
        .body
        .push(Statement::Return { value }, Span::UNDEFINED);
    function
}
