//! Output formats, in one table that all checks, messages and help texts use.

use std::path::Path;

use super::spec::SpecError;
use tarsus_render::Depth;

/// Output format.
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
    /// Pixels without a header.
    Raw,
    /// YUV4MPEG2.
    Y4m,
    /// WAV: sound only.
    Wav,
}

/// Distribution of frames over files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// One file per frame.
    Still,
    /// All frames in one file.
    Video,
    /// A video that other programs can read from a pipe while it is written.
    Stream,
    /// The sound of all frames in one file, without pictures.
    Sound,
}

/// Name and capabilities of a format.
#[derive(Debug)]
pub struct FormatSpec {
    format: Format,
    /// Name in messages.
    pub title: &'static str,
    /// One-line description for the help.
    pub summary: &'static str,
    /// File extensions without the dot, the preferred one first.
    pub extensions: &'static [&'static str],
    /// Supported bit depths, the default first.
    pub depths: &'static [Depth],
    /// Maximum pixels per side.
    pub max_side: u32,
    /// Maximum pixels per picture.
    pub max_pixels: u64,
    /// Minimum frames per second.
    pub min_fps: f64,
    /// Maximum frames per second.
    pub max_fps: f64,
    /// True if width and height must be even.
    pub needs_even_sides: bool,
    /// Distribution of frames over files.
    pub kind: FileKind,
}

/// A still format of 8 bits, without limits.
const fn still(
    format: Format,
    title: &'static str,
    summary: &'static str,
    extensions: &'static [&'static str],
) -> FormatSpec {
    FormatSpec {
        format,
        title,
        summary,
        extensions,
        depths: &[Depth::Eight],
        max_side: u32::MAX,
        max_pixels: u64::MAX,
        min_fps: 0.0,
        max_fps: f64::INFINITY,
        needs_even_sides: false,
        kind: FileKind::Still,
    }
}

/// A video format of 8 bits, without limits.
const fn video(
    format: Format,
    title: &'static str,
    summary: &'static str,
    extensions: &'static [&'static str],
) -> FormatSpec {
    FormatSpec { kind: FileKind::Video, ..still(format, title, summary, extensions) }
}

/// Every format, in the order of [`Format`].
const TABLE: &[FormatSpec] = &[
    FormatSpec {
        depths: &[Depth::Eight, Depth::Sixteen],
        ..still(Format::Png, "PNG", "PNG, one file per frame", &["png"])
    },
    FormatSpec {
        max_side: 65_535,
        ..still(Format::Jpeg, "JPEG", "High-quality JPEG, one file per frame", &["jpg", "jpeg"])
    },
    FormatSpec {
        // The format allows one more, but decoders based on libwebp do not.
        max_side: 16_383,
        ..still(Format::WebP, "WebP", "Lossless WebP, one file per frame", &["webp"])
    },
    FormatSpec {
        depths: &[Depth::Eight, Depth::Sixteen],
        // File offsets have 32 bits; a pixel has at most 6 bytes.
        max_pixels: 700_000_000,
        ..still(Format::Tiff, "TIFF", "Uncompressed TIFF, one file per frame", &["tif", "tiff"])
    },
    FormatSpec {
        depths: &[Depth::Float],
        ..still(
            Format::Exr,
            "EXR",
            "OpenEXR in linear light with 32-bit floats, one file per frame",
            &["exr"],
        )
    },
    FormatSpec {
        // Maximum that the specification tells decoders to accept.
        max_pixels: 400_000_000,
        ..still(Format::Qoi, "QOI", "Quite OK Image, one file per frame", &["qoi"])
    },
    FormatSpec {
        depths: &[Depth::Eight, Depth::Sixteen],
        // A delay is a fraction of 16-bit numbers.
        max_fps: 65_535.0,
        ..video(Format::Apng, "APNG", "Animated PNG", &["apng"])
    },
    FormatSpec {
        max_side: 65_535,
        // Delays have 16 bits and are in hundredths of a second.
        min_fps: 0.0016,
        // Players treat delays below 20 ms as a mistake and use 100 ms instead.
        max_fps: 50.0,
        ..video(Format::Gif, "GIF", "GIF, with 256 colours per frame", &["gif"])
    },
    FormatSpec {
        // Limit of libx264.
        max_side: 16_384,
        needs_even_sides: true,
        ..video(Format::Mp4, "MP4", "H.264 video, through ffmpeg", &["mp4"])
    },
    FormatSpec {
        // Limit of libvpx in its usual builds.
        max_side: 16_384,
        // Times are in milliseconds.
        max_fps: 1000.0,
        needs_even_sides: true,
        ..video(Format::Webm, "WebM", "VP9 video, through ffmpeg", &["webm"])
    },
    FormatSpec {
        kind: FileKind::Stream,
        ..video(Format::Raw, "raw RGBA", "Raw RGBA bytes without a header", &["rgba"])
    },
    FormatSpec {
        kind: FileKind::Stream,
        ..video(
            Format::Y4m,
            "Y4M",
            "YUV4MPEG2: uncompressed 4:4:4 video, BT.601, limited range",
            &["y4m"],
        )
    },
    FormatSpec {
        depths: &[Depth::Float, Depth::Sixteen],
        kind: FileKind::Sound,
        ..video(
            Format::Wav,
            "WAV",
            "The scene's sound: 48 kHz stereo, 32-bit floats, or 16-bit integers with --depth 16",
            &["wav"],
        )
    },
];

