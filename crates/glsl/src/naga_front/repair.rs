//! Repairs modules of naga's GLSL front end that its validator would reject.

use std::collections::{BTreeMap, BTreeSet};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    Arena, BinaryOperator, Expression, Function, Handle, LocalVariable, Module, Span, Statement,
    SwizzleComponent, Type, TypeInner, VectorSize,
};
use tarsus_shader::ir::{
    edit_block, move_expressions, operands_mut, rebuild_block, statement_operands_mut,
};

use SwizzleComponent::{W, X, Y, Z};

/// Repairs `module` and its functions.
pub(super) fn repair(module: &mut Module) {
    unify_arrays(module);
    let handles = tarsus_shader::ir::handles(&module.functions);
    for handle in handles {
        let mut function = std::mem::take(&mut module.functions[handle]);
        repair_function(module, &mut function);
        module.functions[handle] = function;
    }
    for index in 0..module.entry_points.len() {
        let mut function = std::mem::take(&mut module.entry_points[index].function);
        repair_function(module, &mut function);
        module.entry_points[index].function = function;
    }
}

/// Gives arrays in structures the types of arrays elsewhere: naga spaces their elements as in
/// uniforms, so they are different types.
fn unify_arrays(module: &mut Module) {
    let old = std::mem::take(&mut module.types);
    let mut places: Vec<Handle<Type>> = Vec::with_capacity(old.len());
    for (handle, ty) in old.iter() {
        let mut ty = ty.clone();
        match &mut ty.inner {
            TypeInner::Array { base, stride, .. } => {
                *base = places[base.index()];
                let element = &module.types[*base].inner;
                if matches!(element, TypeInner::Scalar(_) | TypeInner::Vector { .. }) {
                    *stride = element.size(module.to_ctx()).next_power_of_two();
                }
            }
            TypeInner::Pointer { base, .. } => *base = places[base.index()],
            TypeInner::Struct { members, .. } => {
                members.iter_mut().for_each(|member| member.ty = places[member.ty.index()]);
            }
            _ => {}
        }
        places.push(module.types.insert(ty, old.get_span(handle)));
    }
    let place = |ty: &mut Handle<Type>| *ty = places[ty.index()];
    let expression = |expression: &mut Expression| match expression {
        Expression::Compose { ty, .. } | Expression::ZeroValue(ty) => place(ty),
        _ => {}
    };
    module.constants.iter_mut().for_each(|(_, constant)| place(&mut constant.ty));
    module.global_variables.iter_mut().for_each(|(_, global)| place(&mut global.ty));
    module.global_expressions.iter_mut().for_each(|(_, one)| expression(one));
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for function in functions.chain(entries) {
        function.arguments.iter_mut().for_each(|argument| place(&mut argument.ty));
        function.result.iter_mut().for_each(|result| place(&mut result.ty));
        function.local_variables.iter_mut().for_each(|(_, local)| place(&mut local.ty));
        function.expressions.iter_mut().for_each(|(_, one)| expression(one));
    }
}

fn repair_function(module: &Module, function: &mut Function) {
    store_choices(module, function);
    complete_expressions(module, function);
    return_zero(function);
    copy_parts(module, function);
}

/// Types of the expressions of a function.
struct Types<'a> {
    module: &'a Module,
    locals: &'a Arena<LocalVariable>,
    function: &'a Function,
    types: Typifier,
}

impl Types<'_> {
    fn of(&mut self, expression: Handle<Expression>, all: &Arena<Expression>) -> Option<TypeInner> {
        let arguments = &self.function.arguments;
        let context = ResolveContext::with_locals(self.module, self.locals, arguments);
        self.types.grow(expression, all, &context).ok()?;
        Some(self.types.get(expression, &self.module.types).clone())
    }

    fn vector_size(
        &mut self,
        expression: Handle<Expression>,
        all: &Arena<Expression>,
    ) -> Option<VectorSize> {
        match self.of(expression, all)? {
            TypeInner::Vector { size, .. } => Some(size),
            _ => None,
        }
    }
}

