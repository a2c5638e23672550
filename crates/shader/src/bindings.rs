//! Resource bindings of each pass of a validated module, and their sources in tarsus.

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, GlobalVariable, ImageClass, ImageDimension, Module, TypeInner};

use super::channel::{
    self, Channel, ChannelSampler, ChannelShape, Filter, PassChannel, Wrap, texture_of,
};
use super::channel_comment::{TextureComment, read_sampler, read_texture};
use super::diagnostic::Diagnostic;
use super::names::{Name, split};
use super::pass::Buffer;
use super::signatures::items;
use super::source_map::SourceMap;

/// Binding of the scene's parameters.
const PARAMETERS_PLACE: &str = "@group(1) @binding(0)";

/// A resource that a pass uses, and where it expects it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize,
)]
pub struct Binding {
    /// The `@group` index.
    pub group: u32,
    /// The `@binding` index.
    pub binding: u32,
    /// The bound resource.
    pub resource: Resource,
}

/// What tarsus binds for a scene.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize,
)]
pub enum Resource {
    /// The `Frame` uniform.
    Frame,
    /// The uniform for values that are the same for all pixels; see `frame::per_frame_value`.
    PerFrame,
    /// The keyboard texture; see `shaders/lib/keyboard.wgsl`.
    Keyboard,
    /// The uniform of `struct Params`.
    Parameters,
    /// The latest output of a buffer pass; see `shaders/lib/buffers.wgsl`.
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
pub(super) struct Found<'a> {
    pub channels: &'a mut Vec<Channel>,
    pub samplers: &'a mut Vec<ChannelSampler>,
    /// Channels of the pass, for front ends that do not describe them in comments.
    pub given: Option<&'a [PassChannel]>,
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
    found: &mut Found<'_>,
) -> Result<Vec<Binding>, Box<Diagnostic>> {
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
        let name = split(global.name.as_deref().unwrap_or_default(), sources);
        let given = found.given.and_then(|given| {
            let slot = place.binding / 2;
            given.iter().find(|given| given.slot == slot)
        });
        let resource = match kind {
            Kind::Known(resource) => resource,
            Kind::Texture(_) if let Some(given) = given => {
                Resource::Channel(found.given_channel(given))
            }
            Kind::Sampler if let Some(given) = given => {
                Resource::Sampler(found.given_sampler(given))
            }
            Kind::Texture(shape) => Resource::Channel(found.channel(&name, shape, sources)?),
            Kind::Sampler => Resource::Sampler(found.sampler(&name, module, sources)?),
        };
        bindings.push(Binding {
            group: place.group,
            binding: place.binding,
            resource,
        });
    }
    bindings.sort();
    Ok(bindings)
}

/// Checks that tarsus provides every resource that a module declares, including those that
/// no pass uses.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first resource that tarsus does not provide.
pub(super) fn require_provided(
    module: &Module,
    sources: &SourceMap,
) -> Result<(), Box<Diagnostic>> {
    for (_, global) in module.global_variables.iter() {
        if matches!(global.space, AddressSpace::Private | AddressSpace::Function) {
            continue;
        }
        let kind = kind_of(module, global);
        let kind = kind.ok_or_else(|| not_provided(module, global, sources))?;
        let name = split(global.name.as_deref().unwrap_or_default(), sources);
        match kind {
            Kind::Known(_) => {}
            Kind::Texture(shape) => {
                comment_of_texture(&name, shape, sources)?;
            }
            Kind::Sampler => {
                sampling(&name, module, sources)?;
            }
        }
    }
    Ok(())
}

/// True for the frame uniform.
pub(super) fn is_frame(module: &Module, global: &GlobalVariable) -> bool {
    kind_of(module, global) == Some(Kind::Known(Resource::Frame))
}

fn kind_of(module: &Module, global: &GlobalVariable) -> Option<Kind> {
    let place = global.binding?;
    let ty = &module.types[global.ty];
    let name = ty.name.as_deref().unwrap_or_default();
    let is_frame = name == "Frame" || name.starts_with("FrameX_naga_oil");
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
        class:
            ImageClass::Sampled {
                kind: naga::ScalarKind::Float,
                multi: false,
            },
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

impl Found<'_> {
    /// Index of a channel given by a pass, added if it is new.
    fn given_channel(&mut self, given: &PassChannel) -> usize {
        let mut channels = self.channels.iter();
        let known = channels.position(|channel| channel.name == given.channel.name);
        known.unwrap_or_else(|| {
            self.channels.push(given.channel.clone());
            self.channels.len() - 1
        })
    }

    /// Index of the sampler of a channel given by a pass, added if it is new.
    fn given_sampler(&mut self, given: &PassChannel) -> usize {
        let mut samplers = self.samplers.iter();
        let known = samplers.position(|sampler| sampler.name == given.sampler.name);
        known.unwrap_or_else(|| {
            self.samplers.push(given.sampler.clone());
            self.samplers.len() - 1
        })
    }

    /// Index of the channel with this name, added if it is new.
    fn channel(
        &mut self,
        name: &Name<'_>,
        shape: ChannelShape,
        sources: &SourceMap,
    ) -> Result<usize, Box<Diagnostic>> {
        let mut channels = self.channels.iter();
        if let Some(index) = channels.position(|channel| channel.name == name.item) {
            return Ok(index);
        }
        let comment = comment_of_texture(name, shape, sources)?;
        let file = sources
            .get(&name.module)
            .and_then(|source| source.path.as_ref());
        self.channels.push(Channel {
            name: name.item.to_owned(),
            source: comment.source,
            shape,
            has_mipmaps: comment.filter == Filter::Mipmap,
            is_flipped: comment.is_flipped,
            is_srgb: comment.is_srgb,
            folder: file.and_then(|file| Some(file.parent()?.to_path_buf())),
        });
        Ok(self.channels.len() - 1)
    }

    /// Index of the sampler with this name, added if it is new.
    fn sampler(
        &mut self,
        name: &Name<'_>,
        module: &Module,
        sources: &SourceMap,
    ) -> Result<usize, Box<Diagnostic>> {
        let mut samplers = self.samplers.iter();
        if let Some(index) = samplers.position(|sampler| sampler.name == name.item) {
            return Ok(index);
        }
        let (filter, wrap) = sampling(name, module, sources)?;
        self.samplers.push(ChannelSampler {
            name: name.item.to_owned(),
            filter,
            wrap,
        });
        Ok(self.samplers.len() - 1)
    }
}

