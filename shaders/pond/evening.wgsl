#define_import_path tarsus::pond::evening

// Evening over a lake: the sky around a low sun, clouds, reeds, and trees on the misty far
// shore. Directions are unit vectors with y up; colours are linear radiance.

#import tarsus::noise
#import tarsus::shading

/// Unit vector toward the sun, and the sun's radiance at the ground.
var<private> to_sun: vec3f;
var<private> sun_color: vec3f;

/// Places the sun `sun_height` degrees above the horizon (clamped to 4 to 80). Call it
/// before the other functions.
fn set_sun(sun_height: f32) {
    let height = radians(clamp(sun_height, 4.0, 80.0));
    to_sun = vec3f(cos(height) * vec2f(-0.73, -0.6834), sin(height)).xzy;
    let low = exp(-4.0 * to_sun.y);
    sun_color = mix(vec3f(3.0, 2.7, 2.3), vec3f(3.6, 1.75, 0.62), low * 1.6);
}

/// Radiance of the open sky in a unit direction, without the sun's disc.
fn open_sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, to_sun), 0.0);
    let sunward = 0.5 + 0.5 * dot(shading::level(direction), normalize(to_sun.xz));
    let horizon = mix(vec3f(0.55, 0.33, 0.36), vec3f(1.30, 0.56, 0.17), sunward * sunward);
    let middle = mix(vec3f(0.20, 0.26, 0.44), vec3f(0.48, 0.40, 0.46), sunward * sunward);
    let zenith = vec3f(0.035, 0.09, 0.22);
    let air = mix(mix(zenith, middle, exp(-2.6 * up)), horizon, exp(-7.5 * up));
    let wide = toward * toward * toward * toward * toward * toward;
    let glow = wide * wide * wide * wide;
    let glare = 0.30 * wide + 0.9 * glow + 2.5 * pow(glow, 40.0);
    return air + vec3f(1.2, 0.55, 0.18) * glare;
}

// Cloud cover in a unit direction, 0 to 1.
fn clouds(direction: vec3f) -> f32 {
    // Long banks across the direction of the sun, on a plane overhead.
    let p = direction.xz / (max(direction.y, 0.0) + 0.10);
    let along = vec2f(dot(p, vec2f(-0.73, -0.6834)), 0.35 * dot(p, vec2f(0.6834, -0.73)));
    let sum = noise::value_noise(1.1 * along, 255u, 31u).x
        + 0.5 * noise::value_noise(2.9 * along + 7.0, 255u, 32u).x
        + 0.25 * noise::value_noise(7.3 * along + 3.0, 255u, 33u).x;
    return smoothstep(0.0, 0.9, sum) * smoothstep(0.0, 0.10, direction.y);
}

// Opacity of the far shore in a direction: x = distant trees, y = near trees. `blur` is
// the angle that a pixel subtends.
fn shore(direction: vec3f, blur: f32) -> vec2f {
    let up = max(direction.y, 0.0);
    let turn = 0.5 + shading::bearing(direction);
    let large = noise::value_noise(vec2f(16.0 * turn, 0.5), 15u, 8u).x;
    let middle = noise::value_noise(vec2f(64.0 * turn, 0.5), 63u, 9u).x;
    let rough = noise::value_noise(vec2f(300.0 * turn, 0.5), 0xffffffffu, 10u).x
        + 0.5 * noise::value_noise(vec2f(900.0 * turn, 0.5), 0xffffffffu, 11u).x;
    let fine = exp(-200.0 * blur) * rough;
    let distant = 0.054 - 0.012 * large + 0.008 * middle + 0.002 * fine;
    let near = 0.046 + 0.058 * large + 0.014 * middle + 0.0055 * fine;
    let soft = 0.002 + blur;
    return 1.0 - smoothstep(vec2f(distant, near) - soft, vec2f(distant, near) + soft, vec2f(up));
}

