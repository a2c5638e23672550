#define_import_path tarsus::grid

// A crowd laid out on a lattice of the ground, one member to a cell. Whoever
// stays inside its cell is met by following a ray from cell to cell: a ray's cost
// depends on the cells it crosses, not on how many there are.
//
// Cells are rows along x, one beside the other along z; cell (0, 0) has the
// origin in its middle. Points and directions are xz of one frame.

// How far the cells of a row are pushed along x, in cells; 0 for row 0.
virtual fn row_shift(row: f32) -> f32 {
    return 0.0;
}

// The cell (column, row) that holds a point; `pitch` is the size of a cell.
fn cell_at(p: vec2f, pitch: vec2f) -> vec2f {
    let row = round(p.y / pitch.y);
    return vec2f(round(p.x / pitch.x - row_shift(row)), row);
}

// The middle of a cell.
fn middle_of(cell: vec2f, pitch: vec2f) -> vec2f {
    return pitch * (cell + vec2f(row_shift(cell.y), 0.0));
}

// Where along a ray it leaves the cell. A ray that stands still never does.
fn leaving(origin: vec2f, direction: vec2f, cell: vec2f, pitch: vec2f) -> f32 {
    let ahead = 0.5 * pitch * sign(direction);
    let way = middle_of(cell, pitch) + ahead - origin;
    let crossing = way / select(direction, vec2f(1e-9), abs(direction) < vec2f(1e-9));
    return min(
        select(crossing.x, 1e9, abs(direction.x) < 1e-9),
        select(crossing.y, 1e9, abs(direction.y) < 1e-9),
    );
}

// Numbers the cells from 0 in the middle outward, ring by ring: the first n of
// them are a square as nearly as can be.
fn order_of(cell: vec2f) -> f32 {
    let a = abs(cell);
    let ring = max(a.x, a.y);
    let inside = max(2.0 * ring - 1.0, 0.0);
    // The two full columns at the ends of the ring, then the rows between them.
    let columns = cell.y + ring + select(0.0, 2.0 * ring + 1.0, cell.x < 0.0);
    let rows = 5.0 * ring + 1.0 + cell.x + select(0.0, inside, cell.y < 0.0);
    return inside * inside + select(rows, columns, a.x == ring);
}

// How many rings around the middle cell hold the first `count` cells.
fn rings_of(count: f32) -> f32 {
    return ceil(0.5 * (sqrt(count) - 1.0) - 1e-4);
}
