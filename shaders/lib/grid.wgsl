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

/// Distance along a ray, in lengths of `direction`, at which it leaves the cell; 1e9 for a
/// direction of 0.
fn exit_distance(origin: vec2f, direction: vec2f, cell: vec2f, cell_size: vec2f) -> f32 {
    let to_side = 0.5 * cell_size * sign(direction);
    let to_border = cell_centre(cell, cell_size) + to_side - origin;
    let crossing = to_border / select(direction, vec2f(1e-9), abs(direction) < vec2f(1e-9));
    return min(
        select(crossing.x, 1e9, abs(direction.x) < 1e-9),
        select(crossing.y, 1e9, abs(direction.y) < 1e-9),
    );
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
