//! Pipeline creation: error scopes, and running two jobs in parallel.

use std::future::Future;

/// Error scopes that catch the device errors of the current thread until [`Self::end`].
pub(super) struct Watch {
    /// Drivers report shader compile failures as internal errors, not as validation
    /// errors.
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

    /// Closes the scopes and returns the first error.
    pub(super) fn end(self) -> impl Future<Output = Option<wgpu::Error>> {
        let (validation, internal) = (self.validation.pop(), self.internal.pop());
        async { validation.await.or(internal.await) }
    }
}

/// False in a browser.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Runs both closures, the first one in its own thread.
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

/// Runs both closures, one after the other.
#[cfg(target_family = "wasm")]
pub(super) fn at_once<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}
