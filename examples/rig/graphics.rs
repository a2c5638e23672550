//! Draws a skinned mesh and the ground, with a shadow map.

use std::error::Error;

use bytemuck::{Pod, Zeroable};
use glam::camera::rh::proj::directx::{orthographic, perspective};
use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec3};
use wgpu::util::DeviceExt;

use crate::model::{Model, Vertex};
use crate::walk::{GROUND_PERIOD, WalkPose, ground};

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const SAMPLES: u32 = 4;
const SHADOW_SIZE: u32 = 2048;
/// Matrices in the shader; the last one is the ground's.
const MAX_JOINTS: usize = 16;

/// The uniforms of `rig.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Scene {
    view_proj: [[f32; 4]; 4],
    sun_proj: [[f32; 4]; 4],
    eye: [f32; 4],
    sun: [f32; 4],
    joints: [[[f32; 4]; 4]; MAX_JOINTS],
}

/// An adapter and its device.
pub struct Gpu {
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub async fn new(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'static>>,
    ) -> Result<Self, Box<dyn Error>> {
        let options =
            wgpu::RequestAdapterOptions { compatible_surface: surface, ..Default::default() };
        let adapter = instance.request_adapter(&options).await?;
        let (device, queue) = adapter.request_device(&Default::default()).await?;
        Ok(Self { adapter, device, queue })
    }
}

/// Everything that draws the walker.
pub struct Graphics {
    shadows: wgpu::RenderPipeline,
    colors: wgpu::RenderPipeline,
    /// Bindings of the two pipelines.
    bindings: [wgpu::BindGroup; 2],
    uniforms: wgpu::Buffer,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
    shadow: wgpu::TextureView,
    format: wgpu::TextureFormat,
    /// Multisampled colours and depths.
    targets: [wgpu::TextureView; 2],
    size: (u32, u32),
}

impl Graphics {
    pub fn new(
        gpu: &Gpu,
        model: &Model,
        format: wgpu::TextureFormat,
        width: u32,
        height: u32,
    ) -> Self {
        let device = &gpu.device;
        let module = device.create_shader_module(wgpu::include_wgsl!("rig.wgsl"));
        let shadows = pipeline(device, &module, "occlude", None);
        let colors = pipeline(device, &module, "place", Some(format));
        let shadow = texture(device, DEPTH, (SHADOW_SIZE, SHADOW_SIZE), 1);
        let compare = device.create_sampler(&wgpu::SamplerDescriptor {
            compare: Some(wgpu::CompareFunction::LessEqual),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("scene"),
            size: size_of::<Scene>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind = |pipeline: &wgpu::RenderPipeline, count: usize| {
            let entries = [
                wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&shadow),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: wgpu::BindingResource::Sampler(&compare),
                },
            ];
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries[..count],
            })
        };
        let bindings = [bind(&shadows, 1), bind(&colors, 3)];

        let (mut vertices, mut indices) = (model.vertices.clone(), model.indices.clone());
        add_ground(&mut vertices, &mut indices);
        let buffer = |contents, usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: None,
                contents,
                usage,
            })
        };
        Self {
            bindings,
            uniforms,
            vertices: buffer(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
            count: indices.len() as u32,
            indices: buffer(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            shadows,
            colors,
            shadow,
            targets: targets(device, format, (width, height)),
            format,
            size: (width, height),
        }
    }

    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        self.size = (width, height);
        self.targets = targets(&gpu.device, self.format, self.size);
    }

    /// Commands that draw a pose into `view`.
    pub fn draw(
        &self,
        gpu: &Gpu,
        view: &wgpu::TextureView,
        pose: &WalkPose,
    ) -> wgpu::CommandBuffer {
        let scene = scene(pose, self.size.0 as f32 / self.size.1 as f32);
        gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&scene));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let [color, depth] = &self.targets;
        let sky = wgpu::Color { r: 0.66, g: 0.76, b: 0.86, a: 1.0 };
        let passes = [
            (&self.shadows, &self.bindings[0], None, &self.shadow),
            (&self.colors, &self.bindings[1], Some(color), depth),
        ];
        for (pipeline, bindings, color, depth) in passes {
            let color = color.map(|color| wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: Some(view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(sky),
                    store: wgpu::StoreOp::Discard,
                },
            });
            let colors = color.map(Some);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: colors.as_slice(),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: depth,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(1.0),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bindings, &[]);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..self.count, 0, 0..1);
        }
        encoder.finish()
    }

    /// Draws a pose and reads the picture: rows of RGBA bytes.
    pub fn draw_to_pixels(&self, gpu: &Gpu, pose: &WalkPose) -> Result<Vec<u8>, Box<dyn Error>> {
        let (width, height) = self.size;
        let picture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            ..descriptor(self.format, self.size, 1)
        });
        let commands = self.draw(gpu, &picture.create_view(&Default::default()), pose);
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pixels"),
            size: u64::from(row * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            picture.size(),
        );
        gpu.queue.submit([commands, encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        let bytes = buffer.get_mapped_range(..)?;
        let rows = bytes.chunks_exact(row as usize);
        Ok(rows.flat_map(|row| &row[..4 * width as usize]).copied().collect())
    }
}

