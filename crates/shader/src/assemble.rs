//! Assembles a scene and its imports into one naga module.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use naga_oil::compose::{
    ComposableModuleDescriptor, ImportDefinition, NagaModuleDescriptor, ShaderDefValue,
};

use super::compose::ComposeError;
use super::composers::PooledComposer;
use super::debug_view::DebugView;
use super::diagnostic::{Checked, Diagnostic};
use super::entry;
use super::explain;
use super::guard;
use super::imports;
use super::library::Library;
use super::limits;
use super::names::{self, demangle};
use super::pass::PassKind;
use super::program::{PassModule, Program};
use super::reflect;
use super::scene::Scene;
use super::signatures::{ItemKind, find_item, items};
use super::size::{comment_size, picture_size, size_probe};
use super::source_map::SourceMap;
use super::suggest::nearest;
use super::tokens::tokens;
use super::unknown;
use super::walker;
use super::warnings;

/// Module that debug views are drawn by.
const LENS_MODULE: &str = "tarsus::lens";
/// Variable of [`LENS_MODULE`] that records what rays meet. A scene whose image never
/// reaches it has no debug views.
const LENS_RECORD: &str = "trace";
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
    run("", scene, library, true, |assembly| assembly.scene(scene, definitions))
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
    let attempt = |validates| {
        run("", scene, library, validates, |assembly| assembly.program(scene, definitions))
    };
    // The modules are validated once, all together. Only after an error are they validated
    // one by one, which tells its place.
    attempt(false).or_else(|_| attempt(true))
}

/// Validates a module (a source with `#define_import_path`) and its imports.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn check_module(module: &Scene, library: &Library) -> Result<(), ComposeError> {
    let name = super::module_name(&module.text).unwrap_or_default();
    run(&name, module, library, true, |assembly| assembly.single_module(&name, module))
}

/// Runs `job` on a stack of known size and turns a panic into an error in `scene`, whose
/// source is called `name`. With `validates`, the composer validates every module on its own.
fn run<T: Send>(
    name: &str,
    scene: &Scene,
    library: &Library,
    validates: bool,
    job: impl FnOnce(&mut Assembly<'_>) -> Result<T, Failure> + Send,
) -> Result<T, ComposeError> {
    let compose = |composer: &mut PooledComposer| {
        if library.folder().is_some() {
            composer.forget_modules();
            composer.note_own_module();
        }
        let mut assembly =
            Assembly { library, composer, sources: SourceMap::of_scene(library, name, scene) };
        job(&mut assembly).map_err(|failure| match failure {
            Failure::At(diagnostic) => ComposeError::new(diagnostic, &assembly.sources),
            Failure::NoDebugView => ComposeError::no_debug_view(&assembly.sources),
        })
    };
    guard::run(|| PooledComposer::with(library.builtins(), validates, compose)).unwrap_or_else(
        |reason| {
            let sources = SourceMap::of_scene(library, name, scene);
            let reason = names::demangle_all(&reason, &sources);
            Err(ComposeError::panic("WGSL", &reason, &sources))
        },
    )
}

/// Reason why a composition failed.
enum Failure {
    At(Box<Diagnostic>),
    NoDebugView,
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::At(diagnostic)
    }
}

/// State of one composition: collects modules depth first, then composes them.
struct Assembly<'a> {
    library: &'a Library,
    composer: &'a mut PooledComposer,
    sources: SourceMap,
}

