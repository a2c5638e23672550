//! Names that WebGL shaders may use but the compiler reserves.

use std::collections::BTreeSet;

use super::lexer;
use super::prelude::OLD_NAMES;

/// Appended to author names that clash with the compiler's.
pub const RENAMED_SUFFIX: &str = "_author";

/// Shadertoy's inputs, which the prelude declares.
pub const INPUTS: &str = "\
    iResolution iTime iGlobalTime iTimeDelta iFrameRate iFrame iChannelTime iChannelResolution \
    iMouse iDate iSampleRate iChannel0 iChannel1 iChannel2 iChannel3";

/// Words reserved by later GLSL versions that Shadertoy-style shaders do not need.
pub const RESERVED: &str = "\
    active asm atomic_uint buffer cast centroid class coherent common enum extern external \
    filter fixed flat goto half inline input interface long namespace noinline noperspective \
    output packed partition patch precise public readonly resource restrict sample shared short \
    sizeof smooth static subroutine superp template this typedef union unsigned using volatile \
    writeonly double half2 half3 half4 dvec2 dvec3 dvec4 hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 \
    sampler texture1D image1D image2D image3D imageCube sampler1D dmat2 dmat3 dmat4 subpassInput \
    sampler2DRect iimage2D uimage2D attribute varying";

/// Built-in functions of later GLSL versions that WebGL2 lacks.
pub const LATER_BUILTINS: &str = "\
    bitCount bitfieldExtract bitfieldInsert bitfieldReverse findLSB findMSB fma frexp imageLoad \
    imageSize imageStore imulExtended ldexp memoryBarrier packSnorm4x8 packUnorm4x8 \
    textureGather textureGatherOffset textureSamples uaddCarry umulExtended unpackSnorm4x8 \
    unpackUnorm4x8 usubBorrow barrier noise1 noise2 noise3 noise4 dFdxFine dFdyFine dFdxCoarse \
    dFdyCoarse fwidthFine fwidthCoarse texture1D shadow1D shadow2D ftransform \
    interpolateAtCentroid textureQueryLod textureQueryLevels allInvocations anyInvocation \
    subpassLoad absoluteDifference addSaturate atomicAdd atomicAnd atomicCompSwap atomicExchange \
    atomicLoad atomicMax atomicMin atomicStore atomicXor average averageRounded controlBarrier \
    countLeadingZeros countTrailingZeros imageAtomicAdd imageAtomicAnd imageAtomicCompSwap \
    imageAtomicExchange imageAtomicLoad imageAtomicMax imageAtomicMin imageAtomicOr \
    imageAtomicStore imageAtomicXor interpolateAtOffset interpolateAtSample memoryBarrierBuffer \
    memoryBarrierImage multiply32x16 pack16 pack32 pack64 packFloat2x16 packInt2x16 packInt2x32 \
    packInt4x16 packUint2x16 packUint2x32 packUint4x16 subtractSaturate unpack8 unpack16 unpack32 \
    unpackFloat2x16 unpackInt2x16 unpackInt2x32 unpackInt4x16 unpackUint2x16 unpackUint2x32 \
    unpackUint4x16";

/// Built-in functions of WebGL2. WebGL1 has fewer and lets shaders define the rest.
pub const BUILTINS: &str = "\
    abs acos acosh all any asin asinh atan atanh ceil clamp cos cosh cross dFdx dFdy degrees \
    determinant distance dot equal exp exp2 faceforward floatBitsToInt floatBitsToUint floor \
    fract fwidth greaterThan greaterThanEqual intBitsToFloat inverse inversesqrt isinf isnan \
    length lessThan lessThanEqual log log2 matrixCompMult max min mix mod modf normalize not \
    notEqual outerProduct packHalf2x16 packSnorm2x16 packUnorm2x16 pow radians reflect refract \
    round roundEven sign sin sinh smoothstep sqrt step tan tanh texelFetch texelFetchOffset \
    texture textureGrad textureGradOffset textureLod textureLodOffset textureOffset textureProj \
    textureProjGrad textureProjLod textureSize transpose trunc uintBitsToFloat unpackHalf2x16 \
    unpackSnorm2x16 unpackUnorm2x16";

/// True if a text redefines a built-in function.
pub(super) fn redefines(code: &str) -> bool {
    let functions = lexer::functions(code);
    BUILTINS.split(' ').any(|name| functions.contains(name))
}

/// `#define`s that rename author names with another meaning to the compiler. With
/// `redefined`, also renames built-in functions that the text redefines.
pub(super) fn rename_definitions(code: &str, redefined: bool) -> String {
    let all = lexer::identifiers(code);
    let defined = lexer::defined_names(code);
    let functions = lexer::functions(code);
    let is_function = |word: &&str| functions.contains(word);
    // At global scope, a variable or structure of that name would be a redefinition error.
    let variables = &lexer::variables(code) | &lexer::structures(code);
    // Variables of uniforms are the host's.
    let is_input = |word: &str| INPUTS.split(' ').any(|input| input == word);
    let is_own =
        |word: &&str| functions.contains(word) || variables.contains(word) && !is_input(word);
    let is_renamed = |word: &&str| match functions.contains(word) {
        true => redefined,
        false => variables.contains(word),
    };
    let names: BTreeSet<&str> = RESERVED
        .split(' ')
        .chain(["main"].into_iter().filter(is_function))
        .chain(LATER_BUILTINS.split(' ').filter(is_function))
        .chain(OLD_NAMES.iter().flat_map(|(_, names)| names.split(' ')).filter(is_own))
        .chain(BUILTINS.split(' ').filter(is_renamed))
        .filter(|word| all.contains(word) && !defined.contains(word))
        .collect();
    names.into_iter().map(rename).collect()
}

/// `#define`s that rename the author's variables that have one of the `known` names.
pub(super) fn rename_variables(code: &str, known: &[&str]) -> String {
    let variables = lexer::variables(code);
    let names = known.iter().filter(|name| variables.contains(*name));
    names.map(|name| rename(name)).collect()
}

/// A `#define` that renames `name`.
pub(super) fn rename(name: &str) -> String {
    format!("#undef {name}\n#define {name} {name}{RENAMED_SUFFIX}\n")
}

/// Restores the author's names in a compiler message.
pub(super) fn restore_names(message: &str) -> String {
    message.replace(RENAMED_SUFFIX, "")
}
