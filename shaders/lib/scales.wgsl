#define_import_path tarsus::scales

// Scales that overlap like tiles, such as those of fish and feathers.

/// The scale at a point: x = 0 at its root to 1 at its tip, y = place across, -1 to 1. `rows`
/// counts rows from front to back, `columns` scales across; the row before covers a scale with
/// its tips, half a scale aside.
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
