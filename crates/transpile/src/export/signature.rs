//! How functions are declared where that is not as in their module.
//!
//! The compiler of GLSL hands every argument over as a pointer to a copy. Here
//! arguments that no caller reads afterwards are values again, and the function of a
//! pass returns what it has in its first parameter.

use std::collections::BTreeMap;

use naga::{Function, GlobalVariable, Handle, LocalVariable};

/// How an argument is handed to a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Passing {
    /// As its type in the module says.
    #[default]
    Declared,
    /// A value, behind a pointer in the module.
    Value,
    /// The same, and the function changes its own copy.
    Copied,
    /// Not at all: it is zero.
    Zero,
    /// Not at all: it is a variable of the function, which returns it.
    Returned,
}

/// How a function is declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    /// By argument; those behind the end are as declared.
    pub passing: Vec<Passing>,
    /// What the function of a pass returns.
    pub returned: Option<Returned>,
    /// What it does first.
    pub prologue: Vec<Prologue>,
}

/// What is done before the first statement of the author.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prologue {
    /// A call of a function without arguments.
    Call(Handle<Function>),
    /// The variable holds the place of the fragment, which is the second argument.
    Place(Handle<GlobalVariable>),
}

/// A variable that a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returned {
    pub variable: Handle<LocalVariable>,
    /// True if its fourth component is 1 whatever the author says.
    pub is_opaque: bool,
}

impl Signature {
    /// How the argument `number` is handed over.
    pub(crate) fn passing(&self, number: usize) -> Passing {
        self.passing.get(number).copied().unwrap_or_default()
    }
}

/// Those of a module that are not as declared.
pub(crate) type Signatures = BTreeMap<Handle<Function>, Signature>;
