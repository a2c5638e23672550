//! Compiles one pass from its source to a naga module and its channels.

use naga::Module;

use super::bounds;
use super::conditionals;
use super::expansion;
use super::log;
use super::module::named;
use super::naga_in;
use super::prelude::{self, Surroundings};
use super::project::{CHANNELS, Input, Part, Project};
use super::reserved;
use super::uniforms::Uniforms;
use super::unit::Unit;
use super::words;
use tarsus_shader::front_end::nearest;
use tarsus_shader::{Buffer, PassKind};
use tarsus_shader::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Filter, PassChannel, Wrap,
};
use tarsus_shader::{Diagnostic, Severity};

/// Texture shapes to try for a channel of unknown shape, in this order.
const SHAPES: [ChannelShape; 3] = [
    ChannelShape::Cube,
    ChannelShape::Volume,
    ChannelShape::Texture2d,
];

/// The reason why a source does not compile.
struct Refusal {
    /// The compiler's log.
    log: String,
}

/// A module, and the browsers' compile error if they reject its source.
struct Compiled {
    module: Module,
    refused_elsewhere: Option<String>,
}

/// Compiles `part`.
///
/// # Errors
/// Returns a [`Diagnostic`] for the first error in the author's source, with the others as
/// notes.
pub(super) fn compile(
    part: &Part,
    project: &mut Project,
    uniforms: &Uniforms,
) -> Result<(Module, Vec<PassChannel>), Box<Diagnostic>> {
    let unit = Unit::of(project, &part.text)?;
    require_function(part, project, &unit)?;
    expansion::check(&unit.code).map_err(|excess| excess.at(&unit, &project.sources))?;
    let declared = uniforms.declared();
    let refused = |at: usize, token: &str, message: &str| {
        let (file, line) = unit.place(at);
        let log = format!("ERROR: {file}:{line}:0: '{token}' :  {message}");
        log::diagnostic(&log, &unit, &project.sources)
    };
    conditionals::check(&unit.text)
        .map_err(|wrong| refused(wrong.at, &wrong.token, &wrong.message))?;
    if let Some(at) = bounds::unsized_member(&unit.code) {
        return Err(refused(at, "[", "a member needs a size in its brackets"));
    }
    let mut surroundings = Surroundings {
        kind: part.kind,
        text: &unit.text,
        code: &unit.code,
        samplers: &unit.samplers,
        shapes: part.inputs.each_ref().map(shape_of),
        uniforms: &declared,
        has_keys: part.has_keys,
        redefines: reserved::redefines(&unit.code),
    };
    let compiled = infer(&mut surroundings, part, &unit, project)
        .map_err(|refusal| told(&log::diagnostic(&refusal.log, &unit, &project.sources)))?;
    if let Some(log) = compiled.refused_elsewhere {
        let refused = log::diagnostic(&log, &unit, &project.sources);
        let hint = "it runs here; browsers and Shadertoy take GLSL ES 3.00 only".to_owned();
        project.warnings.push(Diagnostic {
            severity: Severity::Warning,
            notes: vec![hint],
            ..*refused
        });
    }
    let shapes = surroundings.shapes;
    let channels = (0..CHANNELS).map(|slot| channel(part, slot, shapes[slot]));
    let module = named(compiled.module, part.kind.entry());
    Ok((module, channels.collect()))
}

/// An error, with a hint if this build lacks the reference compiler.
fn told(error: &Diagnostic) -> Box<Diagnostic> {
    let mut error = error.clone();
    if cfg!(not(feature = "glslang")) {
        let hint = "hint: this build reads a part of GLSL only; one with the feature `glsl` reads \
                    all that browsers do";
        error.notes.push(hint.to_owned());
    }
    Box::new(error)
}

/// Compiles, inferring the shapes of channels of unknown shape. A shape is better if it
/// moves the first error further down.
fn infer(
    surroundings: &mut Surroundings<'_>,
    part: &Part,
    unit: &Unit,
    project: &Project,
) -> Result<Compiled, Refusal> {
    let first = match attempt(surroundings) {
        Ok(compiled) => return Ok(compiled),
        Err(refusal) => refusal,
    };
    let used = words::all(&unit.code);
    let is_open = |slot: &usize| {
        let is_unknown = |input: &Input| input.shape.is_none();
        part.inputs[*slot].as_ref().is_none_or(is_unknown)
            && used.contains(&*format!("iChannel{slot}"))
    };
    let mut open: Vec<usize> = (0..CHANNELS).filter(is_open).collect();
    let mut wrong = probe(surroundings);
    while let Some(place) = wrong.filter(|_| !open.is_empty()) {
        let line = log::line(place, unit, &project.sources);
        let is_named = |slot: &usize| line.contains(&format!("iChannel{slot}"));
        open.sort_by_key(|slot| !is_named(slot));
        let named = open.iter().filter(|slot| is_named(slot)).count();
        let Some((known, next)) = better_shapes(surroundings, &open, named, place) else {
            break;
        };
        open.retain(|slot| !known.contains(slot));
        wrong = next;
        if next.is_none() {
            return attempt(surroundings);
        }
    }
    Err(first)
}