impl FormatSpec {
    /// Value of `--format`.
    pub fn name(&self) -> &'static str {
        if self.format == Format::Raw { "raw" } else { self.extensions[0] }
    }
}

/// Rounds the sides down to even numbers.
pub fn even_size(size: (u32, u32)) -> (u32, u32) {
    let even = |side: u32| (side & !1).max(2);
    (even(size.0), even(size.1))
}

/// Reduces a size to a smaller `limit`, keeping its shape; a side of 0 is no limit.
pub fn fit_size((width, height): (u32, u32), limit: (u32, u32)) -> (u32, u32) {
    let ratio = |side: u32, limit: u32| match limit {
        0 => 1.0,
        _ => f64::from(limit) / f64::from(side.max(1)),
    };
    let factor = ratio(width, limit.0).min(ratio(height, limit.1)).min(1.0);
    let side = |side: u32| ((f64::from(side) * factor) as u32).max(1);
    (side(width), side(height))
}

impl Format {
    /// Iterates over all formats.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|spec| spec.format)
    }

    /// Name and capabilities of the format.
    pub fn spec(self) -> &'static FormatSpec {
        &TABLE[self as usize]
    }

    /// Finds a format by its name or a file extension.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        Self::all().find(|format| {
            let spec = format.spec();
            spec.name() == name || spec.extensions.contains(&name.as_str())
        })
    }

    /// Finds the format for the extension of `path`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_lowercase();
        Self::all().find(|format| format.spec().extensions.contains(&extension.as_str()))
    }

    /// Preferred file extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.spec().extensions[0]
    }

    /// True if the file has sound and no pictures.
    pub fn is_sound(self) -> bool {
        self.spec().kind == FileKind::Sound
    }

    /// True if a video includes the scene's sound.
    pub fn carries_sound(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// True if all frames go into one file.
    pub fn is_video(self) -> bool {
        self.spec().kind != FileKind::Still
    }

    /// True if other programs can read the file from a pipe while it is written.
    pub fn is_stream(self) -> bool {
        self.spec().kind == FileKind::Stream
    }

    /// True if a picture carries metadata, in its file or next to it.
    pub fn has_metadata(self) -> bool {
        self.has_sidecar() || self.has_text_chunks()
    }

    /// True if the metadata are in text chunks of the file.
    fn has_text_chunks(self) -> bool {
        matches!(self, Self::Png | Self::Apng)
    }

    /// True if the metadata are in a JSON file next to the picture.
    pub(super) fn has_sidecar(self) -> bool {
        !self.is_video() && !self.has_text_chunks()
    }

    /// True if an existing frame can be recognized by the hash it contains.
    pub fn can_resume(self) -> bool {
        self == Self::Png
    }

    /// Checks that pictures of `size` at `fps` frames per second fit the format. Returns
    /// their bit depth: the requested one, or the format's default.
    ///
    /// # Errors
    /// [`SpecError`] naming the limit that is exceeded.
    pub fn accept(
        self,
        (width, height): (u32, u32),
        depth: Option<Depth>,
        fps: f64,
    ) -> Result<Depth, SpecError> {
        let spec = self.spec();
        let depth = depth.unwrap_or(spec.depths[0]);
        let problem = if !spec.depths.contains(&depth) {
            let bits = depth.bits();
            let own = join_list(spec.depths.iter().map(|depth| depth.bits()), "or");
            let others = Self::titles_with_depth(depth);
            format!(
                "with `--depth {bits}`: it supports {own} bits per component; hint: use {others} \
                 for {bits} bits"
            )
        } else if width.max(height) > spec.max_side {
            let limit = spec.max_side;
            format!("at {width}x{height}: the limit is {limit} pixels per side")
        } else if u64::from(width) * u64::from(height) > spec.max_pixels {
            let limit = spec.max_pixels;
            format!("at {width}x{height}: the limit is {limit} pixels")
        } else if spec.needs_even_sides && (width % 2 == 1 || height % 2 == 1) {
            let [even_width, even_height] = [width, height].map(|side| side.next_multiple_of(2));
            format!(
                "at {width}x{height}: width and height must be even; hint: use `--size \
                 {even_width}x{even_height}`"
            )
        } else if fps > spec.max_fps {
            let limit = spec.max_fps;
            format!("at {fps} fps: the limit is {limit} fps; hint: use `--fps {limit}`")
        } else if fps < spec.min_fps {
            let limit = spec.min_fps;
            format!("at {fps} fps: the minimum is {limit} fps; hint: use `--fps {limit}`")
        } else {
            return Ok(depth);
        };
        Err(SpecError(format!("cannot write {} {problem}", spec.title)))
    }

    /// Names of the picture formats that support `depth`, for messages:
    /// `PNG, TIFF or APNG`.
    fn titles_with_depth(depth: Depth) -> String {
        let pictures = Self::all().filter(|format| !format.is_sound());
        let supporting = pictures.filter(|format| format.spec().depths.contains(&depth));
        join_list(supporting.map(|format| format.spec().title), "or")
    }

    /// All file extensions, for messages: `.png, .jpg or .y4m`.
    pub(super) fn all_extensions() -> String {
        let extensions = TABLE.iter().flat_map(|spec| spec.extensions);
        join_list(extensions.map(|extension| format!(".{extension}")), "or")
    }
}

