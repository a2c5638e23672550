//! Parser for the comments of textures and samplers: source, filter and wrap mode.

use super::channel::{ChannelShape, ChannelSource, Filter, NoiseKind, Wrap};
use super::pass::{Buffer, PassKind};
use super::tokens::tokens;

/// Maximum side of generated noise in texels, for 2D and for 3D textures.
const LONGEST_NOISE: u32 = 1024;
const LONGEST_NOISE_VOLUME: u32 = 64;
/// Keywords for the source of a texture.
const KINDS: &[&str] = &[
    "image", "cube", "volume", "video", "sound", "keyboard", "noise", "buffer", "nothing",
];

/// Contents of a texture's comment.
pub(super) struct TextureComment {
    pub source: ChannelSource,
    pub is_flipped: bool,
    pub is_srgb: bool,
    /// Sampling that a sampler without a comment inherits.
    pub filter: Filter,
    pub wrap: Wrap,
}

/// Reads the comment of a texture of `shape`.
///
/// # Errors
/// Returns the message and a hint.
pub(super) fn read_texture(
    comment: &str,
    shape: ChannelShape,
) -> Result<TextureComment, (String, String)> {
    let is_source = |line: &&str| {
        let first = line.split_whitespace().next().unwrap_or_default();
        KINDS.contains(&first.trim_end_matches(','))
    };
    let line = comment.lines().find(is_source).ok_or_else(|| {
        let example = match shape {
            ChannelShape::Texture2d => "image \"FILE\", repeat",
            ChannelShape::Cube => "cube \"FILE\"",
            ChannelShape::Volume => "volume \"FILE\"",
        };
        (
            "nothing says where its contents come from".to_owned(),
            format!(
                "write `/// {example}` before it; there are {}",
                KINDS.join(", ")
            ),
        )
    })?;
    let mut words = Words::of(line);
    let source = read_source(&mut words, shape)?;
    if shape_of(&source, shape) != shape {
        return Err((
            format!("`{source}` does not fit a `{shape}`"),
            format!("declare it as `{}`", shape_of(&source, shape)),
        ));
    }
    let wrap = match source {
        ChannelSource::Noise { .. } => Wrap::Repeat,
        _ => Wrap::Clamp,
    };
    let mut found = TextureComment {
        source,
        is_flipped: false,
        is_srgb: false,
        filter: Filter::Linear,
        wrap,
    };
    for word in words {
        match word.as_str() {
            "," => {}
            "flip" => found.is_flipped = true,
            "srgb" => found.is_srgb = true,
            word => {
                if !read_sampling(word, &mut found.filter, &mut found.wrap) {
                    return Err(unknown_word(word));
                }
            }
        }
    }
    Ok(found)
}

/// Reads the comment of a sampler. Returns `None` if the comment gives neither a filter nor
/// a wrap mode.
///
/// # Errors
/// Returns the message and a hint.
pub(super) fn read_sampler(comment: &str) -> Result<Option<(Filter, Wrap)>, (String, String)> {
    let (mut filter, mut wrap) = (Filter::Linear, Wrap::Clamp);
    let is_sampling = |line: &&str| {
        let first = Words::of(line).next().unwrap_or_default();
        read_sampling(&first, &mut Filter::Linear, &mut Wrap::Clamp)
    };
    let Some(line) = comment.lines().find(is_sampling) else {
        return Ok(None);
    };
    for word in Words::of(line).filter(|word| word != ",") {
        if !read_sampling(&word, &mut filter, &mut wrap) {
            return Err(unknown_word(&word));
        }
    }
    Ok(Some((filter, wrap)))
}

fn unknown_word(word: &str) -> (String, String) {
    (
        format!("`{word}` says nothing about a texture"),
        "there are nearest, linear, mipmap; clamp, repeat, mirror; flip; srgb".to_owned(),
    )
}

/// Applies `word` if it is a filter or a wrap mode; returns false if it is neither.
fn read_sampling(word: &str, filter: &mut Filter, wrap: &mut Wrap) -> bool {
    match word {
        "nearest" => *filter = Filter::Nearest,
        "linear" => *filter = Filter::Linear,
        "mipmap" => *filter = Filter::Mipmap,
        "clamp" => *wrap = Wrap::Clamp,
        "repeat" => *wrap = Wrap::Repeat,
        "mirror" => *wrap = Wrap::Mirror,
        _ => return false,
    }
    true
}

