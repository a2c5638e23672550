//! Compiles one pass from its source to a naga module and its channels.

use naga::Module;

use super::bounds;
use super::conditionals;
use super::expansion;
use super::lexer;
use super::log;
use super::module::restore_names;
use super::naga_front;
use super::prelude::{self, PassContext};
use super::project::{CHANNELS, Input, PassSource, Project};
use super::reserved;
use super::unit::{Unit, position};
use tarsus_shader::front_end::nearest;
use tarsus_shader::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Diagnostic, Filter, PassChannel, PassKind,
};

/// Texture shapes to try for a channel of unknown shape, in this order.
const SHAPES: [ChannelShape; 3] = [
    ChannelShape::Cube,
    ChannelShape::Volume,
    ChannelShape::Texture2d,
];

/// A module, and the log of the browsers' compiler if it rejects the source.
struct Compiled {
    module: Module,
    browser_error: Option<String>,
}

/// Compiles `source`, whose uniforms have the given declaration.
///
/// # Errors
/// Returns a [`Diagnostic`] for the first error in the author's source, with the others as
/// notes.
pub(super) fn compile(
    source: &PassSource,
    project: &mut Project,
    uniforms: &str,
) -> Result<(Module, Vec<PassChannel>), Box<Diagnostic>> {
    let unit = Unit::assemble(project, &source.name)?;
    require_function(source, project, &unit)?;
    expansion::check(&unit.code).map_err(|excess| excess.at(&unit, &project.sources))?;
    let error_at = |at: usize, token: &str, message: &str| {
        let (file, line) = position(&unit.text, at);
        let log = format!("ERROR: {file}:{line}:0: '{token}' :  {message}");
        log::diagnostic(&log, &unit, &project.sources)
    };
    conditionals::check(&unit.text)
        .map_err(|wrong| error_at(wrong.at, &wrong.token, &wrong.message))?;
    if let Some(at) = bounds::unsized_member(&unit.code) {
        return Err(error_at(at, "[", "a member needs a size in its brackets"));
    }
    let mut context = PassContext {
        kind: source.kind,
        text: &unit.text,
        code: &unit.code,
        samplers: &unit.samplers,
        shapes: source.inputs.each_ref().map(|input| {
            let shape = input.as_ref().and_then(|input| input.shape);
            shape.unwrap_or(ChannelShape::Texture2d)
        }),
        uniforms,
        has_keys: source.has_keys,
        redefines: reserved::redefines(&unit.code),
    };
    let compiled = infer_shapes(&mut context, source, &unit, project)
        .map_err(|log| with_build_hint(log::diagnostic(&log, &unit, &project.sources)))?;
    let shapes = context.shapes;
    if let Some(log) = compiled.browser_error {
        let mut error = log::diagnostic(&log, &unit, &project.sources);
        let hint = "it runs here; browsers and Shadertoy take GLSL ES 3.00 only";
        error.notes = vec![hint.to_owned()];
        project.warnings.push(error.into_warning());
    }
    let channels = (0..CHANNELS).map(|slot| channel(source, slot, shapes[slot]));
    let module = restore_names(compiled.module, source.kind.entry());
    Ok((module, channels.collect()))
}

/// Adds a hint if this build lacks the reference compiler.
fn with_build_hint(mut error: Box<Diagnostic>) -> Box<Diagnostic> {
    if cfg!(not(feature = "glslang")) {
        let hint = "hint: this build supports only part of GLSL; build with the feature `glsl` for \
                    all of it";
        error.notes.push(hint.to_owned());
    }
    error
}

/// Compiles, inferring the shapes of channels of unknown shape. A shape is better if it
/// moves the first error further down.
///
/// # Errors
/// Returns the compiler's log.
fn infer_shapes(
    context: &mut PassContext<'_>,
    source: &PassSource,
    unit: &Unit,
    project: &Project,
) -> Result<Compiled, String> {
    let first = match compile_once(context) {
        Ok(compiled) => return Ok(compiled),
        Err(log) => log,
    };
    let used = lexer::identifiers(&unit.code);
    let is_unknown = |slot: &usize| {
        let input = source.inputs[*slot].as_ref();
        input.is_none_or(|input| input.shape.is_none())
            && used.contains(&*format!("iChannel{slot}"))
    };
    let mut unknown: Vec<usize> = (0..CHANNELS).filter(is_unknown).collect();
    let mut wrong = first_error_position(context);
    while let Some(position) = wrong.filter(|_| !unknown.is_empty()) {
        let line = log::line(position, unit, &project.sources);
        let is_named = |slot: &usize| line.contains(&format!("iChannel{slot}"));
        unknown.sort_by_key(|slot| !is_named(slot));
        let named = unknown.iter().filter(|slot| is_named(slot)).count();
        let Some((known, next)) = better_shapes(context, &unknown, named, position) else {
            break;
        };
        unknown.retain(|slot| !known.contains(slot));
        wrong = next;
        if next.is_none() {
            return compile_once(context);
        }
    }
    Err(first)
}

