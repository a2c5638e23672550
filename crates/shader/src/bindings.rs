//! Resource bindings of each pass of a validated module, and their sources in tarsus.

use std::path::Path;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, GlobalVariable, ImageClass, ImageDimension, Module, TypeInner};

use super::channel::{self, Channel, ChannelSampler, ChannelShape, PassChannel, texture_of};
use super::channel_comment::{CommentError, Sampling, read_sampler, read_texture};
use super::diagnostic::{Checked, Diagnostic};
use super::names::{Name, demangle, item_of};
use super::pass::Buffer;
use super::signatures::find_item;
use super::source_map::SourceMap;

/// Binding and address space of the scene's parameters.
const PARAMETERS_BINDING: &str = "@group(1) @binding(0) var<uniform>";
/// Maximum number of textures that a pass reads, and of its samplers. WebGPU guarantees as many.
const MAX_TEXTURES: usize = 16;
/// Name of the frame uniform's type.
pub(super) const FRAME: &str = "Frame";

/// A resource that a pass uses, and where it expects it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize,
)]
#[non_exhaustive]
pub struct Binding {
    /// The `@group` index.
    pub group: u32,
    /// The `@binding` index.
    pub binding: u32,
    /// The bound resource.
    pub resource: Resource,
}

impl Binding {
    /// Group and number, as in the attributes of a variable.
    pub fn place(&self) -> naga::ResourceBinding {
        naga::ResourceBinding { group: self.group, binding: self.binding }
    }
}

/// A resource that tarsus binds for a scene.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize,
)]
pub enum Resource {
    /// The `Frame` uniform.
    Frame,
    /// The uniform for values that are the same for all pixels; see `frame::per_frame_value`.
    PerFrame,
    /// The keyboard texture; see `modules/keyboard.wgsl`.
    Keyboard,
    /// The uniform of `struct Params`.
    Parameters,
    /// The latest output of a buffer pass; see `modules/buffers.wgsl`.
    Buffer(Buffer),
    /// The latest output of the cube map pass.
    Cube,
    /// The sampler of the cube map.
    CubeSampler,
    /// The texture of the channel with this index in the program.
    Channel(usize),
    /// The sampler with this index in the program.
    Sampler(usize),
}

/// Channels and samplers of a program found so far.
pub(super) struct Resources<'a> {
    pub channels: &'a mut Vec<Channel>,
    pub samplers: &'a mut Vec<ChannelSampler>,
    /// Channels of the pass, for front ends that do not describe them in comments.
    pub pass_channels: Option<&'a [PassChannel]>,
}

/// Kind of a resource as given by its binding and type, before its comment is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Known(Resource),
    Texture(ChannelShape),
    Sampler,
}

/// Lists the resources used by the named entry points, sorted by group and binding. New
/// channels and samplers are added to `found`.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first resource that tarsus does not provide or whose
/// comment does not name a source.
pub(super) fn bindings(
    module: &Module,
    info: &ModuleInfo,
    entries: &[&str],
    sources: &SourceMap,
    found: &mut Resources<'_>,
) -> Checked<Vec<Binding>> {
    let numbered = module.entry_points.iter().enumerate();
    let infos: Vec<&FunctionInfo> = numbered
        .filter(|(_, entry)| entries.contains(&entry.name.as_str()))
        .map(|(number, _)| info.get_entry_point(number))
        .collect();
    let mut bindings = Vec::new();
    for (handle, global) in module.global_variables.iter() {
        let is_used = infos.iter().any(|entry| !entry[handle].is_empty());
        let (true, Some(place), Some(kind)) = (is_used, global.binding, kind_of(module, global))
        else {
            continue;
        };
        let name = name_of(global, sources);
        let pass_channel = found.pass_channels.and_then(|channels| {
            let mut channels = channels.iter();
            channels.find(|channel| channel.slot == place.binding / 2)
        });
        let resource = match kind {
            Kind::Known(resource) => resource,
            Kind::Texture(shape) => {
                let channel = match pass_channel {
                    Some(given) => given.channel.clone(),
                    None => read_channel(&name, shape, sources)?.0,
                };
                Resource::Channel(index_by_name(found.channels, channel, |item| &item.name))
            }
            Kind::Sampler => {
                let sampler = match pass_channel {
                    Some(given) => given.sampler.clone(),
                    None => read_channel_sampler(&name, module, sources)?,
                };
                Resource::Sampler(index_by_name(found.samplers, sampler, |item| &item.name))
            }
        };
        bindings.push(Binding { group: place.group, binding: place.binding, resource });
    }
    bindings.sort();
    require_few_textures(module, &bindings, sources)?;
    Ok(bindings)
}

