//! Exports a scene to Shadertoy: its passes, their inputs, and the code to paste.

use std::collections::HashMap;

use naga::{Function, GlobalVariable, Handle, Module};
use tarsus_glsl::{pass_signature, sampler_type};
use tarsus_shader::ir::reachable;
use tarsus_shader::{
    Buffer, ChannelShape, Filter, PER_FRAME_ROW, Pass, PassKind, Program, Resource, SAMPLE_RATE,
    Values, Wrap, reads_frame,
};

use super::analysis::Analysis;
use super::error::{ExportError, validate};
use super::function::Context;
use super::host::{Host, PerFrameSource, bound_resources};
use super::isolate::isolated;
use super::listing::{Pieces, pieces};
use super::names::{Item, Names};
use super::parameters;
use super::source_file::{Definition, SourceFile, assemble, head_comment};
use super::text::{ExprText, Parts};
use super::website::{channel_comment, input_name};

/// A Shadertoy pass with its code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedPass {
    /// Kind of pass; `None` for Common, whose code is prepended to every pass.
    pub kind: Option<PassKind>,
    /// Code to paste.
    pub code: String,
    /// Inputs, by channel.
    pub inputs: Vec<ExportedInput>,
}

impl ExportedPass {
    /// Name of its tab and file.
    pub fn name(&self) -> String {
        self.kind.map_or("Common".to_owned(), tab_name)
    }
}

/// Name of a pass's tab and file.
pub(super) fn tab_name(kind: PassKind) -> String {
    match kind {
        PassKind::Buffer(buffer) => format!("Buffer {buffer:?}"),
        PassKind::Cube => "Cube A".to_owned(),
        PassKind::PerFrame | PassKind::Image => "Image".to_owned(),
        PassKind::Sound => "Sound".to_owned(),
    }
}

/// Input of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedInput {
    /// A buffer, the cube, the keyboard, or a channel of the program.
    pub resource: Resource,
    /// Filter mode.
    pub filter: Filter,
    /// Wrap mode.
    pub wrap: Wrap,
    /// True if it is read with a sampler; otherwise filter and wrap mode have no effect, apart
    /// from the levels of [`Filter::Mipmap`].
    pub is_sampled: bool,
    /// Sampler type in GLSL.
    pub sampler: &'static str,
}

/// An exported scene, its passes in the order of Shadertoy's tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shadertoy {
    /// Passes, with Common first if it exists.
    pub passes: Vec<ExportedPass>,
    /// Differences from tarsus, one sentence each.
    pub notes: Vec<String>,
}

/// Place where a scene's `per_frame` runs on Shadertoy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PerFrame {
    /// In a buffer if it is expensive or would differ in the cube map, and a buffer is free;
    /// otherwise at each pixel.
    #[default]
    Auto,
    /// At each pixel.
    Inline,
    /// In buffers of its own.
    Buffer,
}

/// Number of expressions in `per_frame` and its callees above which it gets a buffer.
const BUFFER_THRESHOLD: usize = 150;
/// Number of expressions above which drivers take minutes to compile code that is inlined
/// at every use.
const MAX_INLINE_SIZE: usize = 4_000;
/// Channels of a Shadertoy pass.
const CHANNELS: usize = 4;

/// Exports a program to Shadertoy, with its parameters fixed at `values`.
///
/// # Errors
/// Returns an [`ExportError`] if a pass needs a feature that GLSL ES 3.00 or Shadertoy
/// lacks.
pub fn to_shadertoy(
    program: &Program,
    values: &Values,
    per_frame: PerFrame,
) -> Result<Shadertoy, ExportError> {
    let mut sizes = program.passes.iter().filter_map(|pass| Some((pass.kind, pass.size?)));
    if let Some((pass, size)) = sizes.next() {
        let (width, height) = size;
        return Err(ExportError(format!(
            "{pass}: it has {width}x{height} texels, and buffers of Shadertoy have the size of the \
             picture; hint: `--to wgsl` exports it"
        )));
    }
    let image = program.passes.last();
    let image = image.ok_or_else(|| ExportError::invalid("it has no passes"))?;
    export(program, &image.module, values, per_frame, false)
}

