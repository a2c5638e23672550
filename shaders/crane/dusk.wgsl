#define_import_path tarsus::crane::dusk

#import tarsus::land
#import tarsus::light
#import tarsus::noise
#import tarsus::pool
#import tarsus::shading

// Dusk over a wide plain: the sky around a large low sun, thin bars of cloud, and two hazy
// ranges of hills. It lights an animal (`land`) in a `pool`. Directions are unit vectors
// with y up; colours are linear radiance.

/// Sun and haze of a scene.
struct Sun {
    /// Bearing from x toward z and height above the horizon, in degrees; linear colour.
    bearing: f32,
    height: f32,
    color: vec3f,
    /// Density of the haze: 1 is the default, 0 is none.
    fog: f32,
}

// Sun colour for which the sky's colours were chosen.
const DEFAULT_COLOR: vec3f = vec3f(1.0, 0.503, 0.242);

/// Sun and haze.
virtual fn sun() -> Sun {
    return Sun(-92.4, 4.3, DEFAULT_COLOR, 1.0);
}

// Unit vector toward the sun, its colour relative to `DEFAULT_COLOR`, and the density of
// the haze.
var<private> to_sun: vec3f;
var<private> tint: vec3f;
var<private> fog: f32;

/// Number of values that are the same for all pixels.
const FRAME_VALUES: u32 = 2u;

/// Value `index` (below FRAME_VALUES) derived from `sun`, to be computed once per frame.
fn frame_value(index: u32) -> vec4f {
    let low = sun();
    if index == 0u {
        return vec4f(shading::direction_at(low.bearing, low.height), low.fog);
    }
    return vec4f(low.color / DEFAULT_COLOR, 0.0);
}

/// Sets the light from both values. Call at every pixel before anything is shaded.
fn prepare(first: vec4f, second: vec4f) {
    to_sun = first.xyz;
    fog = first.w;
    tint = second.xyz;
}

// Surfaces are lit by the bright sky beside the sun.
override fn land::sun() -> land::Sun {
    prepare(frame_value(0u), frame_value(1u));
    let beside = shading::direction_at(sun().bearing + 54.1, sun().height + 10.8);
    return land::Sun(beside, 0.10, vec3f(3.3, 1.66, 0.80) * tint);
}

override fn land::sky_light(n: vec3f) -> vec3f {
    let sunward = 0.5 + 0.5 * dot(n, to_sun);
    return light::hemisphere(n, vec3f(0.19, 0.21, 0.40), vec3f(0.28, 0.17, 0.18))
        + vec3f(1.0, 0.44, 0.20) * tint * sunward * sunward;
}

override fn land::bounce() -> vec3f {
    return vec3f(0.26, 0.19, 0.22);
}

// Opacity of the clouds, 0 to 0.55, where `up` is y of the direction and `azimuth` is in
// turns.
fn clouds(up: f32, azimuth: f32) -> f32 {
    let bars = noise::value_noise(vec2f(azimuth * 32.0, up * 34.0), 31u, 19u).x
        + 0.5 * noise::value_noise(vec2f(azimuth * 64.0, up * 80.0), 63u, 20u).x;
    let height = smoothstep(0.03, 0.10, up) * (1.0 - smoothstep(0.15, 0.50, up));
    return 0.55 * smoothstep(0.15, 0.95, bars) * height;
}

// Radiance of the sky without the sun's disc, behind clouds of opacity `cloud`.
fn sky_behind_clouds(direction: vec3f, cloud: f32) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward_sun = max(dot(direction, to_sun), 0.0);
    let second = toward_sun * toward_sun;
    let sunward = 0.5 + 0.5 * toward_sun;
    let low = mix(vec3f(0.25, 0.14, 0.25), vec3f(0.92, 0.29, 0.11) * tint, second * toward_sun);
    let middle = mix(vec3f(0.16, 0.13, 0.30), vec3f(0.66, 0.24, 0.22) * tint, sunward * sunward);
    var air = mix(middle, low, exp(-9.0 * up));
    air = mix(vec3f(0.045, 0.07, 0.22), air, exp(-3.0 * up));
    air = mix(air, mix(vec3f(0.20, 0.13, 0.22), vec3f(1.25, 0.50, 0.24) * tint, second), cloud);
    let eighth = second * second * second * second;
    // 24th and 160th powers of the cosine.
    let near = eighth * eighth;
    let nearer = near * near;
    let nearest = nearer * nearer;
    let glow = 0.35 * near * eighth + 0.5 * nearest * nearest * nearer;
    return air + vec3f(0.75, 0.27, 0.08) * tint * glow;
}

