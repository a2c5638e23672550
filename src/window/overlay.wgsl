// The overlay in a texture of the surface's size, with premultiplied alpha.

@group(0) @binding(0) var texture: texture_2d<f32>;

@fragment
fn overlay(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(texture, vec2u(position.xy), 0);
}
