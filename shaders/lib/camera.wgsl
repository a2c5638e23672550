#define_import_path tarsus::camera

// A pinhole camera. View space: x right, y up, looking along -z.

struct Camera {
    position: vec3f,
    // Columns: the view's x, y and z axes in the world.
    world_from_view: mat3x3f,
    // Distance of the picture plane for a picture of height 2.
    focal_length: f32,
}

// A camera at `position` that looks at `target_point`. `up` must not be
// parallel to the view; `field_of_view` is the vertical angle in radians,
// given as its half's tangent to spare the trigonometry.
fn look_at(position: vec3f, target_point: vec3f, up: vec3f, half_view_tangent: f32) -> Camera {
    let back = normalize(position - target_point);
    let right = normalize(cross(up, back));
    let axes = mat3x3f(right, cross(back, right), back);
    return Camera(position, axes, 1.0 / half_view_tangent);
}

// Unit direction in the world of the ray through a point of the picture, given
// centred and with y from -1 to 1.
fn ray_direction(camera: Camera, centred: vec2f) -> vec3f {
    return normalize(camera.world_from_view * vec3f(centred, -camera.focal_length));
}

// Where a point of the world appears: xy centred with y from -1 to 1, z the
// distance in front of the camera (not positive behind it).
fn project(camera: Camera, p: vec3f) -> vec3f {
    let view = transpose(camera.world_from_view) * (p - camera.position);
    return vec3f(view.xy * camera.focal_length / max(-view.z, 1e-6), -view.z);
}

// Turns v around the y axis by the angle whose cosine and sine are given.
fn turned(v: vec3f, cos_sin: vec2f) -> vec3f {
    return vec3f(
        cos_sin.x * v.x + cos_sin.y * v.z,
        v.y,
        cos_sin.x * v.z - cos_sin.y * v.x,
    );
}

// A camera `away` from `middle`, which it looks at: `yaw` about the y axis from x
// toward z, `pitch` up from the level (radians, |pitch| < 1.5).
fn around(middle: vec3f, yaw: f32, pitch: f32, away: f32, half_view_tangent: f32) -> Camera {
    let toward = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    return look_at(middle + away * toward, middle, vec3f(0.0, 1.0, 0.0), half_view_tangent);
}
