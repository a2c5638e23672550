//! Brings a scene and its imports together into one validated naga module.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use naga_oil::compose::{
    ComposableModuleDescriptor, Composer, ComposerError, ErrSource, ImportDefinition,
    NagaModuleDescriptor, ShaderDefValue, get_preprocessor_data,
};

use super::hash::ContentHash;

use super::diagnostic::{Diagnostic, line_range, span_in_author_text};
use super::finding::{Finding, undecorate};
use super::library::{Library, MODULES};
use super::parameters::Parameters;
use super::usage;

/// Name of the vertex entry point that covers the target.
pub const VERTEX_ENTRY: &str = "tarsus_vertex";
/// Name of the fragment entry point that calls the scene's `main_image`.
pub const FRAGMENT_ENTRY: &str = "tarsus_fragment";
/// Stands at the end of every scene, so that the author's lines keep their numbers.
const ENTRY: &str = include_str!("entry.wgsl");
/// Constant with which a scene offers a period.
const LOOP_SECONDS: &str = "LOOP_SECONDS";
/// The function every scene has.
const MAIN_IMAGE: &str = "main_image";
const SIGNATURE: &str = "fn main_image(frag_coord: vec2f) -> vec4f";
/// The function with which a scene works something out once per picture.
const PER_FRAME: &str = "per_frame";
const PER_FRAME_SIGNATURE: &str = "fn per_frame() -> array<vec4f, 15>";

/// A scene ready for [`crate::render::Renderer::new`].
pub struct Composed {
    /// The validated module with both entry points.
    pub module: naga::Module,
    /// What the scene lets the user change.
    pub parameters: Parameters,
    /// Seconds after which the scene repeats itself, if it says so with a
    /// constant `LOOP_SECONDS`.
    pub loop_seconds: Option<f64>,
    /// True if the scene looks at the keyboard.
    pub reads_keyboard: bool,
    /// True unless the scene stands still while nobody does anything.
    pub moves: bool,
    /// Fingerprint of the scene's text and that of every module in it.
    pub hash: String,
    /// Files it was read from: the scene, then its modules. Built-in texts have none.
    pub files: Vec<PathBuf>,
}

/// What stands in the way, and the files whose change may mend it.
#[derive(Debug)]
pub struct ComposeError {
    /// The error in the author's own file.
    pub diagnostic: Box<Diagnostic>,
    /// Files read so far: the scene, then its modules.
    pub files: Vec<PathBuf>,
    /// A lens was asked for, and nothing was read that traces rays.
    pub lens_is_blind: bool,
}

impl std::fmt::Display for ComposeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.fmt(out)
    }
}

impl std::error::Error for ComposeError {}

/// Composes a scene: `text` with the path shown in messages, and the file it
/// came from where there is one (imports are looked up beside it).
/// `definitions` switch `#ifdef` parts of scene and modules on.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn compose(
    text: &str,
    file: &str,
    path: Option<&Path>,
    library: &Library,
    definitions: &[&str],
) -> Result<Composed, ComposeError> {
    let mut assembly = Assembly::new(library);
    let composed = assembly.scene(text, file, path, definitions);
    let hash = assembly.hash(definitions);
    let lens_is_blind = assembly.lens_is_blind(definitions);
    let files = assembly.files;
    match composed {
        Ok((module, parameters)) => Ok(Composed {
            reads_keyboard: usage::reads_keyboard(&module),
            moves: usage::moves(&module),
            loop_seconds: constant(&module, LOOP_SECONDS),
            hash,
            module,
            parameters,
            files,
        }),
        Err(diagnostic) => Err(ComposeError {
            diagnostic,
            files,
            lens_is_blind,
        }),
    }
}

/// Validates a module (a text with `#define_import_path`) and its imports.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn check_module(
    text: &str,
    file: &str,
    path: Option<&Path>,
    library: &Library,
) -> Result<(), ComposeError> {
    let mut assembly = Assembly::new(library);
    let checked = assembly.module_alone(text, file, path);
    let files = assembly.files;
    checked.map_err(|diagnostic| ComposeError {
        diagnostic,
        files,
        lens_is_blind: false,
    })
}

type Checked<T> = Result<T, Box<Diagnostic>>;

/// A text as its author wrote it.
struct Origin {
    file: String,
    text: String,
    /// Imports that led here, outermost first.
    imported_by: Vec<String>,
}

/// The state of one composition: modules gathered depth first, then composed.
struct Assembly<'a> {
    library: &'a Library,
    composer: Composer,
    /// By module name; the scene is under the empty name.
    origins: HashMap<String, Origin>,
    files: Vec<PathBuf>,
}

