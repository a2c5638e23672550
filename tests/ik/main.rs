//! The solver alone, without any feature: what holds for every limb, and the
//! degenerate cases.

mod degenerate;
mod properties;
