//! GLSL shaders by theme: each is drawn and its pixels are compared with values computed
//! by hand. The files begin with `// = R G B` for all pixels, or `// (X, Y) = R G B` for
//! one.

use tarsus_render::{Frame, Inputs, SAMPLE_FORMAT, Viewport};
use tarsus_shader::Program;

use crate::common::drawing::{advance, draw_upwards};
use crate::common::{compose_file, glsl_files, gpu, renderer};

const SIZE: (u32, u32) = (4, 4);

/// Expected colour of one pixel, or of all pixels.
type Expectation = (Option<[u32; 2]>, [f32; 3]);

fn expectations(text: &str) -> Vec<Expectation> {
    let heads = text.lines().map_while(|line| line.strip_prefix("// "));
    let read = heads.filter_map(|head| {
        let (place, color) = head.split_once('=')?;
        let numbers = |text: &str| -> Vec<f32> {
            let words = text.split([' ', ',', '(', ')']).filter(|word| !word.is_empty());
            words.map(|word| word.parse().expect("a number")).collect()
        };
        let place = match numbers(place)[..] {
            [x, y] => Some([x as u32, y as u32]),
            _ => None,
        };
        Some((place, numbers(color).try_into().expect("three numbers")))
    });
    read.collect()
}

/// Draws a program and returns its pixels, rows from the lowest up.
fn draw(program: &Program, frame: &Frame) -> Vec<[f32; 4]> {
    let mut renderer = renderer(gpu(), program, SAMPLE_FORMAT);
    let inputs = Inputs::new(*frame);
    advance(&mut renderer, &inputs);
    draw_upwards(&mut renderer, &inputs)
}

fn frame() -> Frame {
    let mut frame = Frame::new(SIZE, 3, 16.0).at_time(0.5);
    frame.mouse = [1.0, 2.0, 3.0, -4.0];
    frame.date = [2024.0, 1.0, 2.0, 3.5];
    frame
}

/// Describes how the shader at `path` fails or which pixel is wrong; `None` if all is
/// right.
fn disagreement(path: &std::path::Path) -> Option<String> {
    let program = match compose_file(path) {
        Ok(program) => program,
        Err(error) => return Some(error),
    };
    let text = std::fs::read_to_string(path).expect("a shader");
    let expected = expectations(&text);
    assert!(!expected.is_empty(), "{} says nothing", path.display());
    let pixels = draw(&program, &frame());
    for (place, color) in expected {
        for (index, pixel) in (0..).zip(&pixels) {
            let at = [index % SIZE.0, index / SIZE.0];
            // Rounding of one operation, and of the adapter's `sin` and `exp`.
            let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 2e-5 * b.abs().max(1.0);
            let agrees = pixel.iter().zip(&color).all(is_near);
            if place.is_none_or(|place| place == at) && !agrees {
                return Some(format!("at {at:?} is {pixel:?}, not {color:?}"));
            }
        }
    }
    None
}

