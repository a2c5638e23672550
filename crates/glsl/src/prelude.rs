//! The code around the author's source of a pass: Shadertoy's uniforms, the channels,
//! legacy names, and `main`.

use std::collections::BTreeSet;

use super::lexer;
use super::project::CHANNELS;
use super::reserved;
use super::separate_samplers;
use tarsus_shader::{CUBE_SIDE, ChannelShape, PassKind, SAMPLE_RATE, SOUND_ROW};

/// The `Frame` uniform with Shadertoy's names; must match `Frame` in `tarsus::frame`.
const FRAME: &str = include_str!("prelude/frame.glsl");

/// Position of a fragment in the image, like `frag_coord` in `tarsus::frame`.
const POSITION: &str = "vec4(tarsus_tile_origin.x + gl_FragCoord.x * tarsus_stride.x + \
    tarsus_sample_offset.x, tarsus_resolution.y - (tarsus_tile_origin.y + gl_FragCoord.y * \
    tarsus_stride.y) + tarsus_sample_offset.y, gl_FragCoord.zw)";

/// Legacy names of WebGL1 and early Shadertoy, by their replacements.
pub(super) const OLD_NAMES: &[(&str, &str)] = &[
    ("iTime", "iGlobalTime"),
    ("texture", "texture2D textureCube texture3D"),
    ("textureLod", "texture2DLod texture2DLodEXT textureCubeLod textureCubeLodEXT"),
    ("textureGrad", "texture2DGrad texture2DGradEXT textureCubeGradEXT"),
    ("textureProj", "texture2DProj"),
];

/// Names that a sound may use for its own variables, since Shadertoy defines them only for
/// images.
const IMAGE_INPUTS: &[&str] = &["iResolution", "iTime", "iTimeDelta", "iFrame", "iMouse"];

/// Inputs for compiling a pass.
#[derive(Clone, Copy)]
pub(super) struct PassContext<'a> {
    pub kind: PassKind,
    /// The author's source, with includes expanded.
    pub text: &'a str,
    /// The same for a compiler of GLSL ES 3.00.
    #[cfg_attr(not(feature = "glslang"), allow(dead_code, reason = "no such compiler"))]
    pub strict: &'a str,
    /// The source without comments.
    pub code: &'a str,
    /// Names of the author's samplers, and the channels that they read.
    pub samplers: &'a [(&'a str, usize)],
    /// Texture shapes of the channels.
    pub shapes: [ChannelShape; CHANNELS],
    /// Declarations of the values the user can change.
    pub uniforms: &'a str,
    /// True if the keyboard functions are needed.
    pub has_keys: bool,
    /// True if the author's functions replace built-in ones.
    pub redefines: bool,
    /// True for the debug view of infinities and NaN.
    pub(super) shows_non_finite: bool,
    /// Time left to compile the pass.
    #[cfg(feature = "glslang")]
    pub time_left: &'a std::cell::Cell<std::time::Duration>,
}

/// The form in which channels are declared.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SamplerStyle {
    /// As in standard GLSL.
    Combined,
    /// For a front end without combined samplers.
    Separate,
}

