//! Output of a front end: validated modules for every pass, with their bindings.
//! Independent of any device.

use std::sync::Arc;

use naga::valid::ModuleInfo;
use naga::{ArraySize, Module, TypeInner};
use serde::{Deserialize, Serialize};

use super::bindings::{self, Binding, Resource, Resources};
use super::channel::{Channel, ChannelSampler, ChannelSource, PassChannel};
use super::diagnostic::{Checked, Diagnostic};
use super::endless_loops;
use super::ir::{functions, reachable, validate};
use super::names::demangle;
use super::parameters::Parameters;
use super::pass::{CUBE_SIDE, PER_FRAME_ROW, PassKind, VERTEX_ENTRY};
use super::reflect::{self, POINTER_MEMBERS, TIME_DEPENDENT_MEMBERS, reads_frame};
use super::signatures::items;
use super::source_map::SourceMap;

/// A scene ready for `render::Renderer::new`. Its serialized form lacks modules, warnings and
/// sources: [`pack`](super::pack) adds the modules.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Program {
    /// Pass that computes values common to all pixels before any other pass is drawn, if
    /// the scene has one.
    pub per_frame: Option<Pass>,
    /// Passes in drawing order: buffers and cube map, then the image.
    pub passes: Vec<Pass>,
    /// Pass that computes the sound, if the scene has one.
    pub sound: Option<Pass>,
    /// Textures read by the passes, indexed by [`Resource::Channel`].
    pub channels: Vec<Channel>,
    /// Samplers used by the passes, indexed by [`Resource::Sampler`].
    pub samplers: Vec<ChannelSampler>,
    /// Parameters that the user can change.
    pub parameters: Parameters,
    /// Source of a `struct Params` for them, for scenes whose own source does not contain it.
    #[serde(skip)]
    pub parameter_struct: String,
    /// Size of the picture in pixels that the scene declares, for hosts whose user asks for no
    /// other.
    pub size: Option<(u32, u32)>,
    /// Period of the scene in seconds, if it defines the constant `LOOP_SECONDS`.
    pub period: Option<f64>,
    /// False if the image stays the same without user input.
    pub is_animated: bool,
    /// Warnings: valid code that is probably not intended.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
    /// Hash of the sources of scene and modules and of their definitions.
    pub hash: String,
    /// Sources that the program was composed from.
    #[serde(skip)]
    pub sources: SourceMap,
}

/// Front end output for one pass.
#[derive(Clone, Debug)]
pub struct PassModule {
    /// Output of the pass.
    pub kind: PassKind,
    /// The module; passes may share one.
    pub module: Arc<Module>,
    /// Channels of the pass; `None` if comments in the source describe them.
    pub channels: Option<Vec<PassChannel>>,
}

/// One pass: a validated module with its entry points.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Pass {
    /// Output of the pass.
    pub kind: PassKind,
    /// The validated module; passes may share one. Its fragment entry point is
    /// [`PassKind::entry`].
    #[serde(skip)]
    pub module: Arc<Module>,
    /// Resources used by the entry points, sorted by group and binding.
    pub bindings: Vec<Binding>,
    /// Size of a buffer in texels; `None` for the size of the picture.
    pub size: Option<(u32, u32)>,
}

impl Pass {
    /// Name of the vertex entry point, which covers the render target. `None` if the module
    /// has none and a plain fullscreen triangle is enough.
    pub fn vertex_entry(&self) -> Option<&'static str> {
        let mut entries = self.module.entry_points.iter();
        entries.any(|entry| entry.name == VERTEX_ENTRY).then_some(VERTEX_ENTRY)
    }

    /// Size in texels of the texture that the pass draws in a scene with pictures of
    /// `picture` pixels: of a face, for the cube.
    pub fn size_for(&self, picture: (u32, u32)) -> (u32, u32) {
        match self.kind {
            PassKind::Cube => (CUBE_SIDE, CUBE_SIDE),
            _ => self.size.unwrap_or(picture),
        }
    }

    /// The binding of `resource`, if the pass uses it.
    pub fn binding_of(&self, resource: Resource) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.resource == resource)
    }

    /// Length of the array of values computed once per image; `None` if the pass does not read
    /// them.
    fn per_frame_values(&self) -> Option<u32> {
        let place = self.binding_of(Resource::PerFrame)?.place();
        let mut globals = self.module.global_variables.iter();
        let (_, global) = globals.find(|(_, global)| global.binding == Some(place))?;
        match self.module.types[global.ty].inner {
            TypeInner::Array { size: ArraySize::Constant(count), .. } => Some(count.get()),
            _ => None,
        }
    }
}

