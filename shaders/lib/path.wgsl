#define_import_path tarsus::path

// Where a walk leads: a gently winding line over the ground (x ahead, z to the
// right, seen from above), repeating every PERIOD so that a walk can go on for
// ever with small coordinates and come back to where it began.

// Length of one bend and back, along x, in world units.
const PERIOD: f32 = 32.0;
// How far the path leaves the x axis to either side.
const SWAY: f32 = 1.7;

const TURN: f32 = 6.28318530718;

// The point of the path `distance` along: xz of the world. `distance` is
// measured along x; the path itself is up to 6 % longer.
fn point_at(distance: f32) -> vec2f {
    return vec2f(distance, SWAY * sin(TURN / PERIOD * distance));
}

// Unit vector along the path at `distance`, in xz.
fn direction_at(distance: f32) -> vec2f {
    return normalize(vec2f(1.0, SWAY * TURN / PERIOD * cos(TURN / PERIOD * distance)));
}

// Unit vector to the right of a direction, in xz.
fn right_of(direction: vec2f) -> vec2f {
    return vec2f(-direction.y, direction.x);
}

// A point given by its place beside the path: x ahead of, y to the right of
// the path's point at `distance`.
fn beside(distance: f32, offset: vec2f) -> vec2f {
    let ahead = direction_at(distance);
    return point_at(distance) + ahead * offset.x + right_of(ahead) * offset.y;
}