impl PassContext<'_> {
    /// The complete source of the pass, starting with `head`.
    pub(super) fn source(&self, head: &str, style: SamplerStyle) -> String {
        let words = lexer::identifiers(self.code);
        let defined = lexer::defined_names(self.code);
        let is_combined = style == SamplerStyle::Combined;
        let mut text = [head, FRAME, self.uniforms].concat();
        if self.has_keys {
            text += &keys(&words);
        }
        text += &match style {
            SamplerStyle::Combined => self.combined_channels(),
            SamplerStyle::Separate => separate_samplers::channels(self.shapes, &words),
        };
        text += "layout(location = 0) out vec4 tarsus_color;\n";
        text += "vec3 iResolution = vec3(tarsus_resolution, 1.0);\n";
        text += "#define HW_PERFORMANCE 1\n";
        text += &format!("const float iSampleRate = {SAMPLE_RATE}.0;\n");
        text += &self.channel_inputs(&words);
        if words.contains("gl_FragColor") && !defined.contains("gl_FragColor") {
            text += "vec4 tarsus_output;\n#define gl_FragColor tarsus_output\n";
        }
        text += &self.position(&defined);
        for (name, slot) in self.samplers {
            text += &format!("#define {name} iChannel{slot}\n");
        }
        let is_hidden = is_combined && lexer::sampler_names(self.code).contains("texture");
        if is_hidden {
            text += include_str!("prelude/read.glsl");
        }
        for &(new, old_names) in OLD_NAMES {
            let new = match new {
                "texture" if is_hidden => "tarsus_read",
                new => new,
            };
            let is_used = |old: &&str| words.contains(old) && !defined.contains(old);
            for old in old_names.split(' ').filter(is_used) {
                text += &format!("#define {old} {new}\n");
            }
        }
        // A macro named like the pass function must not affect its call, and one with
        // parameters may replace the function.
        let function = pass_function(self.kind);
        let definition = lexer::macro_position(self.code, function);
        let is_macro = definition.is_some_and(|span| !self.code[span.end..].starts_with('('));
        if is_macro {
            text += &format!("{};\n{}", pass_signature(self.kind), self.main());
        }
        text += &reserved::rename_definitions(self.code, self.redefines);
        if self.kind == PassKind::Sound {
            text += &reserved::rename_variables(self.code, IMAGE_INPUTS);
        }
        text += self.text;
        if !is_macro {
            text += "\n\n#undef main\n#undef gl_FragCoord\n";
            if function == "mainImage" && defined.contains("mainImage") {
                text += include_str!("prelude/expanded_image.glsl");
            }
            text += &self.main();
        }
        fill_empty_arguments(text, head)
    }

    /// The source of the pass as browsers see it, without a `main`: to be parsed only.
    #[cfg(feature = "glslang")]
    pub(super) fn strict_source(&self, head: &str) -> String {
        let mut text = [head, include_str!("prelude/browser.glsl")].concat();
        for (slot, shape) in (0..).zip(self.shapes) {
            text += &format!("uniform {} iChannel{slot};\n", sampler_type(shape));
        }
        text += &self.uniforms.replace(", set = 1, binding = 0", "");
        if self.has_keys {
            text += include_str!("prelude/key_functions.glsl");
            text += &key_constants(&lexer::identifiers(self.code));
        }
        if self.kind == PassKind::Sound {
            text += &reserved::rename_variables(self.code, IMAGE_INPUTS);
        }
        // Extensions of WebGL1, which the compiler knows but browsers do not.
        let old_names = OLD_NAMES.iter().flat_map(|(_, names)| names.split(' '));
        let words = lexer::identifiers(self.code);
        for name in old_names.filter(|name| name.ends_with("EXT") && words.contains(name)) {
            text += &reserved::rename(name);
        }
        fill_empty_arguments(text + self.strict, head)
    }

    fn combined_channels(&self) -> String {
        let channels = (0..).zip(self.shapes).map(|(slot, shape)| {
            let (binding, sampler) = (2 * slot, sampler_type(shape));
            format!("layout(set = 2, binding = {binding}) uniform {sampler} iChannel{slot};\n")
        });
        channels.collect()
    }

    /// Playback times and sizes of the channels, also in their early Shadertoy form.
    fn channel_inputs(&self, words: &BTreeSet<&str>) -> String {
        let sizes: Vec<String> = (0..)
            .zip(&self.shapes)
            .map(|(slot, shape)| match shape {
                ChannelShape::Volume => format!("vec3(textureSize(iChannel{slot}, 0))"),
                _ => format!("vec3(textureSize(iChannel{slot}, 0), 1.0)"),
            })
            .collect();
        let mut text = String::new();
        if words.contains("iChannelTime") {
            text += "float iChannelTime[4] = float[4](iTime, iTime, iTime, iTime);\n";
        }
        if words.contains("iChannelResolution") {
            // A size that is never read would add its channel to the scene.
            let slots = constant_slots(self.code, "iChannelResolution");
            let is_read = |slot: &usize| slots.as_ref().is_none_or(|slots| slots.contains(slot));
            let sizes = sizes.iter().enumerate();
            let sizes = sizes.map(|(slot, size)| if is_read(&slot) { size } else { "vec3(0.0)" });
            let sizes = sizes.collect::<Vec<_>>().join(", ");
            text += &format!("vec3 iChannelResolution[4] = vec3[4]({sizes});\n");
        }
        // A sampler may also have this name.
        if words.contains("iChannel") && !lexer::sampler_names(self.code).contains("iChannel") {
            let channels = sizes.iter().map(|size| format!("tarsus_Channel(iTime, {size})"));
            text += &format!(
                "struct tarsus_Channel {{ float time; vec3 resolution; }};\n\
                 tarsus_Channel iChannel[4] = tarsus_Channel[4]({});\n",
                channels.collect::<Vec<_>>().join(", ")
            );
        }
        text
    }

    /// Defines the fragment position. Image targets have their first row at the top and may
    /// be a tile of the image; other targets match Shadertoy's.
    fn position(&self, defined: &BTreeSet<&str>) -> String {
        if self.kind != PassKind::Image {
            return String::new();
        }
        let mut text = format!("vec4 tarsus_place = {POSITION};\n");
        if !defined.contains("gl_FragCoord") {
            text += "#define gl_FragCoord tarsus_place\n";
        }
        if !defined.contains("dFdy") {
            text += "#define dFdy(x) (-dFdy(x))\n";
        }
        text
    }

    fn main(&self) -> String {
        // Never true, but Mesa's software renderer compiles a fragment stage without
        // `discard` twice.
        let start = "#line 1 0\nvoid main() {\nif (tarsus_resolution.x <= 0.0) discard;\n";
        let body = match self.kind {
            // GLSL scenes have no `per_frame` pass.
            PassKind::PerFrame | PassKind::Image if self.shows_non_finite => {
                include_str!("prelude/image_non_finite.glsl").to_owned()
            }
            PassKind::PerFrame | PassKind::Image => include_str!("prelude/image.glsl").to_owned(),
            PassKind::Buffer(_) => include_str!("prelude/buffer.glsl").to_owned(),
            PassKind::Cube => {
                include_str!("prelude/cube.glsl").replace("CUBE_SIDE", &CUBE_SIDE.to_string())
            }
            PassKind::Sound => {
                let arguments = match takes_sample(self.code) {
                    true => "int(tarsus_sample), tarsus_time",
                    false => "tarsus_time",
                };
                include_str!("prelude/sound.glsl")
                    .replace("SOUND_ROW", &SOUND_ROW.to_string())
                    .replace("SAMPLE_RATE", &SAMPLE_RATE.to_string())
                    .replace("ARGUMENTS", arguments)
            }
        };
        [start, &body, "}\n"].concat()
    }
}

