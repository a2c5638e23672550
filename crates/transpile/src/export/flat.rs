//! A scene and its imports as a single WGSL file.

use naga::back::wgsl::{WriterFlags, write_string};
use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::error::ExportError;
use super::names::{Item, Names};
use tarsus_shader::Program;
use tarsus_shader::Resource;
use tarsus_shader::Values;
use tarsus_shader::{PER_FRAME, PER_FRAME_ROW};

/// Writes a program as a single WGSL file with an entry point for every pass.
///
/// # Errors
/// Returns [`ExportError::Invalid`] if the module fails validation or naga cannot write it.
pub fn to_wgsl(program: &Program, values: &Values) -> Result<String, ExportError> {
    let invalid = |reason: String| ExportError::Invalid(reason);
    let image = program
        .passes
        .last()
        .ok_or_else(|| invalid("it has no passes".to_owned()))?;
    let names = Names::new(&image.module, &program.sources);
    let mut module = (*image.module).clone();
    let functions: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    for handle in functions {
        module.functions[handle].name = names.of(Item::Function(handle)).map(str::to_owned);
    }
    let globals = module.global_variables.iter();
    for handle in globals.map(|(handle, _)| handle).collect::<Vec<_>>() {
        let name = names.of(Item::Global(handle)).map(str::to_owned);
        module.global_variables[handle].name = name;
    }
    let constants = module.constants.iter();
    for handle in constants.map(|(handle, _)| handle).collect::<Vec<_>>() {
        module.constants[handle].name = names.of(Item::Constant(handle)).map(str::to_owned);
    }
    let types: Vec<_> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in types {
        if let Some(name) = names.of(Item::Type(handle))
            && module.types[handle].name.as_deref() != Some(name)
        {
            let renamed = naga::Type {
                name: Some(name.to_owned()),
                ..module.types[handle].clone()
            };
            module.types.replace(handle, renamed);
        }
    }
    compact(&mut module, KeepUnused::No);
    let info = Validator::new(ValidationFlags::all(), Capabilities::default())
        .validate(&module)
        .map_err(|error| invalid(error.as_inner().to_string()))?;
    let code = write_string(&module, &info, WriterFlags::empty())
        .map_err(|error| invalid(error.to_string()))?;
    Ok(head(program, values) + &code)
}

/// The comment that lists what a host must bind.
fn head(program: &Program, values: &Values) -> String {
    let mut lines: Vec<String> = program
        .sources
        .scene_text()
        .lines()
        .take_while(|line| line.starts_with("//"))
        .map(|line| line.trim_start_matches('/').trim().to_owned())
        .collect();
    lines.push(String::new());
    lines.push(
        "One triangle of three vertices without buffers covers the target. Passes:".to_owned(),
    );
    for pass in program.all_passes() {
        let entries = pass.vertex_entry.into_iter().chain([pass.fragment_entry]);
        let entries: Vec<_> = entries.collect();
        lines.push(format!("  {}: {}", pass.kind, entries.join(", ")));
        for binding in &pass.bindings {
            lines.push(format!(
                "    @group({}) @binding({}) {}",
                binding.group,
                binding.binding,
                described(program, binding.resource)
            ));
        }
    }
    lines.extend(FRAME.lines().map(str::to_owned));
    if !program.parameters.is_empty() {
        lines.push("Parameters, with the values of this scene:".to_owned());
    }
    for parameter in program.parameters.iter() {
        let value = program.parameters.get(values, parameter);
        let value: Vec<String> = value[..parameter.components]
            .iter()
            .map(|number| format!("{number}"))
            .collect();
        lines.push(format!(
            "  {} = {}: {}",
            parameter.name,
            value.join(", "),
            parameter.label
        ));
    }
    let lines = lines.iter().map(|line| format!("// {line}"));
    let text: String = lines.map(|line| format!("{}\n", line.trim_end())).collect();
    text + "\n"
}

const FRAME: &str = "\
The Frame uniform, 144 bytes:
  resolution: width and height in pixels. tile_origin, sample_offset: 0.
  time, time_delta: seconds since the start, and since the picture before.
  mouse, date: as Shadertoy's iMouse and iDate.
  pointer: x and y in pixels from the lower left corner, z = 1 inside, w = 1 while held.
  orbit: yaw and pitch in radians, zoom factor (1).
  press_age, release_age: seconds since then, 1e6 for never.
  frame_rate, index: pictures per second, and the number of this one.
  stride: 1, 1. part: face of the cube from 0 to 5, or number of the first sample of sound.
  output_step: 1/255 for a picture of 8 bits. lens: 0.";

fn described(program: &Program, resource: Resource) -> String {
    match resource {
        Resource::Frame => "the Frame uniform".to_owned(),
        Resource::PerFrame => {
            let rows = PER_FRAME / PER_FRAME_ROW;
            format!(
                "{PER_FRAME} vectors, as the pass `per frame` draws them in {PER_FRAME_ROW} x \
                 {rows} texels"
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
