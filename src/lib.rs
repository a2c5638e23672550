//! tarsus: a shader toy for legs.
#![cfg_attr(not(feature = "std"), no_std)]

pub mod ik;
