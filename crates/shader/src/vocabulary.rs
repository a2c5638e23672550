//! Vocabulary: the functions and types of WGSL, and names from other shading languages.

/// Functions and type constructors of WGSL that a scene can call.
pub(super) const BUILTIN_FUNCTIONS: &str = "\
    abs acos acosh all any arrayLength asin asinh atan atan2 atanh bitcast ceil clamp cos cosh \
    countOneBits cross degrees determinant distance dot dpdx dpdy exp exp2 faceForward floor fma \
    fract fwidth inverseSqrt ldexp length log log2 max min mix modf normalize pow radians reflect \
    refract reverseBits round saturate select sign sin sinh smoothstep sqrt step tan tanh \
    textureLoad textureSample transpose trunc array bool f32 i32 u32 vec2f vec3f vec4f vec2i vec3i \
    vec4i vec2u vec3u vec4u mat2x2f mat3x3f mat4x4f";

/// Types of GLSL and HLSL, and their equivalents.
const FOREIGN_TYPES: &[(&str, &str)] = &[
    ("float double half", "f32"),
    ("int", "i32"),
    ("uint", "u32"),
    ("bool", "bool"),
    ("vec2 float2", "vec2f"),
    ("vec3 float3", "vec3f"),
    ("vec4 float4", "vec4f"),
    ("ivec2", "vec2i"),
    ("ivec3", "vec3i"),
    ("ivec4", "vec4i"),
    ("uvec2", "vec2u"),
    ("uvec3", "vec3u"),
    ("uvec4", "vec4u"),
    ("mat2", "mat2x2f"),
    ("mat3", "mat3x3f"),
    ("mat4", "mat4x4f"),
];

/// Functions of GLSL and HLSL, and their equivalents.
const FOREIGN_FUNCTIONS: &[(&str, &str)] = &[
    ("lerp", "mix"),
    ("frac", "fract"),
    ("inversesqrt rsqrt", "inverseSqrt"),
    ("dFdx ddx", "dpdx"),
    ("dFdy ddy", "dpdy"),
];

/// Inputs of Shadertoy, and their members of `frame::frame`.
const FOREIGN_INPUTS: &[(&str, &str)] = &[
    ("iTime time", "time"),
    ("iTimeDelta", "time_delta"),
    ("iFrame", "index"),
    ("iResolution resolution", "resolution"),
    ("iMouse mouse", "mouse"),
    ("iDate", "date"),
];

/// Other names of GLSL, HLSL and Shadertoy, and what to write.
const FOREIGN_NAMES: &[(&str, &str)] = &[
    ("mod", "write `x - y * floor(x / y)`, or `x % y` where x is not negative"),
    ("fmod", "write `x % y`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
    ("LOOP_SECONDS", "declare it: `const LOOP_SECONDS: f32 = 24.0;`"),
    ("params", "declare it: `@group(1) @binding(0) var<uniform> params: Params;`"),
    ("PI", "declare it: `const PI: f32 = 3.14159265;`"),
    ("fragCoord gl_FragCoord frag_coord", "it is the parameter of `main_image`"),
    ("fragColor gl_FragColor", "`main_image` returns the colour: `return vec4f(…);`"),
    (
        "texture texture2D",
        "write `textureSample(wood, wood_sampler, uv)`; a comment such as \
         `/// image \"wood.jpg\"` names the source of the variable `wood`",
    ),
];

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let mut rows = table.iter();
    let (_, found) = rows.find(|(names, _)| names.split(' ').any(|known| known == name))?;
    Some(found)
}

/// Hint about the equivalent of a name from another language.
pub(super) fn foreign_name(name: &str) -> Option<String> {
    let ty = || Some(format!("the type is `{}`", foreign_type(name)?));
    let function = || Some(format!("the function is `{}`", find(FOREIGN_FUNCTIONS, name)?));
    let input = || {
        let member = find(FOREIGN_INPUTS, name)?;
        Some(format!("add `#import tarsus::frame` and write `frame::frame.{member}`"))
    };
    let other = || find(FOREIGN_NAMES, name).map(str::to_owned);
    ty().or_else(function).or_else(input).or_else(other)
}

/// WGSL type for a GLSL or HLSL type.
pub(super) fn foreign_type(name: &str) -> Option<&'static str> {
    find(FOREIGN_TYPES, name)
}
