//! Names reserved by the target languages.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use naga::keywords::wgsl;
use tarsus_glsl::{BUILTINS, INPUTS, LATER_BUILTINS, RESERVED};

use super::language::Language;

/// Keywords of GLSL ES 3.00 and GLSL 4.50 that are not in [`RESERVED`].
const KEYWORDS: &str = "\
bool break bvec2 bvec3 bvec4 case const continue default devicecoherent discard dmat2x2 dmat2x3 dmat2x4 \
dmat3x2 dmat3x3 dmat3x4 dmat4x2 dmat4x3 dmat4x4 do else false float for highp if iimage1D iimage1DArray \
iimage2DArray iimage2DMS iimage2DMSArray iimage2DRect iimage3D iimageBuffer iimageCube iimageCubeArray \
image1DArray image2DArray image2DMS image2DMSArray image2DRect imageBuffer imageCubeArray in inout int \
invariant isampler1D isampler1DArray isampler2D isampler2DArray isampler2DMS isampler2DMSArray \
isampler2DRect isampler3D isamplerBuffer isamplerCube isamplerCubeArray ivec2 ivec3 ivec4 layout lowp \
main mat2 mat2x2 mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 mat4x3 mat4x4 mediump out \
pervertexNV precision return sampler1DArray sampler1DArrayShadow sampler1DShadow sampler2D \
sampler2DArray sampler2DArrayShadow sampler2DMS sampler2DMSArray sampler2DRectShadow sampler2DShadow \
sampler3D sampler3DRect samplerBuffer samplerCube samplerCubeArray samplerCubeArrayShadow \
samplerCubeShadow struct switch texture true uimage1D uimage1DArray uimage2DArray uimage2DMS \
uimage2DMSArray uimage2DRect uimage3D uimageBuffer uimageCube uimageCubeArray uint uniform usampler1D \
usampler1DArray usampler2D usampler2DArray usampler2DMS usampler2DMSArray usampler2DRect usampler3D \
usamplerBuffer usamplerCube usamplerCubeArray uvec2 uvec3 uvec4 vec2 vec3 vec4 void while \
workgroupcoherent";

/// Shadertoy's entry points and their parameters, and inputs that are not in [`INPUTS`].
const SHADERTOY: &str = "\
iTimeOffset iSampleOffset iChannel mainImage mainSound mainCubemap mainVR fragColor fragCoord \
shadertoy_out_color st_assert HW_PERFORMANCE iCh0 iCh1 iCh2 iCh3 \
unViewport unCorners outColor";

/// Modules that a WGSL scene imports from tarsus, and its entry points.
const HOST: &str = "frame buffers keyboard params Params main_image main_sound buffer_a buffer_b \
buffer_c buffer_d buffer_cube per_frame";

/// Short type aliases of WGSL.
const ALIASES: &str = "vec2f vec3f vec4f vec2i vec3i vec4i vec2u vec3u vec4u vec2h vec3h vec4h \
mat2x2f mat2x3f mat2x4f mat3x2f mat3x3f mat3x4f mat4x2f mat4x3f mat4x4f mat2x2h mat2x3h mat2x4h \
mat3x2h mat3x3h mat3x4h mat4x2h mat4x3h mat4x4h";

/// Words that are looked up often.
type Words = LazyLock<BTreeSet<&'static str>>;

static GLSL_KEYWORDS: Words = Words::new(|| split_words(&[KEYWORDS, RESERVED, INPUTS, SHADERTOY]));
static GLSL_BUILTINS: Words =
    Words::new(|| split_words(&[BUILTINS, LATER_BUILTINS, "texture2D textureCube"]));
static WGSL_HOST: Words = Words::new(|| split_words(&[HOST]));
static WGSL_ALIASES: Words = Words::new(|| split_words(&[ALIASES]));

