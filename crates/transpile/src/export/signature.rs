//! Function signatures that differ from the module's declarations.
//!
//! The GLSL compiler passes every argument as a pointer to a copy. Here, arguments that no
//! caller reads afterwards become values again, and the function of a pass returns its
//! first parameter.

use std::collections::BTreeMap;

use naga::{Function, GlobalVariable, Handle, LocalVariable};

/// Passing mode of an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Passing {
    /// According to its type in the module.
    #[default]
    Declared,
    /// By value, although the module passes a pointer.
    Value,
    /// By value, and the function modifies a copy.
    Copied,
    /// Not passed: it is always zero.
    Zero,
    /// Not passed: it is a local variable that the function returns.
    Returned,
}

/// The signature of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    /// By argument; missing entries are [`Passing::Declared`].
    pub passing: Vec<Passing>,
    /// The returned variable, for the function of a pass.
    pub returned: Option<Returned>,
    /// Statements written first.
    pub prologue: Vec<Prologue>,
}

/// A statement written before the author's first one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prologue {
    /// A call of a function without arguments.
    Call(Handle<Function>),
    /// Sets the variable to the fragment position, the second argument.
    FragmentPosition(Handle<GlobalVariable>),
}

/// A variable that a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returned {
    pub variable: Handle<LocalVariable>,
    /// True if its alpha is forced to 1.
    pub is_opaque: bool,
}

impl Signature {
    /// The passing mode of argument `number`.
    pub(crate) fn passing(&self, number: usize) -> Passing {
        self.passing.get(number).copied().unwrap_or_default()
    }
}

/// Signatures of a module that differ from the declarations.
pub(crate) type Signatures = BTreeMap<Handle<Function>, Signature>;