/// Shape required by a source; noise takes the shape of its texture.
fn shape_of(source: &ChannelSource, declared: ChannelShape) -> ChannelShape {
    match source {
        ChannelSource::Cube(_) => ChannelShape::Cube,
        ChannelSource::Volume(_) => ChannelShape::Volume,
        ChannelSource::PassOutput(PassKind::Cube) => ChannelShape::Cube,
        ChannelSource::Noise { .. } if declared == ChannelShape::Volume => declared,
        ChannelSource::Empty => declared,
        _ => ChannelShape::Texture2d,
    }
}

fn read_source(
    words: &mut Words<'_>,
    shape: ChannelShape,
) -> Result<ChannelSource, (String, String)> {
    let kind = words.next().unwrap_or_default();
    Ok(match kind.as_str() {
        "keyboard" => ChannelSource::Keyboard,
        "nothing" => ChannelSource::Empty,
        "buffer" => read_buffer(words)?,
        "noise" => read_noise(words, shape)?,
        "cube" => {
            let files: Vec<String> = std::iter::from_fn(|| words.file()).collect();
            match files.len() {
                1 | 6 => ChannelSource::Cube(files),
                count => {
                    return Err((
                        format!("a cube has {count} files: it takes 6, or 1 equirectangular one"),
                        "write `/// cube \"px\" \"nx\" \"py\" \"ny\" \"pz\" \"nz\"`".to_owned(),
                    ));
                }
            }
        }
        kind => {
            let file = words.file().ok_or_else(|| {
                (
                    format!("`{kind}` names no file"),
                    format!("write `/// {kind} \"FILE\"`, with the quotes"),
                )
            })?;
            match kind {
                "volume" => ChannelSource::Volume(file),
                "video" => ChannelSource::Video(file),
                "sound" => ChannelSource::Sound(file),
                _ => ChannelSource::Image(file),
            }
        }
    })
}

/// Reads the name of a pass whose output is the source.
fn read_buffer(words: &mut Words<'_>) -> Result<ChannelSource, (String, String)> {
    let name = words.next().unwrap_or_default();
    let kind = match name.as_str() {
        "a" => PassKind::Buffer(Buffer::A),
        "b" => PassKind::Buffer(Buffer::B),
        "c" => PassKind::Buffer(Buffer::C),
        "d" => PassKind::Buffer(Buffer::D),
        "cube" => PassKind::Cube,
        _ => {
            return Err((
                format!("there is no buffer `{name}`"),
                "write `/// buffer a`: a, b, c, d or cube".to_owned(),
            ));
        }
    };
    Ok(ChannelSource::PassOutput(kind))
}

fn read_noise(
    words: &mut Words<'_>,
    shape: ChannelShape,
) -> Result<ChannelSource, (String, String)> {
    let most = match shape {
        ChannelShape::Volume => LONGEST_NOISE_VOLUME,
        _ => LONGEST_NOISE,
    };
    let hint =
        || format!("write `/// noise grey 64`: grey, rgba or blue, and a side of 1 to {most}");
    let kind = match words.next().unwrap_or_default().as_str() {
        "grey" => NoiseKind::Grey,
        "rgba" => NoiseKind::Rgba,
        "blue" if shape != ChannelShape::Volume => NoiseKind::Blue,
        "blue" => return Err(("there is no blue noise with depth".to_owned(), hint())),
        other => return Err((format!("there is no noise `{other}`"), hint())),
    };
    let side = words.next().unwrap_or_default();
    match side.parse() {
        Ok(side) if (1..=most).contains(&side) => Ok(ChannelSource::Noise { kind, side }),
        _ => Err((format!("`{side}` is no side of a noise"), hint())),
    }
}