/// Splits lists of words at white space.
fn split_words(lists: &[&'static str]) -> BTreeSet<&'static str> {
    lists.iter().flat_map(|list| list.split_whitespace()).collect()
}

/// True for names that GLSL and browsers reserve for their variables and macros, such as `GL_ES`.
fn is_of_language(name: &str) -> bool {
    ["gl_", "GL_", "webgl_", "_webgl_"].iter().any(|start| name.starts_with(start))
}

/// True for words that cannot be used as names.
pub(crate) fn is_keyword(name: &str, language: Language) -> bool {
    match language {
        Language::Glsl => is_of_language(name) || GLSL_KEYWORDS.contains(name),
        Language::Wgsl => wgsl::RESERVED.contains(&name) || WGSL_HOST.contains(name),
    }
}

/// True for built-in functions and types of the language.
pub(crate) fn is_builtin(name: &str, language: Language) -> bool {
    match language {
        Language::Glsl => GLSL_BUILTINS.contains(name),
        Language::Wgsl => wgsl::BUILTIN_IDENTIFIERS.contains(&name) || WGSL_ALIASES.contains(name),
    }
}

/// True for characters of identifiers.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Identifiers, keywords and numbers in `text`, and empty strings between others.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c))
}

/// Converts `name` to a valid identifier of the language.
pub(crate) fn to_identifier(name: &str, language: Language) -> String {
    let mut identifier = String::new();
    for c in name.chars() {
        match c {
            c if is_word(c) && c != '_' => identifier.push(c),
            // Modules and their files' names have other characters.
            c if c.is_ascii() && identifier.ends_with('_') => {}
            c if c.is_ascii() => identifier.push('_'),
            c => identifier.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    if identifier.is_empty() || identifier.starts_with(|c: char| c.is_ascii_digit()) {
        identifier.insert(0, '_');
    }
    if identifier == "_" {
        identifier.push('1');
    }
    if language == Language::Glsl && is_of_language(&identifier) {
        identifier.insert_str(0, "my_");
    }
    if is_keyword(&identifier, language) {
        identifier.push('_');
    }
    identifier
}

/// Returns `wanted`, or the first free name of `wanted_2`, `wanted_3` ….
pub(crate) fn unique(wanted: &str, is_free: impl Fn(&str) -> bool) -> String {
    let separator = if wanted.ends_with('_') { "" } else { "_" };
    let numbered = (2u32..).map(|number| format!("{wanted}{separator}{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid_glsl_identifiers() {
        let in_glsl = |name| to_identifier(name, Language::Glsl);
        assert_eq!(in_glsl("leg_2"), "leg_2");
        assert_eq!(in_glsl("a__b"), "a_b");
        assert_eq!(in_glsl("Δx"), "u394x");
        assert_eq!(in_glsl("2d"), "_2d");
        assert_eq!(in_glsl("my-limb::leg"), "my_limb_leg");
        assert_eq!(in_glsl("sample"), "sample_");
        assert_eq!(in_glsl("gl_FragCoord"), "my_gl_FragCoord");
        let is_glsl = |name| is_keyword(name, Language::Glsl);
        assert!(
            is_glsl("sample")
                && is_glsl("iTime")
                && is_glsl("shadertoy_out_color")
                && is_glsl("sampler2DMS")
                && is_glsl("webgl_x")
                && !is_glsl("samples")
        );
    }

    #[test]
    fn wgsl_reserved_names_are_changed() {
        let in_wgsl = |name| to_identifier(name, Language::Wgsl);
        assert_eq!(in_wgsl("let"), "let_");
        assert_eq!(in_wgsl("_"), "_1");
        assert_eq!(in_wgsl("sample"), "sample");
        assert!(is_builtin("atan2", Language::Wgsl) && !is_builtin("noise1", Language::Wgsl));
    }

    #[test]
    fn taken_names_are_numbered() {
        assert_eq!(unique("a", |_| true), "a");
        assert_eq!(unique("a", |name| name == "a_3"), "a_3");
        assert_eq!(unique("a_", |name| name != "a_"), "a_2");
    }
}
