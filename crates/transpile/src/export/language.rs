//! The languages that functions are written in: what their statements look like.

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// GLSL ES 3.00, in words that GLSL 4.50 has too.
    Glsl,
    /// WGSL.
    Wgsl,
}

/// What a declaration makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    /// Something that is stored to again.
    Variable,
    /// Something that never changes.
    Value,
}

impl Language {
    /// A declaration inside of a function, without its `;`. `value` is what it begins
    /// with; `None` for zero, whose text is `zero`.
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

    /// The head of a function.
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

    /// `if`, `while` and `switch` with what they depend on.
    pub(super) fn head(self, word: &str, condition: &str) -> String {
        match self {
            Self::Glsl => format!("{word} ({condition})"),
            Self::Wgsl => format!("{word} {condition}"),
        }
    }

    /// A loop without an end of its own.
    pub(super) fn endless(self) -> &'static str {
        match self {
            Self::Glsl => "while (true) {",
            Self::Wgsl => "loop {",
        }
    }

    /// The statement that leaves a loop if `condition` holds.
    pub(super) fn leave_if(self, condition: &str) -> String {
        match self {
            Self::Glsl => format!("if ({condition}) break;"),
            Self::Wgsl => format!("if {condition} {{ break; }}"),
        }
    }
}
