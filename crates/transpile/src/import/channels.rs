//! Channels of all passes as variables of a single scene.

use std::path::{Component, Path, PathBuf};

use tarsus_shader::ir::CHANNEL_GROUP;
use tarsus_shader::{
    Buffer, Channel, ChannelSampler, ChannelSource, Filter, MissingFile, PassKind, Program,
    Resource, Wrap,
};

use crate::export::source_file::contains_word;

/// A texture of the scene.
struct Variable {
    name: String,
    comment: String,
    /// Missing Shadertoy file that it replaces, if any.
    missing: Option<MissingFile>,
    shape: String,
}

/// All textures.
pub(super) struct Channels<'a> {
    program: &'a Program,
    variables: Vec<Variable>,
    /// Index into `variables`, by channel of the program.
    variable_of_channel: Vec<usize>,
}

impl<'a> Channels<'a> {
    pub(super) fn new(program: &'a Program, folder: Option<&Path>) -> Self {
        let mut variables: Vec<Variable> = Vec::new();
        let mut variable_of_channel = Vec::new();
        for channel in &program.channels {
            let mut samplers = program.samplers.iter();
            let sampler = samplers.find(|sampler| sampler.belongs_to(channel));
            let comment = comment(channel, sampler, folder);
            let shape = channel.shape.to_string();
            let missing = channel.missing.clone();
            let is_same = |other: &Variable| {
                (&other.comment, &other.shape, &other.missing) == (&comment, &shape, &missing)
            };
            let same = variables.iter().position(is_same);
            variable_of_channel.push(same.unwrap_or(variables.len()));
            if same.is_none() {
                let name = channel.name.replace('.', "_");
                variables.push(Variable { name, comment, missing, shape });
            }
        }
        Self { program, variables, variable_of_channel }
    }

    /// Name of the variable for a texture or sampler.
    pub(super) fn variable(&self, resource: Resource) -> Option<String> {
        let (channel, suffix) = match resource {
            Resource::Channel(channel) => (channel, ""),
            Resource::Sampler(sampler) => {
                let sampler = self.program.samplers.get(sampler)?;
                let mut channels = self.program.channels.iter();
                (channels.position(|channel| sampler.belongs_to(channel))?, "_sampler")
            }
            _ => return None,
        };
        let variable = &self.variables[*self.variable_of_channel.get(channel)?];
        Some(format!("{}{suffix}", variable.name))
    }

    /// The buffer in a channel.
    pub(super) fn buffer(&self, resource: Resource) -> Option<Buffer> {
        match self.program.pass_output(resource)? {
            PassKind::Buffer(buffer) => Some(buffer),
            _ => None,
        }
    }

    /// Names that are taken.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let names = self.variables.iter().map(|variable| &variable.name);
        names.flat_map(|name| [name.clone(), format!("{name}_sampler")])
    }

    /// Declarations of the variables that `code` uses.
    pub(super) fn declarations(&self, code: &str) -> String {
        let mut text = String::new();
        let mut binding = 0;
        for variable in &self.variables {
            let sampler = format!("{}_sampler", variable.name);
            let needs = [&variable.name, &sampler].map(|name| contains_word(code, name));
            if needs == [false, false] {
                continue;
            }
            if let Some(missing) = &variable.missing {
                text.push_str(&format!("/// {missing}\n"));
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
    let rebase = |file: &String| rebase_path(file, channel.folder.as_deref(), folder);
    let source = channel.source.with_files(rebase);
    let mut words = vec![source.to_string()];
    let usual_wrap = match source {
        ChannelSource::Noise { .. } => Wrap::Repeat,
        _ => Wrap::Clamp,
    };
    let filter = match sampler {
        Some(sampler) => sampler.filter,
        // `textureLoad` reads levels without a sampler.
        None if channel.has_mipmaps => Filter::Mipmap,
        None => Filter::Linear,
    };
    words.extend((filter != Filter::Linear).then(|| filter.name().to_owned()));
    let wrap = sampler.map_or(usual_wrap, |sampler| sampler.wrap);
    words.extend((wrap != usual_wrap).then(|| wrap.name().to_owned()));
    words.extend(channel.is_flipped.then(|| "flip".to_owned()));
    words.extend(channel.is_srgb.then(|| "srgb".to_owned()));
    words.join(", ")
}

/// Converts a path relative to `from` to one relative to `to`.
fn rebase_path(file: &str, from: Option<&Path>, to: Option<&Path>) -> String {
    let (Some(from), Some(to)) = (from, to) else {
        return file.to_owned();
    };
    if Path::new(file).is_absolute() {
        return file.to_owned();
    }
    let parts = |path: PathBuf| -> Vec<String> {
        let path = std::path::absolute(Path::new(".").join(&path)).unwrap_or(path);
        let parts = path.components().filter(|part| *part != Component::CurDir);
        let parts = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.collect()
    };
    let (target, base) = (parts(from.join(file)), parts(to.to_path_buf()));
    let common = target.iter().zip(&base).take_while(|(a, b)| a == b).count();
    let mut path = vec!["..".to_owned(); base.len() - common];
    path.extend_from_slice(&target[common..]);
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rebased_paths_are_relative_to_target() {
        let moved = |file, from, to| rebase_path(file, Some(Path::new(from)), Some(Path::new(to)));
        assert_eq!(moved("a.png", "in", "in"), "a.png");
        assert_eq!(moved("a.png", "in", "out"), "../in/a.png");
        assert_eq!(moved("b/a.png", "", "out/x"), "../../b/a.png");
        assert_eq!(moved("/a.png", "in", "out"), "/a.png");
        assert_eq!(rebase_path("a.png", None, Some(Path::new("out"))), "a.png");
    }
}