/// Indices with which `code` reads the array `name`, unless one is not a digit.
fn constant_slots(code: &str, name: &str) -> Option<BTreeSet<usize>> {
    let uses = lexer::words(code).filter(|(word, _)| *word == name);
    let slots = uses.map(|(_, span)| match code.as_bytes()[span.end..] {
        [b'[', slot @ b'0'..=b'9', b']', ..] => Some(usize::from(slot - b'0')),
        _ => None,
    });
    slots.collect()
}

/// Passes a macro that expands to nothing where macros of one parameter are called without
/// arguments, as in `T()`: the reference compiler rejects an empty argument. `text` starts with
/// `head`.
fn fill_empty_arguments(mut text: String, head: &str) -> String {
    let code = lexer::without_comments(&text);
    let macros = code.lines().filter_map(lexer::definition).filter_map(|definition| {
        let (name, rest) = definition.trim_start().split_once('(')?;
        let (parameters, _) = rest.split_once(')')?;
        let is_one = !parameters.trim().is_empty() && !parameters.contains(',');
        (is_one && !name.contains(char::is_whitespace)).then_some(name)
    });
    let macros: BTreeSet<&str> = macros.collect();
    let ends = lexer::words(&code).filter(|(word, _)| macros.contains(word));
    let ends = ends.filter_map(|(_, span)| {
        let arguments = code[span.end..].trim_start().strip_prefix('(')?.trim_start();
        arguments.starts_with(')').then(|| code.len() - arguments.len())
    });
    let ends: Vec<usize> = ends.collect();
    for end in ends.iter().rev() {
        text.insert_str(*end, "tarsus_none");
    }
    if !ends.is_empty() {
        text.insert_str(head.len(), "#define tarsus_none\n");
    }
    text
}

/// Keyboard functions and constants.
fn keys(words: &BTreeSet<&str>) -> String {
    include_str!("prelude/keys.glsl").to_owned() + &key_constants(words)
}

/// Constants of keys, and of the letters that the author uses.
fn key_constants(words: &BTreeSet<&str>) -> String {
    let letters = words.iter().filter_map(|word| {
        let [letter] = word.strip_prefix("Key_")?.as_bytes() else {
            return None;
        };
        Some(format!("const int {word} = {};\n", letter.to_ascii_uppercase()))
    });
    include_str!("prelude/key_constants.glsl").to_owned() + &letters.collect::<String>()
}

/// Name of the author's function for a pass.
pub fn pass_function(kind: PassKind) -> &'static str {
    match kind {
        PassKind::Sound => "mainSound",
        PassKind::Cube => "mainCubemap",
        PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => "mainImage",
    }
}

/// Declaration of the author's function for a pass.
pub fn pass_signature(kind: PassKind) -> &'static str {
    match kind {
        PassKind::Sound => "vec2 mainSound(in int samp, float time)",
        PassKind::Cube => {
            "void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir)"
        }
        PassKind::PerFrame | PassKind::Image | PassKind::Buffer(_) => {
            "void mainImage(out vec4 fragColor, in vec2 fragCoord)"
        }
    }
}

/// False for the original form of `mainSound`, which takes only the time.
fn takes_sample(code: &str) -> bool {
    let mut lists = lexer::parameter_lists(code, "mainSound").peekable();
    lists.peek().is_none() || lists.any(|parameters| parameters.contains(','))
}

/// Type of a channel's sampler, combined with its texture.
pub fn sampler_type(shape: ChannelShape) -> &'static str {
    match shape {
        ChannelShape::Texture2d => "sampler2D",
        ChannelShape::Cube => "samplerCube",
        ChannelShape::Volume => "sampler3D",
    }
}
