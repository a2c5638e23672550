//! Source of the Shadertoy export: names, comments, parameters and channels are kept from
//! the scene.

use tarsus_shader::{
    Buffer, Builtins, Filter, Library, PassKind, Program, Resource, Scene, SourceFiles, Values,
    Wrap, compose,
};
use tarsus_transpile::{ExportedPass, PerFrame, Shadertoy, to_shadertoy, to_wgsl};

/// The built-in scenes and modules.
fn library() -> Library {
    let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
    Library::new(builtins)
}

const PASSES: &str = include_str!("../../../tests/fixtures/passes.wgsl");

fn program(text: &str) -> Program {
    let scene = Scene::from_text(text, "test.wgsl");
    compose(&scene, &library(), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn exported(text: &str) -> Shadertoy {
    to_shadertoy(&program(text), &Values::default(), PerFrame::Auto).expect("an export")
}

fn pass(exported: &Shadertoy, wanted: impl Into<Option<PassKind>>) -> &ExportedPass {
    let wanted = wanted.into();
    let mut passes = exported.passes.iter();
    passes.find(|pass| pass.kind == wanted).unwrap_or_else(|| panic!("{wanted:?} in {exported:?}"))
}

fn image(text: &str) -> String {
    pass(&exported(text), PassKind::Image).code.clone()
}

fn assert_has(code: &str, wanted: &str) {
    assert!(code.contains(wanted), "{wanted:?} in\n{code}");
}

/// A built-in scene, its buffers of the picture's size, as Shadertoy's are.
fn built_in(name: &str) -> Program {
    let mut scene = Scene::find(name, &library()).expect("built in");
    scene.text = scene.text.replace("/// size 160x161\n", "");
    compose(&scene, &library(), &[]).expect("a program")
}

#[test]
fn exported_code_contains_no_boilerplate() {
    for (name, ..) in tarsus_scenes::SCENES {
        let program = built_in(name);
        let wanted = where_it_runs(name);
        let exported = to_shadertoy(&program, &Values::default(), wanted);
        let exported = exported.unwrap_or_else(|error| panic!("{name}: {error}"));
        for pass in &exported.passes {
            for word in ["layout(", "precision ", "#version", "gl_", "uniform ", "loop_init", "_e1"]
            {
                assert!(!pass.code.contains(word), "{word} in {name}");
            }
            let mut code = pass.code.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(code.all(|line| !line.contains('·')), "a linked name in {name}");
        }
        let again = to_shadertoy(&program, &Values::default(), wanted);
        assert_eq!(again, Ok(exported), "{name} twice");
    }
}

/// Export mode of `per_frame`: the pond has no free buffer for it, but drivers take
/// minutes to compile it inline, so only `PerFrame::Inline` exports it.
fn where_it_runs(name: &str) -> PerFrame {
    match name {
        "pond" => PerFrame::Inline,
        _ => PerFrame::Auto,
    }
}

#[test]
fn per_frame_gets_buffers_for_its_readers() {
    let value = "frame::per_frame_value(0u)";
    for (buffer, image, expected) in [
        ("vec4f()", "vec4f()", &["Buffer A", "Image"][..]),
        (value, "vec4f()", &["Buffer A", "Buffer B", "Image"]),
        ("vec4f()", value, &["Buffer A", "Buffer B", "Image"]),
        (value, value, &["Buffer A", "Buffer B", "Buffer C", "Image"]),
    ] {
        let text = format!(
            "#import tarsus::{{buffers, frame}}
fn per_frame(index: u32) -> vec4f {{ return buffers::a(vec2i(0)); }}
fn buffer_a(p: vec2f) -> vec4f {{ return buffers::a(vec2i(p)) + {buffer}; }}
fn main_image(p: vec2f) -> vec4f {{ return buffers::a(vec2i(p)) + {image}; }}
"
        );
        let exported = to_shadertoy(&program(&text), &Values::default(), PerFrame::Buffer);
        let exported = exported.unwrap_or_else(|error| panic!("{error}"));
        let passes = exported.passes.iter().filter(|pass| pass.kind.is_some());
        let names: Vec<String> = passes.map(ExportedPass::name).collect();
        assert_eq!(names, expected, "{text}");
        assert!(exported.notes.is_empty(), "{:?}", exported.notes);
    }
}

#[test]
fn pond_without_free_buffer_is_an_error() {
    let refused = to_shadertoy(&built_in("pond"), &Values::default(), PerFrame::Auto);
    let error = refused.expect_err("no buffer").to_string();
    assert!(error.ends_with("and no buffer is free after the last one"), "{error}");
}

#[test]
fn author_names_and_comments_are_kept() {
    let scene = "\
// What it shows.
//
// More of it.
#import tarsus::frame
#import tarsus::plot
#import tarsus::raymarch

/// The shape.
override fn raymarch::map(p: vec3f) -> f32 { return length(p) - 0.5; }
/// How bright.
const BRIGHT: f32 = 0.75;

/// A ring.
fn ring(p: vec2f, radius: f32) -> f32 {
    var sum = 0.0;
    for (var i = 0; i < 4; i++) {
        let away = plot::disc(p, vec2f(f32(i), 0.0), radius);
        if away < 0.0 && sum < 2.0 || i == 3 { sum += away; }
    }
    return sum;
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frame::centred(frag_coord);
    let met = raymarch::march(vec3f(p, 2.0), vec3f(0.0, 0.0, -1.0), 0.0, 9.0, 0.01);
    return vec4f(ring(p, BRIGHT) * met.coverage);
}
";
    let code = image(scene);
    assert!(code.starts_with("// What it shows.\n//\n// More of it.\n\n"), "{code}");
    assert!(!code.contains("// \n"), "no space at the end of a line");
    for wanted in [
        "// How bright.\nconst float BRIGHT = 0.75;\n",
        "// A ring.\nfloat ring(vec2 p, float radius) {\n    float sum = 0.0;\n    for (int i = 0; i < 4; i++) {\n        \
         float away = plot_disc(p, vec2(float(i), 0.0), radius);\n        \
         if ((away < 0.0 && sum < 2.0) || i == 3) {\n            sum += away;\n        }\n    }\n    return sum;\n}\n",
        "float plot_disc(vec2 p, vec2 center, float radius) {",
        "float raymarch_map(vec3 p) {\n    return length(p) - 0.5;\n}\n",
        "vec2 p = frame_centred(frag_coord);",
        "void mainImage(out vec4 fragColor, in vec2 fragCoord) {\n    fragColor = main_image(fragCoord);\n}\n",
    ] {
        assert_has(&code, wanted);
    }
    let before = |a: &str, b: &str| assert!(code.find(a) < code.find(b), "{a} before {b}");
    before("float plot_disc(", "float ring(");
    before("float ring(", "vec4 main_image(");
    assert!(!code.contains("plot_fill"), "what is not used is not there");
}

#[test]
fn parameters_become_constants() {
    let program = program(PASSES);
    let mut values = Values::default();
    for assignment in ["speed=0.25", "kind=round"] {
        let assigned = program.parameters.assign(&mut values, assignment);
        assigned.expect("an assignment");
    }
    let exported = to_shadertoy(&program, &values, PerFrame::Auto).expect("an export");
    let code = &pass(&exported, PassKind::Image).code;
    assert_has(code, "// Kind: 0 round, 1 square\nconst uint params_kind = 0u;\n");
    assert_has(code, "const vec3 params_paint = vec3(1.0, 0.5019608, 0.0);\n");
    assert!(!code.contains("params_speed"), "it is not used there");
    let code = &pass(&exported, PassKind::Buffer(Buffer::A)).code;
    assert_has(code, "// Speed [0, 4]\nconst float params_speed = 0.25;\n");
}

#[test]
fn variables_named_like_inputs_are_renamed() {
    for name in ["iTime", "iChannel", "iSampleOffset"] {
        let code = image(&format!(
            "var<private> {name}: f32;\n\
             fn main_image(p: vec2f) -> vec4f {{\n    {name} += p.x;\n    return vec4f({name});\n}}\n"
        ));
        assert_has(&code, &format!("float {name}_"));
    }
}

#[test]
fn passes_have_shadertoy_names() {
    let exported = exported(PASSES);
    let names: Vec<String> = exported.passes.iter().map(ExportedPass::name).collect();
    assert_eq!(names, ["Common", "Buffer A", "Buffer B", "Cube A", "Image", "Sound"]);
    let common = &pass(&exported, None).code;
    assert_has(common, "float hash(vec2 p) {");
    for word in ["iTime", "iResolution", "iChannel"] {
        assert!(!common.contains(word), "{word} is not known in Common");
    }
    let heads = [
        (PassKind::Sound, "vec2 mainSound(in int samp, float time) {"),
        (
            PassKind::Cube,
            "void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir) {",
        ),
    ];
    for (wanted, head) in heads {
        assert_has(&pass(&exported, wanted).code, head);
    }
    for found in &exported.passes[1..] {
        assert!(!found.code.contains("float hash("), "hash is in Common");
    }
}

#[test]
fn derivatives_follow_rows_of_pass() {
    let exported = exported(
        "#import tarsus::buffers
fn slope(p: vec2f) -> f32 { return dpdy(p.y); }
fn buffer_a(p: vec2f) -> vec4f { return vec4f(slope(p)); }
fn main_image(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + slope(p); }
",
    );
    assert_has(&pass(&exported, PassKind::Image).code, "return -dFdy(p.y);");
    assert_has(&pass(&exported, PassKind::Buffer(Buffer::A)).code, "return dFdy(p.y);");
}

#[test]
fn textures_become_channels() {
    let exported = exported(PASSES);
    let image = pass(&exported, PassKind::Image);
    let resources: Vec<Resource> = image.inputs.iter().map(|input| input.resource).collect();
    let [keys, buffer, cube, Resource::Channel(_)] = resources[..] else {
        panic!("{resources:?}");
    };
    assert_eq!(
        [keys, buffer, cube],
        [Resource::Keyboard, Resource::Buffer(Buffer::B), Resource::Cube]
    );
    assert_eq!((image.inputs[3].filter, image.inputs[3].wrap), (Filter::Mipmap, Wrap::Repeat));
    assert_has(&image.code, "// iChannel3: wood, image \"wood.jpg\", vflip off\n");
    assert_has(&image.code, "textureLod(iChannel3, frag_coord / 100.0, 1.0)");
    assert_has(&image.code, "return buffers_texel(iChannel1, pixel);");
    let first = pass(&exported, PassKind::Buffer(Buffer::A));
    assert_eq!(first.inputs[0].resource, Resource::Buffer(Buffer::A), "itself");
}

/// Channels as `tarsus import` writes them.
#[test]
fn channel_comments_name_inputs_and_settings() {
    const RUSTY: &str =
        "/media/a/95b90082f799f48677b4f206d856ad572f1d178c676269eac6347631d4447258.jpg";
    const VOLUME: &str =
        "/media/a/27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin";
    for (source, shape, expected) in [
        ("buffer a, mipmap, repeat", "2d", "Buffer A, mipmap, repeat"),
        ("buffer a", "2d", "Buffer A"),
        ("noise rgba 256, mipmap", "2d", "RGBA Noise Medium"),
        ("noise rgba 256, clamp", "2d", "RGBA Noise Medium, linear, clamp"),
        ("noise grey 32, mipmap", "3d", "Gray Noise3D"),
        ("noise grey 16, nearest", "2d", "given, noise grey 16, nearest"),
        ("noise grey 16, nearest", "3d", "given, noise grey 16, 3D, nearest"),
        ("image \"a.png\", mipmap, mirror, srgb", "2d", "given, image \"a.png\", srgb"),
        ("nothing, repeat", "2d", "nothing"),
        (
            &format!("`x` on Shadertoy: \"{RUSTY}\"\n/// noise rgba 256"),
            "2d",
            "Rusty Metal, linear",
        ),
        (
            &format!("`x` on Shadertoy: \"{VOLUME}\"\n/// noise grey 32, mipmap"),
            "3d",
            "Gray Noise3D",
        ),
        ("`a\\` on Shadertoy: \"/media/a/a.webm\"\n/// nothing, nearest", "2d", "a , nearest"),
        (
            "`Uffizi Gallery` on Shadertoy: \"/presets/cube00_0.jpg\"\n/// nothing, mipmap, flip",
            "cube",
            "Uffizi Gallery, mipmap, vflip on",
        ),
        ("keyboard", "2d", "Keyboard"),
    ] {
        let at = if shape == "2d" { "p" } else { "p.xyx" };
        let code = image(&format!(
            "/// {source}
@group(2) @binding(0) var given: texture_{shape}<f32>;
@group(2) @binding(1) var given_sampler: sampler;
fn buffer_a(p: vec2f) -> vec4f {{ return vec4f(p, 0.0, 1.0); }}
fn main_image(p: vec2f) -> vec4f {{ return textureSample(given, given_sampler, {at}); }}
"
        ));
        assert!(code.starts_with(&format!("// iChannel0: {expected}\n")), "{source}\n{code}");
    }
}

/// A scene whose image reads a buffer, with `read` in `per_frame` and in the image.
fn sampled(read: &str) -> Shadertoy {
    exported(&format!(
        "#import tarsus::frame
/// buffer a, repeat, linear
@group(2) @binding(0) var given: texture_2d<f32>;
@group(2) @binding(1) var given_sampler: sampler;
/// nearest, clamp
@group(2) @binding(2) var exact: sampler;
fn at(sampled: sampler) -> vec4f {{ return textureSampleLevel(given, sampled, vec2f(1.3), 0.0); }}
fn buffer_a(p: vec2f) -> vec4f {{ return vec4f(p, 0.0, 1.0); }}
{read}
"
    ))
}

#[test]
fn samplers_of_inline_per_frame_are_kept() {
    let exported = sampled(
        "fn per_frame(index: u32) -> vec4f { return at(given_sampler); }
fn main_image(p: vec2f) -> vec4f { return frame::per_frame_value(0u) + textureLoad(given, vec2i(p), 0); }",
    );
    let input = &pass(&exported, PassKind::Image).inputs[0];
    assert_eq!((input.filter, input.wrap), (Filter::Linear, Wrap::Repeat));
    assert_has(&pass(&exported, PassKind::Image).code, "// iChannel0: Buffer A, repeat\n");
    assert!(exported.notes.is_empty(), "{:?}", exported.notes);
}

#[test]
fn second_samplers_are_noted() {
    let image = "fn main_image(p: vec2f) -> vec4f { return at(given_sampler) + at(exact); }";
    let note = "Shadertoy has one sampler per channel: `given` is read with `given_sampler` there, \
                not with `exact`";
    assert_eq!(sampled(image).notes, [note]);
}

#[test]
fn mirrored_buffers_are_noted() {
    let exported = exported(
        "/// buffer a, mirror
@group(2) @binding(0) var given: texture_2d<f32>;
@group(2) @binding(1) var given_sampler: sampler;
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }
fn main_image(p: vec2f) -> vec4f { return textureSample(given, given_sampler, p); }
",
    );
    let note = "Shadertoy does not mirror textures: `Buffer A` repeats there";
    assert_eq!(exported.notes, [note]);
}

#[test]
fn levels_without_sampler_are_kept() {
    let exported = exported(
        "/// buffer a, mipmap
@group(2) @binding(0) var levels: texture_2d<f32>;
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }
fn main_image(p: vec2f) -> vec4f { return textureLoad(levels, vec2i(p / 4.0), 2); }
",
    );
    let image = pass(&exported, PassKind::Image);
    assert_eq!(image.inputs[0].filter, Filter::Mipmap);
}

