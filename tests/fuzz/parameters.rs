//! Comments of parameters and channels, in small scenes so that most edits hit the
//! comments.

use tarsus_shader::{Scene, Values, compose};

use crate::harness::{fuzz, told_well};
use crate::text::{edited, text_of};

const SEEDS: &[&str] = &[
    "struct Params {
    /// Length of the upper bone [0.1, 2] = 0.8
    upper: f32,
    /// Policy {stretch, clamp, none} = clamp
    policy: u32,
    /// Show the circles = on
    circles: u32,
    /// Colour of the shell = #b06030
    shell: vec3f,
    /// Place [-1, 1] = (0.5, -0.5)
    place: vec2f,
    /// Steps [1, 64] = 8
    steps: i32,
    plain: vec4f,
}
@group(1) @binding(0) var<uniform> params: Params;
",
    "/** Angle in degrees [-180, 180] = 45 */
struct Params { /// Paint = #ff8000ff
    paint: vec4f, /// Kind {a, b} = b
    kind: i32, }
/// noise rgba 64, repeat
@group(2) @binding(0) var random: texture_2d<f32>;
/// nearest, clamp
@group(2) @binding(1) var random_sampler: sampler;
@group(1) @binding(0) var<uniform> p: Params;
",
    "/// image \"wood.jpg\", repeat, mipmap, flip, srgb
@group(2) @binding(0) var wood: texture_2d<f32>;
@group(2) @binding(1) var wood_sampler: sampler;
/// cube \"px.png\" \"nx.png\" \"py.png\" \"ny.png\" \"pz.png\" \"nz.png\"
@group(2) @binding(2) var sky: texture_cube<f32>;
/// volume \"a.bin\", linear, mirror
@group(2) @binding(4) var fog: texture_3d<f32>;
/// sound \"a.ogg\"
@group(2) @binding(6) var song: texture_2d<f32>;
/// nothing
@group(2) @binding(8) var none: texture_2d<f32>;
/// keyboard
@group(2) @binding(9) var keys: texture_2d<f32>;
const LOOP_SECONDS: f32 = 4.0;
",
];

const IMAGE: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }\n";

const WORDS: &[&str] = &[
    "/// ",
    "/** ",
    "*/",
    "//",
    "[",
    "]",
    "[0, 1]",
    "[1, 0]",
    "[0,",
    "[nan, inf]",
    "{",
    "}",
    "{a, b, c}",
    "{a, a}",
    "{}",
    "= ",
    "= on",
    "= off",
    "= #",
    "= #fff",
    "= #ff80",
    "= #gggggg",
    "= (1, 2)",
    "= 1e39",
    "= -1",
    "= nan",
    "=",
    ",",
    "\\",
    "\"",
    "f32",
    "i32",
    "u32",
    "vec2f",
    "vec3f",
    "vec4u",
    "mat3x3f",
    "array<vec4f, 8>",
    "bool",
    "f16",
    "@size(64) ",
    "@align(16) ",
    "image ",
    "video ",
    "sound ",
    "noise ",
    "noise grey 4294967295",
    "noise blue 0",
    "noise rgba 4096",
    "keyboard",
    "cube ",
    "volume ",
    "buffer a",
    "buffer cube",
    "nothing",
    "repeat",
    "clamp",
    "mirror",
    "nearest",
    "linear",
    "mipmap",
    "flip",
    "srgb",
    "\"a b.png\"",
    "\"../../../etc/passwd\"",
    "\"\"",
    "texture_2d<f32>",
    "texture_3d<f32>",
    "texture_cube<f32>",
    "texture_2d_array<f32>",
    "texture_2d<u32>",
    "sampler",
    "sampler_comparison",
    "@group(1) ",
    "@group(2) ",
    "@group(3) ",
    "@binding(0) ",
    "@binding(1000) ",
    "var<uniform> ",
    "params",
    "Params",
    "_sampler",
];

#[test]
fn parameter_and_channel_comments_never_panic() {
    let library = tarsus::library();
    let text = |edited: &_| text_of(edited, SEEDS, WORDS) + "\n" + IMAGE;
    fuzz(
        "parameters",
        400,
        edited(6),
        |edited| text(edited).into_bytes(),
        |edited| {
            let text = text(edited);
            let program = match compose(&Scene::from_text(&text, "fuzz.wgsl"), &library, &[]) {
                Ok(program) => program,
                Err(error) => return told_well(&error.to_string(), "fuzz.wgsl"),
            };
            for assignment in [
                "upper=1",
                "kind=b",
                "paint=#102030",
                "x=",
                "=",
                "place=1,2",
                "steps=-1e99",
                "shell=nan",
            ] {
                let mut values = Values::default();
                let _ = program.parameters.assign(&mut values, assignment);
            }
            let mut warnings = program.warnings.iter();
            warnings.try_for_each(|warning| told_well(&warning.to_string(), "fuzz.wgsl"))
        },
    );
}