/// Changes the shape of one `open` channel, or of two of the first `named` ones, which
/// appear on the failing line, such that the first error moves past `place`. Returns the
/// changed channels and the new error position.
fn better_shapes(
    surroundings: &mut Surroundings<'_>,
    open: &[usize],
    named: usize,
    place: [usize; 3],
) -> Option<(Vec<usize>, Option<[usize; 3]>)> {
    let is_better = |next: &Option<[usize; 3]>| {
        next.is_none_or(|[file, line, column]| {
            file != place[0] || [line, column] > [place[1], place[2]]
        })
    };
    let before = surroundings.shapes;
    let others = |slot: usize| {
        SHAPES
            .into_iter()
            .filter(move |&shape| shape != before[slot])
    };
    let alone = open.iter().map(|&slot| vec![slot]);
    let pairs = (0..named).flat_map(|a| (a + 1..named).map(move |b| vec![open[a], open[b]]));
    for slots in alone.chain(pairs) {
        for first in others(slots[0]) {
            let seconds: Vec<ChannelShape> = match slots.get(1) {
                Some(&slot) => others(slot).collect(),
                None => vec![first],
            };
            for second in seconds {
                surroundings.shapes = before;
                surroundings.shapes[slots[slots.len() - 1]] = second;
                surroundings.shapes[slots[0]] = first;
                let next = probe(surroundings);
                if is_better(&next) {
                    return Some((slots, next));
                }
            }
        }
    }
    surroundings.shapes = before;
    None
}

/// Where the first error is, by the dialect that takes most.
#[cfg(feature = "glslang")]
fn probe(surroundings: &Surroundings<'_>) -> Option<[usize; 3]> {
    use super::glslang::{Dialect, compile};
    use super::prelude::Manner;
    let text = surroundings.whole(Dialect::Desktop.head(), Manner::Plain);
    let log = compile(&text, Dialect::Desktop, false).err()?;
    log::first_place(&log)
}

/// Where the first error is.
#[cfg(not(feature = "glslang"))]
fn probe(surroundings: &Surroundings<'_>) -> Option<[usize; 3]> {
    log::first_place(&naga_in::compile(surroundings).err()?)
}

/// Compiles with the kinds of channels at hand.
#[cfg(feature = "glslang")]
fn attempt(surroundings: &Surroundings<'_>) -> Result<Compiled, Refusal> {
    use super::glslang::{Dialect, compile};
    use super::prelude::Manner;
    let by = |dialect: Dialect, surroundings: Surroundings<'_>| {
        let text = surroundings.whole(dialect.head(), Manner::Plain);
        let words = compile(&text, dialect, false)?;
        let words = super::spirv::rewrite(&words).map_err(|why| format!("ERROR: {why}"))?;
        super::spirv::read(&words).map_err(|why| format!("ERROR: {why}"))
    };
    let mut es = by(Dialect::Es, *surroundings);
    // The compiler does not fold `inverse` of constants.
    if matches!(&es, Err(log) if log.contains("must be constant"))
        && words::called(surroundings.code).contains("inverse")
    {
        let text = words::without_constants(surroundings.text, surroundings.code);
        let surroundings = Surroundings {
            text: &text,
            ..*surroundings
        };
        es = by(Dialect::Es, surroundings).or(es);
    }
    let log = match es {
        Ok(module) => {
            return Ok(Compiled {
                module,
                refused_elsewhere: None,
            });
        }
        Err(log) => log,
    };
    // Last attempt: keep the built-in functions alongside the author's functions of the
    // same name.
    let mut desktop = by(Dialect::Desktop, *surroundings);
    if desktop.is_err() && surroundings.redefines {
        let surroundings = Surroundings {
            redefines: false,
            ..*surroundings
        };
        desktop = by(Dialect::Desktop, surroundings);
    }
    if let Ok(module) = desktop {
        return Ok(Compiled {
            module,
            refused_elsewhere: Some(log),
        });
    }
    // naga accepts functions without a body, and some recursive ones.
    let is_whole = !log.contains("Linking ");
    if let Some(module) = is_whole
        .then(|| naga_in::compile(surroundings).ok())
        .flatten()
    {
        return Ok(Compiled {
            module,
            refused_elsewhere: Some(log),
        });
    }
    if bounds::has_array_members(surroundings.code) {
        return Err(Refusal { log });
    }
    let all = compile(
        &surroundings.whole(Dialect::Es.head(), Manner::Plain),
        Dialect::Es,
        true,
    );
    Err(Refusal {
        log: all.err().unwrap_or(log),
    })
}

