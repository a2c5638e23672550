//! Assembles a scene and its imports into one naga module.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::compose::ComposeError;
use super::debug_view::DebugView;
use super::diagnostic::{Checked, Diagnostic};
use super::entry;
use super::explain;
use super::guard;
use super::imports::{self, DeclaredImport};
use super::ir;
use super::library::Library;
use super::limits;
use super::link::{Import, Linked, Target, Unit, link};
use super::names::{self, demangle};
use super::overrides;
use super::pass::{PER_FRAME_VALUES, PassKind};
use super::preprocess::{Definitions, ON, blank, preprocess};
use super::program::{PassModule, Program};
use super::scene::Scene;
use super::signatures::{ItemKind, find_item, items};
use super::size::comment_size;
use super::source_map::{Source, SourceMap};
use super::suggest::nearest;
use super::tokens::unclosed_comment;
use super::unknown;
use super::walker;
use super::warnings;

/// Module that debug views are drawn by.
const DEBUG_VIEW_MODULE: &str = "tarsus::debug_view";
/// Variable of [`DEBUG_VIEW_MODULE`] that records what rays meet. A scene whose image never
/// reaches it has no debug views.
const DEBUG_VIEW_RECORD: &str = "trace";
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
    run("", scene, library, |assembly| {
        let module = assembly.scene(scene, definitions)?;
        assembly.validate(&module, &assembly.linked_scene(), "")?;
        Ok(module)
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
    let program = run("", scene, library, |assembly| assembly.program(scene, definitions))?;
    if DebugView::needs_rays(definitions) && !records_rays(&program) {
        return Err(ComposeError::no_debug_view(&program.sources));
    }
    Ok(program)
}

/// True if the image's function, or one that it calls, writes to [`DEBUG_VIEW_RECORD`].
fn records_rays(program: &Program) -> bool {
    let mut images = program.passes.iter().filter(|pass| pass.kind == PassKind::Image);
    images.any(|pass| {
        let module = &*pass.module;
        ir::reachable(module, PassKind::Image.function()).any(|function| {
            let mut expressions = function.expressions.iter();
            expressions.any(|(_, expression)| match *expression {
                naga::Expression::GlobalVariable(global) => {
                    let name = module.global_variables[global].name.as_deref();
                    let name = demangle(name.unwrap_or_default(), &program.sources);
                    (name.module, name.item) == (DEBUG_VIEW_MODULE, DEBUG_VIEW_RECORD)
                }
                _ => false,
            })
        })
    })
}

/// Validates a module (a source with `#define_import_path`) and its imports.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn check_module(module: &Scene, library: &Library) -> Result<(), ComposeError> {
    let name = super::module_name(&module.text).unwrap_or_default();
    run(&name, module, library, |assembly| assembly.single_module(&name))
}

/// Runs `job` on a stack of known size and turns a panic into an error in `scene`, whose
/// source is called `name`.
fn run<T: Send>(
    name: &str,
    scene: &Scene,
    library: &Library,
    job: impl FnOnce(&mut Assembly<'_>) -> Checked<T> + Send,
) -> Result<T, ComposeError> {
    let assemble = || {
        let mut assembly = Assembly {
            library,
            sources: SourceMap::of_scene(library, name, scene),
            definitions: Definitions::new(),
            units: Vec::new(),
        };
        job(&mut assembly).map_err(|error| ComposeError::new(error, &assembly.sources))
    };
    guard::run(assemble).unwrap_or_else(|reason| {
        let sources = SourceMap::of_scene(library, name, scene);
        let reason = names::demangle_all(&reason, &sources);
        Err(ComposeError::panic("WGSL", &reason, &sources))
    })
}

/// State of one composition: collects modules depth first, then links them.
struct Assembly<'a> {
    library: &'a Library,
    sources: SourceMap,
    definitions: Definitions,
    /// The sources, each after those that it imports.
    units: Vec<Unit>,
}