#[test]
fn sampled_buffer_needs_one_channel() {
    let exported = exported(
        "#import tarsus::buffers
/// buffer a
@group(2) @binding(0) var glow: texture_2d<f32>;
@group(2) @binding(1) var glow_sampler: sampler;
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }
fn main_image(p: vec2f) -> vec4f {
    let size = vec2f(vec2i(textureDimensions(glow)));
    return textureSampleLevel(glow, glow_sampler, p / size, 0.0) + buffers::a(vec2i(p));
}
",
    );
    let image = pass(&exported, PassKind::Image);
    let [input] = &image.inputs[..] else { panic!("{:?}", image.inputs) };
    assert_eq!((input.resource, input.filter), (Resource::Buffer(Buffer::A), Filter::Linear));
    assert_has(&image.code, "return buffers_texel(iChannel0, pixel);");
    assert_has(&image.code, "vec2(textureSize(iChannel0, 0))");
}

#[test]
fn inputs_missing_in_shadertoy_have_defaults() {
    let code = image(
        "#import tarsus::frame\nconst LOOP_SECONDS = 8.0;\nfn main_image(p: vec2f) -> vec4f {\n    \
         return frame::frame.orbit + frame::frame.press_age + frame::frame.time * frame::frame.mouse;\n}\n",
    );
    assert_has(&code, "vec4(0.0, 0.0, 1.0, 0.0) + 1e6 + mod(iTime, 8.0) * iMouse");
}

