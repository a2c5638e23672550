//! Assembles a scene and its imports into one naga module.

use std::path::Path;
use std::sync::Arc;

use naga_oil::compose::{
    ComposableModuleDescriptor, ImportDefinition, NagaModuleDescriptor, ShaderDefValue,
};

use super::compose_error::ComposeError;
use super::composers::Lent;
use super::diagnostic::Diagnostic;
use super::entry::{self, MAIN_IMAGE, MAIN_IMAGE_SIGNATURE};
use super::explain;
use super::guard;
use super::imports;
use super::library::Library;
use super::limits;
use super::names;
use super::program::{PassModule, Program};
use super::scene::Scene;
use super::signatures::{ItemKind, items};
use super::source_map::{Source, SourceMap};
use super::suggest::nearest;
use super::tokens::tokens;
use super::unknown;
use super::warnings;

/// Module that debug views are drawn by. A scene that does not import it, directly or
/// indirectly, has no debug views.
const LENS_MODULE: &str = "tarsus::lens";
/// Maximum depth of nested imports.
const MAX_IMPORT_CHAIN: usize = 64;

/// Assembles a scene and its imports into one module, like [`super::compose`], but without
/// checking that tarsus provides the scene's bindings. Use it for modules that run
/// elsewhere.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn assemble(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<naga::Module, ComposeError> {
    guarded(scene, || {
        let mut assembly = Assembly::new(library, Lent::new(library.builtins(), true));
        let module = assembly.scene(scene, definitions);
        module.map_err(|diagnostic| assembly.error(diagnostic, definitions))
    })
}

/// Builds a program from a WGSL scene; see [`super::compose`].
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub(super) fn compose_wgsl(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<Program, ComposeError> {
    // The modules are checked once, all together. Only an error is looked for again, module
    // by module, as that tells its place.
    let unchecked = || {
        program_of(
            scene,
            library,
            definitions,
            Lent::new(library.builtins(), false),
        )
    };
    if let Ok(Ok(program)) = guard::run(unchecked) {
        return Ok(program);
    }
    guarded(scene, || {
        program_of(
            scene,
            library,
            definitions,
            Lent::new(library.builtins(), true),
        )
    })
}

fn program_of(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
    composer: Lent,
) -> Result<Program, ComposeError> {
    let mut assembly = Assembly::new(library, composer);
    let module = assembly
        .scene(scene, definitions)
        .map_err(|diagnostic| assembly.error(diagnostic, definitions))?;
    let sources = assembly.sources.clone();
    let hash = sources.hash(definitions);
    let module = Arc::new(module);
    let passes = entry::passes(&scene.text).into_iter();
    let passes = passes.map(|kind| PassModule {
        kind,
        module: Arc::clone(&module),
        channels: None,
    });
    let mut program = Program::from_modules(passes.collect(), None, sources, hash)
        .map_err(|diagnostic| assembly.error(diagnostic, definitions))?;
    program.warnings.extend(warnings::of(&program.sources));
    Ok(program)
}

/// Validates a module (a source with `#define_import_path`) and its imports.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn check_module(module: &Scene, library: &Library) -> Result<(), ComposeError> {
    guarded(module, || {
        let mut assembly = Assembly::new(
            library,
            Lent::new(library.builtins(), true).without_modules(),
        );
        let checked = assembly.module_alone(module);
        checked.map_err(|diagnostic| assembly.error(diagnostic, &[]))
    })
}

/// Runs `job` on a stack of known size and turns a panic into an error in `scene`.
fn guarded<T: Send>(
    scene: &Scene,
    job: impl FnOnce() -> Result<T, ComposeError> + Send,
) -> Result<T, ComposeError> {
    guard::run(job).unwrap_or_else(|reason| {
        let mut sources = SourceMap::default();
        sources.insert("", source_of(scene));
        let reason = names::readable(&reason, &sources);
        let message = format!("cannot compose the shader: the WGSL front end fails: {reason}");
        let note = "hint: this is a fault of the front end; take back the last edit".to_owned();
        Err(ComposeError {
            diagnostic: sources.diagnostic("", message, None, String::new(), vec![note]),
            files: sources.files().to_vec(),
            debug_view_needs_rays: false,
        })
    })
}

