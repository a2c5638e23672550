//! Capture of the device errors of pipeline creation.

use std::future::Future;

/// Error scopes that catch the device errors of the current thread until [`Self::end`].
pub(super) struct ErrorScopes {
    /// Drivers report shader compile failures as internal errors, not as validation
    /// errors.
    internal: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl ErrorScopes {
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
