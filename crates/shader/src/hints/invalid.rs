//! Explains errors of naga's validator by the types that they contain.

use naga::common::wgsl::TypeContext;
use naga::front::Typifier;
use naga::proc::{ResolveContext, TypeResolution};
use naga::valid::{CallError, ComposeError, ExpressionError, FunctionError, ValidationError};
use naga::{BinaryOperator, Expression, Function, Handle, Module, Span, Statement, TypeInner};

use super::super::ir::spanned_statements;
use super::super::names::demangle;
use super::super::signatures::find_item;
use super::super::source_map::SourceMap;
use super::site::Explanation;
use super::types::{NO_CONVERSIONS, short_type};

/// The explanation of an error, if its data suffice for one.
pub(crate) fn explain(
    error: &ValidationError,
    module: &Module,
    sources: &SourceMap,
) -> Option<Explanation> {
    let ValidationError::Function { handle, source, .. } = error else {
        return None;
    };
    let function = &module.functions[*handle];
    match source {
        FunctionError::InvalidCall { function, error } => {
            call(&module.functions[*function], error, sources)
        }
        FunctionError::Expression { handle, source } => match source {
            ExpressionError::InvalidBinaryOperandTypes {
                op,
                lhs_expr,
                lhs_type,
                rhs_expr,
                rhs_type,
            } => {
                let left = type_of(*lhs_expr, function, module)?;
                let right = type_of(*rhs_expr, function, module)?;
                let names = [name_of(module, &left), name_of(module, &right)];
                Some(operation(*op, lhs_type, rhs_type, &names))
            }
            ExpressionError::SelectValuesTypeMismatch { accept, reject } => {
                Some(selection(accept, reject, module))
            }
            ExpressionError::Compose(error) => composition(module, function, *handle, error),
            _ => None,
        },
        _ => None,
    }
}

/// Place of the statement whose value has the wrong type. naga's own is that of the value, which
/// may be in an earlier declaration.
pub(crate) fn statement(error: &ValidationError, module: &Module) -> Option<Span> {
    let ValidationError::Function { handle, source, .. } = error else {
        return None;
    };
    let is_wrong = |statement: &Statement| match (source, statement) {
        (
            FunctionError::InvalidReturnType { expression: Some(wrong), .. },
            Statement::Return { value },
        ) => *value == Some(*wrong),
        (
            FunctionError::InvalidStoreTypes { pointer: to, value: wrong },
            Statement::Store { pointer, value },
        ) => (pointer, value) == (to, wrong),
        _ => false,
    };
    let mut statements = spanned_statements(&module.functions[*handle].body);
    Some(statements.find(|(statement, _)| is_wrong(statement))?.1)
}

fn type_of(
    value: Handle<Expression>,
    function: &Function,
    module: &Module,
) -> Option<TypeResolution> {
    let mut types = Typifier::new();
    let locals = &function.local_variables;
    let context = ResolveContext::with_locals(module, locals, &function.arguments);
    types.grow(value, &function.expressions, &context).ok()?;
    Some(types[value].clone())
}

/// Name of a type in short notation.
fn name_of(module: &Module, ty: &TypeResolution) -> String {
    short_type(&module.types.type_resolution_to_string(ty))
}

/// Explains operators applied to incompatible types with these names.
fn operation(
    op: BinaryOperator,
    left: &TypeInner,
    right: &TypeInner,
    names: &[String; 2],
) -> Explanation {
    use BinaryOperator as Op;
    let sign = naga::back::binary_operation_str(op);
    let message = format!("`{} {sign} {}` does not exist", names[0], names[1]);
    let is_comparison = matches!(
        op,
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
    );
    let size = |ty: &TypeInner| match *ty {
        TypeInner::Vector { size, .. } => Some(size),
        _ => None,
    };
    let is_matrix = |ty: &TypeInner| matches!(ty, TypeInner::Matrix { .. });
    let hint = match (size(left), size(right)) {
        _ if left.scalar().is_none() || right.scalar().is_none() => {
            "operators take numbers, vectors and matrices: name a member, as in `ball.size`, or an \
             element, as in `sizes[0]`"
                .to_owned()
        }
        _ if is_matrix(left) || is_matrix(right) => {
            "a matrix has as many columns as the vector after it has components".to_owned()
        }
        (left, right) if left == right && names[0] != names[1] => {
            let is_float = names[1] == "f32" || names[1].ends_with('f');
            let [kept, other] = if is_float { [1, 0] } else { [0, 1] };
            format!("{NO_CONVERSIONS}: write `{}(x)` for the {}", names[kept], names[other])
        }
        (Some(_), Some(_)) => {
            "the vectors must have as many components: write `v.xy` or `vec3f(v, 0.0)`".to_owned()
        }
        (None, None) => format!("{NO_CONVERSIONS}: write `f32(x)`, `i32(x)` or `u32(x)`"),
        _ if is_comparison => "compare one component, `v.x`, or a number, `length(v)`".to_owned(),
        (left, _) => {
            let vector = &names[usize::from(left.is_none())];
            format!("both sides need the same type: write `{vector}(x)` for the number")
        }
    };
    Explanation::new(message, hint)
}

