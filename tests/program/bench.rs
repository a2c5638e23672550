//! Output of `tarsus bench`.

use crate::common::{Workspace, stderr, stdout};
use serde_json::{Value, json};
use tarsus_render::{Gpu, GpuOptions};

const SCENE: &str = "#import tarsus::frame
#ifdef REFERENCE
const TURNS: i32 = 4000;
#else
const TURNS: i32 = 1000;
#endif
struct Params {
    /// Brightness [0, 1] = 1
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {
    var sum = frame::frame.time;
    for (var i = 0; i < TURNS; i++) { sum = fract(sum + 0.1 * sin(p.x + f32(i))); }
    return vec4f(vec3f(sum * params.level), 1.0);
}
";

/// True if the adapter supports timestamp queries.
fn has_clock() -> bool {
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()));
    let adapter = gpu.expect("an adapter (see scripts/setup.sh)").adapter;
    adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY)
}

fn bench(arguments: &str) -> Value {
    let workspace = Workspace::with_scene(SCENE);
    let run = "bench s.wgsl --size 160x90 --times 2 --json";
    let output = workspace.output(&format!("{run} {arguments}"));
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn summary_has_gpu_time_if_available() {
    let expected = has_clock();
    let median = |size: &Value, key: &str| size[key]["median_ms"].as_f64();
    let alone = bench("");
    let size = &alone["sizes"][0];
    assert!(median(size, "frame") > Some(0.0));
    assert_eq!(median(size, "gpu").is_some(), expected, "{size}");
    assert!(size.get("reference_gpu").is_none(), "{size}");

    let both = bench("--against reference");
    let size = &both["sizes"][0];
    for (wall, gpu) in [("frame", "gpu"), ("reference", "reference_gpu")] {
        assert!(median(size, wall) > Some(0.0), "{size}");
        assert_eq!(size.get(gpu).is_some(), expected, "{size}");
        assert_eq!(median(size, gpu).is_some_and(|ms| ms > 0.0), expected, "{size}");
    }
    assert!(both["ratio"].is_number() && both["psnr_db"].is_number());
}

#[test]
fn bench_compares_parameter_values() {
    let both = bench("--against level=0");
    assert!(both["ratio"].as_f64() > Some(0.0), "{both}");
    // The parameter reached only the other picture.
    assert!(both["psnr_db"].as_f64().is_some_and(|db| db < 40.0), "{both}");
}

#[test]
fn every_animal_has_a_reference_renderer() {
    let workspace = Workspace::new();
    let run = |scene: &str| {
        let run = "--against reference --size 16x9 --times 1 --json";
        workspace.output(&format!("bench {scene} {run}"))
    };
    for scene in ["creature", "spider", "strider", "crane", "herd"] {
        let output = run(scene);
        assert!(output.status.success(), "{scene}: {}", stderr(&output));
        let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let size = &summary["sizes"][0];
        assert!(size["reference"]["median_ms"].as_f64() > Some(0.0), "{scene}: {summary}");
        assert!(size["psnr_db"].as_f64() > Some(10.0), "{scene}: {summary}");
    }
    let flat = run("line_walker");
    assert_eq!(flat.status.code(), Some(2));
    let errors = stderr(&flat);
    assert!(
        errors.contains("line_walker") && errors.contains("has no reference renderer"),
        "{errors}"
    );
}

#[test]
fn reload_is_timed_per_step() {
    let workspace = Workspace::with_scene(SCENE);
    let run = |flags: &str| workspace.output(&format!("bench s.wgsl --reload --times 3 {flags}"));
    let output = run("--json --set level=0.5");
    assert!(output.status.success(), "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["rounds"], 3);
    let median = |step: &str| summary["reload"][step]["median_ms"].as_f64();
    for step in ["compose", "pipeline", "first_frame", "total", "same_code", "same_constant"] {
        assert!(median(step) > Some(0.0), "{step}: {summary}");
    }
    assert!(median("total") >= median("first_frame"), "{summary}");

    let words = stdout(&run(""));
    assert!(words.contains("reload: compose "), "{words}");
    assert_eq!(run("--against reference").status.code(), Some(2));
}

#[test]
fn report_covers_all_scenes() {
    let workspace = Workspace::new();
    let output = workspace.output("bench --report report.json --size 32x18 --times 1");
    assert!(output.status.success(), "{}", stderr(&output));
    let report = std::fs::read(workspace.path("report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let table = stdout(&output);
    for (name, ..) in tarsus::scenes::SCENES {
        assert!(table.lines().any(|line| line.starts_with(name)), "{name} in\n{table}");
        let scene = &report["scenes"][name];
        for step in ["compose_ms", "pipeline_ms", "reload_ms"] {
            assert!(scene[step].as_f64().is_some_and(|ms| ms > 0.0), "{name}: {scene}");
        }
        let size = &scene["sizes"][0];
        assert_eq!((&size["width"], &size["height"]), (&json!(32), &json!(18)), "{name}");
        assert!(size["frame"]["median_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{name}");
        assert_eq!(size.get("gpu").is_some(), has_clock(), "{name}");
    }
}