// The sky as mirrored by feathers, which are too rough to show more of it.
override fn land::sky(direction: vec3f) -> vec3f {
    let sunward = 0.5 + 0.5 * dot(direction, to_sun);
    return mix(vec3f(0.16, 0.13, 0.26), vec3f(1.0, 0.40, 0.16) * tint, sunward * sunward);
}

// Radiance of the sun's disc at the height `up`: redder toward the horizon.
fn disc_color(up: f32) -> vec3f {
    let high = smoothstep(-0.05, 0.11, up - to_sun.y);
    return mix(vec3f(2.4, 0.46, 0.11), vec3f(3.4, 1.62, 0.72), high) * tint;
}

// Slope of the finest ripples relative to that of the water they run over.
const RIPPLE_STEEPNESS: f32 = 7.0;

// Sunlight that fine ripples mirror at the current pixel: radiance, and covered fraction of
// the water. 0 in the sky.
var<private> glint: vec4f;
// Squared sines between which the edge of the sun fades, frayed in water.
var<private> sun_edge: vec2f = vec2f(0.00938, 0.00998);

/// Adds the sun's path to the reflection at a pixel that looks along `direction` at water of
/// the slope `slope`. Call before `pool::surroundings`.
fn set_glint(direction: vec3f, slope: vec2f) {
    sun_edge = vec2f(0.0080, 0.0112) + 0.3 * slope.y;
    let steep = RIPPLE_STEEPNESS * slope;
    let mirrored = reflect(direction, normalize(vec3f(-steep.x, 1.0, -steep.y)));
    let lit = smoothstep(0.982, 0.996, dot(mirrored, to_sun))
        * smoothstep(0.5 * HIGHEST_HILL, HIGHEST_HILL, mirrored.y)
        * min(1.6e5 * dot(slope, slope), 1.0);
    glint = vec4f(disc_color(mirrored.y), 0.9 * lit);
}

// Colour of the haze at the current pixel: the sky at the horizon. Set by
// `pool::surroundings`.
var<private> air: vec3f;

override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    // Far water still mirrors the hills that rise from it.
    let d = 0.0075 * fog * min(distance, 55.0);
    return mix(0.75 * air, color, exp(-d * d));
}

override fn land::exposure() -> f32 {
    return 0.85;
}

// Upper bounds on the hills and on the shore: y of a unit direction.
const HIGHEST_HILL: f32 = 0.080;
const HIGHEST_SHORE: f32 = 0.018;

// Sky, sun and hills. The hills are height functions of the azimuth.
override fn pool::surroundings(direction: vec3f, blur: f32) -> vec3f {
    let azimuth = shading::bearing(direction);
    let cloud = clouds(max(direction.y, 0.0), azimuth);
    let disc = (1.0 - cloud) * shading::disc(direction, to_sun, sun_edge.x, sun_edge.y);
    var color = mix(sky_behind_clouds(direction, cloud), disc_color(direction.y), disc);
    // Two ranges of hills, then the shore with its bushes and reeds, in one loop, which ends
    // early above the horizon.
    air = sky_behind_clouds(vec3f(direction.x, 0.0, direction.z), 0.0);
    let ranges = 2u * u32(direction.y < HIGHEST_HILL) + u32(direction.y < HIGHEST_SHORE);
    for (var range = 0u; range < ranges; range++) {
        let n = f32(range);
        let is_shore = range == 2u;
        let waves = select(vec2u(16u << range, 128u), vec2u(128u, 1024u), is_shore);
        let wide = noise::value_noise(vec2f(azimuth * f32(waves.x), n), waves.x - 1u, 31u).x;
        let fine = noise::value_noise(vec2f(azimuth * f32(waves.y), n), waves.y - 1u, 32u).x;
        let hills = 0.052 - 0.024 * n + 0.020 * wide + 0.006 * fine;
        let ridge = select(hills, 0.0030 + max(wide, 0.0) * (0.0068 + 0.0030 * fine), is_shore);
        let hill = select(
            mix(vec3f(0.28, 0.14, 0.20), vec3f(0.07, 0.045, 0.11), n),
            vec3f(0.050, 0.028, 0.045), is_shore);
        // Mist lies at the feet of the hills and on the shore.
        let misty = (0.66 + 0.18 * n) * mix(0.75, 1.0, smoothstep(0.0, ridge, direction.y));
        let clear = select(misty, 0.92 - 0.42 * exp(-420.0 * max(direction.y, 0.0)), is_shore);
        let visible = min(clear * exp(0.4 - 0.4 * fog), 1.0);
        let soft = select(0.0015, 0.0008 + 0.5 * min(blur, 0.01), is_shore);
        let hidden = 1.0 - smoothstep(ridge - soft, ridge + soft, direction.y);
        color = mix(color, mix(air, hill, visible), hidden);
    }
    return mix(color, glint.rgb, glint.a);
}
