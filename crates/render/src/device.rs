//! Adapter and device: created once, shared by everything that draws.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use thiserror::Error;

use super::compiled::Compiled;

/// Adapter selection and optional features.
#[derive(Clone, Debug, Default)]
pub struct GpuOptions {
    /// Its number in [`list_adapters`], part of its name (a number from 100 on), or `software`.
    pub adapter: Option<String>,
    /// Backend to use; `None` tries all.
    pub backend: Option<wgpu::Backend>,
    /// Enable timestamp queries where supported; only needed for
    /// [`Timestamps`](super::Timestamps).
    pub timestamps: bool,
}

/// Reasons why no device could be created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter on this machine.
    #[error(
        "no graphics adapter found\nhint: install a Vulkan driver; Mesa's (`apt install \
         mesa-vulkan-drivers libvulkan1`) has a software renderer"
    )]
    NoAdapter,
    /// The requested backend has no adapter.
    #[error("no adapter for backend `{0}`\nhint: `tarsus adapters` lists the available ones")]
    NoAdapterForBackend(wgpu::Backend),
    /// No adapter matches the requested one.
    #[error("no adapter matches `{wanted}`\nhint: available: {}", .found.join(", "))]
    NoSuchAdapter {
        /// The requested adapter.
        wanted: String,
        /// The available adapters.
        found: Vec<String>,
    },
    /// The adapter failed to create a device.
    #[error("cannot create a device on adapter `{adapter}`: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// The driver's message.
        reason: String,
    },
}

/// An adapter with its device and queue.
pub struct Gpu {
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// The adapter's device.
    pub device: wgpu::Device,
    /// The device's queue.
    pub queue: wgpu::Queue,
    /// The first error that the device has reported since the last [`Self::take_error`].
    error: Arc<Mutex<Option<String>>>,
    lost: Arc<AtomicBool>,
    compiled: Compiled,
}

impl Gpu {
    /// Wraps a device that the host has opened on `adapter`. Scenes need no optional features,
    /// and draw within any limits of at least [`wgpu::Limits::default`]. With
    /// [`wgpu::Features::FLOAT32_FILTERABLE`] they can also filter buffers and other 32-bit
    /// floats, and [`Timestamps`](super::Timestamps) need [`wgpu::Features::TIMESTAMP_QUERY`].
    ///
    /// The host keeps its handlers of errors and loss, so [`Self::take_error`] and
    /// [`Self::is_lost`] report nothing.
    pub fn new(adapter: wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self {
            adapter,
            device,
            queue,
            error: Arc::default(),
            lost: Arc::default(),
            compiled: Compiled::default(),
        }
    }

    /// Opens a device for drawing without a window.
    ///
    /// # Errors
    /// [`GpuError`] if there is no adapter, none matches, or no device can be created.
    pub async fn headless(options: &GpuOptions) -> Result<Self, GpuError> {
        let mut found = Vec::new();
        for backends in Self::backends_to_try(options) {
            let instance = wgpu::Instance::new(Self::instance_descriptor(backends));
            match choose(instance.enumerate_adapters(backends).await, options) {
                Ok(adapter) => return Self::open(adapter, options).await,
                Err(GpuError::NoSuchAdapter { found: others, .. }) => found.extend(others),
                Err(_) => {}
            }
        }
        Err(nothing_found(options, found))
    }

    /// Backends to try in turn, best first: on Windows, Direct3D before Vulkan, but only with
    /// `dxcompiler.dll`, because Windows' own compiler takes minutes for a large scene. OpenGL
    /// is for browsers only: in wgpu's backend, Mesa cannot draw to 32-bit floats, which most
    /// scenes do, and NVIDIA's driver draws wrong pictures, because all uniform blocks get the
    /// same binding.
    pub fn backends_to_try(options: &GpuOptions) -> Vec<wgpu::Backends> {
        match options.backend {
            Some(backend) => vec![backend.into()],
            None if cfg!(windows) && has_shader_compiler() => {
                vec![wgpu::Backends::DX12, wgpu::Backends::VULKAN]
            }
            None if cfg!(windows) => vec![wgpu::Backends::VULKAN, wgpu::Backends::DX12],
            None => vec![wgpu::Backends::PRIMARY],
        }
    }

    /// Instance descriptor for these backends.
    pub fn instance_descriptor(backends: wgpu::Backends) -> wgpu::InstanceDescriptor {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends = backends;
        // There are no indirect draws. Compiling the shader that checks them takes an eighth of
        // the time in which llvmpipe opens a device.
        descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        descriptor
    }