fn export(
    program: &Program,
    module: &Module,
    values: &Values,
    per_frame: PerFrame,
    is_isolated: bool,
) -> Result<Shadertoy, ExportError> {
    let info = validate(module)?;
    let mut names = Names::new(module, &program.sources);
    let bindings = program.all_passes().flat_map(|pass| &pass.bindings);
    let mut exporter = Exporter {
        program,
        analysis: Analysis::new(module, &info),
        resources: bound_resources(module, bindings),
        parameters: parameters::definitions(&mut names, &program.parameters, values),
        names,
        data_buffers: DataBuffers::default(),
    };
    exporter.data_buffers = exporter.data_buffers(per_frame)?;
    if let Some(function) = exporter.function("per_frame")
        && exporter.data_buffers == DataBuffers::default()
        && !is_isolated
    {
        let passes = program
            .passes
            .iter()
            .chain(&program.sound)
            .map(|pass| exporter.pass_function(pass))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(module) = isolated(&exporter.analysis, function, &passes) {
            return export(program, &module, values, per_frame, true);
        }
    }
    exporter.run()
}

pub(super) struct Exporter<'a> {
    pub program: &'a Program,
    /// Analysis of the module of all passes.
    pub analysis: Analysis<'a>,
    /// Resources bound to the variables of that module.
    pub resources: HashMap<Handle<GlobalVariable>, Resource>,
    names: Names<'a>,
    /// A constant for each parameter.
    parameters: Vec<Definition>,
    data_buffers: DataBuffers,
}

/// Buffers that compute `per_frame`, unless each pixel does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DataBuffers {
    /// For the scene's buffers and cube map: Buffer A, and the scene's buffers move up by one.
    for_buffers: Option<Buffer>,
    /// For the image: after the scene's buffers, or the same.
    for_image: Option<Buffer>,
}

impl DataBuffers {
    fn for_pass(self, kind: PassKind) -> Option<Buffer> {
        match kind {
            PassKind::Image => self.for_image,
            _ => self.for_buffers,
        }
    }
}

/// A pass before its text is assembled.
struct Draft {
    kind: PassKind,
    /// Functions of the scene that it calls: its own, and `per_frame` if that runs inline.
    functions: Vec<Handle<Function>>,
    inputs: Vec<ExportedInput>,
    pieces: Pieces,
    entry_point: String,
}