type Checked<T> = Result<T, Box<Diagnostic>>;

/// State of one composition: collects modules depth first, then composes them.
struct Assembly<'a> {
    library: &'a Library,
    composer: Lent,
    sources: SourceMap,
}

impl<'a> Assembly<'a> {
    fn new(library: &'a Library, composer: Lent) -> Self {
        let has_other_texts = library.folder().is_some();
        Self {
            library,
            composer: if has_other_texts {
                composer.without_modules()
            } else {
                composer
            },
            sources: SourceMap::new(library),
        }
    }

    fn error(&self, diagnostic: Box<Diagnostic>, definitions: &[&str]) -> ComposeError {
        ComposeError {
            diagnostic,
            files: self.sources.files().to_vec(),
            debug_view_needs_rays: self.debug_view_needs_rays(definitions),
        }
    }

    fn scene(&mut self, scene: &Scene, definitions: &[&str]) -> Checked<naga::Module> {
        self.sources.insert("", source_of(scene));
        self.require_limits("")?;
        explain::require_wgsl(&self.sources)?;
        self.import_all("", scene.path.as_deref(), &mut Vec::new())?;
        self.require_main_image(&scene.text)?;
        if self.debug_view_needs_rays(definitions) {
            let message = "this scene has nothing that a lens could show".to_owned();
            let note = "lenses show the rays of tarsus::raymarch and tarsus::terrain".to_owned();
            return Err(self
                .sources
                .diagnostic("", message, None, String::new(), vec![note]));
        }
        for host_module in ["tarsus::frame", LENS_MODULE] {
            self.add_module(host_module, None, &mut Vec::new())?;
        }
        let period = entry::period_probe(&scene.text);
        let entry_points = entry::entry_points(&scene.text);
        let source = format!("{}\n{entry_points}{period}", for_naga_oil(&scene.text));
        let definitions = definitions
            .iter()
            .map(|name| ((*name).to_owned(), ShaderDefValue::Bool(true)))
            .chain(entry::definitions(&scene.text))
            .collect();
        self.composer.reads(&source);
        self.composer
            .make_naga_module(NagaModuleDescriptor {
                source: &source,
                file_path: &scene.file,
                shader_defs: definitions,
                ..Default::default()
            })
            .map_err(|error| explain::error(&self.sources, &self.composer, &error))
    }

    /// True if a debug view is enabled and the scene imports no ray tracing module.
    fn debug_view_needs_rays(&self, definitions: &[&str]) -> bool {
        definitions.contains(&"LENS") && self.sources.get(LENS_MODULE).is_none()
    }

