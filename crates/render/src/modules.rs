//! Shader modules of a program's passes on a device.

use std::borrow::Cow;
use std::sync::Arc;

use tarsus_shader::{Pass, PassKind};

use crate::compiled::{self, Key, remove_positions};
use crate::edited_constants::{self, read_from_uniform};
use crate::llvmpipe;
use crate::loops::bound_loops;
use crate::resources::Resources;
use crate::workarounds::{lower_for_adapter, unfiltered_bindings};

/// Shader modules of a program's passes on a device, each created on first use.
pub(super) struct Modules<'a> {
    device: &'a wgpu::Device,
    passes: Vec<&'a Pass>,
    lowered: Vec<LoweredModule>,
}

struct LoweredModule {
    source: Arc<naga::Module>,
    /// The first pass that uses the module.
    kind: PassKind,
    /// True if other passes can use the module, too.
    is_shared: bool,
    module: CompiledModule,
    /// WGSL that the browser got.
    text: Option<String>,
}

/// A shader module on a device.
#[derive(Clone)]
pub(super) struct CompiledModule {
    pub(super) module: wgpu::ShaderModule,
    /// Hash of its code.
    pub(super) key: Key,
    /// The resources that it declares.
    pub(super) bindings: Vec<naga::ResourceBinding>,
    /// Constants that it reads from a uniform.
    pub(super) edited_constants: Option<wgpu::Buffer>,
}

impl CompiledModule {
    /// True if it declares a resource at this place.
    pub(super) fn declares(&self, group: u32, binding: u32) -> bool {
        self.bindings.contains(&naga::ResourceBinding { group, binding })
    }
}

impl LoweredModule {
    fn is_for(&self, pass: &Pass) -> bool {
        Arc::ptr_eq(&self.source, &pass.module) && (self.is_shared || self.kind == pass.kind)
    }
}

impl<'a> Modules<'a> {
    /// Modules of `passes`, none of which exists yet.
    pub(super) fn new(
        device: &'a wgpu::Device,
        passes: impl IntoIterator<Item = &'a Pass>,
    ) -> Self {
        Self { device, passes: passes.into_iter().collect(), lowered: Vec::new() }
    }

    /// The module of `pass`, one of those passes, which binds `resources`.
    pub(super) fn get(&mut self, pass: &Pass, resources: &Resources) -> &CompiledModule {
        let existing = self.lowered.iter().position(|lowered| lowered.is_for(pass));
        let index = existing.unwrap_or_else(|| {
            self.lowered.push(self.lower(pass, resources));
            self.lowered.len() - 1
        });
        &self.lowered[index].module
    }

    fn lower(&self, pass: &Pass, resources: &Resources) -> LoweredModule {
        let adapter = self.device.adapter_info();
        let sharing = self.passes.iter().copied();
        let sharing = sharing.filter(|other| Arc::ptr_eq(&other.module, &pass.module));
        let unfiltered =
            unfiltered_bindings(sharing, |resource| resources.channels.unfiltered(resource));
        let has_texels = resources.texels_for(pass).is_some();
        let module = lower_for_adapter(&adapter, pass, &unfiltered, has_texels);
        let (module, text) = compile(self.device, pass.kind.label(), module, resources);
        LoweredModule {
            source: Arc::clone(&pass.module),
            kind: pass.kind,
            // More can be hoisted in the module of a single pass.
            is_shared: !llvmpipe::is_enabled(&adapter),
            module,
            text,
        }
    }

    /// WGSL that the browser got, by the first pass that uses it.
    pub(super) fn into_sources(self) -> Vec<(PassKind, String)> {
        let sources = self.lowered.into_iter();
        sources.filter_map(|LoweredModule { kind, text, .. }| Some((kind, text?))).collect()
    }
}

/// Creates a shader module, unless it was created recently. wgpu adds all its checks, except
/// that the loops are bounded here where wgpu would bound them. Returns the WGSL of a new module
/// for a browser, too.
fn compile(
    device: &wgpu::Device,
    label: &str,
    mut module: naga::Module,
    resources: &Resources,
) -> (CompiledModule, Option<String>) {
    remove_positions(&mut module);
    // Renaming a function compiles nothing.
    let names: Vec<Option<String>> =
        module.functions.iter_mut().map(|(_, function)| function.name.take()).collect();
    let own_key = compiled::key(&module);
    let compiled = &resources.compiled;
    let reads_uniform = compiled.uniform_constants.reads(&module, own_key, compiled)
        && llvmpipe::allows_another_uniform(&device.adapter_info(), &module);
    let constants = reads_uniform.then(|| read_from_uniform(&mut module)).flatten();
    let key = constants.as_ref().map_or(own_key, |_| compiled::key(&module));
    let globals = module.global_variables.iter();
    let bindings = globals.filter_map(|(_, global)| global.binding).collect();
    let edited_constants = constants.map(|constants| edited_constants::uniform(device, constants));
    let backend = device.adapter_info().backend;
    let bounds_loops =
        matches!(backend, wgpu::Backend::Vulkan | wgpu::Backend::Metal | wgpu::Backend::Dx12);
    let mut text = None;
    let create = || {
        if bounds_loops {
            bound_loops(&mut module);
        }
        if backend == wgpu::Backend::BrowserWebGpu {
            text = browser_text(&mut module, names);
        }
        let source = match &text {
            Some(text) => wgpu::ShaderSource::Wgsl(text.into()),
            None => wgpu::ShaderSource::Naga(Cow::Owned(module)),
        };
        let descriptor = wgpu::ShaderModuleDescriptor { label: Some(label), source };
        let checks = wgpu::ShaderRuntimeChecks {
            force_loop_bounding: !bounds_loops,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: every loop of the module ends, and the other checks stay.
        #[allow(unsafe_code)]
        unsafe {
            device.create_shader_module_trusted(descriptor, checks)
        }
    };
    let module = compiled.modules.get_or_create(key, create);
    (CompiledModule { module, key, bindings, edited_constants }, text)
}

/// Writes a module as WGSL for a browser, with the names of its functions. WGSL forbids
/// derivatives in branches that neighbouring pixels may not share, unless a directive allows
/// them; naga and GLSL allow them.
#[cfg(feature = "webgpu")]
fn browser_text(module: &mut naga::Module, names: Vec<Option<String>>) -> Option<String> {
    use naga::back::wgsl::{WriterFlags, write_string};

    // Lowering may have removed unused functions.
    if names.len() == module.functions.len() {
        for ((_, function), name) in module.functions.iter_mut().zip(names) {
            function.name = name;
        }
    }
    let info = tarsus_shader::ir::validate(module).ok()?;
    let text = write_string(module, &info, WriterFlags::empty()).ok()?;
    Some(format!("diagnostic(off, derivative_uniformity);\n{text}"))
}

#[cfg(not(feature = "webgpu"))]
fn browser_text(_: &mut naga::Module, _: Vec<Option<String>>) -> Option<String> {
    None
}
