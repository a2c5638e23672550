//! Compiles one pass from its source to a naga module and its channels.

use naga::Module;

use super::clean::Sampler;
use super::lexer;
use super::log;
use super::module::restore_names;
#[cfg(any(test, not(feature = "glslang")))]
use super::naga_front;
use super::prelude::{self, PassContext, sampler_type};
use super::project::{CHANNELS, Input, PassSource, Project};
use super::reserved;
use super::unit::Unit;
use super::warnings::add_warnings;
use tarsus_shader::front_end::{Checked, nearest};
use tarsus_shader::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Diagnostic, Filter, PassChannel,
    PassKind, Program, SourceMap,
};

/// Texture shapes to try for a channel of unknown shape, in this order.
const SHAPES: [ChannelShape; 3] =
    [ChannelShape::Cube, ChannelShape::Volume, ChannelShape::Texture2d];

/// Functions of constants that the reference compiler does not fold.
#[cfg(feature = "glslang")]
const UNFOLDED: &[&str] = &[
    "inverse",
    "transpose",
    "determinant",
    "outerProduct",
    "matrixCompMult",
    "packHalf2x16",
    "packSnorm2x16",
    "packUnorm2x16",
    "unpackHalf2x16",
    "unpackSnorm2x16",
    "unpackUnorm2x16",
];

/// A module, and the log of the browsers' compiler if it rejects the source.
struct Compiled {
    module: Module,
    browser_error: Option<String>,
}

/// Compiles `source`, whose uniforms have the given declaration. A channel that nothing is
/// bound to, and that is read as a cube map, is the scene's own if `has_cube_map`.
///
/// # Errors
/// Returns a [`Diagnostic`] for the first error in the author's source, with the others as
/// notes.
pub(super) fn compile(
    source: &PassSource,
    project: &mut Project,
    uniforms: &str,
    has_cube_map: bool,
) -> Checked<(Module, Vec<PassChannel>)> {
    let unit = Unit::assemble(project, &source.name)?;
    require_function(source, project, &unit)?;
    let mut known = source.inputs.each_ref().map(|input| input.as_ref()?.shape);
    let samplers = bind_samplers(&unit.samplers, &mut known)
        .map_err(|message| project.sources.error(&source.name, message))?;
    let mut context = PassContext {
        kind: source.kind,
        text: &unit.text,
        strict: &unit.strict,
        code: &unit.code,
        samplers: &samplers,
        shapes: known.map(|shape| shape.unwrap_or(ChannelShape::Texture2d)),
        uniforms,
        has_keys: source.has_keys,
        redefines: reserved::redefines(&unit.code),
        shows_non_finite: project.shows_non_finite,
        #[cfg(feature = "glslang")]
        time_left: &super::glslang::TIMEOUT.into(),
    };
    let compiled = infer_shapes(&mut context, known, &unit, project)
        .map_err(|log| log::diagnostic(&log, &unit, &project.sources))
        .map_err(|error| with_build_hint(with_sampler_types(error, known)))?;
    let shapes = context.shapes;
    if let Some(log) = compiled.browser_error {
        let mut error = log::diagnostic(&log, &unit, &project.sources);
        let hint = "it runs here; browsers and Shadertoy take GLSL ES 3.00 only";
        error.notes = vec![hint.to_owned()];
        project.warnings.push(error.into_warning());
    }
    let channels = (0..CHANNELS).map(|slot| channel(source, slot, shapes[slot], has_cube_map));
    let channels: Vec<_> = channels.collect();
    let warnings = unbound_channels(source, &channels, &project.sources);
    project.warnings.extend(warnings);
    let module = restore_names(compiled.module, source.kind.entry());
    add_warnings(project, &unit, source.kind, &module);
    Ok((module, channels))
}

