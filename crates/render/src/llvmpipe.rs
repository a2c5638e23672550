//! Optimisations for llvmpipe, Mesa's software renderer: everything that the renderer does
//! for it and for no other driver.
//!
//! llvmpipe moves nothing out of a loop, does not see through wgpu's loop counters, and
//! (up to Mesa 22) fetches every use of a uniform for each pixel anew. A pass stays here as
//! long as it makes a built-in scene, or a GLSL shader of the benchmarks, at least 10 %
//! faster to draw or to reload; other software renderers (WARP, SwiftShader) get none, as
//! none was measured on them.
//! `TARSUS_OPTIMIZE=0` switches all of them off.

mod cost;
mod guarded_loops;
mod hoist;
mod lower_dynamic_indexing;
mod per_frame_texels;
mod unroll;

use naga::compact::{KeepUnused, compact};
use tarsus_shader::ir::{functions, validate};
use tarsus_shader::{Pass, PassKind, Resource};

use guarded_loops::merge_guards;
use hoist::hoist_uniform_expressions;
use lower_dynamic_indexing::lower_dynamic_indexing;
pub(super) use per_frame_texels::PerFrameTexels;
use per_frame_texels::sample_per_frame_values;
use unroll::unroll_and_rotate_loops;

/// True if the passes run on a device of this adapter: llvmpipe's driver for Vulkan.
pub(super) fn is_enabled(adapter: &wgpu::AdapterInfo) -> bool {
    let is_on = || std::env::var_os("TARSUS_OPTIMIZE").is_none_or(|value| value != "0");
    is_llvmpipe(adapter) && adapter.backend == wgpu::Backend::Vulkan && is_on()
}

/// True for llvmpipe's drivers for Vulkan and OpenGL.
pub(super) fn is_llvmpipe(adapter: &wgpu::AdapterInfo) -> bool {
    // Browsers rarely use llvmpipe, so the page's modules omit the code for it.
    if cfg!(target_arch = "wasm32") {
        return false;
    }
    adapter.name.contains("llvmpipe") || adapter.driver.contains("llvmpipe")
}

/// True if another uniform can be added to `module`. llvmpipe (Mesa 22.3) crashes on a branch
/// that depends on the fourth.
pub(super) fn allows_another_uniform(adapter: &wgpu::AdapterInfo, module: &naga::Module) -> bool {
    let globals = module.global_variables.iter();
    let uniforms = globals.filter(|(_, global)| global.space == naga::AddressSpace::Uniform);
    !is_llvmpipe(adapter) || uniforms.count() < 3
}

/// Optimises `module`, which contains only `pass`; returns it unchanged, with a warning in the
/// log, if the result is invalid. A pass that `has_texels` can sample per-frame values.
pub(super) fn optimize(module: naga::Module, pass: &Pass, has_texels: bool) -> naga::Module {
    let mut optimized = module.clone();
    lower_dynamic_indexing(&mut optimized);
    hoist_uniform_expressions(&mut optimized);
    // Per-frame passes draw a few texels, which takes less time than compiling longer loops.
    if pass.kind != PassKind::PerFrame {
        merge_guards(&mut optimized);
        unroll_and_rotate_loops(&mut optimized);
    }
    if has_texels && let Some(values) = pass.binding_of(Resource::PerFrame) {
        sample_per_frame_values(&mut optimized, values.place());
    }
    compact(&mut optimized, KeepUnused::No);
    // Replacing an argument with a literal can make the module invalid, for instance by a
    // division by 0 that is never reached.
    let label = pass.kind.label();
    match validate(&optimized) {
        Ok(_) => {
            log::info!(
                "optimised the pass {label} for llvmpipe: {} to {} expressions",
                expression_count(&module),
                expression_count(&optimized)
            );
            optimized
        }
        Err(causes) => {
            let causes = causes.join(": ");
            log::warn!("cannot optimise the pass {label}, which may take longer to draw: {causes}");
            module
        }
    }
}

/// Number of expressions in all functions of `module`.
fn expression_count(module: &naga::Module) -> usize {
    functions(module).map(|function| function.expressions.len()).sum()
}