impl Exporter<'_> {
    /// Buffers for `per_frame`, so that every pass reads its values in the same frame.
    fn data_buffers(&self, wanted: PerFrame) -> Result<DataBuffers, ExportError> {
        let Some(function) = self.function("per_frame") else {
            return Ok(DataBuffers::default());
        };
        let passes = &self.program.passes;
        let readers: Vec<&Pass> = passes.iter().filter(|pass| reads_per_frame(pass)).collect();
        let is_read_by_sound = self.program.sound.as_ref().is_some_and(reads_per_frame);
        let has_channel = readers
            .iter()
            .filter_map(|pass| self.pass_function(pass).ok())
            .all(|function| self.textures(&[function]).len() < CHANNELS);
        let found = self.room_for_data(&readers).filter(|_| !is_read_by_sound && has_channel);
        let size = self.size_of(function);
        let is_wanted = match wanted {
            PerFrame::Inline => false,
            PerFrame::Buffer => true,
            PerFrame::Auto if found.is_none() && size > MAX_INLINE_SIZE => {
                return Err(ExportError::invalid(
                    "its `per_frame` is too long to run per pixel, and no buffer is free after the last one",
                ));
            }
            PerFrame::Auto => size > BUFFER_THRESHOLD || self.cube_changes_per_frame(),
        };
        Ok(found.filter(|_| is_wanted).unwrap_or_default())
    }

    /// True if `per_frame` would differ in the cube map, where the resolution is that of a face.
    fn cube_changes_per_frame(&self) -> bool {
        let module = self.analysis.module;
        let mut passes = self.program.passes.iter();
        passes.any(|pass| pass.kind == PassKind::Cube && reads_per_frame(pass))
            && reads_frame(module, reachable(module, "per_frame"), &["resolution"])
    }

    /// Free buffers for the per-frame values of `readers`. If only one of two is free, the image
    /// reads the values of the frame before.
    fn room_for_data(&self, readers: &[&Pass]) -> Option<DataBuffers> {
        let passes = self.program.passes.iter();
        let ends = passes.filter_map(|pass| match pass.kind {
            PassKind::Buffer(buffer) => Some(buffer.index() + 1),
            _ => None,
        });
        let used = ends.max().unwrap_or(0);
        let next = *Buffer::ALL.get(used)?;
        let is_image = |pass: &&Pass| pass.kind == PassKind::Image;
        let for_buffers = (!readers.iter().all(is_image)).then_some(Buffer::A);
        let buffer = match for_buffers {
            Some(_) if !self.per_frame_reads_buffers() => Buffer::A,
            Some(_) => Buffer::ALL.get(used + 1).copied().unwrap_or(Buffer::A),
            None => next,
        };
        let for_image = readers.iter().any(is_image).then_some(buffer);
        Some(DataBuffers { for_buffers, for_image })
    }

    fn per_frame_reads_buffers(&self) -> bool {
        let function = self.function("per_frame");
        let textures = self.textures(function.as_slice());
        textures.iter().any(|found| matches!(found, Resource::Buffer(_) | Resource::Cube))
    }

    /// The Shadertoy buffer for a scene buffer, shifted by one if `per_frame` takes Buffer A.
    fn shadertoy_buffer(&self, buffer: Buffer) -> Buffer {
        let shift = usize::from(self.data_buffers.for_buffers.is_some());
        let next = Buffer::ALL.get(buffer.index() + shift);
        next.copied().unwrap_or(buffer)
    }

    /// The Shadertoy resource for a scene resource in a pass of this kind.
    fn shadertoy_resource(&self, resource: Resource, kind: PassKind) -> Resource {
        let data = self.data_buffers.for_pass(kind);
        match (resource, self.program.pass_output(resource)) {
            (Resource::PerFrame, _) => data.map_or(resource, Resource::Buffer),
            (_, Some(PassKind::Buffer(buffer))) => Resource::Buffer(self.shadertoy_buffer(buffer)),
            (_, Some(PassKind::Cube)) => Resource::Cube,
            (other, _) => other,
        }
    }

    /// The scene function of a pass.
    fn pass_function(&self, pass: &Pass) -> Result<Handle<Function>, ExportError> {
        let name = pass.kind.function();
        let function = self.function(name);
        function.ok_or_else(|| ExportError::invalid(format!("it has no `{name}`")))
    }

    fn run(&self) -> Result<Shadertoy, ExportError> {
        let mut drafts = Vec::new();
        let DataBuffers { for_buffers, for_image } = self.data_buffers;
        if let Some(buffer) = for_buffers {
            drafts.extend(self.data_draft(buffer)?);
        }
        for pass in self.program.passes.iter().chain(&self.program.sound) {
            if pass.kind == PassKind::Image
                && let Some(buffer) = for_image.filter(|_| for_image != for_buffers)
            {
                drafts.extend(self.data_draft(buffer)?);
            }
            drafts.push(self.draft(pass)?);
        }
        let common =
            assemble(&common_pieces(&drafts), &self.parameters, &SourceFile::default(), "");
        let mut passes = Vec::new();
        if !common.text.is_empty() {
            let code = without_continuations(&common.text);
            passes.push(ExportedPass { kind: None, code, inputs: Vec::new() });
        }
        let notes = self.notes(&drafts);
        let scene_comment = head_comment(self.program.sources.scene_text());
        for draft in drafts {
            let file = assemble(&draft.pieces, &self.parameters, &common, &draft.entry_point);
            let head = match draft.kind {
                PassKind::Image => &scene_comment,
                _ => "",
            };
            let sections = [head, &channel_comment(self.program, &draft.inputs), &file.text];
            let sections = sections.into_iter().filter(|section| !section.is_empty());
            passes.push(ExportedPass {
                kind: Some(draft.kind),
                code: without_continuations(&sections.collect::<Vec<_>>().join("\n")),
                inputs: draft.inputs,
            });
        }
        Ok(Shadertoy { passes, notes })
    }

    /// Textures that functions read, in channel order. A channel that samples a buffer also
    /// loads its texels.
    fn textures(&self, functions: &[Handle<Function>]) -> Vec<Resource> {
        let globals = functions.iter().flat_map(|&function| self.analysis.globals(function));
        let resources = globals.filter_map(|global| self.resource(global));
        let mut textures: Vec<Resource> = resources.filter(|found| is_texture(*found)).collect();
        textures.sort();
        textures.dedup();
        let all = textures.clone();
        textures.retain(|&found| self.sampled_channel(found, &all).is_none());
        textures
    }

    /// The first of `channels` with the same buffer, for a buffer that is not a channel itself.
    fn sampled_channel(&self, buffer: Resource, channels: &[Resource]) -> Option<usize> {
        let (Resource::Buffer(_), output) = (buffer, self.program.pass_output(buffer)) else {
            return None;
        };
        channels.iter().position(|&channel| {
            matches!(channel, Resource::Channel(_)) && self.program.pass_output(channel) == output
        })
    }

    /// The buffer pass that computes `per_frame`.
    fn data_draft(&self, buffer: Buffer) -> Result<Option<Draft>, ExportError> {
        let Some(function) = self.function("per_frame") else {
            return Ok(None);
        };
        let kind = PassKind::Buffer(buffer);
        let (head, name) = (pass_signature(kind), self.names.function(function));
        let count = self.program.per_frame_values();
        let rows = count.div_ceil(PER_FRAME_ROW);
        let entry_point = format!(
            "// Per-frame values, computed once per frame in {count} corner pixels.\n\
             {head} {{\n    \
             ivec2 pixel = ivec2(fragCoord);\n    \
             if (pixel.x >= {PER_FRAME_ROW} || pixel.y >= {rows}) discard;\n    \
             fragColor = {name}(uint({PER_FRAME_ROW} * pixel.y + pixel.x));\n}}\n"
        );
        let draft = self.draft_of(kind, kind, vec![function], Vec::new(), entry_point)?;
        Ok(Some(draft))
    }

    fn draft(&self, pass: &Pass) -> Result<Draft, ExportError> {
        let function = self.pass_function(pass)?;
        let (mut functions, mut channels) = (vec![function], Vec::new());
        if reads_per_frame(pass) {
            match self.data_buffers.for_pass(pass.kind) {
                Some(_) => channels.push(Resource::PerFrame),
                None => functions.extend(self.function("per_frame")),
            }
        }
        let name = self.names.function(function);
        let statement = match pass.kind {
            PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => {
                format!("fragColor = {name}(fragCoord)")
            }
            PassKind::Cube => format!("fragColor = {name}(fragCoord, normalize(rayDir))"),
            PassKind::Sound => format!("return {name}(uint(time * {SAMPLE_RATE}.0 + 0.5), time)"),
        };
        let head = pass_signature(pass.kind);
        let entry_point = format!("{head} {{\n    {statement};\n}}\n");
        let target = match pass.kind {
            PassKind::Buffer(buffer) => PassKind::Buffer(self.shadertoy_buffer(buffer)),
            kind => kind,
        };
        self.draft_of(target, pass.kind, functions, channels, entry_point)
    }

    /// The draft of the pass `target`, which calls the first of `functions` of the scene's pass
    /// `kind`, and in it the others. Their textures follow `channels`.
    fn draft_of(
        &self,
        target: PassKind,
        kind: PassKind,
        functions: Vec<Handle<Function>>,
        mut channels: Vec<Resource>,
        entry_point: String,
    ) -> Result<Draft, ExportError> {
        channels.extend(self.textures(&functions));
        if channels.len() > CHANNELS {
            let count = channels.len();
            return Err(ExportError(format!(
                "{kind}: it reads {count} textures, and a pass of Shadertoy has {CHANNELS} channels"
            )));
        }
        let host = ShadertoyHost { exporter: self, kind, channels: &channels };
        let context = Context { analysis: &self.analysis, names: &self.names, host: &host };
        let pieces = pieces(context, &[Item::Function(functions[0])])?;
        let inputs = channels.iter().map(|&resource| self.input(resource, &functions, kind));
        let inputs = inputs.collect();
        Ok(Draft { kind: target, functions, inputs, pieces, entry_point })
    }

    fn input(
        &self,
        resource: Resource,
        functions: &[Handle<Function>],
        kind: PassKind,
    ) -> ExportedInput {
        let shape = match resource {
            Resource::Cube => ChannelShape::Cube,
            Resource::Channel(index) => self.program.channels[index].shape,
            _ => ChannelShape::Texture2d,
        };
        let unsampled = match resource {
            Resource::Cube => Filter::Linear,
            Resource::Channel(index) if self.program.channels[index].has_mipmaps => Filter::Mipmap,
            _ => Filter::Nearest,
        };
        let samplers = self.samplers(resource, functions);
        let sampler = samplers.first();
        ExportedInput {
            resource: self.shadertoy_resource(resource, kind),
            filter: sampler.map_or(unsampled, |sampler| sampler.filter),
            wrap: sampler.map_or(Wrap::Clamp, |sampler| sampler.wrap),
            is_sampled: sampler.is_some(),
            sampler: sampler_type(shape),
        }
    }

    /// Notes about textures that a pass reads with several samplers.
    fn sampler_notes(&self, draft: &Draft) -> impl Iterator<Item = String> {
        let channels = self.program.channels.iter().enumerate();
        channels.filter_map(|(index, channel)| {
            let samplers = self.samplers(Resource::Channel(index), &draft.functions);
            let [used, other, ..] = samplers[..] else {
                return None;
            };
            Some(format!(
                "Shadertoy has one sampler per channel: `{}` is read with `{}` there, not with `{}`",
                channel.name, used.name, other.name
            ))
        })
    }

    fn notes(&self, drafts: &[Draft]) -> Vec<String> {
        let inputs = drafts.iter().flat_map(|draft| &draft.inputs);
        let mut notes: Vec<String> = inputs
            .filter(|input| input.wrap == Wrap::Mirror)
            .map(|input| match input.resource {
                Resource::Channel(index) => self.program.channels[index].name.clone(),
                _ => input_name(self.program, input),
            })
            .map(|name| format!("Shadertoy does not mirror textures: `{name}` repeats there"))
            .collect();
        notes.extend(drafts.iter().flat_map(|draft| self.sampler_notes(draft)));
        notes.sort();
        notes.dedup();
        let DataBuffers { for_buffers, for_image } = self.data_buffers;
        if for_image.is_some() && for_image == for_buffers && self.per_frame_reads_buffers() {
            notes.push(
                "the image lags a frame behind: two buffers would be needed for `per_frame`, and \
                 one is free"
                    .to_owned(),
            );
        }
        if for_buffers.is_none() && self.cube_changes_per_frame() {
            notes.push(
                "`per_frame` runs in the cube map, where the resolution is the size of a face"
                    .to_owned(),
            );
        }
        if let Some((width, height)) = self.program.size {
            notes.push(format!(
                "the size of the picture is the host's: the scene declares {width}x{height}"
            ));
        }
        notes
    }
}

