//! Brings a scene and its imports together into one naga module.

use std::path::{Path, PathBuf};

use naga_oil::compose::{
    ComposableModuleDescriptor, Composer, ImportDefinition, NagaModuleDescriptor, ShaderDefValue,
    get_preprocessor_data,
};

use super::diagnostic::Diagnostic;
use super::entry::{self, ENTRY, MAIN_IMAGE, MAIN_IMAGE_SIGNATURE, PER_FRAME};
use super::explain;
use super::imports;
use super::library::{Library, MODULES};
use super::program::Program;
use super::scene::Scene;
use super::source_map::{Source, SourceMap};

/// The module whose presence lets a lens show something.
const LENS_MODULE: &str = "tarsus::lens";

/// Why a text gives no program, and the files whose change may mend it.
#[derive(Debug)]
pub struct ComposeError {
    /// The error in the author's own file.
    pub diagnostic: Box<Diagnostic>,
    /// Files read so far: the scene, then its modules.
    pub files: Vec<PathBuf>,
    /// True if a lens was asked for and the scene traces no rays.
    pub lens_needs_rays: bool,
}

impl std::fmt::Display for ComposeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.fmt(out)
    }
}

impl std::error::Error for ComposeError {}

/// Brings a scene and its imports together into one module, as [`compose`] does,
/// without asking that tarsus provides what it binds: for modules that run
/// elsewhere.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn assemble(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<naga::Module, ComposeError> {
    let mut assembly = Assembly::new(library);
    let module = assembly.scene(scene, definitions);
    module.map_err(|diagnostic| ComposeError {
        diagnostic,
        files: assembly.sources.files().to_vec(),
        lens_needs_rays: assembly.lens_needs_rays(definitions),
    })
}

/// Makes a program of a scene. Imports are looked up in `library`, then beside
/// the scene's file. `definitions` switch `#ifdef` parts of scene and modules on.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn compose(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<Program, ComposeError> {
    let mut assembly = Assembly::new(library);
    let module = assembly.scene(scene, definitions);
    let lens_needs_rays = assembly.lens_needs_rays(definitions);
    let sources = assembly.sources;
    let files = sources.files().to_vec();
    let hash = sources.hash(definitions);
    module
        .and_then(|module| Program::from_modules(vec![module], sources, hash))
        .map_err(|diagnostic| ComposeError {
            diagnostic,
            files,
            lens_needs_rays,
        })
}

/// Validates a module (a text with `#define_import_path`) and its imports.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn check_module(module: &Scene, library: &Library) -> Result<(), ComposeError> {
    let mut assembly = Assembly::new(library);
    let checked = assembly.module_alone(module);
    checked.map_err(|diagnostic| ComposeError {
        diagnostic,
        files: assembly.sources.files().to_vec(),
        lens_needs_rays: false,
    })
}

type Checked<T> = Result<T, Box<Diagnostic>>;

/// The state of one composition: modules gathered depth first, then composed.
struct Assembly<'a> {
    library: &'a Library,
    composer: Composer,
    sources: SourceMap,
}

impl<'a> Assembly<'a> {
    fn new(library: &'a Library) -> Self {
        Self {
            library,
            composer: Composer::default(),
            sources: SourceMap::default(),
        }
    }

    fn scene(&mut self, scene: &Scene, definitions: &[&str]) -> Checked<naga::Module> {
        self.sources.insert("", source_of(scene));
        self.import_all("", scene.path.as_deref(), &mut Vec::new())?;
        self.require_main_image(&scene.text)?;
        if self.lens_needs_rays(definitions) {
            let message = "this scene has nothing that a lens could show".to_owned();
            let note = "lenses show the rays of tarsus::raymarch and tarsus::terrain".to_owned();
            return Err(self
                .sources
                .diagnostic("", message, None, String::new(), vec![note]));
        }
        for host_module in ["tarsus::frame", LENS_MODULE] {
            self.add_module(host_module, None, &mut Vec::new())?;
        }
        let source = format!("{}\n{ENTRY}", without_virtual(&scene.text));
        let per_frame = entry::function(&scene.text, PER_FRAME).map(|_| "PER_FRAME");
        let definitions = definitions
            .iter()
            .copied()
            .chain(per_frame)
            .map(|name| (name.to_owned(), ShaderDefValue::Bool(true)))
            .collect();
        self.composer
            .make_naga_module(NagaModuleDescriptor {
                source: &source,
                file_path: &scene.file,
                shader_defs: definitions,
                ..Default::default()
            })
            .map_err(|error| explain::error(&self.sources, &self.composer, &error))
    }

    /// True if a lens is switched on and the scene imports nothing that traces rays.
    fn lens_needs_rays(&self, definitions: &[&str]) -> bool {
        definitions.contains(&"LENS") && self.sources.get(LENS_MODULE).is_none()
    }

    fn module_alone(&mut self, module: &Scene) -> Checked<()> {
        let name = super::module_name(&module.text).unwrap_or_default();
        self.sources.insert(&name, source_of(module));
        self.import_all(&name, module.path.as_deref(), &mut vec![name.clone()])?;
        self.define(&name, &module.file, &module.text)?;
        let import = ImportDefinition {
            import: name,
            items: Vec::new(),
        };
        self.composer
            .make_naga_module(NagaModuleDescriptor {
                source: "",
                file_path: &module.file,
                additional_imports: &[import],
                ..Default::default()
            })
            .map(|_| ())
            .map_err(|error| explain::error(&self.sources, &self.composer, &error))
    }

