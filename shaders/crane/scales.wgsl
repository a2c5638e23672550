#define_import_path tarsus::crane::scales

#import tarsus::light

// Overlapping scales, such as those of fish, or feathers.

/// Scale at a point: x = 0 at its root to 1 at its tip, y = position across, -1 to 1.
/// `rows` counts rows from front to back, `columns` scales across. The tips of each row
/// cover the next row, which is offset by half a scale.
fn scale_at(rows: f32, columns: f32) -> vec2f {
    let row = floor(rows);
    let along = rows - row;
    let even = row - 2.0 * floor(0.5 * row);
    let across = 2.0 * fract(columns + 0.5 * even) - 1.0;
    let before = 2.0 * fract(columns + 0.5 - 0.5 * even) - 1.0;
    let tip = 0.75 * (1.0 - before * before);
    if along < tip {
        return vec2f((1.0 + along) / (1.0 + tip), before);
    }
    return vec2f(along / (1.75 - 0.75 * across * across), across);
}

/// Adds scales to the surface `base`, whose unit normal is `normal`. They lie along the
/// unit vector `axis` toward their tips, slightly rounded, and dark under the edge of the
/// scale before. `scale` comes from `scale_at`; `amount` goes from 0 (none) to 1.
fn add_scales(
    base: light::Surface,
    normal: vec3f,
    axis: vec3f,
    scale: vec2f,
    amount: f32,
) -> light::Surface {
    var surface = base;
    let tilt = 0.24 * scale.y * cross(normal, axis) - 0.20 * (scale.x - 0.5) * axis;
    surface.albedo *= 1.0 - 0.22 * amount * (1.0 - smoothstep(0.0, 0.3, scale.x));
    surface.normal = normalize(base.normal + amount * tilt);
    return surface;
}