impl Assembly<'_> {
    fn program(&mut self, scene: &Scene, definitions: &[&str]) -> Result<Program, Failure> {
        let module = Arc::new(self.scene(scene, definitions)?);
        let passes = entry::passes(&scene.text).into_iter();
        let passes =
            passes.map(|kind| PassModule { kind, module: Arc::clone(&module), channels: None });
        let hash = self.sources.hash(definitions);
        let mut program =
            Program::from_modules(passes.collect(), None, self.sources.clone(), hash)?;
        program.size = picture_size(&module, &program.sources)?;
        for pass in program.all_passes_mut().filter(|pass| pass.kind != PassKind::Image) {
            pass.size = comment_size(&self.sources, pass.kind)?;
        }
        let warnings = warnings::collect(&module, &program.sources);
        program.warnings.extend(warnings);
        Ok(program)
    }

    fn scene(&mut self, scene: &Scene, definitions: &[&str]) -> Result<naga::Module, Failure> {
        limits::check(&self.sources, "")?;
        explain::require_wgsl(&self.sources)?;
        self.import_all("", scene.path.as_deref(), &mut Vec::new())?;
        self.require_main_image(scene)?;
        walker::check_numbers(&self.sources)?;
        let needs_rays = DebugView::needs_rays(definitions);
        for host_module in ["tarsus::frame", LENS_MODULE] {
            self.add_module(host_module, None, &mut Vec::new())?;
        }
        let period = entry::period_probe(&scene.text);
        let entry_points = entry::entry_points(&scene.text);
        let text = blank_for_naga_oil(&scene.text);
        let size = size_probe(&scene.text);
        let source = format!("{text}\n{entry_points}{period}{size}");
        let definitions = definitions.iter();
        let definitions = definitions.map(|name| ((*name).to_owned(), ShaderDefValue::Bool(true)));
        let definitions = definitions.chain(entry::definitions(&scene.text)).collect();
        self.composer.note_source(&source);
        let module = self.make_module(NagaModuleDescriptor {
            source: &source,
            file_path: &scene.file,
            shader_defs: definitions,
            ..Default::default()
        })?;
        if needs_rays && !self.records_rays(&module) {
            return Err(Failure::NoDebugView);
        }
        Ok(module)
    }

    /// True if the image's function, or one that it calls, writes to [`LENS_RECORD`].
    fn records_rays(&self, module: &naga::Module) -> bool {
        let main_image = PassKind::Image.function();
        reflect::reachable(module, main_image).any(|function| {
            let mut expressions = function.expressions.iter();
            expressions.any(|(_, expression)| match *expression {
                naga::Expression::GlobalVariable(global) => {
                    let name = module.global_variables[global].name.as_deref();
                    let name = demangle(name.unwrap_or_default(), &self.sources);
                    (name.module, name.item) == (LENS_MODULE, LENS_RECORD)
                }
                _ => false,
            })
        })
    }

    fn single_module(&mut self, name: &str, module: &Scene) -> Result<(), Failure> {
        self.composer.forget_modules();
        limits::check(&self.sources, name)?;
        let mut chain = vec![name.to_owned()];
        self.import_all(name, module.path.as_deref(), &mut chain)?;
        self.define(name)?;
        let import = ImportDefinition { import: name.to_owned(), items: Vec::new() };
        self.make_module(NagaModuleDescriptor {
            file_path: &module.file,
            additional_imports: &[import],
            shader_defs: entry::definitions("").into_iter().collect(),
            ..Default::default()
        })?;
        Ok(())
    }

    fn make_module(&mut self, descriptor: NagaModuleDescriptor<'_>) -> Checked<naga::Module> {
        let composer = &mut self.composer.composer;
        let module = composer.make_naga_module(descriptor);
        module.map_err(|error| explain::error(&self.sources, composer, &error, ""))
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
        used.iter().try_for_each(|import| self.add_module_for(import, name, path, chain))
    }

    /// Checks that every `#import` names an existing module and item, even if nothing uses
    /// it: an unused import may be a misspelt one.
    fn require_declared_imports(&self, name: &str, path: Option<&Path>) -> Checked<()> {
        for import in imports::declared(self.sources.text(name)) {
            let exists = |module: &str| {
                self.sources.get(module).is_some() || self.library.find(module, path).is_some()
            };
            let Some(module) = import.candidates().find(|module| exists(module)) else {
                let reason = self.library.read_error(&import.path, path);
                let unknown = unknown::module(self.library.builtins(), &import.path, reason);
                return Err(unknown.at(&self.sources, name, import.span));
            };
            let item = import.path[module.len()..].trim_start_matches("::");
            if !item.is_empty()
                && let Some(source) = self.library.find(module, path)
                && find_item(&source.text, item).is_none()
            {
                let unknown = unknown::item(module, item, &source.text);
                return Err(unknown.at(&self.sources, name, import.item_span()));
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
        if let Some(start) = chain.iter().position(|name| name == import) {
            let cycle = [&chain[start..], &[import.to_owned()]].concat().join(" → ");
            return Err(self.import_error(import, importer, format!("cyclic import: {cycle}")));
        }
        if chain.len() > MAX_IMPORT_CHAIN {
            let message = format!("imports are nested more than {MAX_IMPORT_CHAIN} deep");
            return Err(self.import_error(import, importer, message));
        }
        if self.add_module(import, importer_path, chain)? {
            return Ok(());
        }
        let text = self.sources.text(importer);
        let (unknown, span) = unknown::unimported_module(self.library.builtins(), import, text);
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
        let Some(mut source) = self.library.find(import, importer_path) else {
            return Ok(false);
        };
        let path = source.path.clone();
        source.imported_by = Some(chain.clone());
        self.sources.insert(import, source);
        if path.is_some() {
            limits::check(&self.sources, import)?;
        }
        chain.push(import.to_owned());
        self.import_all(import, path.as_deref(), chain)?;
        chain.pop();
        self.define(import)?;
        Ok(true)
    }

    /// True if the module's source is the built-in one.
    fn is_built_in(&self, name: &str) -> bool {
        self.library.builtins().module(name) == Some(self.sources.text(name))
    }

    /// Adds the source of module `name` to the composer.
    fn define(&mut self, name: &str) -> Checked<()> {
        if !self.is_built_in(name) {
            self.composer.note_own_module();
        } else if self.composer.composer.contains_module(name) {
            return Ok(());
        }
        let text = self.sources.text(name);
        self.composer.note_source(text);
        let descriptor = ComposableModuleDescriptor {
            source: &blank_for_naga_oil(text),
            file_path: self.sources.get(name).map_or("", |source| &source.file),
            as_name: Some(name.to_owned()),
            ..Default::default()
        };
        let composer = &mut self.composer.composer;
        if let Err(error) = composer.add_composable_module(descriptor) {
            return Err(explain::error(&self.sources, composer, &error, name));
        }
        Ok(())
    }

    /// Creates an error located at the line where `importer` imports `import`.
    fn import_error(&self, import: &str, importer: &str, message: String) -> Box<Diagnostic> {
        let mut declared = imports::declared(self.sources.text(importer)).into_iter();
        let declared =
            declared.find(|declared| declared.candidates().any(|module| module == import));
        let span = declared.map(|declared| declared.span);
        self.sources.error(importer, message).at(span)
    }

    fn require_main_image(&self, scene: &Scene) -> Checked<()> {
        let main_image = PassKind::Image.function();
        if entry::function(&scene.text, main_image).is_some() {
            return Ok(());
        }
        let mut items = items(&scene.text);
        items.retain(|item| item.kind == ItemKind::Function);
        let near = nearest(main_image, items.iter().map(|item| item.name.as_str()));
        let span = near.and_then(|name| self.sources.declaration("", name));
        let message = format!("there is no `{main_image}` in {}", scene.file);
        let signature = PassKind::Image.signature();
        let hint = format!("hint: a scene defines `{signature} {{ … }}`");
        Err(self.sources.error("", message).at(span).with_note(hint))
    }
}

/// Prepares a source for naga_oil without moving any character. `virtual` is blanked
/// because naga_oil's handling of it moves a function into a preceding line comment; every
/// function can be overridden, so the word only informs the reader. `override` is blanked
/// inside comments, where naga_oil would act on it.
fn blank_for_naga_oil(text: &str) -> String {
    let blank = |space: &str| space.replace("override", "        ");
    let mut source = String::with_capacity(text.len());
    let mut end = 0;
    for token in tokens(text) {
        source += &blank(&text[end..token.span.start]);
        source += token.text;
        end = token.span.end;
    }
    source += &blank(&text[end..]);
    blank_repeated_imports(&mut source);
    source.replace("virtual fn ", "        fn ")
}

/// Blanks `#import` lines that repeat an earlier one, which naga_oil calls ambiguous. Lines
/// with braces may continue on the next line and stay, and so do repetitions of a line that
/// a condition may hide.
fn blank_repeated_imports(text: &mut String) {
    let mut known: Vec<&str> = Vec::new();
    let mut repeated: Vec<Range<usize>> = Vec::new();
    let mut is_conditional = false;
    let mut hash = 0..0;
    for token in tokens(text) {
        let is_directive = &text[hash.clone()] == "#";
        is_conditional |= is_directive && token.text.starts_with("if");
        let rest = &text[token.span.start..];
        let line = rest.lines().next().unwrap_or_default().trim_end();
        if is_directive && token.text == "import" && !line.contains('{') {
            if known.contains(&line) {
                repeated.push(hash.start..token.span.start + line.len());
            } else if !is_conditional {
                known.push(line);
            }
        }
        hash = token.span;
    }
    for range in repeated {
        let spaces = " ".repeat(range.len());
        text.replace_range(range, &spaces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(text: &str) -> Result<naga::Module, ComposeError> {
        assemble(&Scene::from_text(text, "a.wgsl"), &crate::test_library(), &[])
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
        assert_eq!([alone, &importing].map(|scene| text(composed(scene))), first);
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
        assert_ne!(of(&crate::test_library().with_folder(folder.path())), embedded);
        assert_eq!(of(&crate::test_library()), embedded);
    }

    #[test]
    fn repeated_imports_are_harmless() {
        let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(frame::frame.time); }";
        let import = "#import tarsus::frame";
        let once = composed(&format!("{import}\n{main}")).expect("a module");
        for text in [
            format!("{import}\r\n#import tarsus::sdf\n{import} \n{main}"),
            format!("{import}\n{main}\n  {import}\n"),
            format!("/*\n{import}\n*/\n{import}\n{main}"),
            format!("#ifdef NEVER\n{import}\n#endif\n{import}\n{main}"),
        ] {
            let module = composed(&text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(content(&module), content(&once), "{text}");
        }
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
    fn debug_view_needs_reachable_rays() {
        let view = Some(DebugView::Depth);
        let composed = |body: &str| {
            let text = format!(
                "#import tarsus::lens
                 fn unused() {{ lens::count_step(); }}
                 fn traced() {{ lens::note_hit(1.0); }}
                 fn main_image(p: vec2f) -> vec4f {{ {body} return vec4f(lens::heat(p.x), 1.0); }}"
            );
            let scene = Scene::from_text(&text, "a.wgsl");
            let library = crate::test_library();
            let definitions = DebugView::definitions(view);
            let needs_rays = match compose_wgsl(&scene, &library, definitions) {
                Ok(_) => false,
                Err(error) => error.debug_view_needs_rays,
            };
            let shown = crate::compose_with_view(&scene, &library, view);
            (needs_rays, shown.map(|(_, view)| view).ok())
        };
        assert_eq!(composed(""), (true, Some(None)));
        assert_eq!(composed("traced();"), (false, Some(view)));
        assert_eq!(composed("traced(); wrong();"), (false, None));
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