/// File, line and column of an error.
type Position = [usize; 3];

/// Changes the shape of one `unknown` channel, or of two of the first `named` ones, which
/// appear on the failing line, such that the first error moves past `position`. Returns the
/// changed channels and the new error position.
fn better_shapes(
    context: &mut PassContext<'_>,
    unknown: &[usize],
    named: usize,
    [file, line, column]: Position,
) -> Option<(Vec<usize>, Option<Position>)> {
    let is_better = |next: &Option<Position>| {
        next.is_none_or(|next| next[0] != file || (next[1], next[2]) > (line, column))
    };
    let before = context.shapes;
    let others = |slot: usize| {
        SHAPES
            .into_iter()
            .filter(move |&shape| shape != before[slot])
    };
    let alone = unknown.iter().map(|&slot| vec![slot]);
    let pairs = (0..named).flat_map(|a| (a + 1..named).map(move |b| vec![unknown[a], unknown[b]]));
    for slots in alone.chain(pairs) {
        for first in others(slots[0]) {
            let seconds: Vec<ChannelShape> = match slots.get(1) {
                Some(&slot) => others(slot).collect(),
                None => vec![first],
            };
            for second in seconds {
                context.shapes = before;
                context.shapes[slots[slots.len() - 1]] = second;
                context.shapes[slots[0]] = first;
                let next = first_error_position(context);
                if is_better(&next) {
                    return Some((slots, next));
                }
            }
        }
    }
    context.shapes = before;
    None
}

/// Position of the first error, in the dialect that accepts most.
#[cfg(feature = "glslang")]
fn first_error_position(context: &PassContext<'_>) -> Option<Position> {
    use super::glslang::{Dialect, compile};
    use super::prelude::SamplerStyle;
    let text = context.source(Dialect::Desktop.head(), SamplerStyle::Combined);
    log::first_position(&compile(&text, Dialect::Desktop, false).err()?)
}

/// Position of the first error.
#[cfg(not(feature = "glslang"))]
fn first_error_position(context: &PassContext<'_>) -> Option<Position> {
    log::first_position(&naga_front::compile(context).err()?)
}

/// Compiles with the current shapes.
///
/// # Errors
/// Returns the compiler's log.
#[cfg(feature = "glslang")]
fn compile_once(context: &PassContext<'_>) -> Result<Compiled, String> {
    use super::glslang::{Dialect, compile};
    use super::prelude::SamplerStyle;
    use super::spirv;
    let compile_as = |dialect: Dialect, context: PassContext<'_>| {
        let text = context.source(dialect.head(), SamplerStyle::Combined);
        let words = compile(&text, dialect, false)?;
        let module = spirv::rewrite(&words).and_then(|words| spirv::read(&words));
        module.map_err(|why| format!("ERROR: {why}"))
    };
    let mut es = compile_as(Dialect::Es, *context);
    // The compiler does not fold `inverse` of constants.
    if matches!(&es, Err(log) if log.contains("must be constant"))
        && lexer::calls(context.code, "inverse")
    {
        let text = &lexer::without_constants(context.text, context.code);
        es = compile_as(Dialect::Es, PassContext { text, ..*context }).or(es);
    }
    let log = match es {
        Ok(module) => {
            return Ok(Compiled {
                module,
                browser_error: None,
            });
        }
        Err(log) => log,
    };
    // Last attempt: keep the built-in functions alongside the author's functions of the
    // same name.
    let mut other = compile_as(Dialect::Desktop, *context);
    if other.is_err() && context.redefines {
        let redefines = false;
        other = compile_as(
            Dialect::Desktop,
            PassContext {
                redefines,
                ..*context
            },
        );
    }
    // naga accepts functions without a body, and some recursive ones.
    if !log.contains("Linking ") {
        other = other.or_else(|_| naga_front::compile(context));
    }
    if let Ok(module) = other {
        return Ok(Compiled {
            module,
            browser_error: Some(log),
        });
    }
    if bounds::has_array_members(context.code) {
        return Err(log);
    }
    let text = context.source(Dialect::Es.head(), SamplerStyle::Combined);
    Err(compile(&text, Dialect::Es, true).err().unwrap_or(log))
}