/// Writes `mat2(v)` and `mat2(a, v, b)` with columns and `v % n` with two vectors.
fn complete_expressions(module: &Module, function: &mut Function) {
    let old = std::mem::take(&mut function.expressions);
    // Columns of parts of the last argument that a matrix does not need, as in `mat2(v, a, v)`.
    let surplus = old.iter().flat_map(|(_, expression)| match expression {
        Expression::Compose { ty, components } => match module.types[*ty].inner {
            TypeInner::Matrix { columns, .. } => components.get(columns as usize..).unwrap_or(&[]),
            _ => &[],
        },
        _ => &[],
    });
    let surplus: BTreeSet<Handle<Expression>> = surplus.copied().collect();
    let mut new = Arena::new();
    // The first new expression for each old one, and the one with its value.
    let mut places: Vec<(Handle<Expression>, Handle<Expression>)> = Vec::with_capacity(old.len());
    let mut types =
        Types { module, locals: &function.local_variables, function, types: Typifier::new() };
    for (handle, expression) in old.iter() {
        let mut expression = expression.clone();
        for operand in operands_mut(&mut expression).into_iter().flatten() {
            *operand = places[operand.index()].1;
        }
        let span = old.get_span(handle);
        let mut first = None;
        match expression {
            Expression::Compose { ty, ref mut components } => {
                let is_matrix = matches!(
                    module.types[ty].inner,
                    TypeInner::Matrix { columns: VectorSize::Bi, rows: VectorSize::Bi, .. }
                );
                match module.types[ty].inner {
                    TypeInner::Matrix { columns, .. } => components.truncate(columns as usize),
                    TypeInner::Vector { size, .. } if surplus.contains(&handle) => {
                        components.resize(size as usize, components[0]);
                    }
                    _ => {}
                }
                if let ([vector, ..], true) = (&components[..], is_matrix) {
                    let vector = *vector;
                    let quad = Some(VectorSize::Quad);
                    if components.len() == 2 && types.vector_size(vector, &new) == quad {
                        let column =
                            |pattern| Expression::Swizzle { size: VectorSize::Bi, vector, pattern };
                        *components = [[X, Y, X, X], [Z, W, X, X]]
                            .map(|pattern| {
                                let column = new.append(column(pattern), span);
                                first.get_or_insert(column);
                                column
                            })
                            .to_vec();
                    }
                }
            }
            Expression::Binary { op: BinaryOperator::Modulo, ref mut left, ref mut right } => {
                let sides = [*left, *right].map(|side| types.of(side, &new));
                let mut splat = |size, value: &mut Handle<Expression>| {
                    let splat = new.append(Expression::Splat { size, value: *value }, span);
                    first.get_or_insert(splat);
                    *value = splat;
                };
                match sides {
                    [Some(TypeInner::Vector { size, .. }), Some(TypeInner::Scalar(_))] => {
                        splat(size, right);
                    }
                    [Some(TypeInner::Scalar(_)), Some(TypeInner::Vector { size, .. })] => {
                        splat(size, left);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let value = new.append(expression, span);
        places.push((first.unwrap_or(value), value));
    }
    move_expressions(function, new, &places, &|old| places[old.index()].1);
}

/// Stores values in the variables of `?:`: naga stores pointers to arrays of which an element is
/// read.
fn store_choices(module: &Module, function: &mut Function) {
    let mut choices = BTreeSet::new();
    for (handle, local) in function.local_variables.iter_mut() {
        if let TypeInner::Pointer { base, .. } = module.types[local.ty].inner {
            local.ty = base;
            choices.insert(handle);
        }
    }
    let mut all = std::mem::take(&mut function.expressions);
    let loads = all.iter().filter_map(|(load, expression)| match *expression {
        Expression::Load { pointer } => match all[pointer] {
            Expression::LocalVariable(local) => choices.contains(&local).then_some((load, pointer)),
            _ => None,
        },
        _ => None,
    });
    let pointers: BTreeMap<_, _> = loads.collect();
    let replace = |operand: &mut Handle<Expression>| {
        *operand = pointers.get(operand).copied().unwrap_or(*operand);
    };
    for (_, expression) in all.iter_mut() {
        operands_mut(expression).into_iter().flatten().for_each(replace);
    }
    let mut body = std::mem::take(&mut function.body);
    let locals = &function.local_variables;
    let mut types = Types { module, locals, function, types: Typifier::new() };
    rebuild_block(&mut body, &mut |mut statement, span, block| {
        statement_operands_mut(&mut statement).into_iter().for_each(replace);
        if let Statement::Store { value, .. } = &mut statement
            && let Some(TypeInner::Pointer { .. }) = types.of(*value, &all)
        {
            *value = all.append(Expression::Load { pointer: *value }, span);
            block.push(Statement::Emit(naga::Range::new_from_bounds(*value, *value)), span);
        }
        block.push(statement, span);
    });
    (function.expressions, function.body) = (all, body);
}

/// Returns 0 where the end of a function with a result is reached, or seems to be.
fn return_zero(function: &mut Function) {
    let Some(result) = &function.result else { return };
    let zero = function.expressions.append(Expression::ZeroValue(result.ty), Span::UNDEFINED);
    edit_block(&mut function.body, &mut |statement| {
        if let Statement::Return { value: value @ None } = statement {
            *value = Some(zero);
        }
    });
}

/// Passes copies of parts of variables to functions that change them: WGSL has no pointers to
/// parts.
fn copy_parts(module: &Module, function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    rebuild_block(&mut body, &mut |mut statement, span, block| {
        let mut after = Vec::new();
        if let Statement::Call { function: callee, arguments, .. } = &mut statement {
            let parameters = &module.functions[*callee].arguments;
            for (argument, parameter) in arguments.iter_mut().zip(parameters) {
                let TypeInner::Pointer { base, .. } = module.types[parameter.ty].inner else {
                    continue;
                };
                let part = *argument;
                if !matches!(
                    function.expressions[part],
                    Expression::Access { .. } | Expression::AccessIndex { .. }
                ) {
                    continue;
                }
                let local = LocalVariable { name: None, ty: base, init: None };
                let local = function.local_variables.append(local, span);
                let mut add = |expression| function.expressions.append(expression, span);
                let copy = add(Expression::LocalVariable(local));
                let before = add(Expression::Load { pointer: part });
                let changed = add(Expression::Load { pointer: copy });
                let emit = |value| Statement::Emit(naga::Range::new_from_bounds(value, value));
                block.push(emit(before), span);
                block.push(Statement::Store { pointer: copy, value: before }, span);
                after.push(emit(changed));
                after.push(Statement::Store { pointer: part, value: changed });
                *argument = copy;
            }
        }
        block.push(statement, span);
        after.into_iter().for_each(|statement| block.push(statement, span));
    });
    function.body = body;
}
