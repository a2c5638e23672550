//! Operands of naga expressions, and the variable behind a pointer.

use naga::{
    Expression, Function, GlobalVariable, Handle, ImageQuery, LocalVariable, SampleLevel,
    SwizzleComponent,
};

/// A variable that can be stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A variable of the function.
    Local(Handle<LocalVariable>),
    /// A variable of the module.
    Global(Handle<GlobalVariable>),
    /// The variable that a pointer parameter of the function refers to.
    Argument(u32),
}

/// Variable that `pointer` points into.
pub fn root(function: &Function, pointer: Handle<Expression>) -> Option<Variable> {
    match function.expressions[pointer] {
        Expression::LocalVariable(local) => Some(Variable::Local(local)),
        Expression::GlobalVariable(global) => Some(Variable::Global(global)),
        Expression::FunctionArgument(number) => Some(Variable::Argument(number)),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            root(function, base)
        }
        _ => None,
    }
}

/// Operands of `expression`.
pub fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    let mut copy = expression.clone();
    let operands = operands_mut(&mut copy).unwrap_or_default();
    operands.into_iter().map(|operand| *operand).collect()
}

/// Operands for replacement. Returns `None` for expressions without operands, such as
/// constants, and for kinds that scenes do not contain.
pub fn operands_mut(expression: &mut Expression) -> Option<Vec<&mut Handle<Expression>>> {
    use Expression as E;
    Some(match expression {
        E::Compose { components, .. } => components.iter_mut().collect(),
        E::Access { base, index } => vec![base, index],
        E::AccessIndex { base: one, .. }
        | E::Splat { value: one, .. }
        | E::Swizzle { vector: one, .. }
        | E::Load { pointer: one }
        | E::Unary { expr: one, .. }
        | E::Derivative { expr: one, .. }
        | E::As { expr: one, .. }
        | E::Relational { argument: one, .. }
        | E::ArrayLength(one) => vec![one],
        E::Binary { left, right, .. } => vec![left, right],
        E::Select {
            condition,
            accept,
            reject,
        } => vec![condition, accept, reject],
        E::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => {
            let mut all = vec![arg];
            all.extend([arg1, arg2, arg3].into_iter().flatten());
            all
        }
        E::ImageSample {
            image,
            sampler,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            ..
        } => {
            let mut all = vec![image, sampler, coordinate];
            all.extend([array_index, offset, depth_ref].into_iter().flatten());
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => all.push(level),
                SampleLevel::Gradient { x, y } => all.extend([x, y]),
            }
            all
        }
        E::ImageLoad {
            image,
            coordinate,
            array_index,
            sample,
            level,
        } => {
            let mut all = vec![image, coordinate];
            all.extend([array_index, sample, level].into_iter().flatten());
            all
        }
        E::ImageQuery { image, query } => match query {
            ImageQuery::Size { level: Some(level) } => vec![image, level],
            _ => vec![image],
        },
        _ => return None,
    })
}

/// Component letters of a swizzle.
pub fn letters(pattern: &[SwizzleComponent]) -> String {
    pattern
        .iter()
        .map(|component| COMPONENTS[*component as usize])
        .collect()
}

/// Component letters of a vector.
pub const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];
