//! A scene and its imports as a single WGSL file.

use naga::Type;
use naga::back::wgsl::{WriterFlags, write_string};
use naga::compact::{KeepUnused, compact};
use tarsus_shader::{PER_FRAME_ROW, Program, Resource, Values};

use super::error::{ExportError, validate};
use super::names::{Item, Names};
use super::source_file::head_comment;

/// Writes a program as a single WGSL file with an entry point for every pass.
///
/// # Errors
/// Returns [`ExportError`] if the module fails validation or naga cannot write it.
pub fn to_wgsl(program: &Program, values: &Values) -> Result<String, ExportError> {
    let image = program.passes.last();
    let image = image.ok_or_else(|| ExportError::invalid("it has no passes"))?;
    let names = Names::new(&image.module, &program.sources);
    let mut module = (*image.module).clone();
    for item in Item::all(&image.module) {
        let name = names.of(item).map(str::to_owned);
        match item {
            Item::Constant(handle) => module.constants[handle].name = name,
            Item::Global(handle) => module.global_variables[handle].name = name,
            Item::Function(handle) => module.functions[handle].name = name,
            Item::Type(handle) if name.is_some() && name != module.types[handle].name => {
                let inner = module.types[handle].inner.clone();
                module.types.replace(handle, Type { name, inner });
            }
            Item::Type(_) => {}
        }
    }
    for ((_, function), (_, original)) in
        module.functions.iter_mut().zip(image.module.functions.iter())
    {
        let arguments = function.arguments.iter_mut().map(|argument| &mut argument.name);
        let locals = function.local_variables.iter_mut().map(|(_, local)| &mut local.name);
        let values = function.named_expressions.values_mut();
        let variables = arguments.chain(locals).flatten().chain(values);
        variables.for_each(|name| *name = names.variable(original, name));
    }
    compact(&mut module, KeepUnused::No);
    let info = validate(&module)?;
    let code = write_string(&module, &info, WriterFlags::empty());
    let code = code.map_err(ExportError::invalid)?;
    Ok(head(program, values) + &code)
}

/// The comment that lists what a host must bind.
fn head(program: &Program, values: &Values) -> String {
    let comment = head_comment(program.sources.scene_text());
    let lines = comment.lines().map(|line| line.trim_start_matches('/').trim().to_owned());
    let mut lines: Vec<String> = lines.collect();
    lines.push(String::new());
    lines.push("Draw one triangle (3 vertices, no vertex buffers) per pass. Passes:".to_owned());
    for pass in program.all_passes() {
        let entries = pass.vertex_entry().into_iter().chain([pass.kind.entry()]);
        let size = pass.size.map(|(width, height)| format!(", {width} x {height} texels"));
        let (entries, size) = (entries.collect::<Vec<_>>().join(", "), size.unwrap_or_default());
        lines.push(format!("  {}: {entries}{size}", pass.kind));
        for binding in &pass.bindings {
            let place = format!("@group({}) @binding({})", binding.group, binding.binding);
            let description = describe(program, binding.resource);
            lines.push(format!("    {place} {description}"));
        }
    }
    lines.extend(FRAME.lines().map(str::to_owned));
    if let Some(period) = program.period {
        lines.push(format!("The scene repeats every {period} seconds: pass time modulo {period}."));
    }
    if !program.parameters.is_empty() {
        lines.push("Parameters, with the values of this scene:".to_owned());
    }
    for parameter in program.parameters.iter() {
        let components = &program.parameters.get(values, parameter)[..parameter.components];
        let value = components.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        lines.push(format!("  {} = {value}: {}", parameter.name, parameter.label));
    }
    let lines = lines.iter().map(|line| format!("// {line}"));
    let text: String = lines.map(|line| format!("{}\n", line.trim_end())).collect();
    text + "\n"
}

/// The layout of `Frame`: the offset of each member in bytes, its name and meaning.
const FRAME: &str = "\
The Frame uniform, 144 bytes, members by their offset:
    0 resolution: width and height in pixels, in a buffer of fixed size those of the buffer,
      of which mouse and pointer are then positions
    8 sample_offset: 0, 0
   16 tile_origin: 0, 0
   24 stride: 1, 1
   32 lens: 0, 0
   40 time: seconds since the start
   44 output_step: 1/255 for a target of 8 bits
   48 mouse: as Shadertoy's iMouse
   64 pointer: x and y in pixels from the lower left corner, z = 1 inside, w = 1 while a button
      is down
   80 orbit: yaw and pitch in radians, zoom factor (1), 0
   96 date: as Shadertoy's iDate
  112 press_age: seconds since the button was pressed, 1e6 for never
  116 release_age: seconds since it was released, 1e6 for never
  120 time_delta: seconds since the previous frame
  124 frame_rate: frames per second
  128 index: number of this frame
  132 cube_face_or_sample: face of the cube from 0 to 5, or number of the first sample of the sound
  136 unused: 0, 0";

fn describe(program: &Program, resource: Resource) -> String {
    match resource {
        Resource::Frame => "the Frame uniform".to_owned(),
        Resource::PerFrame => {
            let count = program.per_frame_values();
            let rows = count.div_ceil(PER_FRAME_ROW);
            format!(
                "{count} vectors, rendered by pass `per frame` to {PER_FRAME_ROW} x {rows} \
                 texels"
            )
        }
        Resource::Keyboard => "256 x 3 texels: keys down, pressed, toggled".to_owned(),
        Resource::Parameters => format!("parameters, {} bytes", program.parameters.size()),
        Resource::Buffer(buffer) => format!("buffer {buffer:?}, 32-bit floats"),
        Resource::Cube => "the cube".to_owned(),
        Resource::CubeSampler => "a linear sampler".to_owned(),
        Resource::Channel(index) => {
            let channel = &program.channels[index];
            format!("{}: {}", channel.name, channel.source)
        }
        Resource::Sampler(index) => program.samplers[index].name.clone(),
    }
}