#[test]
fn constructs_have_expected_values() {
    let files = glsl_files();
    assert!(files.len() >= 125, "{}", files.len());
    let wrong = files.iter().filter_map(|path| {
        let message = disagreement(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Some(format!("{name}: {message}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} shaders disagree:\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}

/// Draws a source with `frame` and returns its pixels.
fn draw_text(text: &str, file: &str, frame: &Frame) -> Vec<[f32; 4]> {
    draw(&crate::common::compose(text, file, &[]), frame)
}

#[test]
fn frag_coord_matches_wgsl() {
    let glsl = "void mainImage(out vec4 c, in vec2 p) {\n  \
        c = vec4(p, gl_FragCoord.x + dFdy(p.y) * 100.0, 1.0);\n}\n";
    let wgsl = "fn main_image(p: vec2f) -> vec4f {\n  \
        return vec4f(p, p.x - dpdy(p.y) * 100.0, 1.0);\n}\n";
    for (tile, sample_offset, stride) in [
        ([0.0, 0.0], [0.0, 0.0], [1.0, 1.0]),
        ([-64.0, -32.0], [0.0, 0.0], [1.0, 1.0]),
        ([0.0, 0.0], [0.25, -0.375], [1.0, 1.0]),
        ([0.0, 0.0], [0.0, 0.0], [2.5, 2.0]),
    ] {
        let mut frame = frame();
        frame.sample_offset = sample_offset;
        let [x, y] = frame.resolution;
        frame.set_viewport(Viewport { origin: tile, size: [x / stride[0], y / stride[1]] });
        assert_eq!(draw_text(glsl, "p.glsl", &frame), draw_text(wgsl, "p.wgsl", &frame));
    }
}

/// The shader `halves.glsl` in WGSL.
#[test]
fn both_halves_of_a_constant_are_unpacked() {
    let wgsl = "fn main_image(p: vec2f) -> vec4f {\n  \
        let word = 0xb8003c00u;\n  return vec4f(unpack2x16float(word), 0.0, 1.0);\n}\n";
    assert_eq!(draw_text(wgsl, "h.wgsl", &frame())[0], [1.0, -0.5, 0.0, 1.0]);
}

#[test]
fn fetch_offset_selects_another_texel() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, color) in [
        ("Buffer A.glsl", "vec4(p, 0.0, 1.0)"),
        ("Image.glsl", "texelFetchOffset(iChannel0, ivec2(1), 0, ivec2(2, -1))"),
    ] {
        let text = format!("void mainImage(out vec4 c, in vec2 p) {{\n  c = {color};\n}}\n");
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let program = compose_file(folder.path()).expect("a scene");
    let mut renderer = renderer(gpu(), &program, SAMPLE_FORMAT);
    let inputs = Inputs::new(frame());
    advance(&mut renderer, &inputs);
    for texel in draw_upwards(&mut renderer, &inputs) {
        assert_eq!(texel, [3.5, 0.5, 0.0, 1.0]);
    }
}

#[test]
fn buffers_persist_with_bottom_row_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "Buffer A.glsl",
        "void mainImage(out vec4 c, in vec2 p) {\n  vec4 old = texelFetch(iChannel0, ivec2(p), 0);\n  \
         c = vec4(old.x + 1.0, gl_FragCoord.y, dFdy(p.y), p.x);\n}\n",
    );
    write(
        "Image.glsl",
        "void mainImage(out vec4 c, in vec2 p) {\n  c = texture(iChannel0, p / iResolution.xy);\n}\n",
    );
    let program = compose_file(folder.path()).expect("a scene");
    let mut renderer = renderer(gpu(), &program, SAMPLE_FORMAT);
    let inputs = Inputs::new(frame());
    (0..3).for_each(|_| advance(&mut renderer, &inputs));
    for (at, texel) in draw_upwards(&mut renderer, &inputs).into_iter().enumerate() {
        let y = at / SIZE.0 as usize;
        assert_eq!(texel, [3.0, y as f32 + 0.5, 1.0, 1.0]);
    }
}

/// Draws an image whose channel 0 is `pass`, read with `filter`, and returns its pixels.
fn draw_channel(pass: &str, code: &str, filter: &str, image: &str, frame: &Frame) -> Vec<[f32; 4]> {
    let json = serde_json::json!({"renderpass": [
        {"name": "Image", "type": "image", "code": image, "outputs": [{"id": "37"}], "inputs": [
            {"id": "257", "channel": 0, "sampler": {"filter": filter, "wrap": "clamp"},
             "ctype": if pass == "buffer" { "buffer" } else { "cubemap" },
             "src": "/media/previz/cubemap00.png"}]},
        {"name": "Buffer A", "type": pass, "code": code, "outputs": [{"id": "257"}], "inputs": []},
    ]});
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.json");
    std::fs::write(&path, json.to_string()).expect("written");
    draw(&compose_file(&path).expect("a scene"), frame)
}

#[test]
fn buffers_have_mipmaps_on_request() {
    let code = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 1.0, 1.0); }\n";
    let image = |level: &str| {
        format!(
            "void mainImage(out vec4 c, in vec2 p) {{\n  vec2 size = vec2(textureSize(iChannel0, int({level})));\n  \
             c = vec4(textureLod(iChannel0, vec2(0.25, 0.5), {level}).xy, size.x, size.y);\n}}\n"
        )
    };
    let wide = Frame::new((5, 3), 0, 60.0).at_time(0.0);
    for (filter, level, frame, expected) in [
        ("mipmap", "0.0", frame(), [1.0, 2.0, 4.0]),
        ("mipmap", "1.0", frame(), [1.0, 2.0, 2.0]),
        ("mipmap", "2.0", frame(), [2.0, 2.0, 1.0]),
        // Two and a half columns per texel: 0.5, 1.5 and half of 2.5.
        ("mipmap", "1.0", wide, [1.3, 1.5, 2.0]),
        ("linear", "0.0", frame(), [1.0, 2.0, 4.0]),
    ] {
        let pixels = draw_channel("buffer", code, filter, &image(level), &frame);
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
        let agrees = pixels[0].iter().zip(&expected).all(near);
        assert!(agrees, "{filter} {level}: {:?} {expected:?}", pixels[0]);
    }
    let far = "void mainImage(out vec4 c, in vec2 p) { c = textureLod(iChannel0, vec2(0.25, 0.5), 2.0); }\n";
    let pixels = draw_channel("buffer", code, "linear", far, &frame());
    assert_eq!(pixels[0][0], 1.0);
}

#[test]
fn cube_has_mipmaps_on_request() {
    let code = "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) {\n  \
        c = vec4(p.x < 512.0 ? 0.0 : 1.0, d.x > 0.9 ? 1.0 : 0.0, 0.0, 1.0);\n}\n";
    let image = "void mainImage(out vec4 c, in vec2 p) { c = textureLod(iChannel0, vec3(0.0, 0.0, 1.0), 10.0); }\n";
    let pixels = draw_channel("cubemap", code, "mipmap", image, &frame());
    assert_eq!(pixels[0][..2], [0.5, 0.0]);
}

#[test]
fn both_main_sound_signatures_work() {
    for text in [
        "vec2 mainSound(int samp, float time) { return vec2(float(samp), time); }\n",
        "vec2 mainSound(float time) { return vec2(time * iSampleRate, time); }\n",
        "vec3 iResolution = vec3(1.0);\nvec2 mainSound(int n) {\n  \
         return vec2(n, float(n) / iSampleRate) * iResolution.x;\n}\n\
         vec2 mainSound(in int n, float time) { return mainSound(n); }\n",
    ] {
        let program = crate::common::compose(text, "s.glsl", &[]);
        let gpu = gpu();
        let mut sound = pollster::block_on(tarsus_render::SoundRenderer::new(
            &gpu.device,
            &gpu.queue,
            &program,
        ))
        .expect("a pipeline")
        .expect("a sound");
        let inputs = Inputs::new(frame());
        let samples = sound.render(&inputs, 48_000, 600).expect("samples");
        for (number, sample) in (48_000..).zip(&samples) {
            let number = number as f32;
            assert!((sample[0] - number).abs() < 0.01, "{sample:?} {number}");
            assert!((sample[1] - number / 48_000.0).abs() < 1e-6, "{sample:?} {number}");
        }
    }
}

#[test]
fn cube_reads_match_drawn_rays() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "Cube A.glsl",
        "void mainCubemap(out vec4 c, in vec2 p, in vec3 from, in vec3 ray) {\n  \
         c = vec4(ray, iResolution.x + iResolution.y);\n}\n",
    );
    write(
        "Image.glsl",
        "#iChannel0 \"file://Cube A.glsl\"\nvec3 ray;\nvoid mainImage(out vec4 c, in vec2 p) {\n  \
         ray = normalize(vec3(p - 2.0, p.x * p.y - 3.0));\n  \
         vec4 found = texture(iChannel0, ray);\n  \
         c = vec4(length(found.xyz - ray) * 0.01, found.w, 0.0, 1.0);\n}\n",
    );
    let program = compose_file(folder.path()).expect("a scene");
    for pixel in draw(&program, &frame()) {
        // A face has 1024 texels per side, and its floats 11 bits.
        assert!(pixel[0] < 3e-5, "{pixel:?}");
        assert_eq!(pixel[1], 2048.0);
    }
}

/// The solver's listing for porting folds limbs from 2⁻¹⁰ down to 2⁻²⁵ metres, one a pixel,
/// onto their start.
#[test]
fn listing_of_solver_folds_tiny_limbs() {
    let listing = include_str!("../../../ik/ports/two_bone.glsl");
    let main = "void mainImage(out vec4 c, in vec2 p) {
    float r = exp2(-floor(p.x) - 4.0 * floor(p.y) - 10.0);
    Limb limb = solveTwoBone(vec3(0.0), r, r, vec3(0.0, 1.0, 0.0));
    c = vec4(limb.mid / r, 1.0);
}
";
    let pixels = draw_text(&format!("{listing}{main}"), "listing.glsl", &frame());
    assert_eq!(pixels, vec![[0.0, 1.0, 0.0, 1.0]; pixels.len()]);
}
