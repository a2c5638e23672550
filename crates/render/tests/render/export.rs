//! Exported scenes in real compilers: glslang accepts them, and Mesa's OpenGL ES draws
//! the same pictures as tarsus.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::common::{SceneRenderer, compose, library};
use tarsus_render::Picture;
use tarsus_shader::{PassKind, Program, Resource, Scene, Values};
use tarsus_transpile::{GlslVersion, PerFrame, Shadertoy, to_glsl, to_shadertoy};

const SIZE: (u32, u32) = (64, 36);
const OPERATORS: &str = include_str!("../../../../tests/fixtures/operators.wgsl");

const PASSES: &str = include_str!("../../../../tests/fixtures/passes.wgsl");

/// Runs a program required by the tests.
fn run(command: &mut Command) -> Output {
    let name = command.get_program().to_string_lossy().into_owned();
    command
        .output()
        .unwrap_or_else(|error| panic!("{name} (see scripts/setup.sh --tests): {error}"))
}

fn exported(program: &Program, per_frame: PerFrame) -> Shadertoy {
    to_shadertoy(program, &Values::default(), per_frame).expect("an export")
}

/// A built-in scene, its buffers of the picture's size, as Shadertoy's are.
fn built_in(name: &str) -> Program {
    let scene = Scene::find(name, &library()).expect("a scene");
    compose(&scene.text.replace("/// size 160x161\n", ""), &scene.file, &[])
}

/// Writes complete shaders into `folder`.
fn write(folder: &Path, exported: &Shadertoy, version: GlslVersion) -> Vec<PathBuf> {
    let write = |(name, text): (String, String)| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    to_glsl(exported, version).into_iter().map(write).collect()
}

fn assert_glslang_accepts(exported: &Shadertoy, name: &str) {
    for version in [GlslVersion::Es300, GlslVersion::Core450] {
        let folder = tempfile::tempdir().expect("folder");
        for path in write(folder.path(), exported, version) {
            let output = run(Command::new("glslangValidator").arg(&path));
            let message = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{name}, {version:?}: {message}");
        }
    }
}

#[test]
fn glslang_accepts_every_scene() {
    for (name, ..) in tarsus_scenes::SCENES {
        let program = built_in(name);
        for per_frame in [PerFrame::Inline, PerFrame::Buffer] {
            assert_glslang_accepts(&exported(&program, per_frame), name);
        }
    }
    for (name, text) in [("operators", OPERATORS), ("passes", PASSES)] {
        let program = compose(text, name, &[]);
        assert_glslang_accepts(&exported(&program, PerFrame::Auto), name);
    }
}

/// The OpenGL ES drawing program, compiled once.
fn gles() -> &'static Path {
    static PROGRAM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("gles");
        let compiled = run(Command::new("cc")
            .args(["-O1", "tests/oracle/gles.c", "-o"])
            .arg(&path)
            .args(["-lEGL", "-lGLESv2"]));
        let message = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "see scripts/setup.sh --tests: {message}");
        (folder, path)
    });
    path
}

/// Draws an export with OpenGL ES, one picture per time.
pub(crate) fn drawn_by_gles(
    exported: &Shadertoy,
    size: (u32, u32),
    times: &[f64],
) -> Result<Vec<Picture>, String> {
    let folder = tempfile::tempdir().expect("folder");
    let passes: Vec<_> = exported.passes.iter().filter(|pass| pass.kind.is_some()).collect();
    let times_text: Vec<String> = times.iter().map(ToString::to_string).collect();
    let mut command = Command::new(gles());
    command.args([size.0.to_string(), size.1.to_string()]).arg(times_text.join(","));
    for (path, pass) in write(folder.path(), exported, GlslVersion::Es300).iter().zip(&passes) {
        let place = |resource: Resource| {
            let Resource::Buffer(buffer) = resource else {
                return '-';
            };
            let mut numbered = ('0'..).zip(&passes);
            let found = numbered.find(|(_, pass)| pass.kind == Some(PassKind::Buffer(buffer)));
            found.map_or('-', |(number, _)| number)
        };
        let mut channels: String = pass.inputs.iter().map(|input| place(input.resource)).collect();
        channels.push('-');
        command.arg(path).arg(channels);
    }
    let drawn = run(&mut command);
    if !drawn.status.success() {
        return Err(String::from_utf8_lossy(&drawn.stderr).into_owned());
    }
    let bytes = 4 * size.0 as usize * size.1 as usize;
    let picture = |rgba: &[u8]| Picture { width: size.0, height: size.1, rgba: rgba.to_vec() };
    Ok(drawn.stdout.chunks(bytes).map(picture).collect())
}

fn assert_draws_alike(name: &str, scene: &SceneRenderer, exported: &Shadertoy, times: &[f64]) {
    let drawn = drawn_by_gles(exported, SIZE, times).expect("pictures");
    assert_eq!(drawn.len(), times.len(), "{name}");
    for (time, drawn) in times.iter().zip(&drawn) {
        let own = scene.at_time(SIZE, *time);
        let agreement = own.psnr_db(drawn);
        assert!(agreement >= 40.0, "{name} at {time} s: {agreement:.1} dB");
    }
}