/// Explains values of different types that `select` chooses from.
fn selection(accept: &TypeInner, reject: &TypeInner, module: &Module) -> Explanation {
    let vector = [reject, accept].into_iter().find(|ty| matches!(ty, TypeInner::Vector { .. }));
    let ty = vector.unwrap_or(reject);
    let ty = name_of(module, &TypeResolution::Value(ty.clone()));
    Explanation::new(
        "the first two arguments of `select` are of different types",
        format!("{NO_CONVERSIONS}: write `{ty}(x)` for the other one"),
    )
}

/// Explains a call with too few, too many or wrong arguments.
fn call(callee: &Function, error: &CallError, sources: &SourceMap) -> Option<Explanation> {
    let name = demangle(callee.name.as_deref()?, sources);
    let written = name.display();
    let item = find_item(sources.text(name.module), name.item)?;
    let (message, argument) = match error {
        CallError::ArgumentCount { required, seen } => {
            let plural = if *required == 1 { "" } else { "s" };
            (format!("`{written}` takes {required} argument{plural}, not {seen}"), None)
        }
        CallError::ArgumentType { index, .. } => {
            let number = index + 1;
            (format!("argument {number} of `{written}` is of another type"), Some(number))
        }
        _ => return None,
    };
    let mut notes = vec![format!("`{}`", item.signature)];
    if argument.is_some() && item.signature.contains("ptr<") {
        notes.push("hint: pass the address of a variable: `&x`".to_owned());
    }
    Some(Explanation { message, notes, argument, ..Explanation::default() })
}

/// Explains a struct or vector composed of too few, too many or wrong values.
fn composition(
    module: &Module,
    function: &Function,
    composed: Handle<Expression>,
    error: &ComposeError,
) -> Option<Explanation> {
    let Expression::Compose { ty, ref components } = function.expressions[composed] else {
        return None;
    };
    let name = name_of(module, &TypeResolution::Handle(ty));
    let (number, given) = match *error {
        ComposeError::ComponentCount { given, expected } => {
            let (message, hint) = match &module.types[ty].inner {
                TypeInner::Struct { members, .. } => {
                    let names = members.iter().filter_map(|member| member.name.as_deref());
                    let names = names.collect::<Vec<_>>().join(", ");
                    (
                        format!("`{name}` has {expected} members, not {given}"),
                        format!("write `{name}({names})`"),
                    )
                }
                _ => (
                    format!("`{name}` takes {expected} components, not {given}"),
                    "a vec2f counts as two, a vec3f as three, a number as one".to_owned(),
                ),
            };
            return Some(Explanation::new(message, hint));
        }
        ComposeError::ComponentType { index } => (index as usize, components[index as usize]),
        _ => return None,
    };
    let inner = &module.types[ty].inner;
    let part = match inner {
        TypeInner::Struct { members, .. } => {
            let name = members.get(number)?.name.as_deref();
            format!("member `{}`", name.unwrap_or_default())
        }
        _ => format!("component {}", number + 1),
    };
    let expected = inner.component_type(number)?;
    let given = type_of(given, function, module)?;
    let (expected, given) = (name_of(module, &expected), name_of(module, &given));
    let message = format!("{part} of `{name}` is `{expected}`, and this is `{given}`");
    let is_number = |name: &str| matches!(name, "f32" | "i32" | "u32");
    let hint = if is_number(&expected) && is_number(&given) {
        format!("{NO_CONVERSIONS}: write `{expected}(x)`")
    } else {
        format!("{NO_CONVERSIONS}: give it a `{expected}`")
    };
    Some(Explanation { argument: Some(number + 1), ..Explanation::new(message, hint) })
}