    /// Opens a device that can draw to a surface of `instance`.
    ///
    /// # Errors
    /// [`GpuError`] if no adapter of the instance can draw to the surface, or none
    /// matches.
    pub async fn for_surface(
        instance: &wgpu::Instance,
        surface: &wgpu::Surface<'_>,
        options: &GpuOptions,
    ) -> Result<Self, GpuError> {
        let adapter = choose(adapters_for(instance, surface).await, options)?;
        Self::open(adapter, options).await
    }

    /// Opens the device of the chosen adapter, with all its limits and only the features
    /// that are used.
    ///
    /// # Errors
    /// [`GpuError::NoDevice`] with the driver's reason.
    async fn open(adapter: wgpu::Adapter, options: &GpuOptions) -> Result<Self, GpuError> {
        // Buffers are 32-bit floats, and scenes may sample them with linear filtering.
        let mut wanted = wgpu::Features::FLOAT32_FILTERABLE;
        wanted.set(wgpu::Features::TIMESTAMP_QUERY, options.timestamps);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tarsus"),
            required_features: wanted & adapter.features(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            GpuError::NoDevice { adapter: adapter.get_info().name, reason: error.to_string() }
        })?;
        let side = device.limits().max_texture_dimension_2d;
        let has = |feature| if device.features().contains(feature) { "yes" } else { "no" };
        log::info!(
            "opened the device; texels per side: {side}, filters 32-bit floats: {}, timestamps: {}",
            has(wgpu::Features::FLOAT32_FILTERABLE),
            has(wgpu::Features::TIMESTAMP_QUERY)
        );
        let gpu = Self::new(adapter, device, queue);
        let first = Arc::clone(&gpu.error);
        gpu.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            first.lock().get_or_insert_with(|| error.to_string());
        }));
        let lost = Arc::clone(&gpu.lost);
        gpu.device.set_device_lost_callback(move |_, _| lost.store(true, Ordering::Relaxed));
        Ok(gpu)
    }

    /// Takes the first error that the device has reported outside any error scope, and
    /// discards the others.
    pub fn take_error(&self) -> Option<String> {
        self.error.lock().take()
    }

    /// Objects compiled recently on the device.
    pub(super) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// True once the device is lost and everything created on it must be recreated.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// One-line description: name, backend, and whether it is a software renderer.
    pub fn describe(&self) -> String {
        describe(&self.adapter.get_info())
    }

    /// True if the adapter is a software renderer. Browsers reveal at most its name.
    pub fn is_software(&self) -> bool {
        let info = self.adapter.get_info();
        let name = info.name.to_lowercase();
        let words = ["swiftshader", "llvmpipe", "lavapipe", "software", "basic render"];
        info.device_type == wgpu::DeviceType::Cpu || words.iter().any(|word| name.contains(word))
    }

    /// Encodes commands and submits them; returns the result of `encode`.
    pub fn submit<T>(&self, encode: impl FnOnce(&mut wgpu::CommandEncoder) -> T) -> T {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let result = encode(&mut encoder);
        self.queue.submit([encoder.finish()]);
        result
    }

    /// Configuration of `surface` for `size` pixels, without an sRGB conversion: colours are
    /// already encoded for display.
    ///
    /// # Errors
    /// Returns the reason if the adapter cannot draw to the surface.
    pub fn surface_configuration(
        &self,
        surface: &wgpu::Surface<'_>,
        (width, height): (u32, u32),
    ) -> Result<wgpu::SurfaceConfiguration, &'static str> {
        let config = surface.get_default_config(&self.adapter, width, height);
        let mut config = config.ok_or("the adapter cannot draw to this surface")?;
        let formats = surface.get_capabilities(&self.adapter).formats;
        let format = display_format(&formats);
        config.format = format.ok_or("the surface supports no non-sRGB colour format")?;
        Ok(config)
    }
}

/// True if Windows would find the maintained compiler for Direct3D 12, which programs bring
/// along, beside this program or on the path.
fn has_shader_compiler() -> bool {
    let program = std::env::current_exe().ok();
    let own = program.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = own.into_iter().chain(std::env::split_paths(&path));
    folders.any(|folder| folder.join("dxcompiler.dll").is_file())
}

/// One-line description of an adapter.
pub fn describe(info: &wgpu::AdapterInfo) -> String {
    let kind = match info.device_type {
        wgpu::DeviceType::Cpu => ", software",
        wgpu::DeviceType::IntegratedGpu => ", integrated",
        wgpu::DeviceType::VirtualGpu => ", virtual",
        wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other => "",
    };
    format!("{} ({}{kind})", info.name, info.backend)
}

/// Chooses the format of a surface that supports `formats`: scenes return display-ready
/// colours, which need no sRGB conversion. Eight bits come first, because some systems
/// treat other formats as high dynamic range.
fn display_format(formats: &[wgpu::TextureFormat]) -> Option<wgpu::TextureFormat> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let formats = || formats.iter().copied();
    let eight_bits = formats().find(|format| matches!(format, Bgra8Unorm | Rgba8Unorm));
    eight_bits.or_else(|| formats().find(|format| !format.is_srgb()))
}