#[test]
fn presence_of_pointer_is_one_comparison() {
    let text = "#import tarsus::pointer
fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(f32(pointer::is_present())); }";
    assert_has(&image(text), "return iMouse.z > 0.0;");
}

#[test]
fn omitted_calls_keep_effects_of_arguments() {
    let code = image(
        "var<private> count: f32;
fn next() -> f32 { count += 1.0; return count; }
fn ignore(x: f32) { var y = x; y *= 2.0; }
fn main_image(p: vec2f) -> vec4f { ignore(next()); return vec4f(count); }",
    );
    assert_has(&code, "    next();\n");
    assert!(!code.contains("ignore("), "{code}");
}

#[test]
fn joined_conditions_keep_their_parentheses() {
    let code = image(
        "fn main_image(p: vec2f) -> vec4f {\n    \
         var color = vec4f(0.0);\n    \
         if (f32(p.x > 50.0 && p.y > 50.0) > 0.5) == (p.x > 90.0) { color.x = 1.0; }\n    \
         let q = p.y > 9.0;\n    \
         if f32(select(p.y > 1.0, q, p.x > 2.0)) > 0.5 && q { color.y = 1.0; }\n    \
         return color;\n}\n",
    );
    assert_has(&code, "float(p.x > 50.0 && p.y > 50.0) > 0.5 == p.x > 90.0");
    assert_has(&code, "float(p.x > 2.0 ? q : p.y > 1.0) > 0.5 && q");
}

