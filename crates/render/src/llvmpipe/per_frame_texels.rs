//! Per-frame values as texels, for llvmpipe up to Mesa 22 (Debian 12).
//!
//! These versions fetch each float of a uniform separately for every pixel, even where all
//! pixels read the same one: dozens of instructions per fetch, which cost time to compile
//! and to run. Texture sampling is compiled once and called. So functions sample the texture
//! into which the values were drawn. In newer versions of Mesa sampling is slower.

use naga::{ArraySize, Function, GlobalVariable, Module, ResourceBinding, Scalar, TypeInner};
use tarsus_shader::ir::functions;
use tarsus_shader::{PER_FRAME_ROW, Pass, PassKind};

use super::lower_dynamic_indexing::dynamic_loads;
use crate::calls;
use crate::gpu_objects::{layout_entry, unfiltered};

/// Newest major version of Mesa in which sampling is faster than uniform loads.
const MAX_SLOW_MESA: u32 = 22;

/// Number of textures, and of samplers, that a stage can bind on every device.
const MAX_BINDINGS: usize = 16;

/// Bindings of the texture and its sampler in the group of the per-frame values.
const TEXTURE: u32 = 9;
const SAMPLER: u32 = 10;

/// The texture of the per-frame values and its sampler, as passes bind them.
#[derive(Clone)]
pub(crate) struct PerFrameTexels {
    view: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl PerFrameTexels {
    /// Binds the texture of the values. `None` if passes should read uniforms.
    pub(crate) fn new(device: &wgpu::Device, texture: &wgpu::Texture) -> Option<Self> {
        has_slow_uniforms(&device.adapter_info()).then(|| Self {
            view: texture.create_view(&Default::default()),
            // llvmpipe samples the nearest texel of a single level fastest.
            sampler: device.create_sampler(&Default::default()),
        })
    }

    /// True if `pass` can bind them: it does not draw into the texture, and has few other
    /// bindings.
    pub(crate) fn can_be_read_by(pass: &Pass) -> bool {
        pass.kind != PassKind::PerFrame && pass.bindings.len() < MAX_BINDINGS
    }

    pub(crate) fn resources(&self) -> [(u32, wgpu::BindingResource<'_>); 2] {
        let view = wgpu::BindingResource::TextureView(&self.view);
        [(TEXTURE, view), (SAMPLER, wgpu::BindingResource::Sampler(&self.sampler))]
    }

    pub(crate) fn layout_entries() -> [wgpu::BindGroupLayoutEntry; 2] {
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
        [(TEXTURE, unfiltered()), (SAMPLER, sampler)]
            .map(|(binding, ty)| layout_entry(binding, wgpu::ShaderStages::FRAGMENT, ty))
    }
}

/// True for versions of llvmpipe that fetch uniforms separately for every pixel.
fn has_slow_uniforms(info: &wgpu::AdapterInfo) -> bool {
    let version = info.driver_info.strip_prefix("Mesa ");
    let major = version.and_then(|version| version.split('.').next()?.parse().ok());
    super::is_enabled(info) && major.is_some_and(|major: u32| major <= MAX_SLOW_MESA)
}

/// Replaces loads of the per-frame values, which are bound at `binding`, by samples.
pub(super) fn sample_per_frame_values(module: &mut Module, binding: ResourceBinding) {
    let is_values = |global: &GlobalVariable| global.binding == Some(binding);
    let values = module.global_variables.fetch_if(is_values);
    let Some(values) = values else { return };
    let TypeInner::Array { size: ArraySize::Constant(count), .. } =
        module.types[module.global_variables[values].ty].inner
    else {
        return;
    };
    let loads = functions(module).map(|function| {
        let loads = dynamic_loads(module, function).into_iter();
        let loads = loads.filter(|(_, column, _)| {
            column.array == values && column.member.is_empty() && column.index == Scalar::U32
        });
        loads.collect()
    });
    calls::replace_all(module, loads.collect(), &mut |module, _| {
        sampling_function(module, binding.group, count.get())
    });
}

/// A function that samples one of `count` values by its index; indices above the last one mean
/// the last one, as in uniforms.
fn sampling_function(module: &mut Module, group: u32, count: u32) -> Function {
    let last = count - 1;
    let (width, height) = (PER_FRAME_ROW as f32, count.div_ceil(PER_FRAME_ROW) as f32);
    let (across, up) = (1.0 / width, 1.0 / height);
    let text = format!(
        "@group({group}) @binding({TEXTURE}) var image: texture_2d<f32>;
         @group({group}) @binding({SAMPLER}) var nearest: sampler;
         fn f(index: u32) -> vec4f {{
             let at = min(index, {last}u);
             let x = (f32(at % {PER_FRAME_ROW}u) + 0.5) * {across:?};
             let y = (f32(at / {PER_FRAME_ROW}u) + 0.5) * {up:?};
             return textureSampleLevel(image, nearest, vec2f(x, y), 0.0);
         }}"
    );
    calls::parse_one(module, &text)
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::{Expression, ResourceBinding};

    use super::{has_slow_uniforms, sample_per_frame_values};
    use tarsus_shader::ir::functions;

    /// Number of samples, and of loads in functions that remain, in a module that draws
    /// `value`.
    fn samples_and_loads(value: &str) -> (usize, usize) {
        let text = format!(
            "@group(0) @binding(8) var<uniform> values: array<vec4f, 80>;
             @group(0) @binding(0) var<uniform> others: array<vec4f, 80>;
             fn at(index: u32) -> vec4f {{ return values[index]; }}
             @fragment fn main(@location(0) @interpolate(flat) i: i32) -> @location(0) vec4f {{
                 return {value};
             }}"
        );
        let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
        let (group, binding) = (0, 8);
        sample_per_frame_values(&mut module, ResourceBinding { group, binding });
        Validator::new(ValidationFlags::all(), Capabilities::all())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
        let expressions = functions(&module).flat_map(|function| function.expressions.iter());
        let expressions: Vec<_> = expressions.map(|(_, expression)| expression).collect();
        let count = |is: fn(&Expression) -> bool| {
            expressions.iter().filter(|expression| is(expression)).count()
        };
        (
            count(|expression| matches!(expression, Expression::ImageSample { .. })),
            count(|expression| matches!(expression, Expression::Load { .. })),
        )
    }

    #[test]
    fn only_per_frame_values_are_sampled() {
        for (value, loads) in [
            ("at(3u) + at(u32(i))", 0),
            ("values[u32(i)]", 0),
            ("others[u32(i)]", 1),
            // A signed index and a component.
            ("values[i]", 1),
            ("vec4f(values[u32(i)].x)", 1),
        ] {
            assert_eq!(samples_and_loads(value), (1, loads), "{value}");
        }
    }

    #[test]
    fn only_old_mesa_has_slow_uniforms() {
        let is_slow = |driver: &str, driver_info: &str| {
            let info = wgpu::AdapterInfo {
                driver: driver.to_owned(),
                driver_info: driver_info.to_owned(),
                ..wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, wgpu::Backend::Vulkan)
            };
            has_slow_uniforms(&info)
        };
        assert!(is_slow("llvmpipe", "Mesa 22.3.6 (LLVM 15.0.6)"));
        assert!(is_slow("llvmpipe", "Mesa 20.3.5"));
        for (driver, info) in [
            ("llvmpipe", "Mesa 23.0.0 (LLVM 15.0.6)"),
            ("llvmpipe", "Mesa 25.0.7-2 (LLVM 19.1.7)"),
            ("llvmpipe", "LLVM 15"),
            ("radv", "Mesa 22.3.6"),
            ("SwiftShader driver", "SwiftShader 5.0.0"),
        ] {
            assert!(!is_slow(driver, info), "{driver} {info}");
        }
    }
}
