//! Exports a scene to Shadertoy: its passes, their inputs, and the code to paste.

use naga::valid::GlobalUse;
use naga::{Function, GlobalVariable, Handle};

use super::error::ExportError;
use super::facts::Facts;
use super::file::{Definition, Written, file, head_comment};
use super::host::{Host, PerFrameSource};
use super::language::Language;
use super::listing::{Pieces, pieces};
use super::names::{Item, Names};
use super::parameters;
use super::scene::{Checked, SceneModule};
use tarsus_shader::Resource;
use tarsus_shader::Values;
use tarsus_shader::{Buffer, PER_FRAME, PER_FRAME_ROW, PassKind, SAMPLE_RATE};
use tarsus_shader::{ChannelShape, Filter, Wrap};
use tarsus_shader::{Pass, Program};

/// A Shadertoy pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShadertoyPass {
    /// Code prepended to every pass.
    Common,
    /// A buffer.
    Buffer(Buffer),
    /// The cube map.
    Cube,
    /// The image.
    Image,
    /// The sound.
    Sound,
}

impl ShadertoyPass {
    /// Name of its tab and file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Common => "Common",
            Self::Buffer(Buffer::A) => "Buffer A",
            Self::Buffer(Buffer::B) => "Buffer B",
            Self::Buffer(Buffer::C) => "Buffer C",
            Self::Buffer(Buffer::D) => "Buffer D",
            Self::Cube => "Cube A",
            Self::Image => "Image",
            Self::Sound => "Sound",
        }
    }
}

/// A pass with its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPass {
    /// Kind of pass.
    pub pass: ShadertoyPass,
    /// Code to paste.
    pub code: String,
    /// Inputs, by channel.
    pub inputs: Vec<ExportedInput>,
}

/// Input of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedInput {
    /// A buffer, the cube, the keyboard, or a channel of the program.
    pub resource: Resource,
    /// Filter mode.
    pub filter: Filter,
    /// Wrap mode.
    pub wrap: Wrap,
    /// Sampler type in GLSL.
    pub sampler: &'static str,
}

/// An exported scene, its passes in the order of Shadertoy's tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadertoy {
    /// Passes, with `Common` first if it exists.
    pub passes: Vec<ExportedPass>,
    /// Differences from tarsus, one sentence each.
    pub notes: Vec<String>,
}

/// Where a scene's `per_frame` runs on Shadertoy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerFrame {
    /// In Buffer A if it is expensive and a buffer is free, otherwise at each pixel.
    #[default]
    Auto,
    /// At each pixel.
    Inline,
    /// In Buffer A.
    Buffer,
}

/// Number of expressions in `per_frame` and its callees above which it gets a buffer.
const MUCH: usize = 150;
/// Number of expressions above which drivers take minutes to compile code that is inlined
/// at every use.
const TOO_MUCH: usize = 4_000;
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
    let image = program
        .passes
        .last()
        .ok_or_else(|| ExportError::Invalid("it has no passes".to_owned()))?;
    let checked = Checked::new(image)?;
    let scene = SceneModule::new(program, &checked);
    let facts = &scene.facts;
    let mut names = Names::new(facts.module, &program.sources);
    let mut exporter = Exporter {
        program,
        scene: &scene,
        parameters: parameters::definitions(&mut names, &program.parameters, values),
        time: program.period.map(|period| time(&mut names, period)),
        facts,
        names,
        per_frame: None,
    };
    exporter.per_frame = exporter.choose(per_frame)?;
    exporter.run()
}

/// The definition of time modulo the period.
fn time(names: &mut Names<'_>, period: f64) -> Definition {
    let name = names.take("TIME");
    let text = format!(
        "// Seconds since the start; the scene repeats after {period}.\n\
         #define {name} (mod(iTime, {:?}))\n",
        period as f32
    );
    Definition { name, text }
}

struct Exporter<'a> {
    program: &'a Program,
    scene: &'a SceneModule<'a>,
    facts: &'a Facts<'a>,
    names: Names<'a>,
    /// Constants, by member of `Params`.
    parameters: Vec<(String, Definition)>,
    time: Option<Definition>,
    /// The buffer that computes `per_frame`, if any.
    per_frame: Option<Buffer>,
}

/// A pass before its text is assembled.
struct Draft {
    pass: ShadertoyPass,
    inputs: Vec<(Resource, ExportedInput)>,
    pieces: Pieces,
    end: String,
}

