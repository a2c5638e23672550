//! tarsus: a shader toy for legs.

#[cfg(feature = "render")]
pub mod accumulate;
#[cfg(feature = "app")]
pub mod capture;
#[cfg(feature = "app")]
pub mod cli;
#[cfg(feature = "app")]
pub mod commands;
#[cfg(feature = "app")]
pub mod files;
#[cfg(feature = "render")]
pub mod fingerprint;
#[cfg(feature = "render")]
pub mod frame;
#[cfg(feature = "render")]
pub mod gpu;
pub mod ik;
#[cfg(feature = "render")]
pub mod renderer;
#[cfg(feature = "render")]
pub mod scene;
#[cfg(feature = "render")]
pub mod shader;