#[test]
fn per_frame_is_inline_or_buffered() {
    let scene = "#import tarsus::frame\nfn per_frame(index: u32) -> vec4f {\n    \
                 return vec4f(frame::frame.time) * f32(index);\n}\n\
                 fn main_image(p: vec2f) -> vec4f { return frame::per_frame_value(3u); }\n";
    let program = program(scene);
    let of = |place| to_shadertoy(&program, &Values::default(), place).expect("an export");
    let inline = of(PerFrame::Auto);
    assert_eq!(inline.passes.len(), 1, "it costs little");
    assert_has(
        &inline.passes[0].code,
        "vec4 frame_per_frame_value(uint index) {\n    return per_frame(index);\n}\n",
    );
    let buffered = of(PerFrame::Buffer);
    let buffer = pass(&buffered, PassKind::Buffer(Buffer::A));
    assert_has(&buffer.code, "per_frame(uint(32 * pixel.y + pixel.x))");
    let image = pass(&buffered, PassKind::Image);
    assert!(!image.code.contains("per_frame(uint"));
    assert_has(&image.code, "texelFetch(iChannel0, ivec2(index % 32u, index / 32u), 0)");
}

#[test]
fn inline_per_frame_restores_read_variables() {
    let code = image(
        "#import tarsus::frame\nvar<private> shade: f32 = 1.0;\n\
         fn per_frame(index: u32) -> vec4f { return vec4f(shade); }\n\
         fn main_image(p: vec2f) -> vec4f {\n    shade = 0.25;\n    \
         let value = frame::per_frame_value(0u);\n    \
         return vec4f(value.rgb * shade, 1.0);\n}\n",
    );
    assert_has(&code, "    float kept = shade;\n    shade = 1.0;\n");
    assert_has(&code, "    shade = kept;\n    return value;\n");
}