impl Program {
    /// Message of a warning about a channel that is read, but that nothing is bound to.
    pub fn unbound_channel(name: &str) -> String {
        format!("nothing is bound to `{name}`, which is black")
    }

    /// Drops the warnings that nothing is bound to `channels`, after the user has bound files
    /// to them.
    pub fn bind<'a>(&mut self, channels: impl IntoIterator<Item = &'a String>) {
        for name in channels {
            let message = Self::unbound_channel(name);
            self.warnings.retain(|warning| warning.message != message);
        }
    }

    /// Makes the channels black that are read from files, except `bound` ones, and returns
    /// their names. A scene from a stranger must not choose files to read.
    pub fn close_channel_files<'a>(
        &mut self,
        bound: impl IntoIterator<Item = &'a String>,
    ) -> Vec<String> {
        let bound: Vec<&String> = bound.into_iter().collect();
        let channels = self.channels.iter_mut();
        let closed = channels.filter(|channel| {
            !channel.source.files().is_empty() && !bound.contains(&&channel.name)
        });
        let closed = closed.map(|channel| {
            channel.source = ChannelSource::Empty;
            channel.name.clone()
        });
        closed.collect()
    }

    /// Validates the module of every pass, in drawing order, and reflects bindings,
    /// channels, parameters and period. `parameters` is the source of a `struct Params`
    /// whose comments describe its members, for scenes whose own source does not contain
    /// it.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] if a module is invalid or binds something that tarsus does
    /// not provide.
    pub fn from_modules(
        passes: &[PassModule],
        parameters: Option<&str>,
        sources: SourceMap,
        hash: String,
    ) -> Checked<Self> {
        let parameter_struct = parameters.unwrap_or_default().to_owned();
        let mut program = Self { parameter_struct, sources, hash, ..Self::default() };
        for passes in passes.chunk_by(|a, b| Arc::ptr_eq(&a.module, &b.module)) {
            let (module, info) = program.check(&passes[0], parameters)?;
            passes.iter().try_for_each(|pass| program.add(pass, &module, &info))?;
        }
        program.require_inputs_drawn()?;
        Ok(program)
    }

    /// Validates a whole module, replaces its overrides with constants and records the scene's
    /// properties found in it.
    fn check(
        &mut self,
        pass: &PassModule,
        parameters: Option<&str>,
    ) -> Checked<(Arc<Module>, ModuleInfo)> {
        let module = &*pass.module;
        let info = validate(module).map_err(|mut errors| {
            let error = self.sources.error("", errors.remove(0));
            error.with_notes(errors)
        })?;
        if pass.channels.is_none() {
            bindings::require_provided(module, &self.sources)?;
        }
        let (shared, info) = reflect::replace_overrides(&pass.module, info, &self.sources)?;
        let module = &*shared;
        reflect::require_small_variables(module, &self.sources)?;
        reflect::require_whole_variables(module, &self.sources)?;
        endless_loops::require_exits(module, &self.sources)?;
        let (parameters, warnings) = Parameters::reflect(module, &self.sources, parameters)?;
        self.warnings = warnings;
        if !parameters.is_empty() {
            self.parameters = parameters;
        }
        self.period = reflect::period(module, &self.sources)?;
        self.is_animated |= reads_frame(module, functions(module), TIME_DEPENDENT_MEMBERS);
        Ok((shared, info))
    }

    fn add(&mut self, pass: &PassModule, module: &Arc<Module>, info: &ModuleInfo) -> Checked<()> {
        let (kind, module) = (pass.kind, Arc::clone(module));
        let entries = [VERTEX_ENTRY, kind.entry()];
        let mut found = Resources {
            channels: &mut self.channels,
            samplers: &mut self.samplers,
            pass_channels: pass.channels.as_deref(),
        };
        let bindings = bindings::bindings(&module, info, &entries, &self.sources, &mut found)?;
        let pass = Pass { kind, module, bindings, size: None };
        match kind {
            PassKind::PerFrame => self.per_frame = Some(pass),
            PassKind::Sound => self.sound = Some(pass),
            _ => self.passes.push(pass),
        }
        let follows_time = |channel: &Channel| {
            let source = &channel.source;
            matches!(source, ChannelSource::Video(_) | ChannelSource::Sound(_))
        };
        self.is_animated |= kind.is_state() || self.channels.iter().any(follows_time);
        Ok(())
    }

    /// Checks that every buffer read by a pass is drawn by one.
    fn require_inputs_drawn(&self) -> Checked<()> {
        let mut inputs = self.all_passes().flat_map(|pass| self.inputs(pass));
        let is_drawn = |kind: PassKind| self.passes.iter().any(|pass| pass.kind == kind);
        let Some(kind) = inputs.find(|&kind| !is_drawn(kind)) else {
            return Ok(());
        };
        if kind == PassKind::Sound {
            let hint = "hint: only a picture can be its own input";
            let place = self.sources.scene_text().find("\"self\"").map(|at| at..at + 6);
            return Err(self
                .sources
                .error("", "a sound cannot read itself")
                .at(place)
                .with_note(hint));
        }
        let (name, signature) = (kind.function(), kind.signature());
        let message = format!("the scene reads {kind} but does not define `{name}`");
        let hint = format!("hint: write `{signature} {{ … }}`");
        // `fn buffer_A` may be it.
        let mut items = items(self.sources.scene_text()).into_iter();
        let misspelt = items.find(|item| item.name.eq_ignore_ascii_case(name));
        let span = misspelt.map(|item| item.span);
        Err(self.sources.error("", message).at(span).with_note(hint))
    }

    /// Pass whose output a resource contains, if any.
    pub fn pass_output(&self, resource: Resource) -> Option<PassKind> {
        match resource {
            Resource::Buffer(buffer) => Some(PassKind::Buffer(buffer)),
            Resource::Cube => Some(PassKind::Cube),
            Resource::Channel(index) => self.channels.get(index)?.shown_pass(),
            _ => None,
        }
    }

    /// Passes whose output `pass` reads, once per resource.
    pub fn inputs(&self, pass: &Pass) -> impl Iterator<Item = PassKind> {
        pass.bindings.iter().filter_map(|binding| self.pass_output(binding.resource))
    }

    /// Iterates over all passes, including the sound pass.
    pub fn all_passes(&self) -> impl Iterator<Item = &Pass> {
        let first = self.per_frame.iter();
        first.chain(&self.passes).chain(&self.sound)
    }

    /// Number of values computed once per image: the largest array of a pass that reads them.
    pub fn per_frame_values(&self) -> u32 {
        self.all_passes().filter_map(Pass::per_frame_values).max().unwrap_or(PER_FRAME_ROW)
    }

    pub(super) fn all_passes_mut(&mut self) -> impl Iterator<Item = &mut Pass> {
        let first = self.per_frame.iter_mut();
        first.chain(&mut self.passes).chain(&mut self.sound)
    }

    /// Passes whose contents persist from frame to frame, in drawing order.
    pub fn state_passes(&self) -> impl Iterator<Item = &Pass> {
        self.passes.iter().filter(|pass| pass.kind.is_state())
    }

    /// True if a pass's contents persist from frame to frame. If the program also [has
    /// memory](Self::has_memory), frame n requires all frames before it.
    pub fn has_state(&self) -> bool {
        self.state_passes().next().is_some()
    }

    /// True if a pass reads the previous frame's output of itself or of a later pass.
    /// Otherwise the buffers of frame n depend only on frame n.
    pub fn has_memory(&self) -> bool {
        self.state_passes().any(|pass| self.inputs(pass).any(|input| input >= pass.kind))
    }

    /// False only if the pointer and its button cannot affect any pass. Orbiting the camera does
    /// not count.
    pub fn reads_pointer(&self) -> bool {
        self.all_passes()
            .any(|pass| reads_frame(&pass.module, functions(&pass.module), POINTER_MEMBERS))
    }

    /// False only if the user's orbit and zoom cannot affect any pass.
    pub fn reads_camera(&self) -> bool {
        self.all_passes().any(|pass| reads_frame(&pass.module, functions(&pass.module), &["orbit"]))
    }

    /// True if the function of pass `kind` calls the function `item` of `module`, directly or
    /// indirectly.
    pub fn calls(&self, kind: PassKind, module: &str, item: &str) -> bool {
        let mut passes = self.all_passes().filter(|pass| pass.kind == kind);
        passes.any(|pass| calls(&pass.module, &self.sources, kind.function(), (module, item)))
    }

    /// True if a pass uses the keyboard texture.
    pub fn reads_keyboard(&self) -> bool {
        let mut bindings = self.all_passes().flat_map(|pass| &pass.bindings);
        bindings.any(|binding| match binding.resource {
            Resource::Keyboard => true,
            Resource::Channel(index) => self.channels[index].source == ChannelSource::Keyboard,
            _ => false,
        })
    }
}

/// True if `function` of the scene calls `target`, the path of a module and a function of it,
/// directly or indirectly.
pub(super) fn calls(
    module: &Module,
    sources: &SourceMap,
    function: &str,
    target: (&str, &str),
) -> bool {
    reachable(module, function).any(|function| {
        let name = demangle(function.name.as_deref().unwrap_or_default(), sources);
        (name.module, name.item) == target
    })
}