/// Fraction of the view in a unit direction, up or down, that the mist on the water leaves
/// clear. It lies in banks of different height and density.
fn above_mist(direction: vec3f) -> f32 {
    let turn = 0.5 + shading::bearing(direction);
    let up = abs(direction.y);
    let banks = noise::value_noise(vec2f(32.0 * turn, 16.0 * up), 31u, 3u).x
        + 0.5 * noise::value_noise(vec2f(128.0 * turn, 60.0 * up), 127u, 4u).x;
    let height = 110.0 * up * exp(-0.5 * banks);
    // Dense where water and shore meet.
    let density = mix(1.0, mix(0.5, 1.0, smoothstep(-0.8, 0.8, banks)), smoothstep(0.0, 0.05, up));
    return 1.0 - density * exp(-height * height / (height + 0.7));
}

// Coverage by reeds between the camera and the shore in a direction, at most one per cell of
// two layers. Reeds grow in clumps; they taper and lean. Those of the first layer carry a plume
// below the tip, the others are leaves.
fn reeds(direction: vec3f, blur: f32) -> f32 {
    let turn = 0.5 + shading::bearing(direction);
    let up = abs(direction.y);
    let clump = noise::value_noise(vec2f(32.0 * turn, 6.5), 31u, 18u).x;
    var open = 1.0;
    for (var i = 0u; i < 2u; i++) {
        let leaf = f32(i);
        let scale = 224.0 + 160.0 * leaf;
        let cell = floor(scale * turn);
        let random = noise::random_of(u32(cell) * 0x9E3779B1u + 41u + i);
        let along = up / ((0.04 + 0.06 * random.x + 0.05 * max(clump, 0.0)) * (1.0 - 0.35 * leaf));
        let lean = (random.z - 0.5) * (0.6 + 0.5 * leaf);
        let middle = 0.4 + 0.2 * random.y + lean * along * along;
        let local = scale * turn - cell;
        let offset = abs(local - middle) * 6.2832 / scale;
        let plume = smoothstep(0.66, 0.76, along) * (1.0 - smoothstep(0.84, 0.98, along));
        let width = 0.0011 - 0.0008 * along + 0.0017 * plume * (1.0 - leaf);
        let soft = 0.0007 + blur;
        let stem = (1.0 - smoothstep(width - soft, width + soft, offset))
            * (1.0 - smoothstep(1.0 - 12.0 * soft, 1.0, along))
            // Blurred stems fade before the border of their cell.
            * smoothstep(0.0, 0.05 + 0.5 * scale * soft, min(local, 1.0 - local));
        open *= 1.0 - stem * step(random.w, 0.07 - 0.2 * leaf + 1.9 * clump);
    }
    // Mist hides the feet of the reeds.
    return (1.0 - open) * smoothstep(0.0, 0.02, up);
}

/// Radiance of the surroundings in a unit direction. `blur` is the angle that a pixel
/// subtends.
fn surroundings(direction: vec3f, blur: f32) -> vec3f {
    let toward = max(dot(direction, to_sun), 0.0);
    let lit = mix(vec3f(0.46, 0.22, 0.26), vec3f(1.7, 0.66, 0.22), toward * toward);
    let sky = mix(open_sky(direction), lit, 0.75 * clouds(direction));
    // The sun's disc as a lobe that is as wide as the blur.
    let spread = 2.4e-4 + blur * blur;
    let disc = 2.4e-4 / spread * exp(-2.0 * (1.0 - toward) / spread);
    let hidden = shore(direction, blur);
    let up = max(direction.y, 0.0);
    let mist = open_sky(normalize(vec3f(direction.x, 0.02, direction.z)));
    let low = 1.0 - above_mist(direction);
    let distant = mix(vec3f(0.05, 0.07, 0.09), 0.55 * mist, 0.45 + 0.4 * low);
    let near = mix(vec3f(0.012, 0.020, 0.018), 0.9 * mist, 0.03 + 0.75 * low);
    let far = mix(sky + vec3f(26.0, 10.0, 3.0) * disc, distant, hidden.x);
    // Mist veils the shoreline, where water and shore meet.
    let shored = mix(mix(far, near, hidden.y), mist, low * low);
    let stem = mix(vec3f(0.035, 0.022, 0.014), mist, 0.12 + 0.5 * low);
    return mix(shored, stem, reeds(direction, blur));
}