#[test]
fn cube_map_reads_per_frame_from_buffer() {
    let scene = "#import tarsus::{buffers, frame}\nfn per_frame(index: u32) -> vec4f {\n    \
                 return vec4f(frame::frame.resolution, 0.0, 1.0);\n}\n\
                 fn buffer_cube(p: vec2f, direction: vec3f) -> vec4f {\n    \
                 return frame::per_frame_value(0u);\n}\n\
                 fn main_image(p: vec2f) -> vec4f { return buffers::cube(vec3f(p, 1.0)); }\n";
    let program = program(scene);
    let of = |place| to_shadertoy(&program, &Values::default(), place).expect("an export");
    let buffered = of(PerFrame::Auto);
    assert_has(&pass(&buffered, PassKind::Cube).code, "texelFetch(iChannel0,");
    assert_has(&pass(&buffered, PassKind::Buffer(Buffer::A)).code, "iResolution.xy");
    assert!(buffered.notes.is_empty(), "{:?}", buffered.notes);
    let size = "fn size(f: frame::Frame) -> vec2f { return f.resolution; }\n";
    let passed = scene.replace("frame::frame.resolution", "size(frame::frame)");
    let passed = exported(&passed.replace("fn per_frame", &format!("{size}fn per_frame")));
    assert_has(&pass(&passed, PassKind::Cube).code, "texelFetch(iChannel0,");
    let inline = of(PerFrame::Inline);
    assert!(inline.notes[0].ends_with("the size of a face"), "{:?}", inline.notes);
    let timed =
        exported(&scene.replace("frame::frame.resolution, 0.0", "vec3f(frame::frame.time)"));
    assert!(timed.passes.iter().all(|pass| pass.kind != Some(PassKind::Buffer(Buffer::A))));
    assert!(timed.notes.is_empty(), "{:?}", timed.notes);
}

