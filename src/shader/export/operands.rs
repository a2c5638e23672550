//! What an expression is made of, and the variable that a pointer leads to.

use naga::{
    Expression, Function, GlobalVariable, Handle, LocalVariable, SampleLevel, SwizzleComponent,
};

/// What can be stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::shader) enum Variable {
    Local(Handle<LocalVariable>),
    Global(Handle<GlobalVariable>),
    /// What a pointer in the function's parameters leads to.
    Argument(u32),
}

/// The variable that the pointer `pointer` leads into.
pub(in crate::shader) fn root(
    function: &Function,
    pointer: Handle<Expression>,
) -> Option<Variable> {
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

/// The expressions that `expression` is worked out from.
pub(in crate::shader) fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    use Expression as E;
    match *expression {
        E::Compose { ref components, .. } => components.clone(),
        E::Access { base, index } => vec![base, index],
        E::AccessIndex { base, .. } => vec![base],
        E::Splat { value, .. } => vec![value],
        E::Swizzle { vector, .. } => vec![vector],
        E::Load { pointer } => vec![pointer],
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
            all.extend(array_index);
            all.extend(offset);
            all.extend(depth_ref);
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
            all.extend(array_index);
            all.extend(sample);
            all.extend(level);
            all
        }
        E::ImageQuery { image, query } => match query {
            naga::ImageQuery::Size { level: Some(level) } => vec![image, level],
            _ => vec![image],
        },
        E::Unary { expr, .. } | E::Derivative { expr, .. } | E::As { expr, .. } => vec![expr],
        E::Binary { left, right, .. } => vec![left, right],
        E::Select {
            condition,
            accept,
            reject,
        } => vec![condition, accept, reject],
        E::Relational { argument, .. } => vec![argument],
        E::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => {
            let mut all = vec![arg];
            all.extend(arg1);
            all.extend(arg2);
            all.extend(arg3);
            all
        }
        E::ArrayLength(array) => vec![array],
        _ => Vec::new(),
    }
}

/// The letters of a swizzle.
pub(in crate::shader) fn letters(pattern: &[SwizzleComponent]) -> String {
    pattern
        .iter()
        .map(|component| COMPONENTS[*component as usize])
        .collect()
}

/// The components of a vector.
pub(super) const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];
