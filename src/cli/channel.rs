//! `--channel`: replacement files for a scene's channels.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

/// Replacement files for the channels of a scene.
#[derive(Args, Clone, Debug, Default)]
pub struct ChannelArgs {
    /// Use this file for the scene's channel NAME, a texture variable, instead of the file
    /// that the scene names; may be repeated, the last one for a name wins
    #[arg(long = "channel", value_name = "NAME=FILE", value_parser = parse_channel)]
    channels: Vec<(String, PathBuf)>,
}

impl ChannelArgs {
    /// The replacement files by channel name.
    #[must_use]
    pub fn overrides(&self) -> BTreeMap<String, PathBuf> {
        self.channels.iter().cloned().collect()
    }
}

fn parse_channel(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(file)))
        }
        _ => Err("expected the name of a channel and a file, as in wood=oak.jpg".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        channels: ChannelArgs,
    }

    fn overrides(arguments: &[&str]) -> Option<BTreeMap<String, PathBuf>> {
        let line = Line::try_parse_from([&["tarsus"], arguments].concat());
        line.ok().map(|line| line.channels.overrides())
    }

    #[test]
    fn repeated_channel_last_file_wins() {
        let files = overrides(&[
            "--channel",
            "a=x=1.png",
            "--channel=b=y",
            "--channel",
            "b=z",
        ]);
        let expected = [("a", "x=1.png"), ("b", "z")];
        let expected = expected.map(|(name, file)| (name.to_owned(), PathBuf::from(file)));
        assert_eq!(files, Some(expected.into_iter().collect()));
        assert_eq!(overrides(&[]), Some(BTreeMap::new()));
    }

    #[test]
    fn channel_without_name_or_file_fails() {
        for wrong in ["wood", "=oak.jpg", "wood=", "="] {
            assert_eq!(overrides(&["--channel", wrong]), None, "{wrong}");
        }
    }
}
