//! Compiled pipelines of the Vulkan driver, kept in a file between runs.
//!
//! Most desktop drivers keep such files themselves; this serves the others.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// Size beyond which a file is started anew: every edit of a scene adds a pipeline, and none
/// is ever removed.
const MAX_BYTES: u64 = 32 << 20;

/// Browsers have no Vulkan: leaves the code out of the page's modules.
const IS_SUPPORTED: bool = cfg!(not(target_arch = "wasm32"));

/// Length of the checksum before the data.
const CHECKSUM_BYTES: usize = 8;

/// A pipeline cache and its file, which is written when the cache is dropped.
pub(super) struct PipelineCacheFile {
    cache: wgpu::PipelineCache,
    path: PathBuf,
    /// Contents of the file, empty if there is none or it was ignored.
    stored: Vec<u8>,
}

impl PipelineCacheFile {
    /// Opens the file of the device's adapter in `folder`. `None` if the device has no
    /// pipeline caches.
    #[allow(unsafe_code)]
    pub(super) fn open(device: &wgpu::Device, folder: &Path) -> Option<Self> {
        if !IS_SUPPORTED || !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let path = folder.join(wgpu::util::pipeline_cache_key(&device.adapter_info())?);
        let stored = read(&path).unwrap_or_default();
        let descriptor = wgpu::PipelineCacheDescriptor {
            label: Some("pipelines"),
            data: stored.get(CHECKSUM_BYTES..),
            fallback: true,
        };
        // SAFETY: only tarsus writes the file, from `get_data` for the same kind of adapter.
        // The checksum rules out damage, and wgpu discards data of another driver version.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        log::info!("pipeline cache {}: {} bytes", path.display(), stored.len());
        Some(Self { cache, path, stored })
    }

    /// The cache, for new pipelines.
    pub(super) fn cache(&self) -> &wgpu::PipelineCache {
        &self.cache
    }
}

impl Drop for PipelineCacheFile {
    fn drop(&mut self) {
        let Some(data) = self.cache.get_data().filter(|_| IS_SUPPORTED) else {
            return;
        };
        let contents = with_checksum(&data);
        if contents == self.stored {
            return;
        }
        if let Err(error) = tarsus_files::write(&self.path, &contents) {
            log::info!("cannot store the compiled pipelines: {error}");
        }
    }
}

/// Contents of a file with `data`.
fn with_checksum(data: &[u8]) -> Vec<u8> {
    [&checksum(data), data].concat()
}

/// Reads a file; `None` if it is missing, damaged or too large.
fn read(path: &Path) -> Option<Vec<u8>> {
    let contents = tarsus_files::read(path, MAX_BYTES).ok()?;
    let data = contents.get(CHECKSUM_BYTES..)?;
    (with_checksum(data) == contents).then_some(contents)
}

fn checksum(data: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = DefaultHasher::new();
    hasher.write(data);
    hasher.finish().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use tarsus_shader::{Builtins, Library, Scene, compose};

    use super::*;
    use crate::{FORMAT, Frame, Gpu, GpuOptions, Inputs, Renderer, render_picture};

    /// Draws a picture with the cache in `folder`; also returns the file's contents, as
    /// opened and as left behind.
    fn draw(folder: &Path) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        let options =
            GpuOptions { pipeline_cache: Some(folder.to_owned()), ..GpuOptions::default() };
        let gpu = pollster::block_on(Gpu::headless(&options)).expect("a device");
        let file = gpu.pipeline_cache_file().expect("Vulkan has pipeline caches");
        let (path, opened) = (file.path.clone(), file.stored.clone());
        let text = "fn main_image(at: vec2f) -> vec4f { return vec4f(at / 8.0, 0.5, 1.0); }";
        let library = Library::new(Builtins { scenes: &[], modules: tarsus_scenes::MODULES });
        let program =
            compose(&Scene::from_text(text, "scene.wgsl"), &library, &[]).expect("a program");
        let renderer = pollster::block_on(Renderer::for_gpu(&gpu, &program, &[FORMAT], false));
        let inputs = Inputs::new(Frame::new((8, 8), 0, 60.0), Vec::new());
        let picture = render_picture(&gpu, &mut renderer.expect("a pipeline"), &inputs);
        drop(gpu);
        let left = std::fs::read(path).expect("the file");
        (picture.expect("a picture").rgba, opened, left)
    }

    #[test]
    fn pipelines_are_kept_and_damage_is_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let (picture, opened, left) = draw(folder.path());
        assert!(opened.is_empty() && left.len() > CHECKSUM_BYTES);
        let (again, opened, _) = draw(folder.path());
        assert!(opened == left && again == picture);
        let entry = std::fs::read_dir(folder.path()).expect("a folder").next();
        let path = entry.expect("a file").expect("a file").path();
        let mut damaged = left.clone();
        damaged[left.len() / 2] ^= 1;
        for contents in [damaged.as_slice(), &left[..left.len() - 1], &left[..3], b""] {
            std::fs::write(&path, contents).expect("written");
            let (again, opened, restored) = draw(folder.path());
            assert!(opened.is_empty(), "{contents:?}");
            assert!(restored == left && again == picture, "{contents:?}");
        }
    }

    #[test]
    fn large_files_are_started_anew() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let contents = with_checksum(&vec![7; MAX_BYTES as usize - CHECKSUM_BYTES]);
        std::fs::write(file.path(), &contents).expect("written");
        assert_eq!(read(file.path()), Some(contents));
        let contents = with_checksum(&vec![7; MAX_BYTES as usize]);
        std::fs::write(file.path(), contents).expect("written");
        assert_eq!(read(file.path()), None);
    }
}
