#define_import_path tarsus::path

// Path of a walk: a sine curve over the ground plane (world xz, x ahead, z to the right)
// that repeats every PERIOD. A scene wraps its time at whole periods, so that coordinates
// stay small.

/// Length of one period along x, in world units.
const PERIOD: f32 = 32.0;
/// Amplitude: largest distance of the path from the x axis.
const SWAY: f32 = 1.7;

/// 2π
const TAU: f32 = 6.28318530718;

/// Point of the path at `distance`, in world xz. `distance` is measured along x; the arc
/// length is up to 6 % more.
fn point_at(distance: f32) -> vec2f {
    return vec2f(distance, SWAY * sin(TAU / PERIOD * distance));
}

/// Unit tangent of the path at `distance`, in xz.
fn direction_at(distance: f32) -> vec2f {
    return normalize(vec2f(1.0, SWAY * TAU / PERIOD * cos(TAU / PERIOD * distance)));
}

/// Vector rotated by 90° to the right, in xz.
fn right_of(direction: vec2f) -> vec2f {
    return vec2f(-direction.y, direction.x);
}

/// Point at an offset (x ahead, y right) from the path's point at `distance`, in world xz.
fn offset_point(distance: f32, offset: vec2f) -> vec2f {
    let ahead = direction_at(distance);
    return point_at(distance) + ahead * offset.x + right_of(ahead) * offset.y;
}