/// Joins items for a message: `a`, `a or b`, `a, b or c`.
pub(super) fn join_list(items: impl Iterator<Item = impl ToString>, word: &str) -> String {
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
    fn table_order_matches_enum() {
        for (index, spec) in TABLE.iter().enumerate() {
            assert_eq!(spec.format as usize, index);
            assert!(spec.format.accept(SMALL, None, 24.0).is_ok());
        }
        assert_eq!(TABLE.len(), Format::Wav as usize + 1);
    }

    #[test]
    fn names_and_extensions_are_unique() {
        for format in Format::all() {
            let spec = format.spec();
            assert_eq!(Format::from_name(spec.name()), Some(format));
            for extension in spec.extensions {
                let path = format!("out/a.{}", extension.to_uppercase());
                assert_eq!(Format::from_path(Path::new(&path)), Some(format));
                assert_eq!(Format::from_name(extension), Some(format));
            }
        }
        assert_eq!(Format::from_path(Path::new("a.bmp")), None);
        assert_eq!(Format::from_path(Path::new("png")), None);
    }

    #[test]
    fn depths_are_checked_per_format() {
        let depth = |format: Format, depth| format.accept(SMALL, depth, 24.0);
        assert_eq!(depth(Format::Png, None), Ok(Depth::Eight));
        assert_eq!(depth(Format::Tiff, Some(Depth::Sixteen)), Ok(Depth::Sixteen));
        assert_eq!(depth(Format::Exr, None), Ok(Depth::Float));
        let refused = |format, asked| depth(format, Some(asked)).expect_err("refused").to_string();
        assert_eq!(
            refused(Format::Gif, Depth::Sixteen),
            "cannot write GIF with `--depth 16`: it supports 8 bits per component; \
             hint: use PNG, TIFF or APNG for 16 bits"
        );
        assert!(refused(Format::Exr, Depth::Eight).contains("it supports 32 bits"));
    }

    #[test]
    fn sizes_and_rates_are_limited() {
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
            assert!(said.contains(&format!("limit is {limit} pixels per side")), "{said}");
        }
        assert!(Format::Qoi.accept((20_000, 20_000), None, 24.0).is_ok());
        assert!(refused(Format::Qoi, (20_000, 20_001), 24.0).contains("400000000 pixels"));
        assert!(refused(Format::Mp4, (101, 58), 24.0).contains("--size 102x58"));
        for (format, fps, limit) in [
            (Format::Gif, 60.0, "50"),
            (Format::Gif, 0.0015, "0.0016"),
            (Format::Apng, 65_536.0, "65535"),
            (Format::Webm, 1001.0, "1000"),
        ] {
            let said = refused(format, SMALL, fps);
            assert!(said.ends_with(&format!("hint: use `--fps {limit}`")), "{said}");
        }
    }

    #[test]
    fn size_fits_limit() {
        for (size, limit, expected) in [
            ((800, 450), (1280, 800), (800, 450)),
            ((1600, 900), (1280, 800), (1280, 720)),
            ((900, 1600), (1280, 800), (450, 800)),
            ((800, 450), (0, 0), (800, 450)),
        ] {
            assert_eq!(fit_size(size, limit), expected, "{size:?} in {limit:?}");
        }
    }
}
