//! What a front end makes of texts: checked modules for every pass, and what
//! each of them binds. It knows no device.

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::diagnostic::Diagnostic;
use super::parameters::Parameters;
use super::reflect::{self, Binding, Resource};
use super::source_map::SourceMap;

/// Entry points of a pass, as `entry.wgsl` names them.
const VERTEX_ENTRY: &str = "tarsus_vertex";
const FRAGMENT_ENTRY: &str = "tarsus_fragment";

/// A scene ready for `render::Renderer::new`.
#[derive(Clone, Debug)]
pub struct Program {
    /// In drawing order; the last one is the picture.
    pub passes: Vec<Pass>,
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

/// One pass: a validated module with its two entry points.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Name for people and for graphics debuggers.
    pub label: &'static str,
    /// The validated module.
    pub module: naga::Module,
    /// Name of the vertex entry point, which covers the target.
    pub vertex_entry: &'static str,
    /// Name of the fragment entry point.
    pub fragment_entry: &'static str,
    /// What its entry points use, by group and binding.
    pub bindings: Vec<Binding>,
}

impl Program {
    /// Checks the module of every pass, the picture's last, and reflects what it
    /// binds, its parameters and its period.
    ///
    /// # Errors
    /// A [`Diagnostic`] where a module is not valid, or binds what tarsus does not
    /// provide.
    pub fn from_modules(
        modules: Vec<naga::Module>,
        sources: SourceMap,
        hash: String,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut program = Self {
            passes: Vec::new(),
            parameters: Parameters::default(),
            period: None,
            is_animated: false,
            warnings: Vec::new(),
            hash,
            sources,
        };
        for module in modules {
            let info = program.validate(&module)?;
            let bindings = reflect::bindings(&module, &info, &program.sources)?;
            reflect::require_values(&module, &program.sources)?;
            reflect::require_memory(&module, &program.sources)?;
            program.reflect_parameters(&module)?;
            program.period = reflect::period(&module, &program.sources)?;
            program.is_animated |= reflect::is_animated(&module);
            program.passes.push(Pass {
                label: "image",
                module,
                vertex_entry: VERTEX_ENTRY,
                fragment_entry: FRAGMENT_ENTRY,
                bindings,
            });
        }
        Ok(program)
    }

    /// True if a pass uses the texture of keys.
    #[must_use]
    pub fn reads_keyboard(&self) -> bool {
        let mut bindings = self.passes.iter().flat_map(|pass| &pass.bindings);
        bindings.any(|binding| binding.resource == Resource::Keyboard)
    }

    fn reflect_parameters(&mut self, module: &naga::Module) -> Result<(), Box<Diagnostic>> {
        let text = self.sources.scene_text();
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
        self.parameters = parameters;
        Ok(())
    }

    fn validate(&self, module: &naga::Module) -> Result<ModuleInfo, Box<Diagnostic>> {
        // What every device offers that the renderer asks for.
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::default());
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
