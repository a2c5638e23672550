use std::collections::HashMap;

use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, ResourceBinding};

use super::{UniformLayout, has_slow_uniforms, read_texels};
use crate::calls::functions;
use tarsus_shader::ir::{Variable, root_variable};

const UNIFORMS: &str = "
    struct Ball { middle: vec3f, radius: f32, id: u32 }
    struct Frame {
        size: vec2f, shift: vec2f, time: f32, number: u32,
        @align(16) turn: mat3x2f, view: mat3x3f, balls: array<Ball, 3>,
    }
    @group(0) @binding(0) var<uniform> frame: Frame;
    @group(1) @binding(0) var<uniform> params: array<vec4f, 4>;
    @group(1) @binding(1) var<uniform> other: vec4f;
    fn time_at(shift: f32) -> f32 { return frame.time + shift; }
    fn whole(i: u32) -> f32 { let ball = frame.balls[i]; return ball.radius; }";

/// The frame is at texel 0, the parameters are at texel 16. The third uniform is not in the
/// texture.
fn layout() -> UniformLayout {
    let at = |group, texel| (ResourceBinding { group, binding: 0 }, texel);
    UniformLayout {
        offsets: HashMap::from([at(0, 0), at(1, 16)]),
        width: 32,
    }
}

/// Number of remaining uniform loads and of samples in the functions reachable from an entry
/// point, in a module whose fragment stage draws `value`.
fn loads_and_samples(value: &str, entry: &str) -> (usize, usize) {
    let text = format!(
        "{UNIFORMS}
         @vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             return vec4f(f32(i) + frame.time);
         }}
         @fragment fn main(@location(0) @interpolate(flat) i: i32,
                           @location(1) @interpolate(flat) u: u32) -> @location(0) vec4f {{
             return vec4f({value});
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    read_texels(&mut module, &layout());
    Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
    module.entry_points.retain(|point| point.name == entry);
    compact(&mut module, KeepUnused::No);
    let is_uniform = |variable| match variable {
        Some(Variable::Global(variable)) => {
            module.global_variables[variable].space == AddressSpace::Uniform
        }
        _ => false,
    };
    let mut counts = (0, 0);
    for function in functions(&module) {
        for (_, expression) in function.expressions.iter() {
            match *expression {
                Expression::ImageSample { .. } => counts.1 += 1,
                Expression::Load { pointer } if is_uniform(root_variable(function, pointer)) => {
                    counts.0 += 1;
                }
                _ => {}
            }
        }
    }
    counts
}

#[test]
fn floats_are_sampled_but_not_integers() {
    for (value, loads, samples) in [
        ("frame.time", 0, 1),
        ("time_at(1.0) + frame.time", 0, 1),
        ("frame.size, frame.shift", 0, 2),
        ("frame.size.y + frame.shift.x", 0, 2),
        ("f32(frame.number) + frame.time", 1, 1),
        ("frame.turn * frame.view * vec3f(1.0), 0.0, 0.0", 0, 6),
        ("frame.view[1], frame.turn[2].y", 0, 2),
        ("frame.balls[2].middle, frame.balls[1].radius", 0, 2),
        (
            "frame.balls[i].middle, f32(frame.balls[u].id) * frame.balls[u].radius",
            1,
            2,
        ),
        ("params[3].yzwx + params[i].xxyy + params[i + 1]", 0, 2),
        ("other + params[0]", 1, 1),
    ] {
        assert_eq!(
            loads_and_samples(value, "main"),
            (loads, samples),
            "{value}"
        );
    }
}

#[test]
fn vertex_stage_reads_uniforms() {
    assert_eq!(loads_and_samples("frame.time", "cover"), (1, 0));
}

#[test]
fn values_without_fixed_texels_are_loaded() {
    for (value, loads, samples) in [
        // A dynamic column, two of which share a texel, and a dynamic component.
        ("frame.turn[i], 0.0, 0.0", 1, 0),
        ("params[1][i]", 1, 0),
        // A structure.
        ("whole(1u)", 1, 0),
    ] {
        assert_eq!(
            loads_and_samples(value, "main"),
            (loads, samples),
            "{value}"
        );
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
