//! tarsus: a shader toy for legs.

pub mod ik;