fn comment_of_texture(
    name: &Name<'_>,
    shape: ChannelShape,
    sources: &SourceMap,
) -> Result<TextureComment, Box<Diagnostic>> {
    let comment = comment_of(name.item, &name.module, sources);
    read_texture(&comment, shape).map_err(|told| wrong_comment("channel", name, sources, told))
}

/// Filter and wrap mode of a sampler, from its own comment or else from its texture's.
fn sampling(
    name: &Name<'_>,
    module: &Module,
    sources: &SourceMap,
) -> Result<(Filter, Wrap), Box<Diagnostic>> {
    let wrong = |told| wrong_comment("sampler", name, sources, told);
    let own = read_sampler(&comment_of(name.item, &name.module, sources)).map_err(wrong)?;
    if let Some(own) = own {
        return Ok(own);
    }
    let texture = texture_of(name.item).and_then(|texture| {
        let is_it = |global: &&GlobalVariable| {
            split(global.name.as_deref().unwrap_or_default(), sources).item == texture
        };
        let mut globals = module.global_variables.iter().map(|(_, global)| global);
        let shape = shape_of(&module.types[globals.find(is_it)?.ty].inner)?;
        Some((texture, shape))
    });
    let Some((texture, shape)) = texture else {
        let hint = "call it as its texture with `_sampler` behind it, or write `/// linear, \
                    repeat` before it";
        return Err(wrong((
            "it belongs to no texture".to_owned(),
            hint.to_owned(),
        )));
    };
    let name = Name {
        item: texture,
        module: name.module.clone(),
    };
    let comment = comment_of_texture(&name, shape, sources)?;
    Ok((comment.filter, comment.wrap))
}

fn comment_of(item: &str, module: &str, sources: &SourceMap) -> String {
    let items = items(sources.text(module));
    let found = items.into_iter().find(|found| found.name == item);
    found.map_or_else(String::new, |found| found.comment)
}

fn wrong_comment(
    what: &str,
    name: &Name<'_>,
    sources: &SourceMap,
    (message, hint): (String, String),
) -> Box<Diagnostic> {
    let message = format!("{what} `{}`: {message}", name.written());
    at_declaration(name, sources, message, format!("hint: {hint}"))
}

fn not_provided(module: &Module, global: &GlobalVariable, sources: &SourceMap) -> Box<Diagnostic> {
    let name = split(global.name.as_deref().unwrap_or_default(), sources);
    let written = name.written();
    let type_name = module.types[global.ty].name.as_deref();
    let (message, hint) = match (global.space, global.binding) {
        (AddressSpace::WorkGroup, _) => (
            format!("`{written}` is shared by a workgroup, and a scene has none"),
            "hint: write `var<private>` for a variable of each pixel".to_owned(),
        ),
        (AddressSpace::Uniform, Some(_)) if type_name == Some("Params") => (
            format!("cannot bind `{written}`: parameters are in group 1"),
            format!("hint: write `{PARAMETERS_PLACE} var<uniform> {written}: Params;`"),
        ),
        (_, place) => {
            let place = place.map_or_else(String::new, |place| {
                format!(" at @group({}) @binding({})", place.group, place.binding)
            });
            (
                format!("cannot bind `{written}`: tarsus provides nothing of its type{place}"),
                format!(
                    "a scene has its parameters, `{PARAMETERS_PLACE} var<uniform> params: Params;`, \
                     textures and samplers in group {}, and what the modules that it imports have",
                    channel::GROUP
                ),
            )
        }
    };
    at_declaration(&name, sources, message, hint)
}

/// Creates an error located at the declaration of `name`.
pub(super) fn at_declaration(
    name: &Name<'_>,
    sources: &SourceMap,
    message: String,
    note: String,
) -> Box<Diagnostic> {
    let span = sources.declaration(&name.module, name.item);
    sources.diagnostic(&name.module, message, span, String::new(), vec![note])
}