    /// Adds everything the text under `name` imports, innermost first.
    fn import_all(
        &mut self,
        name: &str,
        path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        self.require_declared_imports(name, path)?;
        let text = self.sources.get(name).map_or("", |source| &source.text);
        let (_, used, _) = get_preprocessor_data(text);
        used.iter()
            .try_for_each(|import| self.add_module_for(&import.import, name, path, chain))
    }

    /// Every `#import` has to name a module that exists, also one that nothing
    /// uses: it may be a misspelt one.
    fn require_declared_imports(&self, name: &str, path: Option<&Path>) -> Checked<()> {
        let text = self.sources.get(name).map_or("", |source| &source.text);
        for import in imports::declared(text) {
            let exists = |module: &str| {
                self.composer.contains_module(module) || self.library.find(module, path).is_some()
            };
            if !import.candidates().any(exists) {
                let message = format!("there is no module `{}`", import.path);
                let notes = vec![where_modules_come_from(&import.path)];
                return Err(self.sources.diagnostic(
                    name,
                    message,
                    Some(import.span),
                    String::new(),
                    notes,
                ));
            }
        }
        Ok(())
    }

    fn add_module_for(
        &mut self,
        import: &str,
        importer: &str,
        importer_path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        if chain.iter().any(|name| name == import) {
            let around = chain.iter().skip_while(|name| *name != import);
            let cycle: Vec<&str> = around.map(String::as_str).chain([import]).collect();
            let message = format!("imports go in a circle: {}", cycle.join(" → "));
            return Err(self.at_import(import, importer, message, Vec::new()));
        }
        if self.add_module(import, importer_path, chain)? {
            return Ok(());
        }
        let message = format!("there is no module `{import}`");
        let notes = vec![where_modules_come_from(import)];
        Err(self.at_import(import, importer, message, notes))
    }

    /// True if the module is there now, false if no such module can be found.
    fn add_module(
        &mut self,
        import: &str,
        importer_path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<bool> {
        if self.composer.contains_module(import) {
            return Ok(true);
        }
        let Some(found) = self.library.find(import, importer_path) else {
            return Ok(false);
        };
        let Source {
            file, path, text, ..
        } = found.clone();
        let source = Source {
            imported_by: chain.clone(),
            ..found
        };
        self.sources.insert(import, source);
        chain.push(import.to_owned());
        self.import_all(import, path.as_deref(), chain)?;
        chain.pop();
        self.define(import, &file, &text)?;
        Ok(true)
    }

    fn define(&mut self, name: &str, file: &str, text: &str) -> Checked<()> {
        let descriptor = ComposableModuleDescriptor {
            source: &without_virtual(text),
            file_path: file,
            as_name: Some(name.to_owned()),
            ..Default::default()
        };
        match self.composer.add_composable_module(descriptor) {
            Ok(_) => Ok(()),
            Err(error) => Err(explain::error_in(
                &self.sources,
                &self.composer,
                &error,
                name,
            )),
        }
    }

    /// An error at the place where `importer` names `import`.
    fn at_import(
        &self,
        import: &str,
        importer: &str,
        message: String,
        notes: Vec<String>,
    ) -> Box<Diagnostic> {
        let text = self.sources.get(importer).map_or("", |source| &source.text);
        let declared = imports::declared(text)
            .into_iter()
            .find(|declared| declared.candidates().any(|module| module == import))
            .map(|declared| declared.span);
        let span = declared.or_else(|| {
            let start = text.find(import)?;
            Some(start..start + import.len())
        });
        self.sources
            .diagnostic(importer, message, span, String::new(), notes)
    }

    fn require_main_image(&self, text: &str) -> Checked<()> {
        if entry::function(text, MAIN_IMAGE).is_some() {
            return Ok(());
        }
        let file = self
            .sources
            .get("")
            .map_or("the scene", |scene| &scene.file);
        let message = format!("there is no `{MAIN_IMAGE}` in {file}");
        let note = format!("a scene defines `{MAIN_IMAGE_SIGNATURE} {{ … }}`");
        Err(self
            .sources
            .diagnostic("", message, None, String::new(), vec![note]))
    }
}

fn source_of(scene: &Scene) -> Source {
    Source {
        file: scene.file.clone(),
        path: scene.path.clone(),
        text: scene.text.clone(),
        imported_by: Vec::new(),
    }
}

fn where_modules_come_from(import: &str) -> String {
    let inside = format!("{import}::");
    if MODULES.iter().any(|(name, _)| name.starts_with(&inside)) {
        return "an imported module's name is used for something else, such as a variable: \
                rename one of them"
            .to_owned();
    }
    if import.starts_with("tarsus::") {
        let names: Vec<&str> = MODULES.iter().map(|(name, _)| *name).collect();
        return format!("built in are {}", names.join(", "));
    }
    let file = import.trim_matches('"').replace("::", "/");
    let file = file.strip_suffix(".wgsl").unwrap_or(&file);
    format!("looked for `{file}.wgsl` beside the importing file")
}

/// Blanks the word `virtual` out. naga_oil's own handling of it draws a function
/// up into a line comment before it; with every function open to overriding the
/// word is only there for the reader.
fn without_virtual(text: &str) -> String {
    text.replace("virtual fn ", "        fn ")
}
