//! Samples a walker over its loop: parts that are cut off at their bounds, and feet that their
//! legs do not reach. Both look wrong only in some frames, from some sides.

use std::ops::Range;

use anyhow::Result;
use tarsus_player::{FRAME_RATE, SceneState};
use tarsus_render::{FORMAT, Gpu, GpuOptions, Renderer, render_picture};
use tarsus_shader::{Diagnostic, Library, PassKind, Program, Scene, SourceMap, compose, items};

/// Imports of the probe, by other names than a scene's own.
const IMPORTS: &str = "#import tarsus::bounds as probe_bounds\n\
                       #import tarsus::frame as probe_frame\n\
                       #import tarsus::parts as probe_parts\n\
                       #import tarsus::rays as probe_rays\n\
                       #import tarsus::walker as probe_walker\n";
const PROBE: &str = include_str!("bounds.wgsl");
/// Rows of a limb or the trunk repeat after this number.
const PARTS: usize = 16;
/// Each frame tests 1,024 points of every part.
const SIZE: (u32, u32) = (64, 16 * PARTS as u32);
const FRAMES: u32 = 24;
/// Frames of buffers from one sampled frame to the next.
const BUFFER_FRAMES: u32 = 15;
/// Time to sample in scenes without a period, in seconds.
const DEFAULT_SECONDS: f64 = 10.0;

/// Warnings about the walker of a scene, or one that it could not be drawn.
pub(super) fn warnings(scene: &Scene, library: &Library, program: &Program) -> Vec<Diagnostic> {
    // Scenes with several animals have other values per frame.
    if !program.calls(PassKind::PerFrame, "tarsus::walker", "per_frame") {
        return Vec::new();
    }
    let sources = &program.sources;
    let parts = match sample(scene, library, program.period.unwrap_or(DEFAULT_SECONDS)) {
        Ok(parts) => parts,
        Err(error) => {
            let message = format!("the bounds and legs of the walker were not sampled: {error:#}");
            return vec![sources.error("", message).into_warning()];
        }
    };
    let mut warnings = Vec::new();
    let mut warn = |message: String, functions: &[&str], hint: &str| {
        let (source, span) = overriding(sources, functions).unzip();
        let error = sources.error(source.unwrap_or_default(), message).at(span);
        warnings.push(error.with_note(hint).into_warning());
    };
    for (number, part) in parts.iter().enumerate() {
        if part.is_trunk && part.is_cut {
            let hint = "hint: return a larger capsule from `walker::trunk_bound`; `--debug-view \
                        bounds` shows where";
            let message = "the trunk reaches outside of its bound, where it is cut off";
            warn(message.to_owned(), &["trunk_span", "trunk_bound", "trunk"], hint);
        } else if part.is_cut {
            let hint = "hint: override `walker::bounding_radii` or `walker::leg_margins`; \
                        `--debug-view bounds` shows where";
            let message =
                format!("limb {number} reaches outside of its bound, where it is cut off");
            warn(message, &["leg_margins", "bounding_radii", "leg_distance"], hint);
        }
    }
    let missed = parts.iter().enumerate().filter_map(|(leg, part)| Some((leg, part.missed_at?)));
    let missed: Vec<(usize, f64)> = missed.collect();
    if let Some((_, time)) = missed.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) {
        let hint = "hint: lengthen its bones in `walker::plan`, or move `foot` closer";
        let legs: Vec<String> = missed.iter().map(|(leg, _)| leg.to_string()).collect();
        let message = match &legs[..] {
            [leg] => format!("leg {leg} is too short for its foothold at {time:.2} s"),
            _ => format!(
                "legs {} are too short for their footholds, at {time:.2} s for the first time",
                legs.join(", ")
            ),
        };
        warn(message, &["plan", "clearance"], hint);
    }
    warnings
}

/// Findings about one part.
#[derive(Clone, Copy, Default)]
struct Part {
    is_trunk: bool,
    is_cut: bool,
    /// Time in seconds at which its foot first misses its target.
    missed_at: Option<f64>,
}

/// Samples all parts over a loop of `seconds`.
fn sample(scene: &Scene, library: &Library, seconds: f64) -> Result<[Part; PARTS]> {
    let mut own = scene.text.clone();
    for item in items(&scene.text).into_iter().rev() {
        if item.name == PassKind::Image.function() {
            own.replace_range(item.span, "drawn_image");
        }
    }
    let scene = Scene { text: [IMPORTS, &own, PROBE].concat(), ..scene.clone() };
    let program = compose(&scene, library, &[])?;
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()))?;
    let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
    let mut renderer = pollster::block_on(renderer)?;
    let mut parts = [Part::default(); PARTS];
    // Buffers follow from frame to frame.
    let (interval, step) = if program.has_state() {
        (BUFFER_FRAMES, 1.0 / FRAME_RATE)
    } else {
        (1, seconds / f64::from(FRAMES))
    };
    for index in 0..interval * FRAMES {
        let time = step * f64::from(index);
        let inputs = SceneState::at(time, index, FRAME_RATE).inputs(&program, SIZE);
        gpu.submit(|encoder| renderer.advance(encoder, &inputs));
        if index % interval != 0 {
            continue;
        }
        let picture = render_picture(&gpu, &mut renderer, &inputs)?;
        for (row, pixels) in picture.rows().enumerate() {
            let part = &mut parts[PARTS - 1 - row % PARTS];
            for pixel in pixels.chunks_exact(4) {
                let [is_cut, is_missed, is_trunk] = [0, 1, 2].map(|channel| pixel[channel] > 0);
                part.is_cut |= is_cut;
                part.is_trunk |= is_trunk;
                if is_missed {
                    part.missed_at.get_or_insert(time);
                }
            }
        }
    }
    Ok(parts)
}

/// Source that overrides the first of the walker's `functions` that any source does, and the
/// place of its name.
fn overriding<'a>(sources: &'a SourceMap, functions: &[&str]) -> Option<(&'a str, Range<usize>)> {
    functions.iter().find_map(|function| {
        let name = format!("walker::{function}");
        let head = format!("override fn {name}(");
        sources.names().find_map(|source| {
            let end = sources.text(source).find(&head)? + head.len() - 1;
            Some((source, end - name.len()..end))
        })
    })
}
