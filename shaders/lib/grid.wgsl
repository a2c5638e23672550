#define_import_path tarsus::grid

// Lattice of the ground plane with at most one object per cell. Rays find objects that stay
// inside their cells by stepping from cell to cell, so the cost of a ray depends on the
// number of cells it crosses, not on the number of objects.
//
// Cells form rows along x, stacked along z; cell (0, 0) is centred on the origin. Points
// and directions are xz of one space.

/// Shift of a row along x, in cells; 0 for row 0.
virtual fn row_shift(row: f32) -> f32 {
    return 0.0;
}

/// Cell (column, row) that contains a point; `cell_size` is the size of a cell.
fn cell_at(p: vec2f, cell_size: vec2f) -> vec2f {
    let row = round(p.y / cell_size.y);
    return vec2f(round(p.x / cell_size.x - row_shift(row)), row);
}

/// Centre of a cell.
fn cell_centre(cell: vec2f, cell_size: vec2f) -> vec2f {
    return cell_size * (cell + vec2f(row_shift(cell.y), 0.0));
}

/// A ray across the lattice, with the values that are the same for all of its cells.
struct Path {
    origin: vec2f,
    /// 1 / direction, per component.
    inverse: vec2f,
    /// Offset from the centre of a cell to the corner between the sides by which the ray can
    /// leave; far away along an axis that it does not follow.
    to_corner: vec2f,
}

/// Path of a ray; `direction` can have any length, in which distances are measured.
fn path_along(origin: vec2f, direction: vec2f, cell_size: vec2f) -> Path {
    let is_still = abs(direction) < vec2f(1e-9);
    return Path(
        origin,
        1.0 / select(direction, vec2f(1e-9), is_still),
        select(0.5 * cell_size * sign(direction), vec2f(1e9), is_still),
    );
}

/// Distance along a path at which it leaves the cell; at least 1e9 for a direction of 0.
fn exit_distance(path: Path, cell: vec2f, cell_size: vec2f) -> f32 {
    let crossing = (cell_centre(cell, cell_size) + path.to_corner - path.origin) * path.inverse;
    return min(crossing.x, crossing.y);
}

/// Number of a cell, counted from 0 at the centre ring by ring: the first (2 n + 1)² cells
/// form a square.
fn ring_index(cell: vec2f) -> f32 {
    let a = abs(cell);
    let ring = max(a.x, a.y);
    let inside = max(2.0 * ring - 1.0, 0.0);
    // The two full columns at the ends of the ring, then the rows between them.
    let columns = cell.y + ring + select(0.0, 2.0 * ring + 1.0, cell.x < 0.0);
    let rows = 5.0 * ring + 1.0 + cell.x + select(0.0, inside, cell.y < 0.0);
    return inside * inside + select(rows, columns, a.x == ring);
}

/// Number of rings around the central cell that contain the first `count` cells.
fn ring_count(count: f32) -> f32 {
    return ceil(0.5 * (sqrt(count) - 1.0) - 1e-4);
}
