//! Optimisations for llvmpipe, Mesa's software renderer: everything that the renderer does
//! for it and for no other driver.
//!
//! llvmpipe moves nothing out of a loop, does not see through wgpu's loop counters, and
//! (up to Mesa 22) fetches every use of a uniform for each pixel anew. A pass stays here as
//! long as it makes one of the built-in scenes at least 10 % faster, to draw or to reload;
//! other software renderers (WARP, SwiftShader) get none, as none was measured on them.
//! `TARSUS_OPTIMIZE=0` switches all of them off.

mod hoist;
mod uniform_texels;
mod unroll;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use tarsus_shader::PassKind;

use hoist::hoist_uniform_expressions;
pub(super) use uniform_texels::{GROUP, UniformLayout, UniformTexels, read_texels, reads_texels};
use unroll::unroll_loops;

/// True if the passes run on a device of this adapter.
pub(super) fn is_enabled(adapter: &wgpu::AdapterInfo) -> bool {
    let is_llvmpipe = adapter.name.contains("llvmpipe") || adapter.driver.contains("llvmpipe");
    is_llvmpipe && std::env::var_os("TARSUS_OPTIMIZE").is_none_or(|value| value != "0")
}

/// Optimises the module of a pass; returns it unchanged, with a warning in the log, if the
/// result is invalid. `shares_module` is true if other passes use the module too.
pub(super) fn optimize(module: naga::Module, kind: PassKind, shares_module: bool) -> naga::Module {
    let mut optimized = module.clone();
    hoist_uniform_expressions(&mut optimized);
    // Per-frame passes draw a few texels, which takes less time than compiling unrolled
    // loops.
    if kind != PassKind::PerFrame || shares_module {
        unroll_loops(&mut optimized);
    }
    // Replacing an argument with a literal can make the module invalid, for instance by a
    // division by 0 that is never reached.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    match validator.validate(&optimized) {
        Ok(_) => optimized,
        Err(error) => {
            let pass = kind.label();
            log::warn!("optimising the pass {pass} for llvmpipe failed: {error}");
            module
        }
    }
}
