//! Parser for the comments of textures and samplers: source, filter and wrap mode.

use super::channel::{Channel, ChannelShape, ChannelSource, Filter, MissingFile, NoiseKind, Wrap};
use super::pass::{Buffer, PassKind};
use super::tokens::tokens;

/// Maximum side of generated noise in texels, for 2D and for 3D textures.
const MAX_NOISE_SIDE: u32 = 1024;
pub(super) const MAX_NOISE_VOLUME_SIDE: u32 = 64;
/// Keywords for the source of a texture.
const KINDS: &[&str] = &[
    "image", "cube", "volume", "video", "sound", "keyboard", "noise", "buffer", "nothing",
    "silence",
];

/// Filter and wrap mode of a texture or sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sampling {
    pub filter: Filter,
    pub wrap: Wrap,
}

/// Message and hint of an error in a comment.
pub(super) type CommentError = (String, String);

fn unknown_word(word: &str) -> CommentError {
    let hint = "expected nearest, linear or mipmap; clamp, repeat or mirror; flip; srgb";
    (format!("invalid word `{word}`"), hint.to_owned())
}

/// An error about two different filters or wrap modes among `words`, if there are any.
pub fn contradiction<'a>(words: &(impl Iterator<Item = &'a str> + Clone)) -> Option<CommentError> {
    let is_filter = |word: &str| Filter::from_name(word).is_some();
    let is_wrap = |word: &str| Wrap::from_name(word).is_some();
    let kinds: [&dyn Fn(&str) -> bool; 2] = [&is_filter, &is_wrap];
    kinds.iter().find_map(|is_kind| {
        let mut of_kind = words.clone().filter(|word| is_kind(word));
        let first = of_kind.next()?;
        let other = of_kind.find(|word| *word != first)?;
        Some((format!("`{first}` and `{other}` exclude each other"), "keep one of them".to_owned()))
    })
}

/// Reads the comment of a texture of `shape`. Returns its channel, without name and folder, and
/// the sampling that its sampler inherits.
///
/// # Errors
/// Returns a [`CommentError`] if the comment names no source or has an invalid word.
pub(super) fn read_texture(
    comment: &str,
    shape: ChannelShape,
) -> Result<(Channel, Sampling), CommentError> {
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
        let sources = KINDS.join(", ");
        let hint = format!("write `/// {example}` before it; sources: {sources}");
        ("it has no source".to_owned(), hint)
    })?;
    let mut words = Words { rest: line };
    let source = take_source(&mut words, shape)?;
    if !source.fits(shape) {
        let hint = format!("declare it as `{}`", source.shape());
        return Err((format!("`{source}` does not fit a `{shape}`"), hint));
    }
    let (mut is_flipped, mut is_srgb) = (false, false);
    let mut sampling = Sampling::default();
    if let ChannelSource::Noise { .. } = source {
        sampling.wrap = Wrap::Repeat;
    }
    if let Some(error) = contradiction(&words) {
        return Err(error);
    }
    for word in words {
        match word {
            "," => {}
            "flip" => is_flipped = true,
            "srgb" => is_srgb = true,
            word if apply_sampling(word, &mut sampling) => {}
            word => return Err(unknown_word(word)),
        }
    }
    let channel = Channel {
        name: String::new(),
        source,
        shape,
        has_mipmaps: sampling.filter == Filter::Mipmap,
        is_flipped,
        is_srgb,
        folder: None,
        missing: comment.lines().find_map(MissingFile::from_line),
    };
    Ok((channel, sampling))
}

/// Reads the comment of a sampler, which replaces parts of the `inherited` sampling. Returns
/// `None` if the comment gives neither a filter nor a wrap mode.
///
/// # Errors
/// Returns a [`CommentError`] if the comment has an invalid word.
pub(super) fn read_sampler(
    comment: &str,
    inherited: Sampling,
) -> Result<Option<Sampling>, CommentError> {
    let mut sampling = inherited;
    let is_sampling = |line: &&str| {
        let first = Words { rest: line }.next();
        first.is_some_and(|word| apply_sampling(word, &mut inherited.clone()))
    };
    let Some(line) = comment.lines().find(is_sampling) else {
        return Ok(None);
    };
    let words = Words { rest: line };
    if let Some(error) = contradiction(&words) {
        return Err(error);
    }
    for word in words.filter(|word| *word != ",") {
        if !apply_sampling(word, &mut sampling) {
            return Err(unknown_word(word));
        }
    }
    Ok(Some(sampling))
}

