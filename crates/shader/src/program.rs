//! What a front end makes of texts: checked modules for every pass, and what
//! each of them binds. It knows no device.

use std::sync::Arc;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::bindings::{self, Binding, Found, Resource};
use super::channel::{Channel, ChannelSampler, ChannelSource, PassChannel};
use super::diagnostic::Diagnostic;
use super::parameters::Parameters;
use super::pass::{PassKind, VERTEX_ENTRY};
use super::reflect;
use super::source_map::SourceMap;

/// A scene ready for `render::Renderer::new`.
#[derive(Clone, Debug)]
pub struct Program {
    /// What works out the same for all pixels before any other pass is drawn, if the
    /// scene has such.
    pub per_frame: Option<Pass>,
    /// In drawing order: buffers and cube, then the picture.
    pub passes: Vec<Pass>,
    /// What makes its sound, if it has one.
    pub sound: Option<Pass>,
    /// Textures that its passes read, by [`Resource::Channel`].
    pub channels: Vec<Channel>,
    /// How they are read, by [`Resource::Sampler`].
    pub samplers: Vec<ChannelSampler>,
    /// What the scene lets the user change.
    pub parameters: Parameters,
    /// Seconds after which the scene repeats itself, if it says so with a
    /// constant `LOOP_SECONDS`.
    pub period: Option<f64>,
    /// True unless the picture stays the same while nobody does anything.
    pub is_animated: bool,
    /// What composes and is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// Hash of the texts of scene and modules, and of what was defined for them.
    pub hash: String,
    /// The texts it was made of.
    pub sources: SourceMap,
}

/// What a front end gives for one pass.
#[derive(Clone, Debug)]
pub struct PassModule {
    /// What it draws.
    pub kind: PassKind,
    /// The module; passes may share one.
    pub module: Arc<naga::Module>,
    /// Where its channels come from; `None` where comments in the sources say it.
    pub channels: Option<Vec<PassChannel>>,
}

/// One pass: a validated module with its entry points.
#[derive(Clone, Debug)]
pub struct Pass {
    /// What it draws.
    pub kind: PassKind,
    /// The validated module; passes may share one.
    pub module: Arc<naga::Module>,
    /// Name of the vertex entry point, which covers the target; `None` where the
    /// module has none and a plain triangle does.
    pub vertex_entry: Option<&'static str>,
    /// Name of the fragment entry point.
    pub fragment_entry: &'static str,
    /// What its entry points use, by group and binding.
    pub bindings: Vec<Binding>,
}

impl Program {
    /// Checks the module of every pass, in drawing order, and reflects what each
    /// binds, channels, parameters and period. `parameters` is the text of a
    /// `struct Params` with comments that describe its members, where that is not
    /// in the scene's own text.
    ///
    /// # Errors
    /// A [`Diagnostic`] where a module is not valid, or binds what tarsus does not
    /// provide.
    pub fn from_modules(
        passes: Vec<PassModule>,
        parameters: Option<&str>,
        sources: SourceMap,
        hash: String,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut program = Self {
            per_frame: None,
            passes: Vec::new(),
            sound: None,
            channels: Vec::new(),
            samplers: Vec::new(),
            parameters: Parameters::default(),
            period: None,
            is_animated: false,
            warnings: Vec::new(),
            hash,
            sources,
        };
        let mut checked: Option<(Arc<naga::Module>, ModuleInfo)> = None;
        for pass in passes {
            let (_, info) = match checked
                .take()
                .filter(|(same, _)| Arc::ptr_eq(same, &pass.module))
            {
                Some(same) => checked.insert(same),
                None => {
                    let info = program.check(&pass, parameters)?;
                    checked.insert((Arc::clone(&pass.module), info))
                }
            };
            program.add(pass, info)?;
        }
        program.require_drawn()?;
        Ok(program)
    }

    /// Checks a module as a whole, and takes over what it says of the scene.
    fn check(
        &mut self,
        pass: &PassModule,
        parameters: Option<&str>,
    ) -> Result<ModuleInfo, Box<Diagnostic>> {
        let module = &*pass.module;
        let info = self.validate(module)?;
        if pass.channels.is_none() {
            bindings::require_provided(module, &self.sources)?;
        }
        reflect::require_values(module, &self.sources)?;
        reflect::require_memory(module, &self.sources)?;
        reflect::require_whole_variables(module, &self.sources)?;
        self.reflect_parameters(module, parameters)?;
        self.period = reflect::period(module, &self.sources)?;
        self.is_animated |= reflect::is_animated(module);
        Ok(info)
    }