/// Compiles with the kinds of channels at hand.
#[cfg(not(feature = "glslang"))]
fn attempt(surroundings: &Surroundings<'_>) -> Result<Compiled, Refusal> {
    let module = naga_in::compile(surroundings).map_err(|log| Refusal { log })?;
    Ok(Compiled {
        module,
        refused_elsewhere: None,
    })
}

/// Returns an error unless the author's source contains the pass function.
fn require_function(part: &Part, project: &Project, unit: &Unit) -> Result<(), Box<Diagnostic>> {
    let wanted = prelude::function(part.kind);
    if words::all(&unit.code).contains(wanted) {
        return Ok(());
    }
    let sources = &project.sources;
    let text = sources.text(&part.text);
    let file = sources
        .get(&part.text)
        .map_or("the scene", |source| &source.file);
    let code = words::code(text);
    let near = nearest(wanted, words::functions(&code));
    let span = near.and_then(|name| words::function(text, name));
    let message = format!("there is no `{wanted}` in {file}");
    let note = format!("hint: write `{} {{ … }}`", prelude::signature(part.kind));
    Err(sources.diagnostic(&part.text, message, span, String::new(), vec![note]))
}

fn shape_of(input: &Option<Input>) -> ChannelShape {
    let shape = input.as_ref().and_then(|input| input.shape);
    shape.unwrap_or(ChannelShape::Texture2d)
}

/// The binding of a channel.
fn channel(part: &Part, slot: usize, shape: ChannelShape) -> PassChannel {
    let name = match part.kind {
        PassKind::PerFrame | PassKind::Image => format!("iChannel{slot}"),
        PassKind::Buffer(buffer) => {
            let letter = ["a", "b", "c", "d"][Buffer::index(buffer)];
            format!("{letter}.iChannel{slot}")
        }
        PassKind::Cube => format!("cube.iChannel{slot}"),
        PassKind::Sound => format!("sound.iChannel{slot}"),
    };
    let empty = Input {
        filter: Filter::Linear,
        wrap: Wrap::Clamp,
        ..Input::of(ChannelSource::Empty, None)
    };
    let input = part.inputs[slot].clone().unwrap_or(empty);
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
    use tarsus_shader::Files;
    use tarsus_shader::Scene;
    use tarsus_shader::SourceMap;

    /// Compiles `text` with naga's front end alone. It is the fallback of the reference
    /// compiler, and the only front end in builds without it.
    fn naga_takes(text: &str) -> Result<(), String> {
        let mut project = Project::new(SourceMap::default(), Files::default());
        let scene = Scene::from_text(text, "s.glsl");
        crate::single::read(&scene, &mut project).map_err(|error| error.to_string())?;
        project.sources.insert(
            "",
            tarsus_shader::front_end::Source {
                file: "s.glsl".to_owned(),
                path: None,
                text: text.to_owned(),
                imported_by: None,
            },
        );
        let unit = Unit::of(&mut project, "").map_err(|error| error.to_string())?;
        let surroundings = Surroundings {
            kind: PassKind::Image,
            text: &unit.text,
            code: &unit.code,
            samplers: &unit.samplers,
            shapes: [ChannelShape::Texture2d; CHANNELS],
            uniforms: "",
            has_keys: false,
            redefines: reserved::redefines(&unit.code),
        };
        naga_in::compile(&surroundings).map(|_| ())
    }

    #[test]
    fn naga_alone_compiles_most_constructs() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
        let files = std::fs::read_dir(folder).expect("a folder");
        let mut told = Vec::new();
        let mut count = 0;
        for file in files {
            let path = file.expect("a file").path();
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            count += 1;
            if let Err(why) = naga_takes(&text) {
                let why: Vec<&str> = why.lines().take(2).collect();
                told.push(format!("{}: {}", path.display(), why.join(" ")));
            }
        }
        assert!(
            told.len() * 5 < count,
            "{} of {count}:\n{}",
            told.len(),
            told.join("\n")
        );
    }
}