/// Lists the adapters of the native graphics API, best first. The first one is the default.
pub async fn list_adapters(options: &GpuOptions) -> Vec<wgpu::Adapter> {
    for backends in Gpu::backends_to_try(options) {
        let instance = wgpu::Instance::new(Gpu::instance_descriptor(backends));
        let adapters = instance.enumerate_adapters(backends).await;
        if !adapters.is_empty() {
            return by_preference(adapters);
        }
    }
    Vec::new()
}

/// The adapters that can draw to a surface.
#[cfg(not(target_arch = "wasm32"))]
async fn adapters_for(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'_>,
) -> Vec<wgpu::Adapter> {
    let mut adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    adapters.retain(|adapter| adapter.is_surface_supported(surface));
    adapters
}

/// The adapter that the browser returns for a surface.
#[cfg(target_arch = "wasm32")]
async fn adapters_for(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'_>,
) -> Vec<wgpu::Adapter> {
    let options =
        wgpu::RequestAdapterOptions { compatible_surface: Some(surface), ..Default::default() };
    instance.request_adapter(&options).await.into_iter().collect()
}

fn preference(kind: wgpu::DeviceType) -> u32 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

fn by_preference(mut adapters: Vec<wgpu::Adapter>) -> Vec<wgpu::Adapter> {
    adapters.sort_by_key(|adapter| preference(adapter.get_info().device_type));
    adapters
}

fn choose(adapters: Vec<wgpu::Adapter>, options: &GpuOptions) -> Result<wgpu::Adapter, GpuError> {
    let mut adapters = by_preference(adapters);
    let infos: Vec<_> = adapters.iter().map(wgpu::Adapter::get_info).collect();
    for (number, info) in infos.iter().enumerate() {
        let (driver, version) = (&info.driver, &info.driver_info);
        log::info!("adapter {number}: {}, driver {driver} {version}", describe(info));
    }
    let (number, reason) = match &options.adapter {
        None => (Some(0), "the first, as GPUs precede software".to_owned()),
        Some(wanted) => (find(&infos, wanted), format!("requested as `{wanted}`")),
    };
    let number = number.filter(|number| *number < adapters.len());
    let number =
        number.ok_or_else(|| nothing_found(options, infos.iter().map(describe).collect()))?;
    log::info!("using {}: {reason}", describe(&infos[number]));
    Ok(adapters.swap_remove(number))
}

/// Index of the adapter `wanted`: a number below 100, or the first adapter with the name.
fn find(infos: &[wgpu::AdapterInfo], wanted: &str) -> Option<usize> {
    match wanted.parse() {
        // Names contain such numbers, too, as in `LLVM 15.0.6`.
        Ok(number) if number < 100 => (number < infos.len()).then_some(number),
        _ => infos.iter().position(|info| matches(info, wanted)),
    }
}

/// True if an adapter has the name, or part of the name, `wanted`.
fn matches(info: &wgpu::AdapterInfo, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let is_software = wanted == "software" && info.device_type == wgpu::DeviceType::Cpu;
    is_software || info.name.to_lowercase().contains(&wanted)
}

/// The error for a choice that is not among the adapters `found`.
fn nothing_found(options: &GpuOptions, found: Vec<String>) -> GpuError {
    match (&options.adapter, options.backend) {
        (Some(wanted), _) if !found.is_empty() => {
            GpuError::NoSuchAdapter { wanted: wanted.clone(), found }
        }
        (_, Some(backend)) => GpuError::NoAdapterForBackend(backend),
        _ => GpuError::NoAdapter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_parts_of_names() {
        let info = |name: &str| wgpu::AdapterInfo {
            name: name.to_owned(),
            ..wgpu::AdapterInfo::new(wgpu::DeviceType::DiscreteGpu, wgpu::Backend::Vulkan)
        };
        let infos = ["GeForce RTX 3080", "GeForce RTX 4090"].map(info);
        for (wanted, expected) in
            [("0", Some(0)), ("1", Some(1)), ("40", None), ("4090", Some(1)), ("rtx", Some(0))]
        {
            assert_eq!(find(&infos, wanted), expected, "{wanted}");
        }
    }

    #[test]
    fn eight_bit_formats_come_first() {
        use wgpu::TextureFormat::{Bgra8Unorm, Bgra8UnormSrgb, Rgb10a2Unorm, Rgba16Float};
        let all = [Bgra8UnormSrgb, Rgba16Float, Rgb10a2Unorm, Bgra8Unorm];
        assert_eq!(display_format(&all), Some(Bgra8Unorm));
        assert_eq!(display_format(&all[..3]), Some(Rgba16Float));
        assert_eq!(display_format(&all[..1]), None);
    }
}
