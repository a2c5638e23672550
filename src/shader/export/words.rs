//! Names that GLSL does not leave to authors.

/// Keywords of GLSL ES 3.00 and GLSL 4.50, and what they keep for later.
const KEYWORDS: &str = "\
active asm atomic_uint attribute bool break buffer bvec2 bvec3 bvec4 case cast centroid class coherent \
common const continue default discard dmat2 dmat3 dmat4 do double dvec2 dvec3 dvec4 else enum extern \
external false filter fixed flat float for fvec2 fvec3 fvec4 goto half highp hvec2 hvec3 hvec4 if iimage1D \
iimage2D iimage3D iimageCube image1D image2D image3D imageCube in inline inout input int interface \
invariant isampler1D isampler2D isampler3D isamplerCube ivec2 ivec3 ivec4 layout long lowp main mat2 mat2x2 \
mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 mat4x3 mat4x4 mediump namespace noinline \
noperspective out output packed partition patch precise precision public readonly resource restrict return \
sample sampler1D sampler2D sampler2DArray sampler2DRect sampler2DShadow sampler3D samplerBuffer \
samplerCube samplerCubeShadow shared short sizeof smooth static struct subroutine superp switch template \
texture this true typedef uint uimage2D uniform union unsigned usampler2D usampler3D usamplerCube using uvec2 \
uvec3 uvec4 varying vec2 vec3 vec4 void volatile while writeonly";

/// What Shadertoy declares, and the entry points.
const SHADERTOY: &str = "\
iResolution iTime iTimeDelta iFrameRate iFrame iChannelTime iChannelResolution iMouse iChannel0 iChannel1 \
iChannel2 iChannel3 iDate iSampleRate iGlobalTime iTimeOffset iSampleOffset mainImage mainSound \
mainCubemap mainVR fragColor fragCoord st_assert HW_PERFORMANCE";

/// Functions that GLSL has itself.
const FUNCTIONS: &str = "\
abs acos acosh all any asin asinh atan atanh bitCount bitfieldExtract bitfieldInsert bitfieldReverse ceil \
clamp cos cosh cross dFdx dFdy degrees determinant distance dot equal exp exp2 faceforward findLSB findMSB \
floatBitsToInt floatBitsToUint floor fma fract frexp fwidth greaterThan greaterThanEqual intBitsToFloat \
inverse inversesqrt isinf isnan ldexp length lessThan lessThanEqual log log2 matrixCompMult max min mix mod \
modf noise1 noise2 noise3 noise4 normalize not notEqual outerProduct packHalf2x16 packSnorm2x16 packUnorm2x16 pow \
radians reflect refract round roundEven sign sin sinh smoothstep sqrt step tan tanh texelFetch \
texelFetchOffset texture texture2D textureCube textureGather textureGrad textureGradOffset textureLod \
textureLodOffset textureOffset textureProj textureSize transpose trunc uintBitsToFloat unpackHalf2x16 \
unpackSnorm2x16 unpackUnorm2x16";

/// True for words that nothing may be called.
pub(super) fn is_keyword(name: &str) -> bool {
    has(KEYWORDS, name) || has(SHADERTOY, name) || name.starts_with("gl_")
}

/// True for functions of the language.
pub(super) fn is_function(name: &str) -> bool {
    has(FUNCTIONS, name)
}

fn has(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// `name` in the letters of GLSL, without what it reserves.
pub(super) fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    for c in name.chars() {
        match c {
            '_' if spelled.ends_with('_') => {}
            c if c.is_ascii_alphanumeric() || c == '_' => spelled.push(c),
            ':' => {}
            c => spelled.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    if spelled.is_empty() || spelled.starts_with(|c: char| c.is_ascii_digit()) {
        spelled.insert(0, '_');
    }
    if is_keyword(&spelled) {
        spelled.push('_');
    }
    spelled
}

/// `wanted`, or the first of `wanted_2`, `wanted_3` … that is free.
pub(super) fn unique(wanted: &str, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(wanted) {
        return wanted.to_owned();
    }
    let mut number = 2u32;
    loop {
        let name = if wanted.ends_with('_') {
            format!("{wanted}{number}")
        } else {
            format!("{wanted}_{number}")
        };
        if is_free(&name) {
            return name;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_in_the_letters_of_glsl() {
        assert_eq!(spelled("leg_2"), "leg_2");
        assert_eq!(spelled("a__b"), "a_b");
        assert_eq!(spelled("Δx"), "u394x");
        assert_eq!(spelled("2d"), "_2d");
        assert_eq!(spelled("sample"), "sample_");
        assert!(is_keyword("sample") && is_keyword("iTime") && !is_keyword("samples"));
    }

    #[test]
    fn names_that_are_taken_are_numbered() {
        assert_eq!(unique("a", |_| true), "a");
        assert_eq!(unique("a", |name| name == "a_3"), "a_3");
        assert_eq!(unique("a_", |name| name != "a_"), "a_2");
    }
}
