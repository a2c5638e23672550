//! `tarsus bench --report`: a table of all built-in scenes, for people and as JSON.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::reload::edit_scene;
use super::steps::Variant;
use super::{measure, ms, size_json};
use crate::cli::BenchArgs;
use tarsus_render::Gpu;
use tarsus_scenes::SCENES;
use tarsus_shader::{Library, PassKind, Scene};

/// Times all scenes on a GPU that was opened in the time `device`.
pub(super) fn run(
    args: &BenchArgs,
    path: &Path,
    gpu: &Gpu,
    device: Duration,
    library: &Library,
) -> Result<ExitCode> {
    let version = env!("CARGO_PKG_VERSION");
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    println!("tarsus {version} on {os} {arch}, {}", gpu.describe());
    println!(
        "device opened in {:.0} ms; times in milliseconds, medians of {}",
        ms(device),
        args.times
    );
    let sizes: Vec<String> = args.sizes().iter().map(|(w, h)| format!("{w}x{h}")).collect();
    print!("{:<12} {:>8} {:>8} {:>8}", "scene", "compose", "pipeline", "reload");
    sizes.iter().for_each(|size| print!(" {size:>10} {:>8}", "on GPU"));
    println!();
    let mut scenes = Map::new();
    for (name, ..) in SCENES {
        let row = row(name, args, gpu, library)?;
        print!("{name:<12}");
        for step in ["compose_ms", "pipeline_ms", "reload_ms"] {
            print!(" {:>8.0}", row[step].as_f64().unwrap_or_default());
        }
        for size in 0..sizes.len() {
            let median = |clock: &str| row["sizes"][size][clock]["median_ms"].as_f64();
            let gpu = median("gpu").map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
            print!(" {:>10.2} {gpu:>8}", median("frame").unwrap_or_default());
        }
        println!();
        scenes.insert((*name).to_owned(), row);
    }
    let info = gpu.adapter.get_info();
    let report = json!({
        "tarsus": version,
        "os": os,
        "arch": arch,
        "adapter": gpu.describe(),
        "driver": format!("{} {}", info.driver, info.driver_info),
        "device_ms": ms(device),
        "frames": args.times,
        "scenes": scenes,
    });
    tarsus_files::write(path, format!("{report:#}\n").as_bytes())?;
    println!("written to {}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Times one scene.
fn row(name: &str, args: &BenchArgs, gpu: &Gpu, library: &Library) -> Result<Value> {
    let scene = Scene::find(name, library)?;
    let variant = Variant::new(gpu, &scene, library, args, &[], None, false)?;
    let (compose, pipeline) = (variant.compose, variant.pipeline);
    let mut variants = [variant];
    let results = measure(gpu, &mut variants, args)?;
    let passes: Vec<PassKind> = variants[0].renderer.passes().collect();
    let sizes = results.iter().map(|result| size_json(result, &passes));
    let edited = edit_scene(&scene, std::process::id())?;
    let mut reloaded = Variant::new(gpu, &edited, library, args, &[], None, false)?;
    let first_frame = reloaded.time_first_frame(gpu)?;
    Ok(json!({
        "compose_ms": ms(compose),
        "pipeline_ms": ms(pipeline),
        "reload_ms": ms(reloaded.compose + reloaded.pipeline + first_frame),
        "sizes": sizes.collect::<Vec<_>>(),
    }))
}
