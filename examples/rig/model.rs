//! The skinned mesh of a glTF file.

use std::collections::HashMap;
use std::error::Error;

use base64::Engine;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Bytes of one vertex on the GPU.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub joints: [u8; 4],
    pub weights: [u8; 4],
    pub color: [u8; 4],
}

/// A mesh with its joints in their bind pose.
pub struct Model {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
    /// Bind positions of the joints, in model space. The bind rotations are 0.
    joints: Vec<Vec3>,
    names: HashMap<String, usize>,
}

impl Model {
    /// Reads the walker.
    pub fn load() -> Result<Self, Box<dyn Error>> {
        let file = gltf::Gltf::from_slice(include_bytes!("walker.gltf"))?;
        let buffer = file.buffers().next().ok_or("no buffer")?;
        let gltf::buffer::Source::Uri(uri) = buffer.source() else {
            return Err("the buffer is not in the file".into());
        };
        let (_, data) = uri.split_once("base64,").ok_or("the buffer is not in base64")?;
        let data = base64::engine::general_purpose::STANDARD.decode(data)?;

        let mesh = file.meshes().next().ok_or("no mesh")?;
        let primitive = mesh.primitives().next().ok_or("no primitive")?;
        let reader = primitive.reader(|_| Some(&data));
        let missing = |what| move || format!("the mesh has no {what}");
        let positions = reader.read_positions().ok_or_else(missing("positions"))?;
        let normals = reader.read_normals().ok_or_else(missing("normals"))?;
        let joints = reader.read_joints(0).ok_or_else(missing("joints"))?.into_u16();
        let weights = reader.read_weights(0).ok_or_else(missing("weights"))?.into_u8();
        let colors = reader.read_colors(0).ok_or_else(missing("colours"))?.into_rgba_u8();
        let vertices = positions.zip(normals).zip(joints).zip(weights).zip(colors).map(
            |((((position, normal), joints), weights), color)| Vertex {
                position,
                normal,
                joints: joints.map(|joint| joint as u8),
                weights,
                color,
            },
        );
        let vertices = vertices.collect();
        let indices = reader.read_indices().ok_or_else(missing("indices"))?.into_u32().collect();

        let skin = file.skins().next().ok_or("no skin")?;
        let inverse = skin
            .reader(|_| Some(&data))
            .read_inverse_bind_matrices()
            .ok_or("the skin has no inverse bind matrices")?;
        let joints = inverse.map(|[.., [x, y, z, _]]| -Vec3::new(x, y, z)).collect();
        let names = skin.joints().enumerate();
        let names = names.map(|(i, node)| (node.name().unwrap_or_default().to_owned(), i));
        Ok(Self { vertices, indices, joints, names: names.collect() })
    }

    /// Index and bind position of a joint.
    pub fn joint(&self, name: &str) -> Result<(usize, Vec3), String> {
        let index = self.names.get(name).ok_or_else(|| format!("no joint {name}"))?;
        Ok((*index, self.joints[*index]))
    }

    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }
}