/// A square of ground, four periods long, that moves with the walker.
fn add_ground(vertices: &mut Vec<Vertex>, indices: &mut Vec<u32>) {
    let (rows, columns, first) = (320, 96, vertices.len() as u32);
    let joint = (MAX_JOINTS - 1) as u8;
    for (row, column) in (0..=rows).flat_map(|row| (0..=columns).map(move |column| (row, column))) {
        let z = (row as f32 / rows as f32 - 0.5) * 2.0 * GROUND_PERIOD;
        let x = (column as f32 / columns as f32 - 0.5) * 20.0;
        let slope = |dx, dz| (ground(x + dx, z + dz) - ground(x - dx, z - dz)) / 0.02;
        let normal = Vec3::new(-slope(0.01, 0.0), 1.0, -slope(0.0, 0.01)).normalize();
        vertices.push(Vertex {
            position: [x, ground(x, z), z],
            normal: normal.into(),
            joints: [joint, 0, 0, 0],
            weights: [255, 0, 0, 0],
            color: [0; 4],
        });
    }
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let a = first + row * (columns + 1) + column;
        let b = a + columns + 1;
        indices.extend([a, b, a + 1, a + 1, b, b + 1]);
    }
}

/// Camera, sun and joints.
fn scene(pose: &WalkPose, aspect: f32) -> Scene {
    let sun = Vec3::new(0.55, 0.75, 0.3).normalize();
    let center = pose.center;
    let eye = center + Vec3::new(2.5, 0.4, 1.7);
    // The vertical field of view keeps the walker in narrow pictures, too.
    let view = look_at_mat4(eye, center, Vec3::Y);
    let field = 2.0 * (0.38 * (1.4 / aspect).max(1.0)).atan();
    let from_sun = look_at_mat4(center + sun * 8.0, center, Vec3::Y);
    let mut joints = [Mat4::IDENTITY; MAX_JOINTS];
    joints[..pose.skin.len()].copy_from_slice(&pose.skin);
    let periods = (center.z / GROUND_PERIOD).round();
    joints[MAX_JOINTS - 1] = Mat4::from_translation(Vec3::Z * periods * GROUND_PERIOD);
    let view_proj = perspective(field, aspect, 0.1, 60.0) * view;
    let sun_proj = orthographic(-4.0, 4.0, -4.0, 4.0, 0.1, 16.0) * from_sun;
    Scene {
        view_proj: view_proj.to_cols_array_2d(),
        sun_proj: sun_proj.to_cols_array_2d(),
        eye: eye.extend(1.0).into(),
        sun: sun.extend(0.0).into(),
        joints: joints.map(|joint| joint.to_cols_array_2d()),
    }
}

fn descriptor(
    format: wgpu::TextureFormat,
    (width, height): (u32, u32),
    sample_count: u32,
) -> wgpu::TextureDescriptor<'static> {
    wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    }
}

fn texture(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    size: (u32, u32),
    samples: u32,
) -> wgpu::TextureView {
    let sampled = if samples == 1 {
        wgpu::TextureUsages::TEXTURE_BINDING
    } else {
        wgpu::TextureUsages::empty()
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | sampled,
        ..descriptor(format, size, samples)
    });
    texture.create_view(&Default::default())
}

fn targets(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    size: (u32, u32),
) -> [wgpu::TextureView; 2] {
    [format, DEPTH].map(|format| texture(device, format, size, SAMPLES))
}

/// The pipeline for the shadow map or, with a format, for the picture.
fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    corners: &str,
    format: Option<wgpu::TextureFormat>,
) -> wgpu::RenderPipeline {
    let attributes = wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Uint8x4, 3 => Unorm8x4, 4 => Unorm8x4
    ];
    let targets = [format.map(Into::into)];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(corners),
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(corners),
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Vertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes,
            })],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: if format.is_some() { SAMPLES } else { 1 },
            ..Default::default()
        },
        fragment: format.map(|_| wgpu::FragmentState {
            module,
            entry_point: Some("shade"),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
