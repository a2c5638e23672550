//! Syntax of the languages in which functions are written.

use super::error::ExportError;

/// A target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// GLSL ES 3.00, restricted to what GLSL 4.50 also accepts.
    Glsl,
    /// WGSL.
    Wgsl,
}

impl Language {
    /// The error of a function that uses `what`, which the language lacks.
    pub(super) fn missing(self, function: &str, what: impl Into<String>) -> ExportError {
        let language = if self == Self::Glsl { "GLSL" } else { "WGSL" };
        let what = what.into();
        ExportError(format!("`{function}`: {language} does not support {what}"))
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_target_language() {
        let message = |language: Language| language.missing("f", "arrays of arrays").to_string();
        let expected = "cannot export `f`: GLSL does not support arrays of arrays";
        assert_eq!(message(Language::Glsl), expected);
        assert_eq!(message(Language::Wgsl), expected.replace("GLSL", "WGSL"));
    }
}
