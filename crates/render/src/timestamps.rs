//! GPU timestamps at the start and end of each pass.

use std::time::Duration;

use super::device::Gpu;
use super::gpu_objects::create_buffer;

/// Bytes per timestamp.
const TIMESTAMP_BYTES: u64 = 8;

/// Timestamp queries for the render passes of a frame.
pub struct Timestamps {
    passes: u32,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

impl Timestamps {
    /// Creates queries for `passes` passes. `None` if the device was opened without
    /// [`super::GpuOptions::timestamps`], or the adapter does not support them.
    pub fn new(gpu: &Gpu, passes: usize) -> Option<Self> {
        let features = gpu.device.features();
        if !features.contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let passes = passes as u32;
        let size = 2 * u64::from(passes) * TIMESTAMP_BYTES;
        let buffer = |usage| create_buffer(&gpu.device, "timestamps", size, usage);
        Some(Self {
            passes,
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * passes,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        })
    }

    /// Descriptor that times the picture, which is the last pass of a frame.
    pub fn picture_writes(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.pass_writes(self.passes as usize - 1, true, true)
    }

    /// Descriptor for one of the render passes that are timed as pass `index`. `None` for one
    /// that is neither the first nor the last.
    pub(super) fn pass_writes(
        &self,
        index: usize,
        is_first: bool,
        is_last: bool,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let first = 2 * index as u32;
        (is_first || is_last).then_some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: is_first.then_some(first),
            end_of_pass_write_index: is_last.then_some(first + 1),
        })
    }

    /// Encodes the readback of the timestamps, which starts at the submit; call it after the
    /// passes they belong to.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2 * self.passes, &self.resolved, 0);
        let bytes = 2 * u64::from(self.passes) * TIMESTAMP_BYTES;
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, bytes);
        // A failure is reported by `finish_read`.
        encoder.map_buffer_on_submit(&self.readable, wgpu::MapMode::Read, .., |_| ());
    }

    /// Durations of the passes, once the GPU has finished the submission of [`Self::resolve`].
    ///
    /// # Errors
    /// The device's message if it fails.
    pub fn finish_read(&self, gpu: &Gpu) -> Result<Vec<Duration>, String> {
        let ticks: Vec<u64> = {
            let bytes = self.readable.get_mapped_range(..);
            bytemuck::pod_collect_to_vec(&bytes.map_err(|error| error.to_string())?)
        };
        self.readable.unmap();
        let nanoseconds = f64::from(gpu.queue.get_timestamp_period());
        let passes = ticks.chunks_exact(2).map(|ticks| {
            let ticks = ticks[1].saturating_sub(ticks[0]);
            Duration::from_secs_f64(ticks as f64 * nanoseconds * 1e-9)
        });
        Ok(passes.collect())
    }
}
