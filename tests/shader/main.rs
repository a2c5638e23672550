//! Composing scenes, without a GPU.

mod compose;
