//! The code around the author's source of a pass: Shadertoy's uniforms, the channels,
//! legacy names, and `main`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::apart;
use super::project::CHANNELS;
use super::reserved;
use super::words;
use tarsus_shader::ChannelShape;
use tarsus_shader::{CUBE_SIDE, PassKind, SAMPLE_RATE, SOUND_ROW};

/// The `Frame` uniform with Shadertoy's names; must match `Frame` in
/// `shaders/lib/frame.wgsl`.
const FRAME: &str = "uniform tarsus_Frame { vec2 tarsus_resolution; vec2 tarsus_sample_offset; \
    vec2 tarsus_tile_origin; vec2 tarsus_stride; vec2 tarsus_lens; float iTime; \
    float tarsus_output_step; vec4 iMouse; vec4 tarsus_pointer; vec4 tarsus_orbit; vec4 iDate; \
    float tarsus_press_age; float tarsus_release_age; float iTimeDelta; float iFrameRate; \
    int iFrame; uint tarsus_part; vec2 tarsus_unused; };\n";

/// Position of a fragment in the image, like `frag_coord` in `shaders/lib/frame.wgsl`.
const PLACE: &str = "vec4(tarsus_tile_origin.x + gl_FragCoord.x * tarsus_stride.x + \
    tarsus_sample_offset.x, tarsus_resolution.y - (tarsus_tile_origin.y + gl_FragCoord.y * \
    tarsus_stride.y) + tarsus_sample_offset.y, gl_FragCoord.zw)";

/// Legacy names of WebGL1 and early Shadertoy, and their replacements.
const OLD_NAMES: &[(&str, &str)] = &[
    ("iGlobalTime", "iTime"),
    ("texture2D", "texture"),
    ("textureCube", "texture"),
    ("texture3D", "texture"),
    ("texture2DLod", "textureLod"),
    ("texture2DLodEXT", "textureLod"),
    ("textureCubeLod", "textureLod"),
    ("textureCubeLodEXT", "textureLod"),
    ("texture2DGrad", "textureGrad"),
    ("texture2DGradEXT", "textureGrad"),
    ("textureCubeGradEXT", "textureGrad"),
    ("texture2DProj", "textureProj"),
];

/// Names that a sound may use for its own variables, since Shadertoy defines them only for
/// images.
const OF_PICTURES: &[&str] = &["iResolution", "iTime", "iTimeDelta", "iFrame", "iMouse"];

/// Replacement for `texture2D` and `textureCube` if a parameter named so hides `texture`.
const TEXTURE: &str = "vec4 tarsus_read(sampler2D s, vec2 at) { return texture(s, at); }\n\
    vec4 tarsus_read(sampler2D s, vec2 at, float bias) { return texture(s, at, bias); }\n\
    vec4 tarsus_read(samplerCube s, vec3 at) { return texture(s, at); }\n\
    vec4 tarsus_read(samplerCube s, vec3 at, float bias) { return texture(s, at, bias); }\n";

/// The image function if the author defines it as a macro with parameters.
const EXPANDED_IMAGE: &str = "void tarsus_image(inout vec4 color, in vec2 place) {\n    \
    mainImage(color, place);\n}\n\
    #undef mainImage\n\
    void mainImage(out vec4 color, in vec2 place) {\n    \
    color = vec4(0.0);\n    \
    tarsus_image(color, place);\n}\n";

/// Keyboard functions of the editor extension.
const KEYS: &str = "layout(set = 0, binding = 1) uniform texture2D tarsus_keys;\n\
    bool isKeyDown(int key) { return texelFetch(tarsus_keys, ivec2(key, 0), 0).x > 0.5; }\n\
    bool isKeyPressed(int key) { return texelFetch(tarsus_keys, ivec2(key, 1), 0).x > 0.5; }\n\
    bool isKeyToggled(int key) { return texelFetch(tarsus_keys, ivec2(key, 2), 0).x > 0.5; }\n\
    bool isKeyReleased(int key) { return false; }\n\
    const int Key_Backspace = 8, Key_Tab = 9, Key_Enter = 13, Key_Shift = 16, Key_Ctrl = 17, \
    Key_Alt = 18, Key_Escape = 27, Key_Space = 32, Key_LeftArrow = 37, Key_UpArrow = 38, \
    Key_RightArrow = 39, Key_DownArrow = 40;\n";

