fn main_image(p: vec2f) -> vec4f { return vec4f(0.0); }
