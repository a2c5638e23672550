//! Syntax of the languages in which functions are written.

/// A target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// GLSL ES 3.00, restricted to what GLSL 4.50 also accepts.
    Glsl,
    /// WGSL.
    Wgsl,
}

impl Language {
    /// Declaration of a variable in a function, without its `;`. `value` is the initial
    /// value; `None` means zero, written as `zero`.
    pub(super) fn variable(self, ty: &str, name: &str, value: Option<&str>, zero: &str) -> String {
        match (self, value) {
            (Self::Glsl, value) => format!("{ty} {name} = {}", value.unwrap_or(zero)),
            (Self::Wgsl, Some(value)) => format!("var {name} = {value}"),
            (Self::Wgsl, None) => format!("var {name}: {ty}"),
        }
    }

    /// Declaration of a value that never changes, without its `;`.
    pub(super) fn value(self, ty: &str, name: &str, value: &str) -> String {
        match self {
            Self::Glsl => format!("{ty} {name} = {value}"),
            Self::Wgsl => format!("let {name} = {value}"),
        }
    }

    /// A function header.
    pub(super) fn function(
        self,
        name: &str,
        parameters: &[String],
        result: Option<&str>,
    ) -> String {
        let parameters = parameters.join(", ");
        match (self, result) {
            (Self::Glsl, result) => format!("{} {name}({parameters})", result.unwrap_or("void")),
            (Self::Wgsl, Some(result)) => format!("fn {name}({parameters}) -> {result}"),
            (Self::Wgsl, None) => format!("fn {name}({parameters})"),
        }
    }

    /// The header of an `if`, `while` or `switch`.
    pub(super) fn head(self, word: &str, condition: &str) -> String {
        match self {
            Self::Glsl => format!("{word} ({condition}) {{"),
            Self::Wgsl => format!("{word} {condition} {{"),
        }
    }
}
