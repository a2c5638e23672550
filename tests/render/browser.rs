//! Exported scenes in a real browser: what Chromium draws with WebGL 2 is what tarsus
//! draws.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::library;
use crate::round_trip::{Run, SIZE, psnr};
use tarsus::shader::{
    self, ExportedInput, Filter, GlslVersion, PerFrame, Program, Resource, Scene, ShadertoyPass,
    Values, Wrap, to_glsl, to_shadertoy,
};

/// Peak signal to noise ratio, in decibels.
const LEAST: f64 = 40.0;
/// The same of `tracks`: grains of snow and the edges of tracks are as small as a pixel
/// here, and fall on one side or the other of it by the last bits of a sine.
const LEAST_OF_GRAINS: f64 = 35.0;
/// Columns of `ik_diagram` with its figure. The numbers beside it are differences in the
/// last bit, and other compilers have others.
const FIGURE: usize = 40;
const PAGE: &str = include_str!("../oracle/webgl2.html");

/// The browser, by the variable that names it or where distributions put it.
fn chromium() -> PathBuf {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let mut places = named.into_iter().chain(usual.map(PathBuf::from));
    places
        .find(|path| path.exists())
        .expect("Chromium (see scripts/setup.sh --tests), or CHROMIUM names it")
}

/// A frame to be shown: first and last frame that are drawn for it, and the time of
/// frame 0.
type Moment = (u32, u32, f64);

/// A pass as the page takes it.
fn pass_value(code: &str, inputs: &[ExportedInput], passes: &[ShadertoyPass]) -> Value {
    let inputs = inputs.iter().map(|input| {
        let read = match input.resource {
            Resource::Buffer(buffer) => {
                let mut passes = passes.iter();
                passes.position(|pass| *pass == ShadertoyPass::Buffer(buffer))
            }
            _ => None,
        };
        json!({
            "pass": read.map_or(-1, |number| number as i64),
            "filter": if input.filter == Filter::Nearest { "NEAREST" } else { "LINEAR" },
            "wrap": if input.wrap == Wrap::Clamp { "CLAMP_TO_EDGE" } else { "REPEAT" },
        })
    });
    json!({ "code": code, "inputs": inputs.collect::<Vec<_>>() })
}

fn scene_value(name: &str, program: &Program, moments: &[Moment]) -> Value {
    let exported = to_shadertoy(program, &Values::default(), PerFrame::Auto).expect("an export");
    let drawn = exported
        .passes
        .iter()
        .filter(|pass| pass.pass != ShadertoyPass::Common);
    let drawn: Vec<_> = drawn.collect();
    let kinds: Vec<ShadertoyPass> = drawn.iter().map(|pass| pass.pass).collect();
    let texts = to_glsl(&exported, GlslVersion::Es300);
    let passes = texts.iter().zip(&drawn);
    let passes = passes.map(|((_, code), pass)| pass_value(code, &pass.inputs, &kinds));
    json!({
        "name": name,
        "passes": passes.collect::<Vec<_>>(),
        "moments": moments,
    })
}

/// What the page that `job` is put into has written when it is loaded.
fn page(job: &Value, folder: &Path) -> Vec<Value> {
    // Nothing of it ends the element that it stands in.
    let text = job.to_string().replace("</", "<\\/");
    let file = folder.join("page.html");
    std::fs::write(&file, PAGE.replace("JOB", &text)).expect("a file");
    let browser = chromium();
    let output = Command::new(&browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu-watchdog"])
        .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .arg("--force-color-profile=srgb")
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .args(["--timeout=600000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("a browser");
    let page = String::from_utf8_lossy(&output.stdout);
    let told = page
        .split_once("<pre id=\"out\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (told, _) = told.unwrap_or_else(|| {
        panic!("no page: {}", String::from_utf8_lossy(&output.stderr));
    });
    let told = told
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
}

/// The bytes of base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let word = (0..4).fold(0u32, |word, at| {
            word << 6 | u32::from(four.get(at).copied().unwrap_or(0))
        });
        word.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}

/// Rows from the top, and without what the fourth component says.
fn upright(pixels: &[u8]) -> Vec<u8> {
    let rows = pixels.chunks_exact(4 * SIZE.0 as usize).rev();
    let mut all: Vec<u8> = rows.flatten().copied().collect();
    all.iter_mut()
        .skip(3)
        .step_by(4)
        .for_each(|alpha| *alpha = 255);
    all
}

/// The first `count` pixels of each row.
fn columns(pixels: &[u8], count: usize) -> Vec<u8> {
    let rows = pixels.chunks_exact(4 * SIZE.0 as usize);
    rows.flat_map(|row| row[..4 * count].to_vec()).collect()
}

#[test]
fn chromium_draws_every_exported_scene_alike() {
    let at_times: &[Moment] = &[(30, 30, 0.0), (180, 180, 0.0), (435, 435, 0.0)];
    let in_order: &[Moment] = &[(0, 0, 0.0), (1, 5, 0.0), (6, 24, 0.0)];
    let names = [
        "ik_diagram",
        "ik_field",
        "line_walker",
        "creature",
        "spider",
        "strider",
        "crane",
        "herd",
        "pond",
        "tracks",
    ];
    let scenes: Vec<(&str, Program, &[Moment])> = names
        .into_iter()
        .map(|name| {
            let scene = Scene::find(name, &library()).expect("a scene");
            let program = shader::compose(&scene, &library(), &[]).expect("a program");
            let moments = if program.has_state() {
                in_order
            } else {
                at_times
            };
            (name, program, moments)
        })
        .collect();
    let values: Vec<Value> = scenes
        .iter()
        .map(|(name, program, moments)| scene_value(name, program, moments))
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let told = page(
        &json!({ "size": [SIZE.0, SIZE.1], "scenes": values }),
        folder.path(),
    );
    assert_eq!(told.len(), scenes.len());
    let mut wrong = Vec::new();
    for ((name, program, moments), told) in scenes.into_iter().zip(&told) {
        if let Some(error) = told["error"].as_str() {
            wrong.push(format!("{name}: {error}"));
            continue;
        }
        let mut run = Run::new(program);
        for (&(_, number, begin), picture) in moments
            .iter()
            .zip(told["pictures"].as_array().expect("pictures"))
        {
            let mut own = run.draw(number, begin + f64::from(number) / 60.0);
            own.iter_mut()
                .skip(3)
                .step_by(4)
                .for_each(|alpha| *alpha = 255);
            let mut drawn = upright(&decoded(picture.as_str().expect("base64")));
            if name == "ik_diagram" {
                own = columns(&own, FIGURE);
                drawn = columns(&drawn, FIGURE);
            }
            let least = if name == "tracks" {
                LEAST_OF_GRAINS
            } else {
                LEAST
            };
            let agreement = psnr(&own, &drawn);
            if agreement < least {
                wrong.push(format!("{name}, frame {number}: {agreement:.1} dB"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