/// Inputs for compiling a pass.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub kind: PassKind,
    /// The author's source, with includes expanded.
    pub text: &'a str,
    /// The source without comments.
    pub code: &'a str,
    /// Names of the author's samplers; unbound, they read the first channel.
    pub samplers: &'a [String],
    /// Texture shapes of the channels.
    pub shapes: [ChannelShape; CHANNELS],
    /// Declarations of the values the user can change.
    pub uniforms: &'a str,
    /// True if the keyboard functions are needed.
    pub has_keys: bool,
    /// True if the author's functions replace built-in ones.
    pub redefines: bool,
}

/// The form in which channels and global values are declared.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Manner {
    /// As in standard GLSL.
    #[cfg_attr(
        not(feature = "glslang"),
        expect(dead_code, reason = "only the reference compiler reads it")
    )]
    Plain,
    /// For a front end without combined samplers and without global initializers.
    Apart,
}

impl Surroundings<'_> {
    /// The complete source of the pass, starting with `head`.
    pub(super) fn whole(&self, head: &str, manner: Manner) -> String {
        let (words, defined) = (words::all(self.code), words::defined(self.code));
        let mut text = head.to_owned();
        let _ = write!(text, "layout(std140, set = 0, binding = 0) {FRAME}");
        text.push_str(self.uniforms);
        if self.has_keys {
            self.keys(&mut text, &words);
        }
        self.channels(&mut text, &words, manner);
        let target = match self.kind {
            PassKind::Sound => "vec2",
            _ => "vec4",
        };
        let _ = writeln!(text, "layout(location = 0) out {target} tarsus_color;");
        text.push_str(match manner {
            Manner::Plain => "vec3 iResolution = vec3(tarsus_resolution, 1.0);\n",
            Manner::Apart => "#define iResolution vec3(tarsus_resolution, 1.0)\n",
        });
        text.push_str("#define HW_PERFORMANCE 1\n");
        let _ = writeln!(text, "const float iSampleRate = {SAMPLE_RATE}.0;");
        self.facts_of_channels(&mut text, &words);
        if words.contains("gl_FragColor") && !defined.contains("gl_FragColor") {
            text.push_str("vec4 tarsus_output;\n#define gl_FragColor tarsus_output\n");
        }
        self.place(&mut text, &defined, manner);
        for name in self.samplers {
            let _ = writeln!(text, "#define {name} iChannel0");
        }
        let is_hidden = words::samplers(self.code).contains("texture");
        if is_hidden && manner != Manner::Apart {
            text.push_str(TEXTURE);
        }
        for (old, new) in old_names(&words, &defined) {
            let new = match new {
                "texture" if is_hidden && manner != Manner::Apart => "tarsus_read",
                new => new,
            };
            let _ = writeln!(text, "#define {old} {new}");
        }
        // A macro named like the pass function must not affect its call, and one with
        // parameters may replace the function.
        let is_macro = words::is_plain_macro(self.code, function(self.kind));
        if is_macro {
            let _ = writeln!(text, "{};", signature(self.kind));
            self.main(&mut text, manner);
        }
        text.push_str(&reserved::renames(self.code, self.redefines));
        if self.kind == PassKind::Sound {
            text.push_str(&reserved::renames_of_variables(self.code, OF_PICTURES));
        }
        text.push_str(self.text);
        if !is_macro {
            text.push_str("\n\n#undef main\n#undef gl_FragCoord\n");
            if function(self.kind) == "mainImage" && defined.contains("mainImage") {
                text.push_str(EXPANDED_IMAGE);
            }
            self.main(&mut text, manner);
        }
        text
    }

    fn channels(&self, text: &mut String, words: &BTreeSet<&str>, manner: Manner) {
        let numbered = self.shapes.iter().enumerate();
        match manner {
            Manner::Plain => {
                for (slot, shape) in numbered {
                    let (binding, (sampler, _)) = (2 * slot, types(*shape));
                    let _ = writeln!(
                        text,
                        "layout(set = 2, binding = {binding}) uniform {sampler} iChannel{slot};"
                    );
                }
            }
            Manner::Apart => {
                for (slot, shape) in numbered {
                    let (binding, (_, texture)) = (2 * slot, types(*shape));
                    let _ = writeln!(
                        text,
                        "layout(set = 2, binding = {binding}) uniform {texture} tarsus_texture{slot};\n\
                         layout(set = 2, binding = {}) uniform sampler tarsus_sampler{slot};",
                        binding + 1
                    );
                }
                let has_parameters = words.contains("sampler2D");
                let is_flat = self
                    .shapes
                    .iter()
                    .all(|shape| *shape == ChannelShape::Texture2d);
                match has_parameters && is_flat {
                    true => apart::numbered_channels(text),
                    false => apart::constructed_channels(text, self.shapes.map(|s| types(s).0)),
                }
                apart::missing_functions(text, words);
            }
        }
    }

    /// Playback times and sizes of the channels, also in their early Shadertoy form.
    fn facts_of_channels(&self, text: &mut String, words: &BTreeSet<&str>) {
        let sizes = (0..).zip(&self.shapes).map(|(slot, shape)| match shape {
            ChannelShape::Volume => format!("vec3(textureSize(iChannel{slot}, 0))"),
            _ => format!("vec3(textureSize(iChannel{slot}, 0), 1.0)"),
        });
        let sizes: Vec<String> = sizes.collect();
        if words.contains("iChannelTime") {
            text.push_str("float iChannelTime[4] = float[4](iTime, iTime, iTime, iTime);\n");
        }
        if words.contains("iChannelResolution") {
            let _ = writeln!(
                text,
                "vec3 iChannelResolution[4] = vec3[4]({});",
                sizes.join(", ")
            );
        }
        if words.contains("iChannel") {
            let channels = sizes
                .iter()
                .map(|size| format!("tarsus_Channel(iTime, {size})"));
            let channels: Vec<String> = channels.collect();
            let _ = writeln!(
                text,
                "struct tarsus_Channel {{ float time; vec3 resolution; }};\n\
                 tarsus_Channel iChannel[4] = tarsus_Channel[4]({});",
                channels.join(", ")
            );
        }
    }

    /// Defines the fragment position. Image targets have their first row at the top and may
    /// be a tile of the image; other targets match Shadertoy's.
    fn place(&self, text: &mut String, defined: &BTreeSet<&str>, manner: Manner) {
        if self.kind != PassKind::Image {
            return;
        }
        match manner {
            Manner::Plain => {
                let _ = writeln!(text, "vec4 tarsus_place = {PLACE};");
            }
            Manner::Apart => text.push_str("vec4 tarsus_place;\n"),
        }
        for (name, definition) in [
            ("gl_FragCoord", "gl_FragCoord tarsus_place"),
            ("dFdy", "dFdy(x) (-dFdy(x))"),
        ] {
            if !defined.contains(name) {
                let _ = writeln!(text, "#define {definition}");
            }
        }
    }

    fn keys(&self, text: &mut String, words: &BTreeSet<&str>) {
        text.push_str(KEYS);
        for word in words {
            let letter = word.strip_prefix("Key_").filter(|letter| letter.len() == 1);
            if let Some(code) = letter.and_then(|letter| letter.bytes().next()) {
                let _ = writeln!(text, "const int {word} = {};", code.to_ascii_uppercase());
            }
        }
    }

    fn main(&self, text: &mut String, manner: Manner) {
        text.push_str("#line 1 0\nvoid main() {\n");
        // Never true, but Mesa's software renderer compiles a fragment stage without
        // `discard` twice.
        text.push_str("if (tarsus_resolution.x <= 0.0) discard;\n");
        if self.kind == PassKind::Image && manner == Manner::Apart {
            let _ = writeln!(text, "tarsus_place = {PLACE};");
        }
        match self.kind {
            // GLSL scenes have no `per_frame` pass.
            PassKind::PerFrame | PassKind::Image => text.push_str(
                "vec4 tarsus_result = vec4(0.0);\n\
                 mainImage(tarsus_result, tarsus_place.xy);\n\
                 tarsus_color = vec4(tarsus_result.xyz, 1.0);\n",
            ),
            PassKind::Buffer(_) => text.push_str(
                "vec4 tarsus_result = vec4(0.0);\n\
                 mainImage(tarsus_result, gl_FragCoord.xy);\n\
                 tarsus_color = tarsus_result;\n",
            ),
            PassKind::Cube => {
                let _ = write!(
                    text,
                    "vec2 tarsus_at = gl_FragCoord.xy / {CUBE_SIDE}.0 * 2.0 - 1.0;\n\
                     vec3 tarsus_ray = vec3(1.0, -tarsus_at.y, -tarsus_at.x);\n\
                     if (tarsus_part == 1u) tarsus_ray = vec3(-1.0, -tarsus_at.y, tarsus_at.x);\n\
                     if (tarsus_part == 2u) tarsus_ray = vec3(tarsus_at.x, 1.0, tarsus_at.y);\n\
                     if (tarsus_part == 3u) tarsus_ray = vec3(tarsus_at.x, -1.0, -tarsus_at.y);\n\
                     if (tarsus_part == 4u) tarsus_ray = vec3(tarsus_at.x, -tarsus_at.y, 1.0);\n\
                     if (tarsus_part == 5u) tarsus_ray = vec3(-tarsus_at.x, -tarsus_at.y, -1.0);\n\
                     vec4 tarsus_result = vec4(0.0);\n\
                     mainCubemap(tarsus_result, gl_FragCoord.xy, vec3(0.0), normalize(tarsus_ray));\n\
                     tarsus_color = tarsus_result;\n"
                );
            }
            PassKind::Sound => {
                let call = match takes_a_sample(self.code) {
                    true => "mainSound(int(tarsus_sample), tarsus_time)",
                    false => "mainSound(tarsus_time)",
                };
                let _ = write!(
                    text,
                    "uvec2 tarsus_texel = uvec2(gl_FragCoord.xy);\n\
                     uint tarsus_sample = tarsus_part + tarsus_texel.y * {SOUND_ROW}u + \
                     tarsus_texel.x;\n\
                     float tarsus_time = float(tarsus_sample / {SAMPLE_RATE}u) + \
                     float(tarsus_sample % {SAMPLE_RATE}u) / {SAMPLE_RATE}.0;\n\
                     tarsus_color = {call};\n"
                );
            }
        }
        text.push_str("}\n");
    }
}

