//! Evaluation of WGSL functions on the GPU, for many inputs at once.

use std::sync::OnceLock;

use tarsus_render::{Gpu, GpuOptions};
use tarsus_shader::{Builtins, Library, Scene, assemble};

/// A device with compute shaders, which the renderer itself does not need.
pub struct Compute {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Compute {
    /// The device shared by all tests, of the adapter that captures use by default.
    pub fn shared() -> &'static Self {
        static COMPUTE: OnceLock<Compute> = OnceLock::new();
        COMPUTE.get_or_init(|| {
            let options = GpuOptions::default();
            let gpu = pollster::block_on(Gpu::headless(&options)).expect("an adapter");
            let adapter = gpu.adapter;
            let descriptor = wgpu::DeviceDescriptor {
                required_limits: wgpu::Limits::downlevel_defaults()
                    .using_resolution(adapter.limits()),
                ..Default::default()
            };
            let opened = pollster::block_on(adapter.request_device(&descriptor));
            let (device, queue) = opened.expect("a compute device");
            Self { device, queue }
        })
    }

    /// Calls `fn evaluate(input: array<vec4f, IN>) -> array<vec4f, OUT>` of `source` (a
    /// scene, or imports alone) for every input.
    pub fn evaluate<const IN: usize, const OUT: usize>(
        &self,
        source: &str,
        inputs: &[[[f32; 4]; IN]],
    ) -> Vec<[[f32; 4]; OUT]> {
        let pipeline = self.pipeline::<IN, OUT>(source);
        let inputs: &[u8] = bytemuck::cast_slice(inputs.as_flattened().as_flattened());
        let count = inputs.len() / (16 * IN);
        let size = (count * OUT * 16) as u64;
        let input = self.buffer(
            inputs.len() as u64,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        );
        let output = self.buffer(size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let readback =
            self.buffer(size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        self.queue.write_buffer(&input, 0, inputs);
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(count.div_ceil(64) as u32, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&output, 0, &readback, 0, size);
        self.queue.submit([encoder.finish()]);
        readback.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("device");
        let bytes = readback.get_mapped_range(..).expect("mapped range");
        let words: &[[f32; 4]] = bytemuck::cast_slice(&bytes);
        words.as_chunks::<OUT>().0.to_vec()
    }

    fn buffer(&self, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    fn pipeline<const IN: usize, const OUT: usize>(&self, source: &str) -> wgpu::ComputePipeline {
        let picture = if source.contains("fn main_image") {
            ""
        } else {
            "fn main_image(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }"
        };
        let text = format!(
            "{source}
{picture}
@group(0) @binding(0) var<storage, read> harness_inputs: array<array<vec4f, {IN}>>;
@group(0) @binding(1) var<storage, read_write> harness_outputs: array<array<vec4f, {OUT}>>;
@compute @workgroup_size(64)
fn harness(@builtin(global_invocation_id) id: vec3u) {{
    if id.x < arrayLength(&harness_inputs) {{
        harness_outputs[id.x] = evaluate(harness_inputs[id.x]);
    }}
}}
"
        );
        let scene = Scene::from_text(&text, "harness.wgsl");
        let library = Library::new(Builtins { scenes: &[], modules: tarsus_scenes::MODULES });
        let assembled = assemble(&scene, &library, &[]).unwrap_or_else(|error| panic!("{error}"));
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(assembled)),
        });
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("harness"),
            compilation_options: Default::default(),
            cache: None,
        })
    }
}