/// Adds a hint if this build lacks the reference compiler, which may accept the source.
fn with_build_hint(mut error: Box<Diagnostic>) -> Box<Diagnostic> {
    if cfg!(not(feature = "glslang")) && !is_mistake(&error.message) {
        let hint = "hint: this build supports only part of GLSL; build with the feature `glsl` for \
                    all of it";
        error.notes.push(hint.to_owned());
    }
    error
}

/// Adds the types of the channels on the line of a call that no texture function takes.
fn with_sampler_types(
    mut error: Box<Diagnostic>,
    known: [Option<ChannelShape>; CHANNELS],
) -> Box<Diagnostic> {
    let line = error.line_column().and_then(|(line, _)| error.text.lines().nth(line - 1));
    let is_call = ["texture", "texelFetch"].iter().any(|name| error.message.contains(name));
    let Some(line) = line.filter(|_| is_call) else {
        return error;
    };
    let notes = (0..CHANNELS).zip(known).filter_map(|(slot, shape)| {
        let name = format!("iChannel{slot}");
        let ty = sampler_type(shape?);
        line.contains(&name).then(|| format!("`{name}` is a {ty}, as its source is"))
    });
    let notes: Vec<String> = notes.collect();
    error.notes.extend(notes);
    error
}

/// True for a message of naga about a mistake of the author, not a construct that naga lacks.
fn is_mistake(message: &str) -> bool {
    let is_builtin = |name: &str| reserved::BUILTINS.split(' ').any(|builtin| builtin == name);
    let unknown = message.strip_prefix("Unknown function '");
    let unknown = unknown.and_then(|name| name.strip_suffix('\''));
    unknown.is_some_and(|name| !is_builtin(name))
        || ["Unknown variable", "Variable already declared"]
            .iter()
            .any(|start| message.starts_with(start))
}

/// The channel of each of the author's `samplers`: the first one whose shape is the sampler's,
/// or not known; then it becomes known.
///
/// # Errors
/// Returns a message if there is no such channel.
fn bind_samplers<'a>(
    samplers: &'a [Sampler],
    known: &mut [Option<ChannelShape>; CHANNELS],
) -> Result<Vec<(&'a str, usize)>, String> {
    let slots = samplers.iter().map(|Sampler { name, shape }| {
        let slot = known.iter().position(|known| known.is_none_or(|known| known == *shape));
        let slot = slot.ok_or_else(|| {
            let ty = sampler_type(*shape);
            format!("cannot bind `{name}`: no channel is a {ty}")
        })?;
        known[slot] = Some(*shape);
        Ok((&**name, slot))
    });
    slots.collect()
}

