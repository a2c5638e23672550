//! The adapter's own clock: when it began a pass, and when it ended it.

use std::time::Duration;

use super::device::Gpu;

/// Two timestamps of eight bytes each.
const BYTES: u64 = 16;

/// Notes when the adapter begins and ends a render pass.
pub struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

impl Timestamps {
    /// Nothing where the device was opened without
    /// [`super::GpuOptions::timestamps`], or the adapter has none.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let features = gpu.device.features();
        if !features.contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        })
    }

    /// What a render pass is told, to be timed.
    #[must_use]
    pub fn writes(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Fetches the timestamps, behind the pass they belong to.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, BYTES);
    }

    /// How long the pass took, once it was submitted; waits for it.
    ///
    /// # Errors
    /// What the device reports when it fails.
    pub fn read(&self, gpu: &Gpu) -> Result<Duration, String> {
        // Whether it worked shows when the bytes are asked for.
        self.readable.map_async(wgpu::MapMode::Read, .., |_| ());
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| error.to_string())?;
        let ticks: [u64; 2] = {
            let bytes = self.readable.get_mapped_range(..);
            bytemuck::pod_read_unaligned(&bytes.map_err(|error| error.to_string())?)
        };
        self.readable.unmap();
        let nanoseconds = f64::from(gpu.queue.get_timestamp_period());
        let ticks = ticks[1].saturating_sub(ticks[0]);
        Ok(Duration::from_secs_f64(ticks as f64 * nanoseconds * 1e-9))
    }
}