/// Applies `word` if it is a filter or a wrap mode; returns false if it is neither.
fn apply_sampling(word: &str, sampling: &mut Sampling) -> bool {
    let (filter, wrap) = (Filter::from_name(word), Wrap::from_name(word));
    sampling.filter = filter.unwrap_or(sampling.filter);
    sampling.wrap = wrap.unwrap_or(sampling.wrap);
    filter.is_some() || wrap.is_some()
}

/// Reads a source of a texture of `shape`, such as `noise grey 64`.
///
/// # Errors
/// Returns a message and a hint.
pub fn read_source(text: &str, shape: ChannelShape) -> Result<ChannelSource, CommentError> {
    take_source(&mut Words { rest: text }, shape)
}

fn take_source(words: &mut Words<'_>, shape: ChannelShape) -> Result<ChannelSource, CommentError> {
    let kind = words.next().unwrap_or_default();
    Ok(match kind {
        "keyboard" => ChannelSource::Keyboard,
        "nothing" => ChannelSource::Empty,
        "silence" => ChannelSource::Silence,
        "buffer" => read_buffer(words)?,
        "noise" => read_noise(words, shape)?,
        "cube" => {
            let files: Vec<String> = std::iter::from_fn(|| words.file()).collect();
            if ![1, 6].contains(&files.len()) {
                let hint = "write `/// cube \"px\" \"nx\" \"py\" \"ny\" \"pz\" \"nz\"`";
                let count = files.len();
                let message =
                    format!("a cube has {count} files: it takes 6, or 1 equirectangular one");
                return Err((message, hint.to_owned()));
            }
            ChannelSource::Cube(files)
        }
        kind => {
            let file = words.file().ok_or_else(|| {
                let hint = format!("write `/// {kind} \"FILE\"`, with the quotes");
                (format!("`{kind}` names no file"), hint)
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
fn read_buffer(words: &mut Words<'_>) -> Result<ChannelSource, CommentError> {
    let name = words.next().unwrap_or_default();
    let buffer = Buffer::ALL.into_iter().find(|buffer| buffer.letter() == name);
    match buffer {
        Some(buffer) => Ok(ChannelSource::PassOutput(PassKind::Buffer(buffer))),
        None if name == "cube" => Ok(ChannelSource::PassOutput(PassKind::Cube)),
        None => {
            let hint = "write `/// buffer a`: a, b, c, d or cube";
            Err((format!("there is no buffer `{name}`"), hint.to_owned()))
        }
    }
}

fn read_noise(words: &mut Words<'_>, shape: ChannelShape) -> Result<ChannelSource, CommentError> {
    let is_volume = shape == ChannelShape::Volume;
    let max_side = if is_volume { MAX_NOISE_VOLUME_SIDE } else { MAX_NOISE_SIDE };
    let error = |message: String| {
        let hint = "write `noise grey 64`: grey, rgba or blue, and a side of 1 to";
        (message, format!("{hint} {max_side}"))
    };
    let kind = match words.next().unwrap_or_default() {
        "grey" => NoiseKind::Grey,
        "rgba" => NoiseKind::Rgba,
        "blue" if is_volume => return Err(error("3D textures have no blue noise".to_owned())),
        "blue" => NoiseKind::Blue,
        other => return Err(error(format!("there is no noise `{other}`"))),
    };
    let side = words.next().unwrap_or_default();
    match side.parse() {
        Ok(side) if (1..=max_side).contains(&side) => Ok(ChannelSource::Noise { kind, side }),
        _ => Err(error(format!("invalid noise side `{side}`: expected 1 to {max_side}"))),
    }
}

/// Words of a line; quoted file names are read separately.
#[derive(Clone, Copy)]
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    /// Takes the quoted text that comes next, if any.
    fn file(&mut self) -> Option<String> {
        let after = self.rest.trim_start().strip_prefix('"')?;
        let (file, rest) = after.split_once('"')?;
        self.rest = rest;
        (!file.is_empty()).then(|| file.to_owned())
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = tokens(self.rest).next()?;
        self.rest = &self.rest[word.span.end..];
        Some(word.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::texture_of;

    fn read(comment: &str, shape: ChannelShape) -> Result<String, String> {
        let (found, sampling) =
            read_texture(comment, shape).map_err(|(message, hint)| format!("{message}; {hint}"))?;
        let Channel { source, is_flipped, is_srgb, .. } = found;
        let Sampling { filter, wrap } = sampling;
        Ok(format!("{source} {filter:?} {wrap:?} {is_flipped} {is_srgb}"))
    }

    #[test]
    fn comments_set_source_and_sampling() {
        use ChannelShape::{Cube, Texture2d, Volume};
        for (comment, shape, expected) in [
            ("image \"a b.png\"", Texture2d, "image \"a b.png\" Linear Clamp false false"),
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
            ("noise rgba 256", Texture2d, "noise rgba 256 Linear Repeat false false"),
            ("noise grey 32, nearest, clamp", Volume, "noise grey 32 Nearest Clamp false false"),
            ("buffer a, nearest, repeat", Texture2d, "buffer a Nearest Repeat false false"),
            ("buffer cube", Cube, "buffer cube Linear Clamp false false"),
            ("nothing", Volume, "nothing Linear Clamp false false"),
            ("silence", Texture2d, "silence Linear Clamp false false"),
            ("cube \"sky.hdr\"", Cube, "cube \"sky.hdr\" Linear Clamp false false"),
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
            ("image \"a.png\", blurred", Texture2d, "invalid word `blurred`"),
            ("image \"a.png\", repeat, clamp", Texture2d, "`repeat` and `clamp` exclude"),
            ("image \"a.png\", nearest, mipmap", Texture2d, "`nearest` and `mipmap` exclude"),
            ("cube \"a\" \"b\"", Cube, "a cube has 2 files"),
            ("image \"a.png\"", Cube, "declare it as `texture_2d<f32>`"),
            ("cube \"a.png\"", Texture2d, "declare it as `texture_cube<f32>`"),
            ("buffer e", Texture2d, "no buffer `e`"),
            ("buffer cube", Texture2d, "declare it as `texture_cube<f32>`"),
            ("noise pink 64", Texture2d, "no noise `pink`"),
            ("noise grey", Texture2d, "invalid noise side ``"),
            ("noise grey 0", Texture2d, "invalid noise side `0`"),
            ("noise grey 65", Volume, "1 to 64"),
            ("noise blue 32", Volume, "have no blue noise"),
        ] {
            let message = read(comment, shape).expect_err(comment);
            assert!(message.contains(expected), "{comment}: {message}");
        }
    }

    #[test]
    fn sampler_comment_replaces_parts_of_sampling() {
        let texture = Sampling { filter: Filter::Mipmap, wrap: Wrap::Repeat };
        let read = |comment| read_sampler(comment, texture).ok();
        assert_eq!(read("For the bark."), Some(None));
        let sampling = |filter, wrap| Some(Some(Sampling { filter, wrap }));
        let both = read("For the bark.\nnearest, mirror");
        assert_eq!(both, sampling(Filter::Nearest, Wrap::Mirror));
        assert_eq!(read("nearest"), sampling(Filter::Nearest, Wrap::Repeat));
        assert_eq!(read("clamp"), sampling(Filter::Mipmap, Wrap::Clamp));
        assert!(read_sampler("nearest, soft", texture).is_err());
        assert!(read_sampler("nearest, linear", texture).is_err());
        assert_eq!(texture_of("wood_sampler"), Some("wood"));
    }
}
