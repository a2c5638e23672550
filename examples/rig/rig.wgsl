struct Scene {
    view_proj: mat4x4f,
    sun_proj: mat4x4f,
    eye: vec4f,
    sun: vec4f,
    /// The joints of the skin, and last the ground's.
    joints: array<mat4x4f, 16>,
}

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) joints: vec4u,
    @location(3) weights: vec4f,
    @location(4) color: vec4f,
}

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var shadow: texture_depth_2d;
@group(0) @binding(2) var compare: sampler_comparison;

const SKY = vec3f(0.66, 0.76, 0.86);

/// Linear blend skinning.
fn skinned(vertex: Vertex) -> mat4x4f {
    let w = vertex.weights;
    return scene.joints[vertex.joints.x] * w.x + scene.joints[vertex.joints.y] * w.y
        + scene.joints[vertex.joints.z] * w.z + scene.joints[vertex.joints.w] * w.w;
}

@vertex
fn occlude(vertex: Vertex) -> @builtin(position) vec4f {
    return scene.sun_proj * skinned(vertex) * vec4f(vertex.position, 1.0);
}

@vertex
fn place(vertex: Vertex) -> Corner {
    let skin = skinned(vertex);
    let position = skin * vec4f(vertex.position, 1.0);
    let normal = skin * vec4f(vertex.normal, 0.0);
    return Corner(scene.view_proj * position, position.xyz, normal.xyz, vertex.color);
}

/// Share of the sun that reaches a point.
fn sunlight(position: vec3f, normal: vec3f) -> f32 {
    let clip = scene.sun_proj * vec4f(position + 0.02 * normal, 1.0);
    let uv = clip.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / f32(textureDimensions(shadow).x);
    var light = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let at = uv + vec2f(f32(x), f32(y)) * texel;
            light += textureSampleCompareLevel(shadow, compare, at, clip.z - 0.002) / 9.0;
        }
    }
    // The map ends four metres from the walker.
    return select(light, 1.0, any(abs(clip.xy) > vec2f(0.99)));
}

/// The ground's colour: earth with lines every half metre, which show that no foot slides.
fn earth(position: vec3f) -> vec3f {
    let cells = position.xz * 2.0;
    let width = fwidth(cells);
    let lines = smoothstep(vec2f(0.0), 1.5 * width, abs(fract(cells - 0.5) - 0.5) - 0.5 * width);
    let patch_ = 0.5 + 0.5 * sin(1.7 * position.x + 0.8 * sin(2.1 * position.z));
    let color = mix(vec3f(0.27, 0.31, 0.16), vec3f(0.38, 0.36, 0.2), patch_);
    return color * mix(0.78, 1.0, min(lines.x, lines.y)) * (1.0 + 1.5 * position.y);
}

@fragment
fn shade(corner: Corner) -> @location(0) vec4f {
    let ground = earth(corner.position);
    let n = normalize(corner.normal);
    let view = normalize(scene.eye.xyz - corner.position);
    let sun = scene.sun.xyz;
    let albedo = select(pow(corner.color.rgb, vec3f(2.2)), ground, corner.color.a < 0.5);

    let light = sunlight(corner.position, n) * max(dot(n, sun), 0.0);
    let sky = mix(vec3f(0.16, 0.14, 0.1), vec3f(0.34, 0.42, 0.55), 0.5 + 0.5 * n.y);
    let half_way = normalize(sun + view);
    let gloss = select(0.25, 0.0, corner.color.a < 0.5) * pow(max(dot(n, half_way), 0.0), 40.0);
    let rim = 0.12 * pow(1.0 - max(dot(n, view), 0.0), 4.0) * corner.color.a;
    var color = albedo * (light * vec3f(2.1, 1.9, 1.55) + sky) + light * gloss + rim * SKY;

    let distance = length(scene.eye.xyz - corner.position);
    color = mix(color, pow(SKY, vec3f(2.2)), smoothstep(5.0, 16.0, distance));
    color = color / (1.0 + 0.25 * color);
    return vec4f(pow(color, vec3f(1.0 / 2.2)), 1.0);
}