impl Exporter<'_> {
    /// Chooses the buffer for `per_frame`, if it gets one: Buffer A, so that all later
    /// passes read its result in the same frame.
    fn choose(&self, wanted: PerFrame) -> Result<Option<Buffer>, ExportError> {
        let Some(function) = self.scene.function("per_frame") else {
            return Ok(None);
        };
        let passes = &self.program.passes;
        let is_last_free = !passes
            .iter()
            .any(|pass| pass.kind == PassKind::Buffer(Buffer::D));
        let sound = &self.program.sound;
        let is_heard = sound.as_ref().is_some_and(reads_per_frame);
        let has_channel = passes
            .iter()
            .filter(|pass| reads_per_frame(pass))
            .filter_map(|pass| self.root_variable(pass).ok())
            .all(|root| self.textures(&[Item::Function(root)]).len() < CHANNELS);
        let size = self.scene.size_of(function);
        let is_worth_it = match wanted {
            PerFrame::Inline => false,
            PerFrame::Buffer => true,
            PerFrame::Auto => size > MUCH,
        };
        let has_room = is_last_free && !is_heard && has_channel;
        if wanted == PerFrame::Auto && !has_room && size > TOO_MUCH {
            return Err(ExportError::NoBuffer);
        }
        Ok((has_room && is_worth_it).then_some(Buffer::A))
    }

    /// The Shadertoy buffer for a scene buffer, shifted by one if `per_frame` takes Buffer
    /// A.
    fn buffer(&self, buffer: Buffer) -> Buffer {
        let shift = usize::from(self.per_frame.is_some());
        let next = Buffer::ALL.get(buffer.index() + shift);
        next.copied().unwrap_or(buffer)
    }

    /// The Shadertoy resource for a scene resource.
    fn there(&self, resource: Resource) -> Resource {
        let content = self.program.pass_output(resource);
        match (resource, content) {
            (Resource::PerFrame, _) => Resource::Buffer(Buffer::A),
            (_, Some(PassKind::Buffer(buffer))) => Resource::Buffer(self.buffer(buffer)),
            (_, Some(PassKind::Cube)) => Resource::Cube,
            (other, _) => other,
        }
    }

    /// The scene function of a pass.
    fn root_variable(&self, pass: &Pass) -> Result<Handle<Function>, ExportError> {
        let (name, _) = pass.kind.function();
        let function = self.scene.function(name);
        function.ok_or_else(|| ExportError::Invalid(format!("it has no `{name}`")))
    }

    fn run(&self) -> Result<Shadertoy, ExportError> {
        let mut drafts = Vec::new();
        if let Some(buffer) = self.per_frame {
            drafts.extend(self.per_frame_draft(buffer)?);
        }
        for pass in self.program.passes.iter().chain(&self.program.sound) {
            drafts.push(self.draft(pass)?);
        }
        let mut definitions: Vec<Definition> = self.time.iter().cloned().collect();
        let constants = self.parameters.iter();
        definitions.extend(constants.map(|(_, definition)| definition.clone()));
        let common = match drafts.len() {
            1 => None,
            _ => self.common(&drafts, &definitions[self.time.iter().len()..]),
        };
        let head = head_comment(self.program.sources.scene_text());
        let mut passes = Vec::new();
        if let Some(common) = &common {
            passes.push(ExportedPass {
                pass: ShadertoyPass::Common,
                code: common.text.clone(),
                inputs: Vec::new(),
            });
        }
        for draft in &drafts {
            let written = file(&draft.pieces, &definitions, common.as_ref(), &draft.end);
            let head = match draft.pass {
                ShadertoyPass::Image if !head.is_empty() => format!("{head}\n"),
                _ => String::new(),
            };
            passes.push(ExportedPass {
                pass: draft.pass,
                code: head + &self.told(&draft.inputs) + &written.text,
                inputs: draft
                    .inputs
                    .iter()
                    .map(|(_, input)| input.clone())
                    .collect(),
            });
        }
        Ok(Shadertoy {
            passes,
            notes: self.notes(&drafts),
        })
    }

    /// The code used by at least two passes that does not read pass inputs.
    fn common(&self, drafts: &[Draft], definitions: &[Definition]) -> Option<Written> {
        let mut shared = Pieces::new();
        for (number, draft) in drafts.iter().enumerate() {
            for (item, piece) in &draft.pieces {
                let others = &drafts[number + 1..];
                let is_shared = others.iter().any(|other| other.pieces.contains_key(item));
                if piece.is_free && is_shared {
                    shared.insert(*item, piece.clone());
                }
            }
        }
        if shared.is_empty() {
            return None;
        }
        // Dependencies of shared pieces are free of inputs and shared too, so none are
        // missing.
        Some(file(&shared, definitions, None, ""))
    }

    /// A comment that lists the channels.
    fn told(&self, inputs: &[(Resource, ExportedInput)]) -> String {
        let lines = inputs.iter().enumerate().map(|(number, (resource, _))| {
            format!("// iChannel{number}: {}\n", self.described(*resource))
        });
        let lines: String = lines.collect();
        match lines.is_empty() {
            true => lines,
            false => lines + "\n",
        }
    }

    fn sampler(&self, resource: Resource) -> &'static str {
        let shape = match resource {
            Resource::Cube => ChannelShape::Cube,
            Resource::Channel(index) => self.program.channels[index].shape,
            _ => ChannelShape::Texture2d,
        };
        match shape {
            ChannelShape::Texture2d => "sampler2D",
            ChannelShape::Cube => "samplerCube",
            ChannelShape::Volume => "sampler3D",
        }
    }

    fn described(&self, resource: Resource) -> String {
        match self.there(resource) {
            Resource::Buffer(buffer) => ShadertoyPass::Buffer(buffer).name().to_owned(),
            Resource::Cube => ShadertoyPass::Cube.name().to_owned(),
            Resource::Keyboard => "Keyboard".to_owned(),
            Resource::Channel(index) => {
                let channel = &self.program.channels[index];
                format!("{}, {}", channel.name, channel.source)
            }
            _ => String::new(),
        }
    }

    /// Textures read by `roots`, in channel order.
    fn textures(&self, roots: &[Item]) -> Vec<Resource> {
        let mut found = Vec::new();
        for root in roots {
            let Item::Function(function) = root else {
                continue;
            };
            for global in self.facts.globals(*function, GlobalUse::all()) {
                if let Some(resource) = self.scene.resource(global)
                    && is_texture(resource)
                    && !found.contains(&resource)
                {
                    found.push(resource);
                }
            }
        }
        found.sort();
        found
    }

    fn per_frame_draft(&self, buffer: Buffer) -> Result<Option<Draft>, ExportError> {
        let Some(function) = self.scene.function("per_frame") else {
            return Ok(None);
        };
        let root = Item::Function(function);
        let (inputs, pieces) = self.written(PassKind::Buffer(buffer), &[root], &[])?;
        let rows = PER_FRAME / PER_FRAME_ROW;
        let end = format!(
            "// What is the same for all pixels is worked out in {PER_FRAME} pixels of the corner, once.\n\
             void mainImage(out vec4 fragColor, in vec2 fragCoord) {{\n    \
             ivec2 pixel = ivec2(fragCoord);\n    \
             if (pixel.x >= {PER_FRAME_ROW} || pixel.y >= {rows}) discard;\n    \
             fragColor = per_frame(uint({PER_FRAME_ROW} * pixel.y + pixel.x));\n}}\n"
        );
        Ok(Some(Draft {
            pass: ShadertoyPass::Buffer(buffer),
            inputs,
            pieces,
            end,
        }))
    }

    fn draft(&self, pass: &Pass) -> Result<Draft, ExportError> {
        let function = self.root_variable(pass)?;
        let roots = [Item::Function(function)];
        let reads_data = self.per_frame.is_some() && reads_per_frame(pass);
        let extra = if reads_data {
            vec![Resource::PerFrame]
        } else {
            Vec::new()
        };
        let (inputs, pieces) = self.written(pass.kind, &roots, &extra)?;
        let name = self.names.function(function);
        let (pass, head, call) = match pass.kind {
            PassKind::PerFrame | PassKind::Image => (
                ShadertoyPass::Image,
                IMAGE_HEAD,
                format!("{name}(fragCoord)"),
            ),
            PassKind::Buffer(buffer) => (
                ShadertoyPass::Buffer(self.buffer(buffer)),
                IMAGE_HEAD,
                format!("{name}(fragCoord)"),
            ),
            PassKind::Cube => (
                ShadertoyPass::Cube,
                "void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir)",
                format!("{name}(fragCoord, normalize(rayDir))"),
            ),
            PassKind::Sound => (
                ShadertoyPass::Sound,
                "vec2 mainSound(in int samp, float time)",
                format!("{name}(uint(time * {SAMPLE_RATE}.0 + 0.5), time)"),
            ),
        };
        let end = match pass {
            ShadertoyPass::Sound => format!("{head} {{\n    return {call};\n}}\n"),
            _ => format!("{head} {{\n    fragColor = {call};\n}}\n"),
        };
        Ok(Draft {
            pass,
            inputs,
            pieces,
            end,
        })
    }

    fn written(
        &self,
        kind: PassKind,
        roots: &[Item],
        extra: &[Resource],
    ) -> Result<(Vec<(Resource, ExportedInput)>, Pieces), ExportError> {
        let mut channels = extra.to_vec();
        channels.extend(self.textures(roots));
        if channels.len() > CHANNELS {
            return Err(ExportError::Channels {
                pass: kind.to_string(),
                count: channels.len(),
            });
        }
        let host = ShadertoyHost {
            exporter: self,
            kind,
            channels: &channels,
        };
        let pieces = pieces(self.facts, &self.names, &host, Language::Glsl, roots)?;
        let inputs = channels
            .iter()
            .map(|&resource| (resource, self.scene.sampling(resource, roots)))
            .map(|(resource, (filter, wrap))| {
                let input = ExportedInput {
                    resource: self.there(resource),
                    filter,
                    wrap,
                    sampler: self.sampler(resource),
                };
                (resource, input)
            })
            .collect();
        Ok((inputs, pieces))
    }

    fn notes(&self, drafts: &[Draft]) -> Vec<String> {
        let mut notes = Vec::new();
        for (_, input) in drafts.iter().flat_map(|draft| &draft.inputs) {
            let Resource::Channel(index) = input.resource else {
                continue;
            };
            let name = &self.program.channels[index].name;
            if input.wrap == Wrap::Mirror {
                notes.push(format!(
                    "Shadertoy does not mirror textures: `{name}` repeats there"
                ));
            }
        }
        notes.sort();
        notes.dedup();
        notes
    }
}

