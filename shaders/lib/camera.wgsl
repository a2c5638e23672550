#define_import_path tarsus::camera

// Pinhole camera. View space: x right, y up, view direction -z. World space: y up.

/// Position, orientation and focal length.
struct Camera {
    position: vec3f,
    /// Columns: the view's x, y and z axes in world space. Orthonormal.
    world_from_view: mat3x3f,
    /// Distance of the image plane for an image of height 2: 1 / tan(fov / 2).
    focal_length: f32,
}

/// Camera at `position` that looks at `look_target`, or along -z if the two coincide. If
/// `up` is parallel to the view direction, x or z of the world points right. `tan_half_fov`
/// is the tangent of half the vertical field of view.
fn look_at(position: vec3f, look_target: vec3f, up: vec3f, tan_half_fov: f32) -> Camera {
    let away = position - look_target;
    let back = select(vec3f(0.0, 0.0, 1.0), normalize(away), dot(away, away) > 1e-30);
    let beside = cross(up, back);
    let axis = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(back.x) > 0.9);
    let is_upright = dot(beside, beside) <= 1e-12 * dot(up, up);
    let right = normalize(select(beside, axis - back * dot(axis, back), is_upright));
    let axes = mat3x3f(right, cross(back, right), back);
    return Camera(position, axes, 1.0 / tan_half_fov);
}

/// Unit direction in world space of the ray through a point in image coordinates
/// (`frame::centred`: y from -1 to 1).
fn ray_direction(camera: Camera, centred: vec2f) -> vec3f {
    return normalize(camera.world_from_view * vec3f(centred, -camera.focal_length));
}

/// Projection of a world-space point: xy in image coordinates, z = depth along the view
/// direction. xy is valid only if z > 0.
fn project(camera: Camera, p: vec3f) -> vec3f {
    let view = transpose(camera.world_from_view) * (p - camera.position);
    return vec3f(view.xy * camera.focal_length / max(-view.z, 1e-6), -view.z);
}

/// v rotated about the y axis, from z toward x, by the angle with the given cosine (x) and
/// sine (y).
fn rotate_y(v: vec3f, cos_sin: vec2f) -> vec3f {
    return vec3f(
        cos_sin.x * v.x + cos_sin.y * v.z,
        v.y,
        cos_sin.x * v.z - cos_sin.y * v.x,
    );
}

/// Camera on a sphere of radius `distance` around `middle`, looking at it. `yaw` is the
/// angle about the y axis from x toward z, `pitch` the elevation, both in radians; |pitch|
/// < 1.5.
fn orbit(middle: vec3f, yaw: f32, pitch: f32, distance: f32, tan_half_fov: f32) -> Camera {
    let outward = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    return look_at(middle + distance * outward, middle, vec3f(0.0, 1.0, 0.0), tan_half_fov);
}

/// View of a scene: a camera that looks at a point.
struct View {
    /// Angles as in `orbit`.
    yaw: f32,
    pitch: f32,
    /// Distance from the point.
    distance: f32,
    /// Height of the point; its zero level depends on the module that uses the view.
    height: f32,
    /// Tangent of half the vertical field of view.
    tan_half_fov: f32,
}

/// Camera that looks at `middle`, rotated and zoomed by the user's orbit (`frame::Frame`).
fn orbit_view(middle: vec3f, view: View, orbit_by_user: vec4f) -> Camera {
    return orbit(
        middle,
        view.yaw + orbit_by_user.x,
        clamp(view.pitch + orbit_by_user.y, 0.02, 1.4),
        view.distance / orbit_by_user.z,
        view.tan_half_fov,
    );
}