#[test]
fn fifth_texture_is_an_error() {
    let declared = (0..5).map(|n| {
        format!("/// noise grey 64\n@group(2) @binding({n}) var noise_{n}: texture_2d<f32>;\n")
    });
    let read = (0..5).map(|n| format!("textureLoad(noise_{n}, vec2u(p), 0)"));
    let scene = format!(
        "{}fn main_image(p: vec2f) -> vec4f {{ return {}; }}\n",
        declared.collect::<String>(),
        read.collect::<Vec<_>>().join(" + ")
    );
    let refused = to_shadertoy(&program(&scene), &Values::default(), PerFrame::Auto);
    let error = refused.expect_err("five textures");
    assert_eq!(
        error.to_string(),
        "cannot export image: it reads 5 textures, and a pass of Shadertoy has 4 channels"
    );
}

#[test]
fn own_sizes_are_refused_or_noted() {
    let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }\n";
    let noted = exported(&format!("/// size 64x48\n{main}"));
    let note = "the size of the picture is the host's: the scene declares 64x48";
    assert_eq!(noted.notes, [note]);
    let buffer = "/// size 8x2\nfn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }\n";
    let program = program(&format!("{buffer}{main}"));
    let refused = to_shadertoy(&program, &Values::default(), PerFrame::Auto);
    assert_eq!(
        refused.expect_err("a size").to_string(),
        "cannot export buffer a: it has 8x2 texels, and buffers of Shadertoy have the size of the \
         picture; hint: `--to wgsl` exports it"
    );
    let text = to_wgsl(&program, &Values::default()).expect("WGSL");
    assert!(text.contains("buffer a: tarsus_vertex, tarsus_buffer_a, 8 x 2 texels\n"), "{text}");
}

#[test]
fn locals_do_not_shadow_called_functions() {
    let code = image(
        "fn near(a: f32) -> f32 { return a; }\n\
         fn main_image(p: vec2f) -> vec4f {\n    let distance = distance(p, vec2f(1.0));\n    \
         let sample = p.x;\n    var sum = distance;\n    { let distance = p.y; sum += distance; }\n    \
         return vec4f(near(sum), sample, sum, 1.0);\n}\n",
    );
    assert_has(&code, "float distance_2 = distance(p, vec2(1.0));");
    assert_has(&code, "float sample_ = p.x;");
}