/// Legacy names among `words` that the author does not define.
pub(super) fn old_names(
    words: &BTreeSet<&str>,
    defined: &BTreeSet<&str>,
) -> Vec<(&'static str, &'static str)> {
    let is_used = |name: &str| words.contains(name) && !defined.contains(name);
    let names = OLD_NAMES.iter().copied();
    names.filter(|(old, _)| is_used(old)).collect()
}

/// Name of the author's function for a pass.
pub(super) fn function(kind: PassKind) -> &'static str {
    match kind {
        PassKind::Sound => "mainSound",
        PassKind::Cube => "mainCubemap",
        PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => "mainImage",
    }
}

/// Declaration of the author's function for a pass.
pub(super) fn signature(kind: PassKind) -> &'static str {
    match kind {
        PassKind::Sound => "vec2 mainSound(int samp, float time)",
        PassKind::Cube => {
            "void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir)"
        }
        PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => {
            "void mainImage(out vec4 fragColor, in vec2 fragCoord)"
        }
    }
}

/// False for the original form of `mainSound`, which takes only the time.
fn takes_a_sample(code: &str) -> bool {
    let mut forms = words::forms(code, "mainSound").peekable();
    forms.peek().is_none() || forms.any(|parameters| parameters.contains(','))
}

/// Types of a combined sampler and of its texture.
fn types(shape: ChannelShape) -> (&'static str, &'static str) {
    match shape {
        ChannelShape::Texture2d => ("sampler2D", "texture2D"),
        ChannelShape::Cube => ("samplerCube", "textureCube"),
        ChannelShape::Volume => ("sampler3D", "texture3D"),
    }
}
