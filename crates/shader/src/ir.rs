//! Helpers over naga's IR that front ends, back ends and the renderer share.

pub use crate::blocks::{calls, inner_blocks, inner_blocks_mut};
pub use crate::channel::GROUP as CHANNEL_GROUP;
pub use crate::names::{Name, is_override, short, split, written};
pub use crate::operands::{COMPONENTS, Variable, letters, operands, operands_mut, root};
