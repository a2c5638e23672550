//! What pictures can be written as: one table that every check, message and
//! help text reads.

use std::path::Path;

use thiserror::Error;

use tarsus_render::Depth;

/// What pictures are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP, lossless.
    WebP,
    /// TIFF, uncompressed.
    Tiff,
    /// OpenEXR: linear light in 32-bit floats.
    Exr,
    /// The Quite OK Image format.
    Qoi,
    /// Animated PNG.
    Apng,
    /// GIF.
    Gif,
    /// H.264 video in an MP4 file.
    Mp4,
    /// VP9 video in a WebM file.
    Webm,
    /// Pixels without any header.
    Raw,
    /// YUV4MPEG2.
    Y4m,
    /// The sound alone.
    Wav,
}

/// How frames are dealt out to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One file per frame.
    Still,
    /// All frames in one file.
    Film,
    /// A film that other programs can read from a pipe as it comes.
    Stream,
    /// The sound of all frames in one file, without pictures.
    Sound,
}

/// Where a picture's [`super::Metadata`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataPlace {
    /// Into text chunks of the file.
    Chunk,
    /// Into a JSON file beside the picture.
    Sidecar,
    /// The format has no place for it.
    Nowhere,
}

/// What a format is called and what it can carry.
#[derive(Debug)]
pub struct FormatSpec {
    format: Format,
    /// What `--format` calls it.
    pub name: &'static str,
    /// What messages call it.
    pub title: &'static str,
    /// One line for the help.
    pub summary: &'static str,
    /// Endings of its files without the dot, the usual one first.
    pub endings: &'static [&'static str],
    /// Depths of its components, the one taken unless asked otherwise first.
    pub depths: &'static [Depth],
    /// Most pixels per side.
    pub max_side: u32,
    /// Most pixels of a picture.
    pub max_pixels: u64,
    /// Most frames per second.
    pub max_fps: f64,
    /// True where width and height must be even.
    pub even_sides: bool,
    /// How frames are dealt out to files.
    pub kind: Kind,
    /// Where the metadata goes.
    pub metadata: MetadataPlace,
}

/// Sides and pixels without a limit of the format's own.
const ANY: FormatSpec = FormatSpec {
    format: Format::Png,
    name: "",
    title: "",
    summary: "",
    endings: &[],
    depths: &[Depth::Eight],
    max_side: u32::MAX,
    max_pixels: u64::MAX,
    max_fps: f64::INFINITY,
    even_sides: false,
    kind: Kind::Still,
    metadata: MetadataPlace::Nowhere,
};

/// Every format, in the order of [`Format`].
const TABLE: &[FormatSpec] = &[
    FormatSpec {
        format: Format::Png,
        name: "png",
        title: "PNG",
        summary: "PNG, one file per frame",
        endings: &["png"],
        depths: &[Depth::Eight, Depth::Sixteen],
        metadata: MetadataPlace::Chunk,
        ..ANY
    },
    FormatSpec {
        format: Format::Jpeg,
        name: "jpg",
        title: "JPEG",
        summary: "JPEG of high quality, one file per frame",
        endings: &["jpg", "jpeg"],
        max_side: 65_535,
        metadata: MetadataPlace::Sidecar,
        ..ANY
    },
    FormatSpec {
        format: Format::WebP,
        name: "webp",
        title: "WebP",
        summary: "Lossless WebP, one file per frame",
        endings: &["webp"],
        // The format could one more, but no decoder that is built on libwebp.
        max_side: 16_383,
        metadata: MetadataPlace::Sidecar,
        ..ANY
    },
    FormatSpec {
        format: Format::Tiff,
        name: "tif",
        title: "TIFF",
        summary: "Uncompressed TIFF, one file per frame",
        endings: &["tif", "tiff"],
        depths: &[Depth::Eight, Depth::Sixteen],
        // Offsets in the file have 32 bits; a pixel has at most 6 bytes.
        max_pixels: 700_000_000,
        metadata: MetadataPlace::Sidecar,
        ..ANY
    },
    FormatSpec {
        format: Format::Exr,
        name: "exr",
        title: "EXR",
        summary: "OpenEXR in linear light with 32-bit floats, one file per frame",
        endings: &["exr"],
        depths: &[Depth::Float],
        metadata: MetadataPlace::Sidecar,
        ..ANY
    },
    FormatSpec {
        format: Format::Qoi,
        name: "qoi",
        title: "QOI",
        summary: "Quite OK Image, one file per frame",
        endings: &["qoi"],
        // What the specification tells decoders to accept.
        max_pixels: 400_000_000,
        metadata: MetadataPlace::Sidecar,
        ..ANY
    },
    FormatSpec {
        format: Format::Apng,
        name: "apng",
        title: "APNG",
        summary: "Animated PNG",
        endings: &["apng"],
        depths: &[Depth::Eight, Depth::Sixteen],
        kind: Kind::Film,
        metadata: MetadataPlace::Chunk,
        ..ANY
    },
    FormatSpec {
        format: Format::Gif,
        name: "gif",
        title: "GIF",
        summary: "GIF, with 256 colours per frame",
        endings: &["gif"],
        max_side: 65_535,
        // Players take a delay below two hundredths of a second for a mistake
        // and play at ten.
        max_fps: 50.0,
        kind: Kind::Film,
        ..ANY
    },
    FormatSpec {
        format: Format::Mp4,
        name: "mp4",
        title: "MP4",
        summary: "H.264 video, through ffmpeg",
        endings: &["mp4"],
        // The limit of libx264.
        max_side: 16_384,
        even_sides: true,
        kind: Kind::Film,
        ..ANY
    },
    FormatSpec {
        format: Format::Webm,
        name: "webm",
        title: "WebM",
        summary: "VP9 video, through ffmpeg",
        endings: &["webm"],
        // The limit of libvpx as it is usually built.
        max_side: 16_384,
        even_sides: true,
        kind: Kind::Film,
        ..ANY
    },
    FormatSpec {
        format: Format::Raw,
        name: "raw",
        title: "raw RGBA",
        summary: "Bytes red, green, blue, alpha without any header",
        endings: &["rgba"],
        kind: Kind::Stream,
        ..ANY
    },
    FormatSpec {
        format: Format::Y4m,
        name: "y4m",
        title: "Y4M",
        summary: "YUV4MPEG2: uncompressed 4:4:4 video, BT.601, limited range",
        endings: &["y4m"],
        kind: Kind::Stream,
        ..ANY
    },
    FormatSpec {
        format: Format::Wav,
        name: "wav",
        title: "WAV",
        summary: "The sound of the scene alone: 48 kHz, two channels, 32-bit floats or with --depth 16 \
                  whole numbers",
        endings: &["wav"],
        depths: &[Depth::Float, Depth::Sixteen],
        kind: Kind::Sound,
        ..ANY
    },
];