impl<'a> Assembly<'a> {
    fn new(library: &'a Library) -> Self {
        Self {
            library,
            composer: Composer::default(),
            origins: HashMap::new(),
            files: Vec::new(),
        }
    }

    fn scene(
        &mut self,
        text: &str,
        file: &str,
        path: Option<&Path>,
        definitions: &[&str],
    ) -> Checked<(naga::Module, Parameters)> {
        self.enter("", file, path, text, &[]);
        self.import_all("", path, &mut Vec::new())?;
        self.require_main_image(text, file)?;
        if self.lens_is_blind(definitions) {
            return Err(Box::new(Diagnostic {
                message: "there is nothing to look at through a lens".to_owned(),
                file: file.to_owned(),
                text: text.to_owned(),
                span: None,
                label: String::new(),
                notes: vec![
                    "lenses see the rays of tarsus::raymarch and tarsus::terrain".to_owned(),
                ],
            }));
        }
        for host_module in ["tarsus::frame", "tarsus::lens"] {
            self.add_module(host_module, None, &mut Vec::new())?;
        }
        let source = format!("{}\n{ENTRY}", without_virtual(text));
        let per_frame = function(text, PER_FRAME).map(|_| "PER_FRAME");
        let definitions = definitions
            .iter()
            .copied()
            .chain(per_frame)
            .map(|name| (name.to_owned(), ShaderDefValue::Bool(true)))
            .collect();
        let module = self
            .composer
            .make_naga_module(NagaModuleDescriptor {
                source: &source,
                file_path: file,
                shader_defs: definitions,
                ..Default::default()
            })
            .map_err(|error| self.explain(&error))?;
        let parameters = Parameters::reflect(&module, text).map_err(|mut diagnostic| {
            file.clone_into(&mut diagnostic.file);
            diagnostic
        })?;
        Ok((module, parameters))
    }

    /// True if a lens is switched on with nothing to look at.
    fn lens_is_blind(&self, definitions: &[&str]) -> bool {
        definitions.contains(&"LENS") && !self.origins.contains_key("tarsus::lens")
    }

    /// Fingerprint of everything that was read, in an order that does not
    /// depend on that of the imports.
    fn hash(&self, definitions: &[&str]) -> String {
        let mut names: Vec<&String> = self.origins.keys().collect();
        names.sort();
        let texts = names
            .into_iter()
            .flat_map(|name| [name.as_str(), self.origins[name].text.as_str()]);
        texts
            .chain(definitions.iter().copied())
            .fold(ContentHash::default(), |hash, text| {
                hash.with(text.as_bytes())
            })
            .hex()
    }

    fn module_alone(&mut self, text: &str, file: &str, path: Option<&Path>) -> Checked<()> {
        let name = super::module_name(text).unwrap_or_default();
        self.enter(&name, file, path, text, &[]);
        self.import_all(&name, path, &mut vec![name.clone()])?;
        self.define(&name, file, text)?;
        let import = ImportDefinition {
            import: name,
            items: Vec::new(),
        };
        self.composer
            .make_naga_module(NagaModuleDescriptor {
                source: "",
                file_path: file,
                additional_imports: &[import],
                ..Default::default()
            })
            .map(|_| ())
            .map_err(|error| self.explain(&error))
    }

    fn enter(&mut self, name: &str, file: &str, path: Option<&Path>, text: &str, chain: &[String]) {
        self.files.extend(path.map(Path::to_path_buf));
        let origin = Origin {
            file: file.to_owned(),
            text: text.to_owned(),
            imported_by: chain.to_vec(),
        };
        self.origins.insert(name.to_owned(), origin);
    }

    /// Adds everything the text under `name` imports, innermost first.
    fn import_all(
        &mut self,
        name: &str,
        path: Option<&Path>,
        chain: &mut Vec<String>,
    ) -> Checked<()> {
        let (_, imports, _) = get_preprocessor_data(&self.origins[name].text);
        imports
            .iter()
            .try_for_each(|import| self.add_module_for(&import.import, name, path, chain))
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
        Err(self.at_import(
            import,
            importer,
            message,
            vec![where_modules_come_from(import)],
        ))
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
        self.enter(
            import,
            &found.file,
            found.path.as_deref(),
            &found.text,
            chain,
        );
        chain.push(import.to_owned());
        self.import_all(import, found.path.as_deref(), chain)?;
        chain.pop();
        self.define(import, &found.file, &found.text)?;
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
            Err(error) => Err(self.explain_in(&error, name)),
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
        let origin = &self.origins[importer];
        let span = origin
            .text
            .split_inclusive('\n')
            .scan(0, |start, line| {
                let at = *start;
                *start += line.len();
                Some((at, line))
            })
            .filter(|(_, line)| line.trim_start().starts_with("#import"))
            .find_map(|(start, line)| Some(start + line.find(import)?))
            .or_else(|| origin.text.find(import))
            .map(|start| start..start + import.len());
        self.diagnostic(origin, message, span, String::new(), notes)
    }

