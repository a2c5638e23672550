//! Syntax of the languages in which functions are written.

/// A target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// GLSL ES 3.00, restricted to what GLSL 4.50 also accepts.
    Glsl,
    /// WGSL.
    Wgsl,
}

/// Kind of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    /// Assigned more than once.
    Variable,
    /// Never changes.
    Value,
}

impl Language {
    /// A declaration inside a function, without its `;`. `value` is the initial value;
    /// `None` means zero, written as `zero`.
    pub(super) fn declaration(
        self,
        declared: Declared,
        (ty, name): (&str, &str),
        value: Option<&str>,
        zero: &str,
    ) -> String {
        match (self, declared, value) {
            (Self::Glsl, ..) => format!("{ty} {name} = {}", value.unwrap_or(zero)),
            (Self::Wgsl, Declared::Variable, Some(value)) => format!("var {name} = {value}"),
            (Self::Wgsl, Declared::Variable, None) => format!("var {name}: {ty}"),
            (Self::Wgsl, Declared::Value, value) => {
                format!("let {name} = {}", value.unwrap_or(zero))
            }
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
            (Self::Glsl, result) => {
                format!("{} {name}({parameters})", result.unwrap_or("void"))
            }
            (Self::Wgsl, Some(result)) => format!("fn {name}({parameters}) -> {result}"),
            (Self::Wgsl, None) => format!("fn {name}({parameters})"),
        }
    }

    /// The header of an `if`, `while` or `switch`.
    pub(super) fn head(self, word: &str, condition: &str) -> String {
        match self {
            Self::Glsl => format!("{word} ({condition})"),
            Self::Wgsl => format!("{word} {condition}"),
        }
    }

    /// The first line of an infinite loop.
    pub(super) fn endless(self) -> &'static str {
        match self {
            Self::Glsl => "while (true) {",
            Self::Wgsl => "loop {",
        }
    }

    /// A statement that leaves a loop if `condition` is true.
    pub(super) fn leave_if(self, condition: &str) -> String {
        match self {
            Self::Glsl => format!("if ({condition}) break;"),
            Self::Wgsl => format!("if {condition} {{ break; }}"),
        }
    }
}