/// Words of a line; quoted file names are read separately.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// Takes the quoted text that comes next, if any.
    fn file(&mut self) -> Option<String> {
        let after = self.rest.trim_start().strip_prefix('"')?;
        let (file, rest) = after.split_once('"')?;
        self.rest = rest;
        (!file.is_empty()).then(|| file.to_owned())
    }
}

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let word = tokens(self.rest).next()?;
        self.rest = &self.rest[word.span.end..];
        Some(word.text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::texture_of;

    fn read(comment: &str, shape: ChannelShape) -> Result<String, String> {
        let told = |(message, hint): (String, String)| format!("{message}; {hint}");
        let found = read_texture(comment, shape).map_err(told)?;
        let TextureComment {
            source,
            is_flipped,
            is_srgb,
            filter,
            wrap,
        } = found;
        Ok(format!(
            "{source} {filter:?} {wrap:?} {is_flipped} {is_srgb}"
        ))
    }

    #[test]
    fn comments_set_source_and_sampling() {
        use ChannelShape::{Cube, Texture2d, Volume};
        for (comment, shape, expected) in [
            (
                "image \"a b.png\"",
                Texture2d,
                "image \"a b.png\" Linear Clamp false false",
            ),
            (
                "The bark.\nimage \"é.jpg\", repeat, mipmap, flip, srgb",
                Texture2d,
                "image \"é.jpg\" Mipmap Repeat true true",
            ),
            (
                "video \"v.mp4\" nearest mirror",
                Texture2d,
                "video \"v.mp4\" Nearest Mirror false false",
            ),
            ("keyboard", Texture2d, "keyboard Linear Clamp false false"),
            (
                "noise rgba 256",
                Texture2d,
                "noise rgba 256 Linear Repeat false false",
            ),
            (
                "noise grey 32, nearest, clamp",
                Volume,
                "noise grey 32 Nearest Clamp false false",
            ),
            (
                "buffer a, nearest, repeat",
                Texture2d,
                "buffer a Nearest Repeat false false",
            ),
            ("buffer cube", Cube, "buffer cube Linear Clamp false false"),
            ("nothing", Volume, "nothing Linear Clamp false false"),
            (
                "cube \"sky.hdr\"",
                Cube,
                "cube \"sky.hdr\" Linear Clamp false false",
            ),
            (
                "cube \"a\" \"b\" \"c\" \"d\" \"e\" \"f\", mipmap",
                Cube,
                "cube \"a\" \"b\" \"c\" \"d\" \"e\" \"f\" Mipmap Clamp false false",
            ),
        ] {
            assert_eq!(read(comment, shape).as_deref(), Ok(expected), "{comment}");
        }
    }

    #[test]
    fn invalid_comments_report_a_fix() {
        use ChannelShape::{Cube, Texture2d, Volume};
        for (comment, shape, expected) in [
            ("", Texture2d, "write `/// image \"FILE\", repeat`"),
            ("The bark.", Cube, "write `/// cube \"FILE\"`"),
            ("image wood.jpg", Texture2d, "names no file"),
            ("image \"\"", Texture2d, "names no file"),
            (
                "image \"a.png\", blurred",
                Texture2d,
                "`blurred` says nothing",
            ),
            ("cube \"a\" \"b\"", Cube, "a cube has 2 files"),
            ("image \"a.png\"", Cube, "declare it as `texture_2d<f32>`"),
            (
                "cube \"a.png\"",
                Texture2d,
                "declare it as `texture_cube<f32>`",
            ),
            ("buffer e", Texture2d, "no buffer `e`"),
            (
                "buffer cube",
                Texture2d,
                "declare it as `texture_cube<f32>`",
            ),
            ("noise pink 64", Texture2d, "no noise `pink`"),
            ("noise grey", Texture2d, "`` is no side"),
            ("noise grey 0", Texture2d, "`0` is no side"),
            ("noise grey 65", Volume, "1 to 64"),
            ("noise blue 32", Volume, "no blue noise"),
        ] {
            let told = read(comment, shape).expect_err(comment);
            assert!(told.contains(expected), "{comment}: {told}");
        }
    }

    #[test]
    fn sampler_comment_sets_filter_and_wrap() {
        let read = |comment| read_sampler(comment).ok();
        assert_eq!(read("For the bark."), Some(None));
        assert_eq!(
            read("For the bark.\nnearest, repeat"),
            Some(Some((Filter::Nearest, Wrap::Repeat)))
        );
        assert!(read_sampler("nearest, soft").is_err());
        assert_eq!(texture_of("wood_sampler"), Some("wood"));
    }
}