    fn require_main_image(&self, text: &str, file: &str) -> Checked<()> {
        if function(text, MAIN_IMAGE).is_some() {
            return Ok(());
        }
        Err(Box::new(Diagnostic {
            message: format!("there is no `main_image` in {file}"),
            file: file.to_owned(),
            text: text.to_owned(),
            span: None,
            label: String::new(),
            notes: vec![format!("a scene defines `{SIGNATURE} {{ … }}`")],
        }))
    }

    fn explain(&self, error: &ComposerError) -> Box<Diagnostic> {
        let name = match &error.source {
            ErrSource::Module { name, .. } => name.as_str(),
            ErrSource::Constructing { .. } => "",
        };
        self.explain_in(error, name)
    }

    /// Carries an error of the composer back into the author's text of `name`.
    fn explain_in(&self, error: &ComposerError, name: &str) -> Box<Diagnostic> {
        let origin = &self.origins[name];
        let preprocessed = error.source.source(&self.composer);
        let finding = Finding::of(error);
        let lines = origin.text.lines().count();
        let in_entry = name.is_empty()
            && finding.span.as_ref().is_some_and(|span| {
                preprocessed
                    .get(..span.start)
                    .is_some_and(|t| t.matches('\n').count() >= lines)
            });
        if in_entry {
            let (name, signature) = match per_frame_as_it_must_be(&origin.text) {
                true => (MAIN_IMAGE, SIGNATURE),
                false => (PER_FRAME, PER_FRAME_SIGNATURE),
            };
            let span = function(&origin.text, name);
            let message = format!("`{name}` must be `{signature}`");
            return self.diagnostic(origin, message, span, String::new(), Vec::new());
        }
        let span = finding
            .span
            .and_then(|span| span_in_author_text(&preprocessed, &span, &origin.text))
            .or_else(|| line_range(&origin.text, 0));
        let tidy = |text: &str| undecorate(text);
        let notes = finding.notes.iter().map(|note| tidy(note)).collect();
        self.diagnostic(
            origin,
            tidy(&finding.message),
            span,
            tidy(&finding.label),
            notes,
        )
    }

    fn diagnostic(
        &self,
        origin: &Origin,
        message: String,
        span: Option<std::ops::Range<usize>>,
        label: String,
        mut notes: Vec<String>,
    ) -> Box<Diagnostic> {
        if !origin.imported_by.is_empty() {
            let scene = self.origins.get("").map(|scene| scene.file.as_str());
            let chain: Vec<&str> = scene
                .into_iter()
                .chain(origin.imported_by.iter().map(String::as_str))
                .collect();
            notes.push(format!("imported by {}", chain.join(" → ")));
        } else if let Some(scene) = self
            .origins
            .get("")
            .filter(|scene| scene.file != origin.file)
        {
            notes.push(format!("imported by {}", scene.file));
        }
        Box::new(Diagnostic {
            message,
            file: origin.file.clone(),
            text: origin.text.clone(),
            span,
            label,
            notes,
        })
    }
}

/// The value of a constant number of the module.
fn constant(module: &naga::Module, name: &str) -> Option<f64> {
    let (_, constant) = module
        .constants
        .iter()
        .find(|(_, constant)| constant.name.as_deref() == Some(name))?;
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::F32(value)) => Some(f64::from(value)),
        naga::Expression::Literal(naga::Literal::I32(value)) => Some(f64::from(value)),
        naga::Expression::Literal(naga::Literal::U32(value)) => Some(f64::from(value)),
        naga::Expression::Literal(naga::Literal::AbstractFloat(value)) => Some(value),
        naga::Expression::Literal(naga::Literal::AbstractInt(value)) => Some(value as f64),
        _ => None,
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

/// False if a text defines `per_frame`, but with another signature.
fn per_frame_as_it_must_be(text: &str) -> bool {
    let Some(name) = function(text, PER_FRAME) else {
        return true;
    };
    let head = text[name.start..].split('{').next().unwrap_or_default();
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    dense(PER_FRAME_SIGNATURE).ends_with(&dense(head).replace("vec4<f32>", "vec4f"))
}

/// Where a text defines a function: the range of the name.
fn function(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    text.match_indices(name)
        .map(|(at, _)| at..at + name.len())
        .find(|span| {
            let line_start = text[..span.start]
                .rfind('\n')
                .map_or(0, |newline| newline + 1);
            let before = &text[line_start..span.start];
            before.trim_end().ends_with("fn")
                && !before.contains("//")
                && text[span.end..].trim_start().starts_with('(')
        })
}