    fn module_alone(&mut self, module: &Scene) -> Checked<()> {
        let name = super::module_name(&module.text).unwrap_or_default();
        self.sources.insert(&name, source_of(module));
        self.require_limits(&name)?;
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
                shader_defs: entry::definitions("").into_iter().collect(),
                ..Default::default()
            })
            .map(|_| ())
            .map_err(|error| explain::error(&self.sources, &self.composer, &error))
    }

    /// Adds everything that the source under `name` imports, dependencies first.
    fn import_all(
        &mut self,
        name: &str,
        path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        self.require_declared_imports(name, path)?;
        let built_in = self.is_built_in(name).then_some(name);
        let used = self.composer.imports(self.sources.text(name), built_in);
        used.iter()
            .try_for_each(|import| self.add_module_for(import, name, path, chain))
    }

    /// Checks that every `#import` names an existing module and item, even if nothing uses
    /// it: an unused import may be a misspelt one.
    fn require_declared_imports(&self, name: &str, path: Option<&Path>) -> Checked<()> {
        for import in imports::declared(self.sources.text(name)) {
            let exists = |module: &str| {
                self.sources.get(module).is_some() || self.library.find(module, path).is_some()
            };
            let Some(module) = import.candidates().find(|module| exists(module)) else {
                let reason = self.library.unreadable(&import.path, path);
                let unknown = unknown::module(self.library.builtins(), &import.path, reason);
                return Err(unknown.at(&self.sources, name, import.span));
            };
            let item = import.path[module.len()..].trim_start_matches("::");
            let text = self.library.find(module, path).map(|source| source.text);
            if let (false, Some(text)) = (item.is_empty(), text)
                && !items(&text).iter().any(|found| found.name == item)
            {
                let unknown = unknown::item(module, item, &text);
                return Err(unknown.at(&self.sources, name, import.item_span()));
            }
        }
        Ok(())
    }

    /// Rejects a source that is too large or too deeply nested for the later stages.
    fn require_limits(&self, name: &str) -> Checked<()> {
        limits::check(self.sources.text(name)).map_err(|excess| {
            let notes = vec![excess.hint.to_owned()];
            self.sources.diagnostic(
                name,
                excess.message,
                Some(excess.span),
                String::new(),
                notes,
            )
        })
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
            return Err(self.at_import(import, importer, message));
        }
        if chain.len() > MAX_IMPORT_CHAIN {
            let message = format!("more than {MAX_IMPORT_CHAIN} modules import each other in turn");
            return Err(self.at_import(import, importer, message));
        }
        if self.add_module(import, importer_path, chain)? {
            return Ok(());
        }
        let text = self.sources.text(importer);
        let (unknown, span) = unknown::used_module(self.library.builtins(), import, text);
        Err(unknown.at(&self.sources, importer, span))
    }

    /// Adds a module unless it is already present. Returns false if no such module exists.
    fn add_module(
        &mut self,
        import: &str,
        importer_path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<bool> {
        if self.sources.get(import).is_some() {
            return Ok(true);
        }
        let Some(found) = self.library.find(import, importer_path) else {
            return Ok(false);
        };
        let Source {
            file, path, text, ..
        } = found.clone();
        let source = Source {
            imported_by: Some(chain.clone()),
            ..found
        };
        self.sources.insert(import, source);
        if path.is_some() {
            self.require_limits(import)?;
        }
        chain.push(import.to_owned());
        self.import_all(import, path.as_deref(), chain)?;
        chain.pop();
        self.define(import, &file, &text)?;
        Ok(true)
    }

    /// True if the module's source is the built-in one.
    fn is_built_in(&self, name: &str) -> bool {
        self.library.builtins().module(name) == Some(self.sources.text(name))
    }

    fn define(&mut self, name: &str, file: &str, text: &str) -> Checked<()> {
        let is_built_in = self.is_built_in(name);
        if is_built_in && self.composer.contains_module(name) {
            return Ok(());
        }
        self.composer.gets_module(is_built_in);
        self.composer.reads(text);
        let descriptor = ComposableModuleDescriptor {
            source: &for_naga_oil(text),
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

    /// Creates an error located at the line where `importer` imports `import`.
    fn at_import(&self, import: &str, importer: &str, message: String) -> Box<Diagnostic> {
        let declared = imports::declared(self.sources.text(importer))
            .into_iter()
            .find(|declared| declared.candidates().any(|module| module == import))
            .map(|declared| declared.span);
        self.sources
            .diagnostic(importer, message, declared, String::new(), Vec::new())
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
        let functions = items(text);
        let functions = functions
            .iter()
            .filter(|item| item.kind == ItemKind::Function);
        let near = nearest(MAIN_IMAGE, functions.clone().map(|item| item.name.as_str()));
        let span = near.and_then(|name| self.sources.declaration("", name));
        let note = format!("hint: a scene defines `{MAIN_IMAGE_SIGNATURE} {{ … }}`");
        Err(self
            .sources
            .diagnostic("", message, span, String::new(), vec![note]))
    }
}

fn source_of(scene: &Scene) -> Source {
    Source {
        file: scene.file.clone(),
        path: scene.path.clone(),
        text: scene.text.clone(),
        imported_by: Some(Vec::new()),
    }
}

/// Prepares a source for naga_oil without moving any character. `virtual` is blanked
/// because naga_oil's handling of it moves a function into a preceding line comment; every
/// function can be overridden, so the word only informs the reader. `override` is blanked
/// inside comments, where naga_oil would act on it.
fn for_naga_oil(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let blanked = |space: &str| space.replace("override", "        ");
    let mut end = 0;
    for token in tokens(text) {
        read += &blanked(&text[end..token.span.start]);
        read += token.text;
        end = token.span.end;
    }
    read += &blanked(&text[end..]);
    read.replace("virtual fn ", "        fn ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(text: &str) -> Result<naga::Module, ComposeError> {
        assemble(
            &Scene::from_text(text, "a.wgsl"),
            &crate::test_library(),
            &[],
        )
    }

    /// Debug output of a module without its spans, which depend on the other modules of the
    /// composer.
    fn content(module: &naga::Module) -> String {
        let text = format!("{module:?}");
        let mut parts = text.split("Span { ");
        let first = parts.next();
        let rest = parts.filter_map(|part| Some(part.split_once('}')?.1));
        first.into_iter().chain(rest).collect()
    }

    #[test]
    fn scene_ignores_imports_of_previous_scene() {
        let alone = "fn main_image(p: vec2f) -> vec4f { return vec4f(tarsus::sdf::box2(p, p)); }";
        let importing = format!("#import tarsus::sdf2 as sdf\n{alone}");
        let text = |result: Result<naga::Module, ComposeError>| match result {
            Ok(module) => content(&module),
            Err(error) => error.to_string(),
        };
        let first = [alone, &importing].map(|scene| text(composed(scene)));
        assert_eq!(
            [alone, &importing].map(|scene| text(composed(scene))),
            first
        );
    }

    #[test]
    fn folder_library_overrides_cached_modules() {
        let text = "#import tarsus::bits
             fn main_image(p: vec2f) -> vec4f { return vec4f(f32(bits::lowest(4u))); }";
        let built_in = composed(text).expect("a module");
        let folder = tempfile::tempdir().expect("folder");
        let lib = folder.path().join("lib");
        std::fs::create_dir(&lib).expect("folder");
        let other =
            "#define_import_path tarsus::bits\nfn lowest(mask: u32) -> u32 { return mask; }";
        std::fs::write(lib.join("bits.wgsl"), other).expect("written");
        let of = |library: &Library| {
            let module = assemble(&Scene::from_text(text, "a.wgsl"), library, &[]);
            content(&module.expect("a module"))
        };
        let embedded = content(&built_in);
        assert_ne!(
            of(&crate::test_library().with_folder(folder.path())),
            embedded
        );
        assert_eq!(of(&crate::test_library()), embedded);
    }

    #[test]
    fn override_in_comment_has_no_effect() {
        let folder = tempfile::tempdir().expect("folder");
        let lib = folder.path().join("lib");
        std::fs::create_dir(&lib).expect("folder");
        let module = "#define_import_path tarsus::bits
            // As in `override fn bits::lowest() -> u32 { return 2u; }`,
            /* or override fn bits::lowest() -> u32 { return 3u; } */
            virtual fn lowest() -> u32 { return 1u; }";
        std::fs::write(lib.join("bits.wgsl"), module).expect("written");
        let library = crate::test_library().with_folder(folder.path());
        let with = |overriding: &str| {
            let text = format!(
                "#import tarsus::bits
                {overriding}
                fn main_image(p: vec2f) -> vec4f {{ return vec4f(f32(bits::lowest())); }}"
            );
            assemble(&Scene::from_text(&text, "a.wgsl"), &library, &[])
        };
        let lowest = "override fn bits::lowest() -> u32 { return 7u; }";
        let plain = with("").expect("a module");
        let commented = with(&format!("// {lowest}")).expect("a module");
        assert_eq!(content(&commented), content(&plain));
        let overridden = with(lowest).expect("a module");
        assert_ne!(content(&overridden), content(&plain));
    }

    #[test]
    fn auto_bindings_are_reproducible() {
        let scene = "@group(2) @binding(auto) var a: texture_2d<f32>;
             fn main_image(p: vec2f) -> vec4f { return textureLoad(a, vec2i(p), 0); }";
        let bindings = || {
            let module = composed(scene).expect("a module");
            let bindings = module.global_variables.iter();
            let bindings: Vec<_> = bindings.filter_map(|(_, global)| global.binding).collect();
            bindings
        };
        let first = bindings();
        assert!(!first.is_empty());
        assert_eq!(bindings(), first);
    }
}