#[test]
fn variables_named_like_items_keep_their_names() {
    const SHAPES: &str = "#define_import_path shapes\n\
        fn side(p: f32) -> f32 { return p; }\n\
        fn ball(p: f32) -> f32 { var side = p; side += p; let size = side + 1.0; return size * size * size; }\n";
    let library = Library::new(Builtins { scenes: &[], modules: &[("shapes", SHAPES)] });
    // A name in a module makes linking rename the item `size`.
    let text = "\
#import shapes::{side, ball as round}
fn size(side: f32) -> f32 { return side; }
fn main_image(p: vec2f) -> vec4f {
    let round = round(p.x);
    var size = round + size(p.y) + side(p.x);
    size *= round;
    return vec4f(size);
}
";
    let program = compose(&Scene::from_text(text, "test.wgsl"), &library, &[]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let exported = to_shadertoy(&program, &Values::default(), PerFrame::Auto).expect("an export");
    let code = &pass(&exported, PassKind::Image).code;
    assert_has(code, "    float size = side + 1.0;");
    assert_has(code, "float size(float side) {");
    assert_has(code, "float round = shapes_ball(p.x);");
    assert_has(code, "float size_2 = round + size(p.y)");
    let code = to_wgsl(&program, &Values::default()).expect("WGSL");
    assert!(!code.contains("u00b7"), "{code}");
}

#[test]
fn items_of_files_have_their_name() {
    const SHAPES: &str = "fn ball(p: f32) -> f32 { return p; }\n";
    let text = "#import \"parts/my-shapes.wgsl\" as shapes\n\
                fn main_image(p: vec2f) -> vec4f { return vec4f(shapes::ball(p.x)); }\n";
    let files = [("parts/my-shapes.wgsl", SHAPES), ("test.wgsl", text)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let sources = SourceFiles { main: "test.wgsl".to_owned(), files, ..SourceFiles::default() };
    let (scene, library) = sources.open(library()).expect("a scene");
    let program = compose(&scene, &library, &[]).unwrap_or_else(|error| panic!("{error}"));
    let exported = to_shadertoy(&program, &Values::default(), PerFrame::Auto).expect("an export");
    assert_has(&pass(&exported, PassKind::Image).code, "float my_shapes_ball(float p) {");
}

#[test]
fn only_unproven_indices_are_clamped() {
    let code = image(
        "const TABLE = array<f32, 3>(1.0, 2.0, 4.0);\n\
         fn at(index: u32) -> f32 { return TABLE[index]; }\n\
         fn main_image(p: vec2f) -> vec4f {\n    let n = i32(p.x);\n    \
         var sum = at(u32(n) % 3u) + TABLE[n] + f32(n << u32(n)) + f32(n << (u32(n) & 7u));\n    \
         for (var i = 0; i < 3 && sum < 9.0; i++) { sum += TABLE[i] * TABLE[2 - i]; }\n    \
         for (var k = 2; k > 1 && sum < 9.0; k++) { sum += TABLE[k]; }\n    \
         return vec4f(sum + TABLE[min(n & 5, 2)]);\n}\n",
    );
    for wanted in [
        "return TABLE[min(index, 2u)];",
        "TABLE[min(uint(n), 2u)]",
        "n << (uint(n) & 31u)",
        "n << (uint(n) & 7u)",
        "TABLE[i] * TABLE[2 - i]",
        "TABLE[min(uint(k), 2u)]",
        "TABLE[min(n & 5, 2)]",
    ] {
        assert_has(&code, wanted);
    }
}

/// Comments before a function survive, whatever their slashes.
#[test]
fn comments_before_items_are_kept() {
    let code = image(
        "// The scene.\n\n// Half of it.\nfn half(a: f32) -> f32 { return 0.5 * a; }\n\n\
         /// A place.\nstruct Place { x: f32 }\n\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(half(Place(p.x).x)); }\n",
    );
    assert!(code.starts_with("// The scene.\n\n"), "{code}");
    assert_has(&code, "// Half of it.\nfloat half_(float a) {");
    assert_has(&code, "// A place.\nstruct Place {");
    assert_eq!(code.matches("// The scene.").count(), 1);
}

#[test]
fn comments_do_not_reach_next_line() {
    let code = image(
        "// Head \\\n#import tarsus::frame\n\
         struct Params {\n/// Kind {a, b\\} = a\nkind: u32 }\n\
         @group(1) @binding(0) var<uniform> params: Params;\n\
         /// /\\_/\\\r\nfn cat(a: f32) -> f32 { return 0.5 * a; }\n\n\
         /*\n/* nested */\n*/\nfn dog(a: f32) -> f32 { return 0.25 * a; }\n\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(cat(p.x), dog(p.y), f32(params.kind), 1.0); }\n",
    );
    assert_has(&code, "// Kind: 0 a, 1 b\\.\nconst uint params_kind");
    assert_has(&code, "// /\\_/\\.\nfloat cat(float a) {");
    assert_has(&code, "}\n\nfloat dog(float a) {");
    assert!(!code.contains("\\\n"), "{code}");
}

#[test]
fn comment_of_first_item_of_module_is_kept() {
    const BALL: &str = "#define_import_path ball\n// Distance to a ball.\n\
                        fn ball(p: vec2f) -> f32 { return length(p) - 1.0; }\n";
    let library = Library::new(Builtins { scenes: &[], modules: &[("ball", BALL)] });
    let text = "#import ball\nfn main_image(p: vec2f) -> vec4f { return vec4f(ball::ball(p)); }\n";
    let program = compose(&Scene::from_text(text, "test.wgsl"), &library, &[]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let exported = to_shadertoy(&program, &Values::default(), PerFrame::Auto).expect("an export");
    let code = &pass(&exported, PassKind::Image).code;
    assert_has(code, "// Distance to a ball.\nfloat ball_ball(vec2 p) {");
}

#[test]
fn members_of_like_names_stay_apart() {
    let code = image(
        "struct Pair { a_b: f32, a__b: f32, length: f32, length_: f32 }\n\
         fn main_image(p: vec2f) -> vec4f {\n    \
         let pair = Pair(p.x, p.y, p.x * p.y, p.x - p.y);\n    var other = pair;\n    \
         other.a__b += 1.0;\n    \
         return vec4f(other.a_b, other.a__b, other.length, other.length_);\n}\n",
    );
    for member in ["a_b", "a_b_2", "length_", "length_2"] {
        assert_has(&code, &format!("    float {member};\n"));
    }
    assert_has(&code, "return vec4(other.a_b, other.a_b_2, other.length_, other.length_2);");
}

#[test]
fn exported_wgsl_parses_again() {
    for (name, ..) in tarsus_scenes::SCENES {
        let scene = Scene::find(name, &library()).expect("built in");
        let program = compose(&scene, &library(), &[]).expect("a program");
        let text = to_wgsl(&program, &Values::default()).expect("WGSL");
        assert!(!text.contains("·tarsus") && !text.contains("#import"));
        assert_eq!(text.contains("pass time modulo"), program.period.is_some(), "{name}");
        let module =
            naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let names: Vec<&str> =
            module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert!(
            names.contains(&"tarsus_vertex") && names.contains(&"tarsus_fragment"),
            "{names:?}"
        );
        let (_, frame) = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some("frame_Frame"))
            .unwrap_or_else(|| panic!("a frame in {text}"));
        let naga::TypeInner::Struct { members, .. } = &frame.inner else { panic!("{frame:?}") };
        for member in members {
            let name = member.name.as_deref().unwrap_or_default();
            assert_has(&text, &format!("\n// {:>5} {name}: ", member.offset));
        }
    }
}

#[test]
fn number_of_mip_levels_is_refused_by_name() {
    let program = program(
        "/// noise rgba 64\n@group(2) @binding(0) var grain: texture_2d<f32>;\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(f32(textureNumLevels(grain))); }\n",
    );
    let error = to_shadertoy(&program, &Values::default(), PerFrame::Auto).expect_err("no levels");
    assert!(error.to_string().contains("`textureNumLevels`"), "{error}");
}

#[test]
fn overrides_become_constants() {
    let program = program(
        "override LEGS = 3 + 1;\noverride PAIRS = LEGS / 2;\n@id(7) override REACH: f32 = 0.5;\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(REACH * f32(PAIRS), p, 1.0); }\n",
    );
    let wgsl = to_wgsl(&program, &Values::default()).expect("WGSL");
    naga::front::wgsl::parse_str(&wgsl).unwrap_or_else(|error| panic!("{error} in {wgsl}"));
    assert!(!wgsl.contains("override"), "{wgsl}");
    let glsl = to_shadertoy(&program, &Values::default(), PerFrame::Auto).expect("GLSL");
    assert_has(&pass(&glsl, PassKind::Image).code, "return vec4(1.0, p, 1.0);");
}

#[test]
fn nested_arrays_report_their_line() {
    let place = |text: &str| {
        let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(at(u32(p.x))); }\n";
        let program = program(&format!("{text}{main}"));
        let error = to_shadertoy(&program, &Values::default(), PerFrame::Auto);
        error.expect_err("nested arrays").to_string()
    };
    let why = "GLSL does not support arrays of arrays";
    let grid = "struct Grid { rows: array<array<f32, 2>, 2> }\n";
    let read = "fn at(i: u32) -> f32 { var a: Grid; a.rows[i][0] = 1.0; return a.rows[0][i]; }\n";
    assert_eq!(place(&format!("{grid}{read}")), format!("cannot export `at` (test.wgsl:2): {why}"));
    let local = "\n\nfn at(i: u32) -> f32 { var a: array<array<f32, 2>, 2>; a[i][0] = 1.0; \
                 return a[0][i]; }\n";
    assert_eq!(place(local), format!("cannot export `at` (test.wgsl:3): {why}"));
    let global = "var<private> a: array<array<f32, 2>, 2>;\n\
                  fn at(i: u32) -> f32 { a[i][0] = 1.0; return a[0][i]; }\n";
    assert_eq!(place(global), format!("cannot export `a` (test.wgsl:1): {why}"));
}
