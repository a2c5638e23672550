//! Asynchronous readback of a buffer.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use tarsus_render::{Gpu, create_buffer};

/// Repeated readback through one buffer.
pub(super) struct Readback {
    /// Destination of the copies that [`Self::start`] reads back.
    pub(super) buffer: wgpu::Buffer,
    /// Receives whether mapping succeeded, while a readback is in flight.
    reading: Option<Receiver<bool>>,
}

impl Readback {
    /// Allocates `size` bytes.
    pub(super) fn new(gpu: &Gpu, label: &str, size: u64) -> Self {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Self { buffer: create_buffer(&gpu.device, label, size, usage), reading: None }
    }

    /// Returns true while a readback is in flight.
    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Starts to read back what was submitted so far.
    pub(super) fn start(&mut self) {
        let (sender, reading) = channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // The receiver is gone with its device.
            let _ = sender.send(mapped.is_ok());
        });
        self.reading = Some(reading);
    }

    /// Returns the bytes once, after the device was polled and the readback has finished.
    /// Device errors are reported elsewhere.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        let is_mapped = match self.reading.as_ref()?.try_recv() {
            Ok(is_mapped) => is_mapped,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => false,
        };
        self.reading = None;
        if !is_mapped {
            return None;
        }
        let bytes = self.buffer.get_mapped_range(..).ok().map(|bytes| bytes.to_vec());
        self.buffer.unmap();
        bytes
    }
}