    fn add(&mut self, pass: PassModule, info: &ModuleInfo) -> Result<(), Box<Diagnostic>> {
        let PassModule {
            kind,
            module,
            channels,
        } = pass;
        let entries = [VERTEX_ENTRY, kind.entry()];
        let mut found = Found {
            channels: &mut self.channels,
            samplers: &mut self.samplers,
            given: channels.as_deref(),
        };
        let bindings = bindings::bindings(&module, info, &entries, &self.sources, &mut found)?;
        let has_vertex = |entry: &naga::EntryPoint| entry.name == VERTEX_ENTRY;
        let vertex_entry = module.entry_points.iter().any(has_vertex);
        let pass = Pass {
            kind,
            module,
            vertex_entry: vertex_entry.then_some(VERTEX_ENTRY),
            fragment_entry: kind.entry(),
            bindings,
        };
        match kind {
            PassKind::PerFrame => self.per_frame = Some(pass),
            PassKind::Sound => self.sound = Some(pass),
            _ => self.passes.push(pass),
        }
        let follows_time = |channel: &Channel| {
            matches!(
                channel.source,
                ChannelSource::Video(_) | ChannelSource::Sound(_)
            )
        };
        self.is_animated |= kind.is_state() || self.channels.iter().any(follows_time);
        Ok(())
    }

    /// Checks that every buffer that a pass reads is drawn by one.
    fn require_drawn(&self) -> Result<(), Box<Diagnostic>> {
        let mut read = self
            .all_passes()
            .flat_map(|pass| &pass.bindings)
            .filter_map(|binding| self.content(binding.resource));
        let is_drawn = |kind: PassKind| self.passes.iter().any(|pass| pass.kind == kind);
        let Some(kind) = read.find(|&kind| !is_drawn(kind)) else {
            return Ok(());
        };
        let (name, signature) = kind.function();
        let message = format!("the scene reads {kind} and has no `{name}`");
        let hint = format!("hint: write `{signature} {{ … }}`");
        Err(self
            .sources
            .diagnostic("", message, None, String::new(), vec![hint]))
    }

    /// The pass whose content a resource is, if it is one's.
    #[must_use]
    pub fn content(&self, resource: Resource) -> Option<PassKind> {
        match resource {
            Resource::Buffer(buffer) => Some(PassKind::Buffer(buffer)),
            Resource::Cube => Some(PassKind::Cube),
            Resource::Channel(index) => match self.channels.get(index)?.source {
                ChannelSource::Content(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        }
    }

    /// Every pass, that of sound too.
    pub fn all_passes(&self) -> impl Iterator<Item = &Pass> {
        let first = self.per_frame.iter();
        first.chain(&self.passes).chain(&self.sound)
    }

    /// The passes that keep their content from frame to frame, in drawing order.
    pub fn state_passes(&self) -> impl Iterator<Item = &Pass> {
        self.passes.iter().filter(|pass| pass.kind.is_state())
    }

    /// True if a pass keeps its content from frame to frame: frame n then needs
    /// all frames before it, if the program [has memory](Self::has_memory).
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.state_passes().next().is_some()
    }

    /// True if a pass reads of itself or of a pass after it what the frame before left
    /// there. If not, the buffers of frame n follow from frame n alone.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.state_passes().any(|pass| {
            let mut bindings = pass.bindings.iter();
            bindings.any(|binding| self.content(binding.resource) >= Some(pass.kind))
        })
    }

    /// True if a pass uses the texture of keys.
    #[must_use]
    pub fn reads_keyboard(&self) -> bool {
        let mut bindings = self.all_passes().flat_map(|pass| &pass.bindings);
        bindings.any(|binding| match binding.resource {
            Resource::Keyboard => true,
            Resource::Channel(index) => self.channels[index].source == ChannelSource::Keyboard,
            _ => false,
        })
    }

    fn reflect_parameters(
        &mut self,
        module: &naga::Module,
        described: Option<&str>,
    ) -> Result<(), Box<Diagnostic>> {
        let text = described.unwrap_or(self.sources.scene_text());
        let file = |diagnostic: Diagnostic| {
            let Diagnostic {
                severity,
                message,
                span,
                label,
                notes,
                ..
            } = diagnostic;
            let placed = self.sources.diagnostic("", message, span, label, notes);
            Diagnostic {
                severity,
                ..*placed
            }
        };
        let (parameters, warnings) =
            Parameters::reflect(module, text).map_err(|diagnostic| Box::new(file(*diagnostic)))?;
        self.warnings = warnings.into_iter().map(file).collect();
        if !parameters.is_empty() {
            self.parameters = parameters;
        }
        Ok(())
    }

    fn validate(&self, module: &naga::Module) -> Result<ModuleInfo, Box<Diagnostic>> {
        // What every device offers that the renderer asks for.
        let capabilities = Capabilities::default() | Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        validator.validate(module).map_err(|error| {
            let causes =
                std::iter::successors(std::error::Error::source(error.as_inner()), |cause| {
                    cause.source()
                });
            let notes = causes.map(ToString::to_string).collect();
            let message = error.as_inner().to_string();
            self.sources
                .diagnostic("", message, None, String::new(), notes)
        })
    }
}