/// Compiles, inferring the shapes of channels of unknown shape. A shape is better if it
/// moves the first error further down.
///
/// # Errors
/// Returns the compiler's log.
fn infer_shapes(
    context: &mut PassContext<'_>,
    known: [Option<ChannelShape>; CHANNELS],
    unit: &Unit,
    project: &Project,
) -> Result<Compiled, String> {
    let first = match compile_once(context) {
        Ok(compiled) => return Ok(compiled),
        Err(log) => log,
    };
    let used = lexer::identifiers(&unit.code);
    let is_unknown =
        |slot: &usize| known[*slot].is_none() && used.contains(&*format!("iChannel{slot}"));
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
    let others = |slot: usize| SHAPES.into_iter().filter(move |&shape| shape != before[slot]);
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
    log::first_position(&compile(&text, Dialect::Desktop, false, context.time_left).err()?)
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
    use super::glslang::{Dialect, compile, failure};
    use super::prelude::SamplerStyle;
    use super::spirv;
    let strict_head = Dialect::Strict.head();
    let check = |context: &PassContext<'_>, head: &str| {
        let text = context.strict_source(head);
        compile(&text, Dialect::Strict, false, context.time_left)
    };
    let compile_as = |dialect: Dialect, context: &PassContext<'_>| {
        let text = context.source(dialect.head(), SamplerStyle::Combined);
        let words = compile(&text, dialect, false, context.time_left)?;
        let module = spirv::rewrite(&words).and_then(|words| spirv::read(&words));
        module.map_err(|why| format!("ERROR: {why}"))
    };
    let mut strict = check(context, strict_head);
    if let Err(log) = &strict
        && failure(log).is_some()
    {
        return Err(log.clone());
    }
    // Constants that the compiler does not fold become variables, one by one: the others may be
    // sizes of arrays.
    let calls_unfolded = UNFOLDED.iter().any(|name| lexer::calls(context.code, name));
    let mut texts = [context.text, context.strict].map(str::to_owned);
    let mut unfolded = None;
    let mut compile_folded = |dialect: Dialect, redefines: bool| {
        loop {
            let text = &texts[0];
            let log = match compile_as(dialect, &PassContext { text, redefines, ..*context }) {
                Ok(module) => return Ok(module),
                Err(log) => log,
            };
            let constant = unfolded_constant(&log, text).filter(|_| calls_unfolded);
            let Some(constant) = constant else { return Err(log) };
            for text in &mut texts {
                text.replace_range(constant.clone(), &" ".repeat(constant.len()));
            }
            unfolded.get_or_insert(log);
        }
    };
    let mut compiled = compile_folded(Dialect::Es, context.redefines);
    let mut own_error = None;
    if context.redefines
        && let Err(log) = &compiled
        && failure(log).is_none()
        && let Ok(module) = compile_folded(Dialect::Desktop, false)
    {
        // It keeps the built-in functions alongside the author's functions of the same name.
        own_error = compiled.err();
        compiled = Ok(module);
    }
    let folded = PassContext { text: &texts[0], strict: &texts[1], ..*context };
    if unfolded.is_some() {
        let extension = "\n#extension GL_EXT_shader_non_constant_global_initializers : enable\n";
        strict = check(&folded, &strict_head.replacen('\n', extension, 1));
    }
    let log = match compiled {
        Ok(module) => return Ok(Compiled { module, browser_error: strict.err().or(own_error) }),
        Err(log) if failure(&log).is_some() => return Err(log),
        Err(log) => log,
    };
    // A size that is now a variable is no mistake.
    let context = if log.contains("constant") { context } else { &folded };
    // Reading on after an error may crash the compiler.
    let text = context.source(Dialect::Es.head(), SamplerStyle::Combined);
    let all = compile(&text, Dialect::Es, true, context.time_left).err();
    Err(all.filter(|all| failure(all).is_none()).unwrap_or(log))
}

/// Place in `text` of the `const` of the variable that the first error is about, if that says that
/// its value is not constant.
#[cfg(feature = "glslang")]
fn unfolded_constant(log: &str, text: &str) -> Option<std::ops::Range<usize>> {
    let errors = ["must be constant", "non-constant initializer"];
    if !errors.iter().any(|error| log.contains(error)) {
        return None;
    }
    let [file, line, column] = log::first_position(log)?;
    let start = super::unit::line_start(text, file, line)?;
    let code = lexer::without_comments(text);
    let before = code.get(..start + column).unwrap_or(&code);
    let constants = lexer::words(before).filter(|(word, _)| *word == "const");
    constants.last().map(|(_, span)| span)
}

/// Compiles with the current shapes.
///
/// # Errors
/// Returns the compiler's log.
#[cfg(not(feature = "glslang"))]
fn compile_once(context: &PassContext<'_>) -> Result<Compiled, String> {
    Ok(Compiled { module: naga_front::compile(context)?, browser_error: None })
}

/// Returns an error unless the author's source contains the pass function.
fn require_function(pass: &PassSource, project: &Project, unit: &Unit) -> Checked<()> {
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
    let hint = format!("hint: write `{} {{ … }}`", prelude::pass_signature(pass.kind));
    Err(error.at(span).with_note(hint))
}

