//! `tarsus bench`: times a scene, optionally against its reference renderer.

mod measure;
mod reload;
mod report;
mod steps;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use self::measure::{FrameTimer, FrameTimings, quantile_ms};
use self::steps::{Variant, spread_json, spread_text, time};
use super::{program, usage};
use crate::cli::BenchArgs;
use tarsus_render::{Frame, Gpu, GpuOptions};
use tarsus_shader::{Library, PassKind, Scene};

/// Shader definition that switches a scene to its reference renderer.
const REFERENCE: &str = "REFERENCE";

/// Result for one size.
struct SizeResult {
    size: (u32, u32),
    /// Times of the scene and of the variant that it is compared with, if any.
    timings: Vec<FrameTimings>,
    /// Lowest peak signal-to-noise ratio of any frame between the two, in dB.
    psnr_db: f64,
}

impl SizeResult {
    /// Times of the compared variant, and its total wall time divided by that of the scene.
    fn other(&self) -> Option<(&FrameTimings, f64)> {
        let [scene, other] = &self.timings[..] else {
            return None;
        };
        let seconds = |timings: &FrameTimings| timings.wall.iter().sum::<Duration>().as_secs_f64();
        Some((other, seconds(other) / seconds(scene).max(1e-9)))
    }
}

/// Durations of the steps before the first frame, by name.
type SetUp = [(&'static str, Duration); 4];

pub(super) fn run(args: &BenchArgs, library: &Library) -> Result<ExitCode> {
    let options = GpuOptions { timestamps: true, ..args.adapter.options() };
    let open = || time(|| pollster::block_on(Gpu::headless(&options)));
    if let Some(path) = &args.report {
        let (gpu, device) = open();
        return report::run(args, path, &gpu?, device, library);
    }
    let scene = Scene::find(&args.scene, library)?;
    let assignment = args.against.as_ref().filter(|against| *against != "reference");
    let is_reference = args.against.is_some() && assignment.is_none();
    if is_reference && !program::compose(&scene, library, &[])?.sources.has_ifdef(REFERENCE) {
        return usage(format!(
            "cannot use `--against reference`: {} has no reference renderer",
            scene.file
        ));
    }
    let (gpu, device) = open();
    let gpu = gpu?;
    if args.reload {
        return reload::run(args, &gpu, &scene, library);
    }
    let mut variant = Variant::new(&gpu, &scene, library, args, &[], None, false)?;
    let set_up = [
        ("device", device),
        ("compose", variant.compose),
        ("pipeline", variant.pipeline),
        ("first_frame", variant.time_first_frame(&gpu)?),
    ];
    let passes: Vec<PassKind> = variant.renderer.passes().collect();
    let mut variants = vec![variant];
    if args.against.is_some() {
        let definitions: &[&str] = if is_reference { &[REFERENCE] } else { &[] };
        let other = Variant::new(&gpu, &scene, library, args, definitions, assignment, false)?;
        variants.push(other);
    }
    let results = measure(&gpu, &mut variants, args)?;
    if args.json {
        let summary = to_json(&scene, &passes, &gpu, &set_up, &results);
        println!("{summary}");
    } else {
        print(&gpu, &set_up, args, &passes, &results);
    }
    Ok(ExitCode::SUCCESS)
}

/// Frame `number` of those spread evenly over `--span` seconds. A scene with buffers cannot
/// seek, so its frames are consecutive.
fn frame(args: &BenchArgs, size: (u32, u32), number: u32, has_state: bool) -> Frame {
    let frame = Frame::new(size, number, 60.0);
    if has_state {
        frame
    } else {
        frame.at_time(args.span * (f64::from(number) + 0.5) / f64::from(args.times))
    }
}

/// Times all sizes and variants in turn, so that a machine that slows down affects all of
/// them alike. With buffers the sizes are timed one after another, because buffers would
/// otherwise be resized between frames.
fn measure(gpu: &Gpu, variants: &mut [Variant], args: &BenchArgs) -> Result<Vec<SizeResult>> {
    let result = |&size| SizeResult {
        size,
        timings: vec![FrameTimings::default(); variants.len()],
        psnr_db: f64::INFINITY,
    };
    let mut results: Vec<SizeResult> = args.sizes().iter().map(result).collect();
    let has_state = variants.iter().any(|variant| variant.renderer.has_state());
    let group_size = if has_state { 1 } else { results.len() };
    for results in results.chunks_mut(group_size) {
        let timers = results.iter().map(|result| FrameTimer::new(gpu, result.size));
        let timers: Vec<FrameTimer> = timers.collect();
        for variant in &mut *variants {
            variant.renderer.clear_state();
            // Drivers defer work to the first draw.
            for (result, timer) in results.iter().zip(&timers) {
                let inputs = variant.inputs(frame(args, result.size, 0, has_state));
                timer.time(&mut variant.renderer, &inputs)?;
            }
        }
        for number in 0..args.times {
            for _ in 0..args.repeats {
                for (result, timer) in results.iter_mut().zip(&timers) {
                    let frame = frame(args, result.size, number, has_state);
                    for (variant, timings) in variants.iter_mut().zip(&mut result.timings) {
                        variant.update_channels(gpu, frame.time)?;
                        let inputs = variant.inputs(frame);
                        let (wall, passes) = timer.time(&mut variant.renderer, &inputs)?;
                        timings.push(wall, &passes);
                    }
                }
            }
            let [scene, other] = &mut *variants else {
                continue;
            };
            for result in &mut *results {
                let frame = frame(args, result.size, number, has_state);
                let picture = scene.render(gpu, frame)?;
                let psnr_db = picture.psnr_db(&other.render(gpu, frame)?);
                result.psnr_db = result.psnr_db.min(psnr_db);
            }
        }
    }
    Ok(results)
}

fn ms(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

fn print(gpu: &Gpu, set_up: &SetUp, args: &BenchArgs, passes: &[PassKind], results: &[SizeResult]) {
    println!("adapter: {}", gpu.describe());
    let steps = set_up.map(|(step, time)| format!("{} {:.0} ms", step.replace('_', " "), ms(time)));
    println!("set-up: {}", steps.join(", "));
    for result in results {
        let (width, height) = result.size;
        let size = format!("{width}x{height}");
        let times = &result.timings[0];
        let per_pixel =
            1e6 * quantile_ms(&times.wall, 0.5) / (f64::from(width) * f64::from(height));
        print!("{size:>10}: {}, {per_pixel:.0} ns per pixel", timings_text(times));
        if let (Some(against), Some((other, ratio))) = (&args.against, result.other()) {
            print!(", {against} {}: ", timings_text(other));
            match &**against {
                "reference" => {
                    print!("{ratio:.2} times faster, PSNR at least {:.1} dB", result.psnr_db);
                }
                _ => print!("{:.2} times as long as that", 1.0 / ratio),
            }
        }
        println!();
        let pass = |(kind, times): (&PassKind, &Vec<_>)| format!("{kind} {}", spread_text(times));
        let each: Vec<String> = passes.iter().zip(&times.passes).map(pass).collect();
        if each.len() > 1 {
            println!("{:>10}  GPU by pass: {}", "", each.join(", "));
        }
    }
}

fn timings_text(timings: &FrameTimings) -> String {
    let wall = spread_text(&timings.wall);
    if timings.gpu.is_empty() {
        return wall;
    }
    format!("{wall}, GPU {}", spread_text(&timings.gpu))
}

fn to_json(
    scene: &Scene,
    passes: &[PassKind],
    gpu: &Gpu,
    set_up: &SetUp,
    results: &[SizeResult],
) -> Value {
    let sizes: Vec<Value> = results.iter().map(|result| size_json(result, passes)).collect();
    let mut summary = json!({
        "scene": scene.name,
        "adapter": gpu.describe(),
        "set_up_ms": BTreeMap::from(set_up.map(|(step, time)| (step, ms(time)))),
        "sizes": sizes,
    });
    let ratios = results.iter().filter_map(|result| Some(result.other()?.1));
    if let Some(ratio) = ratios.reduce(f64::min) {
        // The worst size.
        let psnr_db = results.iter().map(|result| result.psnr_db);
        summary["ratio"] = json!(ratio);
        summary["psnr_db"] = json!(psnr_db.reduce(f64::min));
    }
    summary
}

fn size_json(result: &SizeResult, passes: &[PassKind]) -> Value {
    let (width, height) = result.size;
    let times = &result.timings[0];
    let mut size = json!({ "width": width, "height": height, "frame": spread_json(&times.wall) });
    if !times.gpu.is_empty() {
        size["gpu"] = spread_json(&times.gpu);
    }
    if passes.len() > 1 && !times.passes.is_empty() {
        let each = passes.iter().zip(&times.passes);
        let each = each.map(|(kind, times)| (kind.to_string(), spread_json(times)));
        size["passes"] = each.collect::<serde_json::Map<_, _>>().into();
    }
    if let Some((other, ratio)) = result.other() {
        size["reference"] = spread_json(&other.wall);
        if !other.gpu.is_empty() {
            size["reference_gpu"] = spread_json(&other.gpu);
        }
        size["ratio"] = json!(ratio);
        size["psnr_db"] = json!(result.psnr_db);
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser as _;

    #[test]
    fn comparison_counts_frames_of_both_variants() {
        let line = "tarsus bench ik_diagram --size 160x90 --times 3 --repeats 2";
        let cli = Cli::parse_from(line.split(' '));
        let Some(Command::Bench(args)) = cli.command else {
            panic!("not `bench`");
        };
        let library = tarsus::library();
        let scene = Scene::find(&args.scene, &library).expect("built in");
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()));
        let gpu = gpu.expect("an adapter (see scripts/setup.sh)");
        let mut variants = [(); 2].map(|()| {
            Variant::new(&gpu, &scene, &library, &args, &[], None, false).expect("a renderer")
        });
        let results = measure(&gpu, &mut variants, &args).expect("drawn");
        for timings in &results[0].timings {
            assert_eq!((timings.wall.len(), timings.gpu.len()), (6, 0));
        }
        assert_eq!(results[0].psnr_db, f64::INFINITY, "the same scene");
    }
}
