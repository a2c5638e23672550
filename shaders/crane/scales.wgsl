#define_import_path tarsus::crane::scales

#import tarsus::light

// Overlapping scales, such as those of fish, or feathers.

/// Scale at a point: x = 0 at its root to 1 at its tip, y = position across, -1 to 1, z =
/// rows from the edge that covers it. `rows` counts rows from front to back, `columns` scales
/// across. Tips of various lengths cover the next row, which is offset by half a scale.
fn scale_at(rows: f32, columns: f32) -> vec3f {
    let row = floor(rows);
    let along = rows - row;
    let even = row - 2.0 * floor(0.5 * row);
    let covering = columns + 0.5 - 0.5 * even;
    let before = 2.0 * fract(covering) - 1.0;
    let overlap = 0.75 - 0.35 * fract(0.618 * row + 0.414 * floor(covering));
    let tip = overlap * (1.0 - before * before);
    let is_tip = along < tip;
    let across = select(2.0 * fract(columns + 0.5 * even) - 1.0, before, is_tip);
    let from_root = (along + f32(is_tip)) / (1.75 - 0.75 * across * across);
    return vec3f(from_root, across, select(along - tip, 1.0, is_tip));
}

/// Adds scales to the surface `base`, whose unit normal is `normal`. They lie along the
/// unit vector `axis` toward their tips, slightly rounded, and dark under the edge of the
/// scale before. `scale` comes from `scale_at`; `amount` goes from 0 (none) to 1.
fn add_scales(
    base: light::Surface, normal: vec3f, axis: vec3f, scale: vec3f, amount: f32) -> light::Surface {
    var surface = base;
    let tilt = 0.24 * scale.y * cross(normal, axis) - 0.20 * (scale.x - 0.5) * axis;
    surface.albedo *= 1.0 - 0.10 * amount * (1.0 - smoothstep(0.0, 0.3, scale.z));
    surface.normal = normalize(base.normal + amount * tilt);
    return surface;
}