/// The code, in which no comment ends in a backslash, which would join the next line to it.
fn without_continuations(code: &str) -> String {
    code.replace("\\\n", "\\.\n")
}

/// The code that several passes use and that reads no inputs of a pass. Its dependencies are
/// also shared and read no inputs.
fn common_pieces(drafts: &[Draft]) -> Pieces {
    let mut shared = Pieces::new();
    for (at, draft) in drafts.iter().enumerate() {
        let others = &drafts[at + 1..];
        let is_shared = |item: &Item| others.iter().any(|other| other.pieces.contains_key(item));
        let pieces = draft.pieces.iter();
        let pieces = pieces.filter(|(item, piece)| piece.is_free && is_shared(item));
        shared.extend(pieces.map(|(item, piece)| (*item, piece.clone())));
    }
    shared
}

/// True for a pass that reads the `per_frame` values.
fn reads_per_frame(pass: &Pass) -> bool {
    pass.binding_of(Resource::PerFrame).is_some()
}

fn is_texture(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Buffer(_) | Resource::Cube | Resource::Keyboard | Resource::Channel(_)
    )
}

const POINTER: Parts = &[
    ("xy", "iMouse.xy + 0.5"),
    ("x", "iMouse.x + 0.5"),
    ("y", "iMouse.y + 0.5"),
    ("z", "float(iMouse.z > 0.0)"),
    ("w", "float(iMouse.z > 0.0)"),
];
const ORBIT: Parts = &[("x", "0.0"), ("y", "0.0"), ("z", "1.0"), ("w", "0.0")];

