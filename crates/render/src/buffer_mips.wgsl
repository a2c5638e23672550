// Halves the sides of a texture: each texel is the mean of the texels it covers. If a
// side is odd, some of them are covered partly.

@group(0) @binding(0) var larger: texture_2d<f32>;

@fragment
fn halve(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let sides = textureDimensions(larger);
    let step = vec2f(sides) / vec2f(max(sides / 2u, vec2u(1u)));
    let start = floor(position.xy) * step;
    let end = min(start + step, vec2f(sides));
    var sum = vec4f(0.0);
    for (var y = floor(start.y); y < end.y; y += 1.0) {
        for (var x = floor(start.x); x < end.x; x += 1.0) {
            let at = vec2f(x, y);
            let covered = min(at + 1.0, end) - max(at, start);
            sum += textureLoad(larger, vec2u(at), 0) * (covered.x * covered.y);
        }
    }
    return sum / (step.x * step.y);
}
