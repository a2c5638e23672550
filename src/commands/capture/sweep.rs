//! `tarsus capture --sweep`: a contact sheet of one picture at several parameter values.

use std::io::Cursor;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use image::imageops::replace;
use image::{ImageFormat, RgbImage};
use serde_json::json;

use super::job::Job;
use crate::cli::{CaptureArgs, Sweep};
use crate::commands::{program, rgb_image, usage};
use crate::message::count_text;
use tarsus_capture::metadata::remove_sidecar;
use tarsus_capture::{CaptureRun, CaptureSpec, InputSource};
use tarsus_media::Channels;
use tarsus_render::{Depth, Gpu, Picture};
use tarsus_shader::{Program, Scene, Values, compose};

/// Width of the lines between the pictures, in pixels.
const GAP: u32 = 2;
/// Height of a label, in pixels.
const LABEL_HEIGHT: u32 = 24;
/// Characters of one call of `text::words`.
const WORDS: usize = 16;

/// A contact sheet before its pictures are rendered.
pub(super) struct Sheet {
    path: PathBuf,
    format: ImageFormat,
    /// Number of pictures in a row.
    columns: u32,
    /// Width and height in pixels.
    size: (u32, u32),
    /// The label of each picture, and its value.
    pictures: Vec<(String, Values)>,
}

impl Sheet {
    /// Plans the sheet of a sweep whose pictures are that of `spec`.
    ///
    /// # Errors
    /// Returns a usage error if the program has no such parameter, or if no contact sheet can be
    /// written in this format or depth.
    pub(super) fn plan(
        args: &CaptureArgs,
        sweep: &Sweep,
        spec: &CaptureSpec,
        program: &Program,
    ) -> Result<Self> {
        let path = spec.frames().next().map(|frame| frame.path).unwrap_or_default();
        let Ok(format) = ImageFormat::from_path(&path) else {
            return usage("cannot write a contact sheet in this format; hint: `-o sheet.png`");
        };
        if spec.quality.depth != Depth::Eight {
            return usage(
                "cannot write a contact sheet of this depth; hint: `-o sheet.png --depth 8`",
            );
        }
        let mut parameters = program.parameters.iter();
        let parameter = parameters.find(|parameter| parameter.name == sweep.name);
        let are_integers = parameter.is_some_and(|parameter| parameter.is_integer());
        let values = sweep.values(args.content.columns * args.content.rows, are_integers);
        let mut pictures = Vec::new();
        for value in values {
            let label = format!("{}={value}", sweep.name);
            let value = program::values("--sweep", std::slice::from_ref(&label), program)?;
            pictures.push((label, value));
        }
        let count = pictures.len() as u32;
        let columns = args.content.columns.min(count);
        let (width, height) = cell(spec);
        let rows = count.div_ceil(columns);
        let size = (columns * width - GAP, rows.saturating_mul(height) - GAP);
        Ok(Self { path, format, columns, size, pictures })
    }

    /// Maximum memory of the sheet in bytes: its pixels, and the file.
    pub(super) fn memory_bytes(&self) -> u64 {
        let (width, height) = self.size;
        2 * 3 * u64::from(width) * u64::from(height)
    }
}

/// Size of a picture with its label and the gaps to its neighbours, in pixels.
fn cell(spec: &CaptureSpec) -> (u32, u32) {
    let (width, height) = spec.size;
    (width + GAP, height + LABEL_HEIGHT + GAP)
}