struct ShadertoyHost<'a> {
    exporter: &'a Exporter<'a>,
    kind: PassKind,
    channels: &'a [Resource],
}

impl Host for ShadertoyHost<'_> {
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.exporter.resource(global)
    }

    fn frame(&self, member: &str) -> Result<ExprText, ExportError> {
        Ok(match member {
            "orbit" => ExprText::vector("vec4(0.0, 0.0, 1.0, 0.0)", ORBIT),
            "date" => ExprText::atom("iDate"),
            "press_age" | "release_age" => ExprText::atom("1e6"),
            "stride" => ExprText::vector("vec2(1.0)", &[("x", "1.0"), ("y", "1.0")]),
            "output_step" => ExprText::atom("(1.0 / 255.0)"),
            "sample_offset" | "lens" | "tile_origin" | "unused" => {
                ExprText::vector("vec2(0.0)", &[("x", "0.0"), ("y", "0.0")])
            }
            _ if self.kind == PassKind::Sound => {
                return Err(ExportError(format!(
                    "it reads `frame.{member}`, but Shadertoy sounds have only the time"
                )));
            }
            "resolution" if self.kind == PassKind::Cube => ExprText::atom("vec2(1024.0)"),
            "resolution" => ExprText::vector("iResolution.xy", &[]),
            "time" => ExprText::atom(match self.exporter.program.period {
                Some(period) => format!("mod(iTime, {:?})", period as f32),
                None => "iTime".to_owned(),
            }),
            "time_delta" => ExprText::atom("iTimeDelta"),
            "frame_rate" => ExprText::atom("iFrameRate"),
            "mouse" => ExprText::atom("iMouse"),
            // Shadertoy updates the pointer position only while a button is down.
            "pointer" => ExprText::vector("vec4(iMouse.xy + 0.5, vec2(iMouse.z > 0.0))", POINTER),
            "index" => ExprText::atom("uint(iFrame)"),
            _ => ExprText::atom("0u"),
        })
    }

    fn parameter(&self, member: &str) -> String {
        let mut parameters = self.exporter.program.parameters.iter();
        let at = parameters.position(|parameter| parameter.name == member);
        at.map_or_else(|| member.to_owned(), |at| self.exporter.parameters[at].name.clone())
    }

    fn per_frame(&self) -> Result<PerFrameSource, ExportError> {
        if self.exporter.data_buffers.for_pass(self.kind).is_some() {
            let name = self.texture(Resource::PerFrame)?;
            return Ok(PerFrameSource::Texture(name));
        }
        let function = self.exporter.function("per_frame");
        Ok(function.map_or(PerFrameSource::Nothing, PerFrameSource::Function))
    }

    fn flips_rows(&self) -> bool {
        self.kind == PassKind::Image
    }

    fn texture(&self, resource: Resource) -> Result<String, ExportError> {
        let number = self.channels.iter().position(|&found| found == resource);
        match number.or_else(|| self.exporter.sampled_channel(resource, self.channels)) {
            Some(number) => Ok(format!("iChannel{number}")),
            None => Err(ExportError::invalid("a texture is not bound")),
        }
    }
}