/// Checks the numbers of textures and samplers among the `bindings` of a pass.
fn require_few_textures(module: &Module, bindings: &[Binding], sources: &SourceMap) -> Checked<()> {
    let globals = || module.global_variables.iter().map(|(_, global)| global);
    let variable = |binding: &Binding| globals().find(|one| one.binding == Some(binding.place()));
    let variables = bindings.iter().filter_map(variable);
    let is_sampler = |ty: &TypeInner| matches!(ty, TypeInner::Sampler { .. });
    let handles = variables.filter(|one| one.space == AddressSpace::Handle);
    let (samplers, textures): (Vec<_>, Vec<_>) =
        handles.partition(|one| is_sampler(&module.types[one.ty].inner));
    for (limited, found) in [("textures", textures), ("samplers", samplers)] {
        let Some(excess) = found.get(MAX_TEXTURES) else {
            continue;
        };
        let name = name_of(excess, sources);
        let message =
            format!("a pass reads {} {limited}: the limit is {MAX_TEXTURES}", found.len());
        let hint = "hint: put several pictures into one, or read some of them in a buffer";
        return Err(sources.error_at(name.module, name.item, message).with_note(hint));
    }
    Ok(())
}

/// Index of the item with the name of `item`, which is added if there is none.
fn index_by_name<T>(list: &mut Vec<T>, item: T, name: impl Fn(&T) -> &str) -> usize {
    let known = list.iter().position(|other| name(other) == name(&item));
    known.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Checks that tarsus provides every resource that a module declares, including those that
/// no pass uses.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first resource that tarsus does not provide.
pub(super) fn require_provided(module: &Module, sources: &SourceMap) -> Checked<()> {
    for (_, global) in module.global_variables.iter() {
        if matches!(global.space, AddressSpace::Private | AddressSpace::Function) {
            continue;
        }
        let name = name_of(global, sources);
        match kind_of(module, global) {
            None => return Err(unsupported_resource(module, global, sources)),
            // Only the modules of tarsus know what the resources of group 0 contain.
            Some(Kind::Known(resource))
                if resource != Resource::Parameters && !name.module.starts_with("tarsus::") =>
            {
                return Err(unsupported_resource(module, global, sources));
            }
            Some(Kind::Known(_)) => {}
            Some(Kind::Texture(shape)) => drop(read_channel(&name, shape, sources)?),
            Some(Kind::Sampler) => drop(read_channel_sampler(&name, module, sources)?),
        }
    }
    Ok(())
}

/// True for the frame uniform.
pub(super) fn is_frame(module: &Module, global: &GlobalVariable) -> bool {
    kind_of(module, global) == Some(Kind::Known(Resource::Frame))
}

/// Name of a variable as its author wrote it.
fn name_of<'a>(global: &'a GlobalVariable, sources: &'a SourceMap) -> Name<'a> {
    demangle(global.name.as_deref().unwrap_or_default(), sources)
}

fn kind_of(module: &Module, global: &GlobalVariable) -> Option<Kind> {
    let place = global.binding?;
    let ty = &module.types[global.ty];
    let name = ty.name.as_deref().unwrap_or_default();
    let is_frame = item_of(name) == FRAME;
    let is_array = matches!(ty.inner, TypeInner::Array { .. });
    let shape = shape_of(&ty.inner);
    let is_sampler = matches!(ty.inner, TypeInner::Sampler { comparison: false });
    Some(match (place.group, place.binding, global.space) {
        (0, 0, AddressSpace::Uniform) if is_frame => Kind::Known(Resource::Frame),
        (0, 8, AddressSpace::Uniform) if is_array => Kind::Known(Resource::PerFrame),
        (1, 0, AddressSpace::Uniform) => Kind::Known(Resource::Parameters),
        (0, number, AddressSpace::Handle) => Kind::Known(match (number, shape) {
            (1, Some(ChannelShape::Texture2d)) => Resource::Keyboard,
            (2..=5, Some(ChannelShape::Texture2d)) => {
                Resource::Buffer(Buffer::ALL[number as usize - 2])
            }
            (6, Some(ChannelShape::Cube)) => Resource::Cube,
            (7, None) if is_sampler => Resource::CubeSampler,
            _ => return None,
        }),
        (channel::GROUP, _, AddressSpace::Handle) if is_sampler => Kind::Sampler,
        (channel::GROUP, _, AddressSpace::Handle) => Kind::Texture(shape?),
        _ => return None,
    })
}

fn shape_of(ty: &TypeInner) -> Option<ChannelShape> {
    let TypeInner::Image {
        dim,
        arrayed: false,
        class: ImageClass::Sampled { kind: naga::ScalarKind::Float, multi: false },
    } = ty
    else {
        return None;
    };
    match dim {
        ImageDimension::D1 => None,
        ImageDimension::D2 => Some(ChannelShape::Texture2d),
        ImageDimension::D3 => Some(ChannelShape::Volume),
        ImageDimension::Cube => Some(ChannelShape::Cube),
    }
}

/// The channel that the comment of a texture describes, and the sampling that its sampler inherits.
fn read_channel(
    name: &Name<'_>,
    shape: ChannelShape,
    sources: &SourceMap,
) -> Checked<(Channel, Sampling)> {
    let (mut channel, sampling) = read_texture(&comment_of(name, sources), shape)
        .map_err(|error| comment_error("channel", name, sources, error))?;
    name.item.clone_into(&mut channel.name);
    channel.folder = sources.path(name.module).and_then(Path::parent).map(Path::to_path_buf);
    Ok((channel, sampling))
}

/// The sampler with the filter and wrap mode of its texture's comment, as far as its own
/// comment does not replace them.
fn read_channel_sampler(
    name: &Name<'_>,
    module: &Module,
    sources: &SourceMap,
) -> Checked<ChannelSampler> {
    let wrong = |error| comment_error("sampler", name, sources, error);
    let texture = texture_of(name.item).and_then(|texture| {
        let mut globals = module.global_variables.iter();
        let (_, global) = globals.find(|(_, global)| name_of(global, sources).item == texture)?;
        let name = Name { item: texture, ..name.clone() };
        Some((name, shape_of(&module.types[global.ty].inner)?))
    });
    let inherited = match &texture {
        Some((texture, shape)) => Some(read_channel(texture, *shape, sources)?.1),
        None => None,
    };
    let own = read_sampler(&comment_of(name, sources), inherited.unwrap_or_default());
    let Some(sampling) = own.map_err(wrong)?.or(inherited) else {
        let hint = "name it after its texture, with the suffix `_sampler`, or write \
                    `/// linear, repeat` before it";
        return Err(wrong(("no texture has its name".to_owned(), hint.to_owned())));
    };
    Ok(ChannelSampler { name: name.item.to_owned(), filter: sampling.filter, wrap: sampling.wrap })
}

fn comment_of(name: &Name<'_>, sources: &SourceMap) -> String {
    find_item(sources.text(name.module), name.item).map_or_else(String::new, |item| item.comment)
}

fn comment_error(
    kind: &str,
    name: &Name<'_>,
    sources: &SourceMap,
    (message, hint): CommentError,
) -> Box<Diagnostic> {
    let message = format!("{kind} `{}`: {message}", name.display());
    sources.error_at(name.module, name.item, message).with_note(format!("hint: {hint}"))
}

fn unsupported_resource(
    module: &Module,
    global: &GlobalVariable,
    sources: &SourceMap,
) -> Box<Diagnostic> {
    let name = name_of(global, sources);
    let written = name.display();
    let is_params = module.types[global.ty].name.as_deref() == Some("Params");
    let reason = match (global.space, global.binding) {
        (AddressSpace::WorkGroup, _) => "scenes have no workgroup memory",
        (_, Some(_)) if is_params => &format!("parameters are `{PARAMETERS_BINDING}`"),
        (_, Some(place)) if place.group == 0 => "group 0 is reserved for tarsus",
        _ => "tarsus provides no resource of this type",
    };
    let message = format!("cannot bind `{written}`: {reason}");
    let hint = format!(
        "hint: a scene can bind its parameters, `{PARAMETERS_BINDING} params: Params;`, \
         textures and samplers in group {}, and whatever its imported modules bind",
        channel::GROUP
    );
    sources.error_at(name.module, name.item, message).with_note(hint)
}
