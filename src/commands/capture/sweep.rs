//! `tarsus capture --sweep`: a contact sheet of one picture at several parameter values.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use image::imageops::replace;
use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use serde_json::json;

use super::console::Console;
use super::report::count_text;
use crate::cli::{CaptureArgs, Sweep};
use crate::commands::{program, usage};
use tarsus_capture::{CaptureRun, CaptureSpec, Step};
use tarsus_media::Channels;
use tarsus_render::{
    Depth, FORMAT, Frame, Gpu, Inputs, Picture, Renderer, SavedState, render_picture,
};
use tarsus_shader::{Library, Program, Scene, compose};

/// Width of the lines between the pictures, in pixels.
const GAP: u32 = 2;
/// Height of a label, in pixels.
const LABEL_HEIGHT: u32 = 24;
/// Characters of one call of `text::words`.
const WORDS: usize = 16;

/// Places of the pictures on a contact sheet, in pixels.
struct Layout {
    columns: u32,
    cell: (u32, u32),
    size: (u32, u32),
}

impl Layout {
    fn new(args: &CaptureArgs, count: usize, (width, height): (u32, u32)) -> Self {
        let count = count as u32;
        let columns = args.content.columns.min(count);
        let rows = count.div_ceil(columns);
        let cell = (width + GAP, height + LABEL_HEIGHT + GAP);
        let size = (columns * cell.0 - GAP, rows.saturating_mul(cell.1) - GAP);
        Self { columns, cell, size }
    }
}

/// Maximum memory of a contact sheet of pictures of this size, in bytes: its pixels, and the
/// file.
pub(super) fn memory_bytes(args: &CaptureArgs, sweep: &Sweep, size: (u32, u32)) -> u64 {
    let count = sweep.values(args.content.columns * args.content.rows).len();
    let (width, height) = Layout::new(args, count, size).size;
    2 * 3 * u64::from(width) * u64::from(height)
}

/// Renders a contact sheet, writes it and prints its path. Returns false if interrupted.
pub(super) fn run(
    (args, sweep): (&CaptureArgs, &Sweep),
    console: Console,
    (gpu, library): (&Gpu, &Library),
    (spec, program): (&CaptureSpec, &Program),
    (channels, saved_buffers): (&Channels, Option<&SavedState>),
    mut on_step: impl FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<bool> {
    let path = PathBuf::from(spec.destination());
    let format = ImageFormat::from_path(&path).ok();
    let Some(format) = format else {
        return usage("cannot write a contact sheet in this format; hint: `-o sheet.png`");
    };
    if spec.quality.depth != Depth::Eight {
        return usage("cannot write a contact sheet of this depth; hint: use `--depth 8`");
    }
    let values = sweep.values(args.content.columns * args.content.rows);
    let (width, height) = spec.size;
    let Layout { columns, cell, size } = Layout::new(args, values.len(), spec.size);
    let mut sheet = blank(size)?;
    for (number, value) in values.iter().enumerate() {
        let assignment = format!("{}={value}", sweep.name);
        let mut spec = spec.clone();
        spec.values.extend(program::values("--sweep", std::slice::from_ref(&assignment), program)?);
        let mut pixels = Vec::new();
        let run = CaptureRun::new(gpu, &spec, program, channels, saved_buffers);
        let take = |_: &_, rows: Picture| {
            pixels.extend_from_slice(&rows.rgba);
            Ok(())
        };
        if !run.run_into(take, &mut on_step)?.complete {
            return Ok(false);
        }
        let picture = RgbaImage::from_raw(width, height, pixels);
        let picture = picture.context("cannot read back the picture")?;
        let label = label(&assignment, width, gpu, library)?;
        let (column, row) = (number as u32 % columns, number as u32 / columns);
        let (x, y) = (i64::from(column * cell.0), i64::from(row * cell.1));
        replace(&mut sheet, &DynamicImage::from(picture).into_rgb8(), x, y);
        replace(&mut sheet, &DynamicImage::from(label).into_rgb8(), x, y + i64::from(height));
    }
    let mut bytes = Cursor::new(Vec::new());
    sheet
        .write_to(&mut bytes, format)
        .with_context(|| format!("cannot write {}", path.display()))?;
    tarsus_files::write(&path, bytes.get_ref())?;
    let ((width, height), path) = (size, path.display().to_string());
    let pictures = count_text(values.len(), "picture");
    match args.report.json {
        true => println!("{}", json!({ "output": path, "width": width, "height": height })),
        false => console.note(format!("{pictures} on {width}x{height}: {path}")),
    }
    Ok(true)
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

/// Draws a line of text.
fn label(text: &str, width: u32, gpu: &Gpu, library: &Library) -> Result<RgbaImage> {
    let size = (width, LABEL_HEIGHT);
    let scene = Scene::from_text(&label_scene(text), "label.wgsl");
    let program = compose(&scene, library, &[])?;
    let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
    let mut renderer = pollster::block_on(renderer)?;
    let inputs = Inputs::new(Frame::new(size, 0, 60.0), Vec::new());
    let Picture { rgba, .. } = render_picture(gpu, &mut renderer, &inputs)?;
    RgbaImage::from_raw(width, LABEL_HEIGHT, rgba).context("cannot read back a label")
}

/// A scene that shows one line of text.
fn label_scene(text: &str) -> String {
    let codes: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect();
    let lines = codes.chunks(WORDS).enumerate().map(|(number, codes)| {
        let mut padded = [0; WORDS];
        padded[..codes.len()].copy_from_slice(codes);
        let words = padded.chunks_exact(4);
        let words = words.map(|word| {
            format!("{:#x}u", word.iter().fold(0, |sum, code| (sum << 8) | u32::from(*code)))
        });
        let words: Vec<String> = words.collect();
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