/// Asserts that OpenGL ES and tarsus draw the same pictures of built-in scenes.
fn assert_scenes_draw_alike(names: &[&str], times: &[f64]) {
    for name in names {
        let scene = SceneRenderer::built_in(name);
        let export = exported(&built_in(name), PerFrame::Auto);
        assert_draws_alike(name, &scene, &export, times);
    }
}

#[test]
fn exported_flat_scenes_match() {
    // Times within a period: `ik_diagram` prints differences in the last bit, which
    // GLSL's `mod` can introduce.
    assert_scenes_draw_alike(&["ik_diagram", "ik_field", "line_walker"], &[0.5, 3.0, 7.25]);
}

#[test]
fn exported_animals_match() {
    let animals = ["creature", "strider", "crane", "strandbeest", "herd"];
    assert_scenes_draw_alike(&animals, &[0.5, 3.0, 17.25]);
}

#[test]
fn exported_operators_match() {
    let scene = SceneRenderer::of_text(OPERATORS, "operators.wgsl");
    let program = compose(OPERATORS, "operators.wgsl", &[]);
    let exported = exported(&program, PerFrame::Auto);
    let drawn = drawn_by_gles(&exported, SIZE, &[1.0]).expect("pictures");
    // Noise pictures agree exactly or not at all.
    let agreement = scene.at_time(SIZE, 1.0).psnr_db(&drawn[0]);
    assert!(agreement > 60.0, "{agreement:.1} dB");
}

#[test]
fn exported_time_wraps_at_period() {
    let program = built_in("line_walker");
    let period = program.period.expect("a period");
    let exported = exported(&program, PerFrame::Auto);
    let drawn = drawn_by_gles(&exported, SIZE, &[2.0, 2.0 + 3.0 * period]).expect("pictures");
    let own = SceneRenderer::built_in("line_walker").at_time(SIZE, 2.0);
    for drawn in &drawn {
        assert!(own.psnr_db(drawn) > 40.0);
    }
}

/// Names that the exporter, Shadertoy and GLSL give to other things.
const TAKEN_NAMES: [&str; 14] = [
    "params_level",
    "remainder",
    "count_one_bits",
    "a",
    "v",
    "GL_ES",
    "HW_PERFORMANCE",
    "iTime",
    "iCh0",
    "TIME",
    "mainImage",
    "fragColor",
    "color",
    "texelFetch",
];

/// Uses of a name: for an argument, a variable and a member, for a function, a structure and
/// a variable outside functions.
const USES: [&str; 4] = [
    "struct Of_NAME { NAME: f32 }
    fn inner_NAME(NAME: f32) -> f32 {
        return NAME % 0.5 + f32(countOneBits(u32(NAME))) + params.level + frame::frame.time;
    }
    fn use_NAME(p: f32) -> f32 {
        let NAME = Of_NAME(inner_NAME(p));
        return base(p) + NAME.NAME % 0.5 + params.level * frame::frame.time;
    }",
    "fn NAME(p: f32) -> f32 { return base(p); }
    fn use_NAME(p: f32) -> f32 { return NAME(p); }",
    "struct NAME { level: f32 }
    fn use_NAME(p: f32) -> f32 { return base(NAME(p).level); }",
    "var<private> NAME: f32 = 0.25;
    fn use_NAME(p: f32) -> f32 { NAME += base(p); return NAME; }",
];

#[test]
fn own_names_do_not_hide_exported_ones() {
    for used in USES {
        // Each name has four columns of pixels.
        let code: String =
            TAKEN_NAMES.iter().map(|name| used.replace("NAME", name) + "\n").collect();
        let case = |(at, name)| format!("case {at}u: {{ sum = use_{name}(p); }}\n");
        let cases: String = TAKEN_NAMES.iter().enumerate().map(case).collect();
        let text = format!(
            "#import tarsus::frame
            const LOOP_SECONDS = 4.0;
            struct Params {{
                /// level [0, 1] = 0.3
                level: f32,
            }}
            @group(1) @binding(0) var<uniform> params: Params;
            fn base(p: f32) -> f32 {{
                let whole = modf(p).whole % 2.5 + f32(countOneBits(u32(p)));
                return (whole + frame::frame.time) * params.level;
            }}
            {code}
            fn main_image(frag_coord: vec2f) -> vec4f {{
                let p = frag_coord.y;
                var sum = 0.0;
                switch u32(frag_coord.x / 4.0) {{ {cases} default: {{}} }}
                return vec4f(vec3f(sum / 20.0), 1.0);
            }}"
        );
        let scene = SceneRenderer::of_text(&text, "names.wgsl");
        let program = compose(&text, "names.wgsl", &[]);
        let exported = exported(&program, PerFrame::Auto);
        assert_glslang_accepts(&exported, "names");
        assert_draws_alike(used, &scene, &exported, &[0.5, 3.5]);
    }
}