/// True for a pass that reads the `per_frame` values.
fn reads_per_frame(pass: &Pass) -> bool {
    let mut bindings = pass.bindings.iter();
    bindings.any(|binding| binding.resource == Resource::PerFrame)
}

const IMAGE_HEAD: &str = "void mainImage(out vec4 fragColor, in vec2 fragCoord)";

fn is_texture(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Buffer(_) | Resource::Cube | Resource::Keyboard | Resource::Channel(_)
    )
}

struct ShadertoyHost<'a> {
    exporter: &'a Exporter<'a>,
    kind: PassKind,
    channels: &'a [Resource],
}

impl Host for ShadertoyHost<'_> {
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.exporter.scene.resource(global)
    }

    fn frame(&self, member: &str) -> Result<String, ExportError> {
        let is_picture = self.kind != PassKind::Sound;
        let needs_picture = !matches!(
            member,
            "date"
                | "orbit"
                | "press_age"
                | "release_age"
                | "stride"
                | "sample_offset"
                | "output_step"
                | "lens"
        );
        if needs_picture && !is_picture {
            return Err(ExportError::Sound(format!("frame.{member}")));
        }
        Ok(match member {
            "resolution" if self.kind == PassKind::Cube => "vec2(1024.0)",
            "resolution" => "iResolution.xy",
            "time" => match &self.exporter.time {
                Some(time) => &time.name,
                None => "iTime",
            },
            "time_delta" => "iTimeDelta",
            "frame_rate" => "iFrameRate",
            "mouse" => "iMouse",
            // Shadertoy updates the pointer position only while a button is held.
            "pointer" => "vec4(iMouse.xy + 0.5, vec2(greaterThan(iMouse.zz, vec2(0.0))))",
            "orbit" => "vec4(0.0, 0.0, 1.0, 0.0)",
            "date" => "iDate",
            "press_age" | "release_age" => "1e6",
            "index" => "uint(iFrame)",
            "stride" => "vec2(1.0)",
            "output_step" => "(1.0 / 255.0)",
            "tile_origin" | "sample_offset" | "lens" | "unused" => "vec2(0.0)",
            _ => "0u",
        }
        .to_owned())
    }

    fn parameter(&self, member: &str) -> String {
        let mut parameters = self.exporter.parameters.iter();
        let found = parameters.find(|(name, _)| name == member);
        found.map_or_else(
            || member.to_owned(),
            |(_, definition)| definition.name.clone(),
        )
    }

    fn per_frame(&self) -> Result<PerFrameSource, ExportError> {
        if self.exporter.per_frame.is_some() {
            let name = self.texture(Resource::PerFrame)?;
            return Ok(PerFrameSource::Texture(name));
        }
        let function = self.exporter.scene.function("per_frame");
        Ok(function.map_or(PerFrameSource::Nothing, PerFrameSource::Function))
    }

    fn texture(&self, resource: Resource) -> Result<String, ExportError> {
        let number = self.channels.iter().position(|&found| found == resource);
        match number {
            Some(number) => Ok(format!("iChannel{number}")),
            None => Err(ExportError::Invalid("a texture is not bound".to_owned())),
        }
    }
}
