//! How pipelines are made: what the device refuses of them, and two at once.

use std::future::Future;

/// Listens for what a device refuses of all that one thread makes until the end.
pub(super) struct Watch {
    /// What a driver cannot compile is an error of its own kind.
    internal: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Watch {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            internal: device.push_error_scope(wgpu::ErrorFilter::Internal),
            validation: device.push_error_scope(wgpu::ErrorFilter::Validation),
        }
    }

    /// What was refused.
    pub(super) fn end(self) -> impl Future<Output = Option<wgpu::Error>> {
        let (validation, internal) = (self.validation.pop(), self.internal.pop());
        async { validation.await.or(internal.await) }
    }
}

/// False in a page.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Does both, the first one in a thread of its own.
#[cfg(not(target_family = "wasm"))]
pub(super) fn at_once<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Does both, one after the other.
#[cfg(target_family = "wasm")]
pub(super) fn at_once<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}
