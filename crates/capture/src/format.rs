//! Output formats: their names and limits, which all checks, messages and help texts use.

use std::path::Path;

use super::spec::SpecError;
use tarsus_render::Depth;

/// Output format.
// `Wav` stays last: a test counts the formats by it.
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
    /// All formats.
    pub const ALL: [Self; 13] = [
        Self::Png,
        Self::Jpeg,
        Self::WebP,
        Self::Tiff,
        Self::Exr,
        Self::Qoi,
        Self::Apng,
        Self::Gif,
        Self::Mp4,
        Self::Webm,
        Self::Raw,
        Self::Y4m,
        Self::Wav,
    ];

    /// Name in messages.
    pub fn title(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Tiff => "TIFF",
            Self::Exr => "EXR",
            Self::Qoi => "QOI",
            Self::Apng => "APNG",
            Self::Gif => "GIF",
            Self::Mp4 => "MP4",
            Self::Webm => "WebM",
            Self::Raw => "raw RGBA",
            Self::Y4m => "Y4M",
            Self::Wav => "WAV",
        }
    }

    /// One-line description for the help.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Png => "PNG, one file per frame",
            Self::Jpeg => "High-quality JPEG, one file per frame",
            Self::WebP => "Lossless WebP, one file per frame",
            Self::Tiff => "Uncompressed TIFF, one file per frame",
            Self::Exr => "OpenEXR in linear light with 32-bit floats, one file per frame",
            Self::Qoi => "Quite OK Image, one file per frame",
            Self::Apng => "Animated PNG",
            Self::Gif => "GIF, with 256 colours per frame",
            Self::Mp4 => "H.264 video, through ffmpeg",
            Self::Webm => "VP9 video, through ffmpeg",
            Self::Raw => "Raw RGBA bytes without a header",
            Self::Y4m => "YUV4MPEG2: uncompressed 4:4:4 video, BT.601, limited range",
            Self::Wav => {
                "The scene's sound: 48 kHz stereo, 32-bit floats, or 16-bit integers with --depth 16"
            }
        }
    }

    /// File extensions without the dot, the preferred one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Jpeg => &["jpg", "jpeg"],
            Self::WebP => &["webp"],
            Self::Tiff => &["tif", "tiff"],
            Self::Exr => &["exr"],
            Self::Qoi => &["qoi"],
            Self::Apng => &["apng"],
            Self::Gif => &["gif"],
            Self::Mp4 => &["mp4"],
            Self::Webm => &["webm"],
            Self::Raw => &["rgba"],
            Self::Y4m => &["y4m"],
            Self::Wav => &["wav"],
        }
    }

    /// Preferred file extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.extensions()[0]
    }

    /// Value of `--format`.
    pub fn name(self) -> &'static str {
        if self == Self::Raw { "raw" } else { self.extension() }
    }

    /// Finds a format by its name or a file extension.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let is_named =
            |format: &Self| format.name() == name || format.extensions().contains(&name.as_str());
        Self::ALL.into_iter().find(is_named)
    }

    /// Finds the format for the extension of `path`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_lowercase();
        Self::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// Supported bit depths, the default first.
    pub fn depths(self) -> &'static [Depth] {
        match self {
            Self::Png | Self::Tiff | Self::Apng => &[Depth::Eight, Depth::Sixteen],
            Self::Exr => &[Depth::Float],
            Self::Wav => &[Depth::Float, Depth::Sixteen],
            _ => &[Depth::Eight],
        }
    }

    /// Maximum pixels per side.
    fn max_side(self) -> u32 {
        match self {
            Self::Jpeg | Self::Gif => 65_535,
            // The format allows one more, but decoders based on libwebp do not.
            Self::WebP => 16_383,
            // Limits of libx264, and of libvpx in its usual builds.
            Self::Mp4 | Self::Webm => 16_384,
            _ => u32::MAX,
        }
    }

    /// Maximum pixels per picture.
    fn max_pixels(self) -> u64 {
        match self {
            // File offsets have 32 bits; a pixel has at most 6 bytes.
            Self::Tiff => 700_000_000,
            // Maximum that the specification tells decoders to accept.
            Self::Qoi => 400_000_000,
            _ => u64::MAX,
        }
    }

    /// Minimum and maximum frames per second.
    pub fn fps_range(self) -> (f64, f64) {
        match self {
            // A delay is a fraction of 16-bit numbers.
            Self::Apng => (0.0, 65_535.0),
            // Delays have 16 bits and are in hundredths of a second. Players treat delays below
            // 20 ms as a mistake and use 100 ms instead.
            Self::Gif => (0.0016, 50.0),
            // Times are in milliseconds.
            Self::Webm => (0.0, 1000.0),
            _ => (0.0, f64::INFINITY),
        }
    }

    /// True if the file has sound and no pictures.
    pub fn is_sound(self) -> bool {
        self == Self::Wav
    }

    /// True for the videos that ffmpeg encodes: they include the scene's sound, and their width
    /// and height must be even.
    pub fn uses_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// True if all frames go into one file.
    pub fn is_video(self) -> bool {
        match self {
            Self::Png | Self::Jpeg | Self::WebP | Self::Tiff | Self::Exr | Self::Qoi => false,
            Self::Apng | Self::Gif | Self::Mp4 | Self::Webm | Self::Raw | Self::Y4m | Self::Wav => {
                true
            }
        }
    }

    /// True if other programs can read the file from a pipe while it is written.
    pub fn is_stream(self) -> bool {
        matches!(self, Self::Raw | Self::Y4m)
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
        let depth = depth.unwrap_or(self.depths()[0]);
        let (min_fps, max_fps) = self.fps_range();
        let problem = if !self.depths().contains(&depth) {
            let bits = depth.bits();
            let own = join_list(self.depths().iter().map(|depth| depth.bits()));
            let others = Self::titles_with_depth(depth);
            format!(
                "with `--depth {bits}`: it supports {own} bits per component; hint: use {others} \
                 for {bits} bits"
            )
        } else if width.max(height) > self.max_side() {
            let limit = self.max_side();
            format!("at {width}x{height}: the limit is {limit} pixels per side")
        } else if u64::from(width) * u64::from(height) > self.max_pixels() {
            let limit = self.max_pixels();
            format!("at {width}x{height}: the limit is {limit} pixels")
        } else if self.uses_ffmpeg() && (width % 2 == 1 || height % 2 == 1) {
            let [even_width, even_height] = [width, height].map(|side| side.next_multiple_of(2));
            format!(
                "at {width}x{height}: width and height must be even; hint: use `--size \
                 {even_width}x{even_height}`"
            )
        } else if fps > max_fps {
            format!("at {fps} fps: the limit is {max_fps} fps; hint: use `--fps {max_fps}`")
        } else if fps < min_fps {
            format!("at {fps} fps: the minimum is {min_fps} fps; hint: use `--fps {min_fps}`")
        } else {
            return Ok(depth);
        };
        Err(SpecError(format!("cannot write {} {problem}", self.title())))
    }

    /// Names of the picture formats that support `depth`, for messages:
    /// `PNG, TIFF or APNG`.
    fn titles_with_depth(depth: Depth) -> String {
        let pictures = Self::ALL.into_iter().filter(|format| !format.is_sound());
        let supporting = pictures.filter(|format| format.depths().contains(&depth));
        join_list(supporting.map(Self::title))
    }

    /// All file extensions, for messages: `.png, .jpg or .y4m`.
    pub(super) fn all_extensions() -> String {
        let extensions = Self::ALL.into_iter().flat_map(Self::extensions);
        join_list(extensions.map(|extension| format!(".{extension}")))
    }
}

/// Joins items for a message: `a`, `a or b`, `a, b or c`.
pub(super) fn join_list(items: impl Iterator<Item = impl ToString>) -> String {
    let mut items: Vec<String> = items.map(|item| item.to_string()).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() {
        return last;
    }
    format!("{} or {last}", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: (u32, u32) = (64, 36);

    #[test]
    fn all_formats_are_listed() {
        for (index, format) in Format::ALL.into_iter().enumerate() {
            assert_eq!(format as usize, index);
            assert!(format.accept(SMALL, None, 24.0).is_ok());
        }
        assert_eq!(Format::ALL.len(), Format::Wav as usize + 1);
    }

    #[test]
    fn names_and_extensions_are_unique() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            for extension in format.extensions() {
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