impl Assembly<'_> {
    fn program(&mut self, scene: &Scene, definitions: &[&str]) -> Checked<Program> {
        let module = Arc::new(self.scene(scene, definitions)?);
        let has_entry = |kind: &PassKind| {
            let mut entries = module.entry_points.iter();
            entries.any(|entry| entry.name == kind.entry())
        };
        let passes: Vec<_> = PassKind::ALL
            .into_iter()
            .filter(has_entry)
            .map(|kind| PassModule { kind, module: Arc::clone(&module), channels: None })
            .collect();
        let hash = self.sources.hash(definitions);
        let program = Program::from_modules(&passes, None, self.sources.clone(), hash);
        let mut program = match program {
            Ok(program) => program,
            // An error of validation has a place in the linked source.
            Err(error) => {
                let linked = self.linked_scene();
                let invalid = self.validate(&module, &linked, "").err();
                return Err(invalid.unwrap_or_else(|| self.located(error, &linked)));
            }
        };
        program.size = comment_size(&self.sources, PassKind::Image)?;
        for pass in program.all_passes_mut().filter(|pass| pass.kind != PassKind::Image) {
            pass.size = comment_size(&self.sources, pass.kind)?;
        }
        let warnings = warnings::collect(&module, &program.sources, &self.units, &self.definitions);
        program.warnings.extend(warnings);
        Ok(program)
    }

    fn scene(&mut self, scene: &Scene, definitions: &[&str]) -> Checked<naga::Module> {
        limits::check(&self.sources, "")?;
        explain::require_wgsl(&self.sources)?;
        let on = |name: &&str| ((*name).to_owned(), ON.to_owned());
        // The scene's functions decide what is defined, and its `#ifdef`s which functions count:
        // the second round uses the results of the first.
        let (mut text, mut defined) = (scene.text.clone(), Definitions::new());
        for _ in 0..2 {
            let per_frame_values = walker::per_frame_values(&defined, self.library);
            self.definitions = entry::definitions(&text, per_frame_values);
            self.definitions.extend(definitions.iter().map(on));
            (text, defined) = self.preprocessed("")?;
        }
        self.definitions.clone_from(&defined);
        let entry_points = self.entry_points(&text)?;
        self.import_text("", text.clone(), &defined, &mut Vec::new())?;
        self.units.push(entry_points);
        self.require_main_image(scene, &text)?;
        walker::check_numbers(&self.sources, &self.definitions)?;
        self.parse()
    }

    /// The entry points of the scene `text`. The modules that they use are added.
    fn entry_points(&mut self, text: &str) -> Checked<Unit> {
        let source = [entry::entry_points(text), entry::period_probe(text)];
        let mut definitions = self.definitions.clone();
        let text = preprocess(&source.concat(), &mut definitions).unwrap_or_default();
        let mut unit = Unit::new("", text, &entry::used_items(), &self.definitions);
        unit.is_generated = true;
        for (module, span) in unit.used_modules() {
            self.add_module(&module, "", span, &mut Vec::new())?;
        }
        Ok(unit)
    }

    fn single_module(&mut self, name: &str) -> Checked<()> {
        limits::check(&self.sources, name)?;
        self.definitions = entry::definitions("", PER_FRAME_VALUES);
        self.import_all(name, &mut vec![name.to_owned()])?;
        overrides::check(&self.units, &self.sources)?;
        self.check(&link(&self.units, |unit| unit.module == name), name)
    }

    /// Parses and validates the linked source of module `name`.
    fn check(&self, linked: &Linked<'_>, name: &str) -> Checked<()> {
        self.validate(&self.parse_linked(linked, name)?, linked, name)
    }

    /// Parses all sources as one module.
    fn parse(&self) -> Checked<naga::Module> {
        overrides::check(&self.units, &self.sources)?;
        // An author's module may have errors in what the scene does not use.
        let modules = self.units.iter().filter(|unit| !unit.module.is_empty());
        for own in modules.filter(|unit| !self.is_built_in(&unit.module)) {
            self.check(&link(&self.units, |unit| std::ptr::eq(unit, own)), &own.module)?;
        }
        self.parse_linked(&self.linked_scene(), "")
    }

    /// The scene and the used items of its modules.
    fn linked_scene(&self) -> Linked<'_> {
        link(&self.units, |unit| unit.module.is_empty())
    }

    /// Parses a linked source. An error without a place is one in module `name`.
    fn parse_linked(&self, linked: &Linked<'_>, name: &str) -> Checked<naga::Module> {
        let module = naga::front::wgsl::parse_str(&linked.text);
        module.map_err(|error| explain::parse_error(&self.sources, linked, &error, name))
    }

    /// Validates the module that `linked` was parsed to. An error without a place is one in
    /// module `name`.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] with its place in the source.
    fn validate(&self, module: &naga::Module, linked: &Linked<'_>, name: &str) -> Checked<()> {
        match ir::validator().validate(module) {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(explain::validation_error(&self.sources, linked, &error, module, name))
            }
        }
    }

    /// Moves an error with a place in a linked source to where that part was written.
    fn located(&self, mut error: Box<Diagnostic>, linked: &Linked<'_>) -> Box<Diagnostic> {
        let origin = error.linked.take().and_then(|at| linked.origin(at));
        let Some((unit, span)) = origin.filter(|(unit, _)| !unit.is_generated) else {
            return error;
        };
        // The other notes are imports of the module.
        let hint = error.notes.into_iter().take(1);
        self.sources.error(&unit.module, error.message).at(span).with_notes(hint)
    }

    /// Reads the source under `name` and everything that it imports, dependencies first.
    fn import_all(&mut self, name: &str, chain: &mut Vec<String>) -> Checked<()> {
        let (text, definitions) = self.preprocessed(name)?;
        self.import_text(name, text, &definitions, chain)
    }

    /// Reads the preprocessed `text` of module `name` and everything that it imports.
    fn import_text(
        &mut self,
        name: &str,
        text: String,
        definitions: &Definitions,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        let declared = imports::declared(&text);
        let imports = self.imports(name, &text, &declared)?;
        let text = blank(text, declared.iter().map(|import| import.statement.clone()));
        let unit = Unit::new(name, text, &imports, definitions);
        // An author's module is read even if nothing uses it: it may have errors, or overrides.
        let own = declared.into_iter().filter_map(|import| {
            Some((imports.get(&import.alias)?.clone().into_module(), import.span))
        });
        let mut own: Vec<(String, Range<usize>)> = own.collect();
        let builtins = self.library.builtins();
        own.retain(|(path, _)| builtins.module(path).is_none() && !chain.contains(path));
        for (import, span) in unit.used_modules().into_iter().chain(own) {
            self.add_module(&import, name, span, chain)?;
        }
        self.units.push(unit);
        Ok(())
    }

    /// The preprocessed source of module `name`, and the definitions in it. Those of the scene
    /// hold in all modules.
    fn preprocessed(&self, name: &str) -> Checked<(String, Definitions)> {
        if let Some(comment) = unclosed_comment(self.sources.text(name)) {
            let error = self.sources.error(name, "this comment is never closed").at(comment);
            return Err(error.with_note("hint: it ends with `*/`"));
        }
        let mut definitions = self.definitions.clone();
        let text = preprocess(self.sources.text(name), &mut definitions);
        Ok((text.map_err(|error| self.sources.in_source(name, error))?, definitions))
    }

    /// Meanings of the names that module `name`, whose text is `text`, imports.
    fn imports(
        &self,
        name: &str,
        text: &str,
        declared: &[DeclaredImport],
    ) -> Checked<BTreeMap<String, Import>> {
        let mut imports: BTreeMap<String, Import> = BTreeMap::new();
        for import in declared {
            let start = import.statement.start;
            if let Some(open) = limits::unclosed(&text[import.statement.clone()]) {
                let error = self.sources.error(name, "this `{` is never closed");
                return Err(error.at(start + open.start..start + open.end));
            }
            let meaning = self.meaning(name, import)?;
            let known = imports.insert(import.alias.clone(), meaning.clone());
            if known.is_some_and(|known| known != meaning) {
                let DeclaredImport { path, alias, span, .. } = import;
                let message = format!("two imports have the name `{alias}`");
                let hint = format!("hint: give it another name, `#import {path} as my_{alias}`");
                let error = self.sources.error(name, message).at(span.clone());
                return Err(error.with_note(hint));
            }
        }
        Ok(imports)
    }

    /// The item or module that module `name` imports. It must exist, even if nothing uses it:
    /// it may be a misspelt one.
    fn meaning(&self, name: &str, import: &DeclaredImport) -> Checked<Import> {
        let path = self.sources.path(name);
        let whole = import.path.as_str();
        let parts = whole.rsplit_once("::");
        if [Some(whole), parts.map(|(module, _)| module)].contains(&Some(name)) {
            let message = format!("cyclic import: {name} → {name}");
            return Err(self.sources.error(name, message).at(import.span.clone()));
        }
        let source = |module: &str| {
            let known = self.sources.get(module).cloned();
            known.or_else(|| self.library.find(module, path))
        };
        let found = source(whole);
        if let Some((module, item)) = parts
            && let Some(parent) = source(module)
        {
            if find_item(&parent.text, item).is_some() {
                let (module, item) = (module.to_owned(), item.to_owned());
                return Ok(Import::Item(Target { module, item }));
            }
            // The file `a.wgsl` is found for `a::b`, too.
            let is_parent = |found: &Source| {
                let declared = super::module_name(&found.text);
                let is_same = found.path == parent.path;
                is_same && found.path.is_some() && declared.as_deref() != Some(whole)
            };
            if found.as_ref().is_none_or(is_parent) {
                let (message, note) = unknown::item(module, item, &parent.text);
                let error = self.sources.error(name, message).at(import.item_span());
                return Err(error.with_notes(note));
            }
        }
        if found.is_some() {
            return Ok(Import::Module(whole.to_owned()));
        }
        let reason = self.library.read_error(whole, path);
        let (message, note) = unknown::module(self.library.builtins(), whole, reason);
        Err(self.sources.error(name, message).at(import.span.clone()).with_notes(note))
    }

    /// Adds a module that `importer` uses at `span`, unless it is already present.
    fn add_module(
        &mut self,
        import: &str,
        importer: &str,
        span: Range<usize>,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        if let Some(start) = chain.iter().position(|name| name == import) {
            let cycle = [&chain[start..], &[import.to_owned()]].concat().join(" → ");
            return Err(self.sources.error(importer, format!("cyclic import: {cycle}")).at(span));
        }
        if chain.len() > MAX_IMPORT_CHAIN {
            let message = format!("imports are nested more than {MAX_IMPORT_CHAIN} deep");
            return Err(self.sources.error(importer, message).at(span));
        }
        if self.sources.get(import).is_some() {
            return Ok(());
        }
        let Some(mut source) = self.library.find(import, self.sources.path(importer)) else {
            let text = self.sources.text(importer);
            let builtins = self.library.builtins();
            let ((message, note), span) = unknown::unimported_module(builtins, import, text, span);
            return Err(self.sources.error(importer, message).at(span).with_notes(note));
        };
        source.imported_by = Some(chain.clone());
        self.sources.insert(import, source);
        if self.sources.path(import).is_some() {
            limits::check(&self.sources, import)?;
        }
        chain.push(import.to_owned());
        self.import_all(import, chain)?;
        chain.pop();
        Ok(())
    }

    /// True if the module's source is the built-in one.
    fn is_built_in(&self, name: &str) -> bool {
        self.library.builtins().module(name) == Some(self.sources.text(name))
    }

    /// Checks that the preprocessed `text` of a scene has a picture.
    fn require_main_image(&self, scene: &Scene, text: &str) -> Checked<()> {
        let main_image = PassKind::Image.function();
        if entry::function(text, main_image).is_some() {
            return Ok(());
        }
        let mut items = items(text);
        items.retain(|item| item.kind == ItemKind::Function);
        let near = nearest(main_image, items.iter().map(|item| item.name.as_str()));
        let span = near.and_then(|name| self.sources.declaration("", name));
        let message = format!("there is no `{main_image}` in {}", scene.file);
        let signature = PassKind::Image.signature();
        let is_module = near.is_none() && !items.is_empty();
        let module =
            if is_module { "; a module begins with `#define_import_path NAME`" } else { "" };
        let hint = format!("hint: a scene defines `{signature} {{ … }}`{module}");
        Err(self.sources.error("", message).at(span).with_note(hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(text: &str) -> Result<naga::Module, ComposeError> {
        assemble(&Scene::from_text(text, "a.wgsl"), &crate::test_library(), &[])
    }

    /// Debug output of a module without its spans.
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
    fn folder_library_replaces_modules() {
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
                "#import tarsus::debug_view
                 fn unused() {{ debug_view::count_step(); }}
                 fn traced() {{ debug_view::note_hit(1.0); }}
                 fn main_image(p: vec2f) -> vec4f {{
                     {body} return vec4f(debug_view::heat(p.x), 1.0);
                 }}"
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
}