/// Why pictures cannot be written in a format.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormatError {
    /// It has no components of this depth.
    #[error(
        "cannot write {title} with `--depth {asked}`: it has {own} bits per component; \
         {asked} bits need {others}"
    )]
    Depth {
        /// The format.
        title: &'static str,
        /// Bits asked for.
        asked: u8,
        /// Bits it has.
        own: String,
        /// Formats that have what was asked for.
        others: String,
    },
    /// A side is too long.
    #[error("cannot write {title} of {width}x{height}: it has at most {limit} pixels per side")]
    Side {
        /// The format.
        title: &'static str,
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
        /// Most pixels per side.
        limit: u32,
    },
    /// There are too many pixels.
    #[error("cannot write {title} of {width}x{height}: it has at most {limit} pixels")]
    Pixels {
        /// The format.
        title: &'static str,
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
        /// Most pixels.
        limit: u64,
    },
    /// A side is odd.
    #[error(
        "cannot write {title} of {width}x{height}: width and height must be even, \
         such as `--size {}x{}`",
        .width.next_multiple_of(2), .height.next_multiple_of(2)
    )]
    Odd {
        /// The format.
        title: &'static str,
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
    },
    /// It cannot be played so fast.
    #[error("cannot write {title} at {fps} fps: it plays at most {limit}; use `--fps {limit}`")]
    Fps {
        /// The format.
        title: &'static str,
        /// Asked-for frames per second.
        fps: f64,
        /// Most frames per second.
        limit: f64,
    },
}

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|spec| spec.format)
    }

    /// What it is called and what it can carry.
    #[must_use]
    pub fn spec(self) -> &'static FormatSpec {
        &TABLE[self as usize]
    }

    /// The format with this name or ending.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        Self::all().find(|format| {
            let spec = format.spec();
            spec.name == name || spec.endings.contains(&name.as_str())
        })
    }

    /// The format that a file's name asks for by its ending.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        Self::all().find(|format| format.spec().endings.contains(&ending.as_str()))
    }

    /// The usual ending of its files, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        self.spec().endings[0]
    }

    /// True where the file has sound and no pictures.
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.spec().kind == Kind::Sound
    }

    /// True where a film carries the sound of its scene.
    #[must_use]
    pub fn carries_sound(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// True where all frames go into one file.
    #[must_use]
    pub fn is_film(self) -> bool {
        self.spec().kind != Kind::Still
    }

    /// True where other programs can read it from a pipe as it comes.
    #[must_use]
    pub fn is_stream(self) -> bool {
        self.spec().kind == Kind::Stream
    }

    /// True where a file tells which moment it shows.
    #[must_use]
    pub fn has_metadata(self) -> bool {
        self.spec().metadata != MetadataPlace::Nowhere
    }

    /// True where a frame can be recognised by the hash that stands in it.
    #[must_use]
    pub fn can_resume(self) -> bool {
        !self.is_film() && self.spec().metadata == MetadataPlace::Chunk
    }

    /// Checks that pictures of `size`, shown `fps` times a second, fit into the
    /// format, and gives the depth of their components: the one asked for, or
    /// the format's own.
    ///
    /// # Errors
    /// [`FormatError`] naming what does not fit.
    pub fn accept(
        self,
        size: (u32, u32),
        depth: Option<Depth>,
        fps: f64,
    ) -> Result<Depth, FormatError> {
        let spec = self.spec();
        let title = spec.title;
        let (width, height) = size;
        let depth = depth.unwrap_or(spec.depths[0]);
        if !spec.depths.contains(&depth) {
            return Err(FormatError::Depth {
                title,
                asked: depth.bits(),
                own: listed(spec.depths.iter().map(|depth| depth.bits()), "or"),
                others: Self::titles_with(depth),
            });
        }
        if width.max(height) > spec.max_side {
            return Err(FormatError::Side {
                title,
                width,
                height,
                limit: spec.max_side,
            });
        }
        if u64::from(width) * u64::from(height) > spec.max_pixels {
            return Err(FormatError::Pixels {
                title,
                width,
                height,
                limit: spec.max_pixels,
            });
        }
        if spec.even_sides && (width % 2 == 1 || height % 2 == 1) {
            return Err(FormatError::Odd {
                title,
                width,
                height,
            });
        }
        if fps > spec.max_fps {
            return Err(FormatError::Fps {
                title,
                fps,
                limit: spec.max_fps,
            });
        }
        Ok(depth)
    }

    /// The formats of pictures with components of `depth`, for people: `PNG, TIFF or APNG`.
    #[must_use]
    pub fn titles_with(depth: Depth) -> String {
        let pictures = Self::all().filter(|format| !format.is_sound());
        let having = pictures.filter(|format| format.spec().depths.contains(&depth));
        listed(having.map(|format| format.spec().title), "or")
    }

    /// The endings of all files, for people: `.png, .jpg or .y4m`.
    #[must_use]
    pub fn all_endings() -> String {
        let endings = TABLE.iter().flat_map(|spec| spec.endings);
        listed(endings.map(|ending| format!(".{ending}")), "or")
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn listed(items: impl Iterator<Item = impl ToString>, word: &str) -> String {
    let mut items: Vec<String> = items.map(|item| item.to_string()).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() {
        return last;
    }
    format!("{} {word} {last}", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: (u32, u32) = (64, 36);

    #[test]
    fn every_row_stands_in_its_place() {
        for (index, spec) in TABLE.iter().enumerate() {
            assert_eq!(spec.format as usize, index);
            assert!(spec.format.accept(SMALL, None, 24.0).is_ok());
        }
        assert_eq!(TABLE.len(), Format::Wav as usize + 1);
    }

    #[test]
    fn names_and_endings_belong_to_one_format_each() {
        for format in Format::all() {
            let spec = format.spec();
            assert_eq!(Format::from_name(spec.name), Some(format));
            for ending in spec.endings {
                let path = format!("out/a.{}", ending.to_uppercase());
                assert_eq!(Format::of(Path::new(&path)), Some(format));
                assert_eq!(Format::from_name(ending), Some(format));
            }
        }
        assert_eq!(Format::of(Path::new("a.bmp")), None);
        assert_eq!(Format::of(Path::new("png")), None);
    }

    #[test]
    fn depths_are_those_of_the_format() {
        let depth = |format: Format, depth| format.accept(SMALL, depth, 24.0);
        assert_eq!(depth(Format::Png, None), Ok(Depth::Eight));
        assert_eq!(
            depth(Format::Tiff, Some(Depth::Sixteen)),
            Ok(Depth::Sixteen)
        );
        assert_eq!(depth(Format::Exr, None), Ok(Depth::Float));
        let refused = |format, asked| depth(format, Some(asked)).expect_err("refused").to_string();
        assert_eq!(
            refused(Format::Gif, Depth::Sixteen),
            "cannot write GIF with `--depth 16`: it has 8 bits per component; \
             16 bits need PNG, TIFF or APNG"
        );
        assert!(refused(Format::Exr, Depth::Eight).contains("it has 32 bits"));
    }

    #[test]
    fn sizes_and_rates_have_the_limits_of_the_format() {
        let refused = |format: Format, size, fps| {
            let error = format.accept(size, None, fps).expect_err("refused");
            error.to_string()
        };
        for (format, limit) in [
            (Format::Jpeg, 65_535),
            (Format::WebP, 16_383),
            (Format::Gif, 65_535),
            (Format::Mp4, 16_384),
        ] {
            assert!(format.accept((limit, 2), None, 24.0).is_ok());
            let said = refused(format, (2, limit + 2), 24.0);
            assert!(
                said.contains(&format!("at most {limit} pixels per side")),
                "{said}"
            );
        }
        assert!(Format::Qoi.accept((20_000, 20_000), None, 24.0).is_ok());
        assert!(refused(Format::Qoi, (20_000, 20_001), 24.0).contains("400000000 pixels"));
        assert!(refused(Format::Mp4, (101, 58), 24.0).contains("--size 102x58"));
        assert!(refused(Format::Gif, SMALL, 60.0).contains("--fps 50"));
    }
}
