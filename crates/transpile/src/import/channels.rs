//! Channels of all passes as variables of a single scene.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use tarsus_shader::PassKind;
use tarsus_shader::Program;
use tarsus_shader::Resource;
use tarsus_shader::ir::CHANNEL_GROUP;
use tarsus_shader::{Channel, ChannelSampler, ChannelSource, Filter, Wrap};

/// A texture of the scene.
struct Variable {
    name: String,
    comment: String,
    shape: String,
}

/// All textures, with a record of those that are used.
pub(super) struct Channels {
    variables: Vec<Variable>,
    /// Index into `variables`, by channel of the program.
    places: Vec<usize>,
    /// Channel of the program, by sampler.
    read_by: Vec<Option<usize>>,
    sources: Vec<ChannelSource>,
    used: RefCell<BTreeSet<String>>,
}

impl Channels {
    pub(super) fn new(program: &Program, folder: Option<&Path>) -> Self {
        let mut variables: Vec<Variable> = Vec::new();
        let mut places = Vec::new();
        for channel in &program.channels {
            let mut samplers = program.samplers.iter();
            let sampler = samplers.find(|sampler| sampler.belongs_to(channel));
            let comment = comment(channel, sampler, folder);
            let shape = channel.shape.to_string();
            let same = variables
                .iter()
                .position(|other| other.comment == comment && other.shape == shape);
            places.push(same.unwrap_or(variables.len()));
            if same.is_none() {
                let name = channel.name.replace('.', "_");
                variables.push(Variable {
                    name,
                    comment,
                    shape,
                });
            }
        }
        let read_by = |sampler: &ChannelSampler| {
            let mut channels = program.channels.iter();
            channels.position(|channel| sampler.belongs_to(channel))
        };
        Self {
            variables,
            places,
            read_by: program.samplers.iter().map(read_by).collect(),
            sources: program
                .channels
                .iter()
                .map(|found| found.source.clone())
                .collect(),
            used: RefCell::default(),
        }
    }

    /// Name of the variable for a texture or sampler. Marks it as used, so that it gets
    /// declared.
    pub(super) fn variable(&self, resource: Resource) -> Option<String> {
        let (channel, suffix) = match resource {
            Resource::Channel(channel) => (channel, ""),
            Resource::Sampler(sampler) => (self.read_by.get(sampler).copied()??, "_sampler"),
            _ => return None,
        };
        let variable = &self.variables[*self.places.get(channel)?];
        let name = format!("{}{suffix}", variable.name);
        self.used.borrow_mut().insert(name.clone());
        Some(name)
    }

    /// Function that loads texels of a buffer.
    pub(super) fn texel(&self, resource: Resource) -> Option<&'static str> {
        let Resource::Channel(channel) = resource else {
            return None;
        };
        match self.sources.get(channel)? {
            ChannelSource::PassOutput(PassKind::Buffer(buffer)) => {
                Some(["buffers::a", "buffers::b", "buffers::c", "buffers::d"][buffer.index()])
            }
            _ => None,
        }
    }

    /// Names that are taken.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let names = self.variables.iter().map(|variable| &variable.name);
        names.flat_map(|name| [name.clone(), format!("{name}_sampler")])
    }

    /// Marks all variables as unused.
    pub(super) fn forget(&self) {
        self.used.borrow_mut().clear();
    }

    /// Declarations of the variables that are used.
    pub(super) fn declarations(&self) -> String {
        let used = self.used.borrow();
        let mut text = String::new();
        let mut binding = 0;
        for variable in &self.variables {
            let sampler = format!("{}_sampler", variable.name);
            let needs = [used.contains(&variable.name), used.contains(&sampler)];
            if needs == [false, false] {
                continue;
            }
            text.push_str(&format!(
                "/// {}\n@group({CHANNEL_GROUP}) @binding({binding}) var {}: {};\n",
                variable.comment, variable.name, variable.shape
            ));
            binding += 1;
            if needs[1] {
                text.push_str(&format!(
                    "@group({CHANNEL_GROUP}) @binding({binding}) var {sampler}: sampler;\n"
                ));
                binding += 1;
            }
        }
        text
    }
}

/// Comment that describes the source of a channel and its sampling.
fn comment(channel: &Channel, sampler: Option<&ChannelSampler>, folder: Option<&Path>) -> String {
    let moved = |file: &String| moved(file, channel.folder.as_deref(), folder);
    let source = match &channel.source {
        ChannelSource::Image(file) => ChannelSource::Image(moved(file)),
        ChannelSource::Cube(files) => ChannelSource::Cube(files.iter().map(moved).collect()),
        ChannelSource::Volume(file) => ChannelSource::Volume(moved(file)),
        ChannelSource::Video(file) => ChannelSource::Video(moved(file)),
        ChannelSource::Sound(file) => ChannelSource::Sound(moved(file)),
        other => other.clone(),
    };
    let mut words = vec![source.to_string()];
    let usual_wrap = match source {
        ChannelSource::Noise { .. } => Wrap::Repeat,
        _ => Wrap::Clamp,
    };
    if let Some(sampler) = sampler {
        let filter = match sampler.filter {
            Filter::Nearest => Some("nearest"),
            Filter::Linear => None,
            Filter::Mipmap => Some("mipmap"),
        };
        let wrap = match sampler.wrap {
            Wrap::Clamp => "clamp",
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
        };
        words.extend(filter.map(str::to_owned));
        words.extend((sampler.wrap != usual_wrap).then(|| wrap.to_owned()));
    }
    words.extend(channel.is_flipped.then(|| "flip".to_owned()));
    words.extend(channel.is_srgb.then(|| "srgb".to_owned()));
    words.join(", ")
}

/// Converts a path relative to `from` to one relative to `to`.
fn moved(file: &str, from: Option<&Path>, to: Option<&Path>) -> String {
    let absolute = |path: PathBuf| {
        let path = if path.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            path
        };
        std::path::absolute(&path).unwrap_or(path)
    };
    let path = Path::new(file);
    let (Some(from), Some(to)) = (from, to) else {
        return file.to_owned();
    };
    if path.is_absolute() {
        return file.to_owned();
    }
    let target = absolute(from.join(path));
    let base = absolute(to.to_path_buf());
    let parts = |path: &Path| -> Vec<String> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect()
    };
    let (target, base) = (parts(&target), parts(&base));
    let common = target.iter().zip(&base).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), base.len() - common);
    let way: Vec<String> = up.chain(target[common..].iter().cloned()).collect();
    way.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_paths_are_relative_to_target() {
        let moved = |file, from, to| moved(file, Some(Path::new(from)), Some(Path::new(to)));
        assert_eq!(moved("a.png", "in", "in"), "a.png");
        assert_eq!(moved("a.png", "in", "out"), "../in/a.png");
        assert_eq!(moved("b/a.png", "", "out/x"), "../../b/a.png");
        assert_eq!(moved("/a.png", "in", "out"), "/a.png");
        assert_eq!(super::moved("a.png", None, Some(Path::new("out"))), "a.png");
    }
}