/// Compiles with the current shapes.
///
/// # Errors
/// Returns the compiler's log.
#[cfg(not(feature = "glslang"))]
fn compile_once(context: &PassContext<'_>) -> Result<Compiled, String> {
    Ok(Compiled {
        module: naga_front::compile(context)?,
        browser_error: None,
    })
}

/// Returns an error unless the author's source contains the pass function.
fn require_function(
    pass: &PassSource,
    project: &Project,
    unit: &Unit,
) -> Result<(), Box<Diagnostic>> {
    let function = prelude::pass_function(pass.kind);
    if lexer::identifiers(&unit.code).contains(function) {
        return Ok(());
    }
    let sources = &project.sources;
    let text = sources.text(&pass.name);
    let code = lexer::without_comments(text);
    let near = nearest(function, lexer::functions(&code));
    let span = near.and_then(|name| lexer::find_function(text, name));
    let mut error = sources.error(&pass.name, "");
    error.message = format!("there is no `{function}` in {}", error.file);
    let hint = format!(
        "hint: write `{} {{ … }}`",
        prelude::pass_signature(pass.kind)
    );
    Err(error.at(span).with_note(hint))
}

/// The binding of a channel.
fn channel(pass: &PassSource, slot: usize, shape: ChannelShape) -> PassChannel {
    let prefix = match pass.kind {
        PassKind::PerFrame | PassKind::Image => "",
        PassKind::Buffer(buffer) => &format!("{}.", buffer.letter()),
        PassKind::Cube => "cube.",
        PassKind::Sound => "sound.",
    };
    let name = format!("{prefix}iChannel{slot}");
    let input = pass.inputs[slot].clone();
    let input = input.unwrap_or_else(|| Input::new(ChannelSource::Empty, None));
    PassChannel {
        slot: slot as u32,
        sampler: ChannelSampler {
            name: format!("{name}_sampler"),
            filter: input.filter,
            wrap: input.wrap,
        },
        channel: Channel {
            name,
            shape,
            has_mipmaps: input.filter == Filter::Mipmap,
            is_flipped: input.is_flipped,
            is_srgb: input.is_srgb,
            folder: input.folder,
            source: input.source,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::{Library, Scene, SourceMap};

    /// Compiles `text` with naga's front end alone. It is the fallback of the reference
    /// compiler, and the only front end in builds without it.
    fn naga_takes(text: &str) -> Result<(), String> {
        let scene = Scene::from_text(text, "s.glsl");
        let library = Library::default();
        let sources = SourceMap::of_scene(&library, "", &scene);
        let mut project = Project::new(sources, &library);
        crate::single_file::read(&scene, &mut project).map_err(|error| error.to_string())?;
        let unit = Unit::assemble(&mut project, "").map_err(|error| error.to_string())?;
        let context = PassContext {
            kind: PassKind::Image,
            text: &unit.text,
            code: &unit.code,
            samplers: &unit.samplers,
            shapes: [ChannelShape::Texture2d; CHANNELS],
            uniforms: "",
            has_keys: false,
            redefines: reserved::redefines(&unit.code),
        };
        naga_front::compile(&context).map(|_| ())
    }

    #[test]
    fn naga_alone_compiles_most_constructs() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
        let files = std::fs::read_dir(folder).expect("a folder");
        let mut failures = Vec::new();
        let mut count = 0;
        for file in files {
            let path = file.expect("a file").path();
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            count += 1;
            if let Err(why) = naga_takes(&text) {
                let why: Vec<&str> = why.lines().take(2).collect();
                failures.push(format!("{}: {}", path.display(), why.join(" ")));
            }
        }
        assert!(
            failures.len() * 5 < count,
            "{} of {count}:\n{}",
            failures.len(),
            failures.join("\n")
        );
    }
}