/// Renders a contact sheet, writes it and prints its path.
pub(super) fn run(job: &Job<'_>, gpu: &Gpu, sheet: Sheet) -> Result<()> {
    let Job { args, watchdog, program, channels, spec, .. } = job;
    // The buffers of a picture depend on the parameter; those of a recording begin with it.
    let is_replay = matches!(spec.input, InputSource::Timeline(_));
    let saved_buffers = job.saved_buffers.as_ref().filter(|_| is_replay);
    watchdog.record_progress();
    let Sheet { path, format, columns, size, pictures } = sheet;
    let (width, height) = cell(spec);
    let _lock = spec.lock()?;
    let count = pictures.len();
    let mut canvas = blank(size)?;
    let mut non_finite = None;
    for (number, (text, value)) in pictures.into_iter().enumerate() {
        let mut spec = spec.clone();
        spec.values.extend(value);
        let run = CaptureRun::new(gpu, &spec, program, channels, saved_buffers);
        let (column, row) = (number as u32 % columns, number as u32 / columns);
        let (x, y) = (column * width, row * height);
        let (picture, summary) = run.picture(|_| job.record_step())?;
        if let Some(count) = summary.non_finite {
            *non_finite.get_or_insert(0) += count;
        }
        put(&mut canvas, &picture, (x, y))?;
        let label = label(&text, &spec, gpu, job)?;
        put(&mut canvas, &label, (x, y + spec.size.1))?;
    }
    let mut bytes = Cursor::new(Vec::new());
    canvas
        .write_to(&mut bytes, format)
        .with_context(|| format!("cannot write {}", path.display()))?;
    tarsus_files::write(&path, bytes.get_ref())?;
    // A sheet has no snapshot.
    remove_sidecar(&path)?;
    let ((width, height), path) = (size, path.display().to_string());
    let pictures = count_text(count, "picture");
    if args.report.json {
        let mut summary = json!({ "output": path, "width": width, "height": height });
        if let Some(count) = non_finite {
            summary["non_finite"] = count.into();
        }
        println!("{summary}");
    } else {
        args.report.note(format!("{pictures} on {width}x{height}: {path}"));
    }
    job.check_non_finite(non_finite)
}

/// A dark picture. Too large a one is an error, not the end of the process.
fn blank((width, height): (u32, u32)) -> Result<RgbImage> {
    let count = 3 * width as usize * height as usize;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(count)
        .with_context(|| format!("cannot create a contact sheet of {width}x{height}"))?;
    bytes.resize(count, 15);
    RgbImage::from_raw(width, height, bytes).context("cannot create a contact sheet")
}

/// Copies a picture to a place on the sheet.
fn put(sheet: &mut RgbImage, picture: &Picture, (x, y): (u32, u32)) -> Result<()> {
    let picture = rgb_image(picture).context("cannot read back the picture")?;
    replace(sheet, &picture, x.into(), y.into());
    Ok(())
}

/// Draws a line of text, as wide as the pictures of `spec`.
fn label(text: &str, spec: &CaptureSpec, gpu: &Gpu, job: &Job<'_>) -> Result<Picture> {
    let scene = Scene::from_text(&label_scene(text), "label.wgsl");
    let program = compose(&scene, &job.library, &[])?;
    let size = (spec.size.0, LABEL_HEIGHT);
    let spec = CaptureSpec { size, tile: spec.tile, ..CaptureSpec::default() };
    let channels = Channels::default();
    let run = CaptureRun::new(gpu, &spec, &program, &channels, None);
    Ok(run.picture(|_| job.record_step())?.0)
}

/// A scene that shows one line of text.
fn label_scene(text: &str) -> String {
    let codes: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect();
    let lines = codes.chunks(WORDS).enumerate().map(|(number, codes)| {
        let mut padded = [0; WORDS];
        padded[..codes.len()].copy_from_slice(codes);
        let words: Vec<String> = padded
            .chunks_exact(4)
            .map(|word| {
                format!("{:#x}u", word.iter().fold(0, |sum, code| (sum << 8) | u32::from(*code)))
            })
            .collect();
        format!(
            "    written = text::words(written, at - vec2f({}.0 * step, 0.0), style, vec4u({}));\n",
            number * WORDS,
            words.join(", ")
        )
    });
    let lines: String = lines.collect();
    format!(
        "#import tarsus::text
fn main_image(p: vec2f) -> vec4f {{
    let style = text::Style(10.0, vec3f(0.9));
    let step = text::advance(style.size);
    let at = p - vec2f(8.0, 7.0);
    var written = text::blank();
{lines}    return vec4f(text::over(vec3f(0.06), written, 1.0), 1.0);
}}
"
    )
}