/// Warnings about channels that the pass's own text reads, but that nothing is bound to.
fn unbound_channels(
    pass: &PassSource,
    channels: &[PassChannel],
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let code = lexer::without_comments(sources.text(&pass.name));
    let unbound = channels.iter().filter_map(|PassChannel { slot, channel, .. }| {
        let name = format!("iChannel{slot}");
        let is_unbound =
            channel.source == ChannelSource::Empty && pass.inputs[*slot as usize].is_none();
        let (_, span) = lexer::words(&code).find(|(word, _)| is_unbound && *word == name)?;
        let warning = sources.error(&pass.name, Program::unbound_channel(&channel.name));
        let hint = format!(
            "hint: `--channel {}=FILE`, or a line such as `#{name} \"file://wood.png\"`; in place \
             of the file, \"noise rgba 256\", \"keyboard\", \"self\" for the previous frame, or \
             \"file://buffer.glsl\" for another pass",
            channel.name
        );
        Some(warning.at(Some(span)).with_note(hint).into_warning())
    });
    unbound.collect()
}

/// The binding of a channel.
fn channel(pass: &PassSource, slot: usize, shape: ChannelShape, has_cube_map: bool) -> PassChannel {
    let prefix = match pass.kind {
        PassKind::Image => "",
        PassKind::Buffer(buffer) => &format!("{}.", buffer.letter()),
        kind => &format!("{kind}."),
    };
    let name = format!("{prefix}iChannel{slot}");
    let input = pass.inputs[slot].clone();
    let is_guessed = input.as_ref().is_none_or(|input| input.shape.is_none());
    let input = match shape {
        ChannelShape::Cube if is_guessed && has_cube_map => Some(Input::of_pass(PassKind::Cube)),
        _ => input.filter(|input| input.shape.is_some() || input.source.shape() == shape),
    };
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
            missing: input.missing,
            source: input.source,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use naga::{Expression, Function, Module, Statement};
    use tarsus_shader::ir::{Variable, root_variable, statements};
    use tarsus_shader::{Library, Scene};

    /// Compiles `text` with naga's front end alone. It is the fallback of the reference
    /// compiler, and the only front end in builds without it.
    fn naga_takes(text: &str) -> Result<Module, String> {
        naga_takes_with(text, [ChannelShape::Texture2d; CHANNELS])
    }

    /// Like [`naga_takes`], with channels of these shapes.
    fn naga_takes_with(text: &str, shapes: [ChannelShape; CHANNELS]) -> Result<Module, String> {
        let scene = Scene::from_text(text, "s.glsl");
        let library = Library::default();
        let sources = SourceMap::of_scene(&library, "", &scene);
        let mut project = Project::new(sources, &library);
        crate::single_file::read(&scene, &mut project).map_err(|error| error.to_string())?;
        let unit = Unit::assemble(&mut project, "").map_err(|error| error.to_string())?;
        let context = PassContext {
            kind: PassKind::Image,
            text: &unit.text,
            strict: &unit.strict,
            code: &unit.code,
            samplers: &[],
            shapes,
            uniforms: "",
            has_keys: false,
            redefines: reserved::redefines(&unit.code),
            shows_non_finite: false,
            #[cfg(feature = "glslang")]
            time_left: &std::cell::Cell::default(),
        };
        naga_front::compile(&context)
    }

    #[test]
    fn mistakes_are_told_from_missing_constructs() {
        for (statement, expected) in [
            ("c = vec4(nope);", true),
            ("c = vec4(nope());", true),
            ("float q = 1.0; float q = 2.0;", true),
            ("struct { float x; } s;", false),
        ] {
            let text = format!("void mainImage(out vec4 c, in vec2 p) {{ {statement} }}\n");
            let log = naga_takes(&text).expect_err(statement);
            let (_, message) = log.trim().split_once("'' : ").expect("an error");
            assert_eq!(is_mistake(message), expected, "{log}");
        }
    }

    #[test]
    fn naga_alone_keeps_initializers() {
        for (globals, assigned) in [
            ("float a = 0.5, t = iTime, b[2] = float[2](a, 1.0);", "t b"),
            ("float m = mix(1.0,\n 2.0, 0.5); float n = m == 1.5 ? 1.0 : 0.0;", "m n"),
            (
                "vec2 size = iChannelResolution[0].xy; float at = iChannelTime[1];",
                "iChannelTime iChannelResolution size at",
            ),
            ("float a = (iTime); vec2 b = vec2(iTime, 2.0 * (a)), d;", "a b"),
            ("#define T iTime\n#define F(x) float x = T;\nfloat a = T; F(b)", "a b"),
            (
                "bool f(out float x) { x = 1.0; return true; } float y; bool a = false && f(y);",
                "y a",
            ),
            ("float d, b[2] = float[2](0.5, sin(0.5));\n#define D \\\n d = 1.0;", ""),
            ("#if 0\nfloat d = iTime;\n#else\nfloat d;\n#endif\n#define END }", ""),
        ] {
            let main = "void mainImage(out vec4 c, in vec2 p) { c = vec4(iTime); }";
            let module = naga_takes(&format!("{globals}\n{main}\n")).expect(globals);
            let is_main = |body: &&Function| body.name.as_deref() == Some("main");
            let mut functions = module.functions.iter().map(|(_, function)| function);
            let body = functions.find(is_main).expect("a function main");
            let stored = statements(&body.body).filter_map(|statement| match statement {
                Statement::Store { pointer, .. } => match root_variable(body, *pointer)? {
                    Variable::Global(global) => module.global_variables[global].name.as_deref(),
                    _ => None,
                },
                _ => None,
            });
            let stored: Vec<&str> = stored.collect();
            let is_own = |name: &&str| !name.starts_with("tarsus_") && *name != "iResolution";
            let own: Vec<&str> = stored.iter().copied().filter(is_own).collect();
            assert_eq!(own.join(" "), assigned, "{globals}");
            // The author's initializers may use the position.
            let place = stored.iter().position(|name| *name == "tarsus_place");
            let last = own.last().and_then(|last| stored.iter().position(|name| name == last));
            assert!(place.is_some() && last.is_none_or(|last| place < Some(last)), "{stored:?}");
        }
    }

    #[test]
    fn naga_alone_defines_gl_es() {
        let text =
            "#ifdef GL_ES\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(0.0); }\n#endif\n";
        naga_takes(text).expect("a module");
    }

    #[test]
    fn naga_alone_passes_variables_as_a_whole() {
        let text = include_str!("../tests/shaders/inout_of_parts.glsl");
        let module = naga_takes(text).expect("a module");
        for (_, function) in module.functions.iter() {
            for statement in statements(&function.body) {
                let Statement::Call { arguments, .. } = statement else { continue };
                for argument in arguments {
                    let argument = &function.expressions[*argument];
                    assert!(!matches!(argument, Expression::Access { .. }), "{argument:?}");
                    assert!(!matches!(argument, Expression::AccessIndex { .. }), "{argument:?}");
                }
            }
        }
    }

    #[test]
    fn naga_alone_passes_channels_of_every_shape() {
        let text = "vec4 f(sampler2D s, samplerCube t, sampler3D u, vec3 p) {\n\
                    return texture(s, p.xy, 1.0) + textureLod(t, p, 0.0) + texture(u, p)\n\
                    + texelFetch(u, textureSize(u, 0) / 2, 0) + vec4(textureSize(t, 0).x);\n}\n\
                    void mainImage(out vec4 c, in vec2 p) {\n\
                    c = f(iChannel3, iChannel1, iChannel2, p.xyx) + texture(iChannel1, p.xyx);\n}\n";
        let [flat, cube] = [ChannelShape::Texture2d, ChannelShape::Cube];
        naga_takes_with(text, [flat, cube, ChannelShape::Volume, flat]).expect("a module");
        let error = naga_takes_with(text, [flat, flat, cube, flat]).expect_err("other shapes");
        assert!(error.contains("Unknown function"), "{error}");
    }

    #[test]
    fn naga_alone_names_the_cause() {
        let text = "const int b[2] = int[](1, 2);\nvoid mainImage(out vec4 c, in vec2 p) {\n\
                    int[]\na = b; c = vec4(a[0]); }\n";
        let log = naga_takes(text).expect_err("no size");
        assert!(log.starts_with("ERROR: 1:4:"), "{log}");
        assert!(log.contains("can't be stored in a local variable"), "{log}");
        for (declaration, expected) in [
            ("struct S { mat2 m; }; S s;", "ERROR: 1:1:12: '' : a structure cannot have a matrix"),
            ("float s[1 << 30];", "ERROR: 1:1:7: '' : an array is too large"),
        ] {
            let main = "void mainImage(out vec4 c, in vec2 p) { c = vec4(0.0); }";
            let text = format!("{declaration}\n{main}\n");
            let log = naga_takes(&text).map(|_| ()).expect_err(declaration);
            assert!(log.starts_with(expected), "{log}");
        }
        let text = "void mainImage(out vec4 c, in vec2 p) {\nint[2] a; c = vec4(a == a); }\n";
        let log = naga_takes(text).expect_err("not implemented");
        assert!(log.contains("cannot compare arrays or structures"), "{log}");
        for (value, expected) in [
            ("packHalf2x16(vec2(1.0))", "ERROR: 0:1:1: '' : Not implemented as constant"),
            ("f(1u)", "ERROR: 1:3:9: '' : Unexpected runtime-expression"),
            ("max(1u, packHalf2x16(vec2(1.0))); const uint I = max(1u, 2u)", "ERROR: 0:1:1:"),
        ] {
            let text = format!(
                "const int N = 4; float a[N]; uint f(uint x) {{ return x; }}\n\
                 const uint H = {value};\nfloat b[H];\n\
                 void mainImage(out vec4 c, in vec2 p) {{ c = vec4(a[0], H, 0.0, 1.0); }}\n"
            );
            let log = naga_takes(&text).map(|_| ()).expect_err("no constant");
            assert!(log.starts_with(expected), "{log}");
        }
        let text = "const uint H = packHalf2x16(vec2(1.0));\n\
                    void mainImage(out vec4 c, in vec2 p) { c = vec4(H, d, 0.0, 1.0); }\n";
        let log = naga_takes(text).expect_err("no variable");
        assert!(log.starts_with("ERROR: 1:2:53: '' : Unknown variable: d"), "{log}");
    }

    /// Shaders that naga's front end rejects, some because this test binds only 2D textures.
    const REJECTED_BY_NAGA: &str = "arrays_of_arrays arrays_without_a_size \
        built_in_functions_with_more_forms channels_inferred_as_cubes \
        channels_inferred_as_volumes channels_inferred_behind_macros channels_through_three_calls \
        conditions_of_the_preprocessor conditions_with_arithmetic \
        constants_of_inverses_and_sizes constants_of_inverses_in_structs infinite_constants \
        lines_by_number \
        matrices_not_square matrices_of_two_and_four structs structs_compared structs_nested \
        swizzles_written uniforms_that_nobody_sets";

    #[test]
    fn naga_alone_compiles_most_constructs() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
        let files = std::fs::read_dir(folder).expect("a folder");
        let paths = files.map(|file| file.expect("a file").path());
        let paths = paths.filter(|path| path.extension().is_some_and(|kind| kind == "glsl"));
        let rejected = paths.filter_map(|path| {
            let text = std::fs::read_to_string(&path).expect("a shader");
            let why = naga_takes(&text).err()?;
            Some((path.file_stem()?.to_string_lossy().into_owned(), why))
        });
        let rejected: BTreeMap<String, String> = rejected.collect();
        let names: Vec<&str> = rejected.keys().map(|name| &**name).collect();
        assert_eq!(names, REJECTED_BY_NAGA.split(' ').collect::<Vec<_>>(), "{rejected:#?}");
    }
}
