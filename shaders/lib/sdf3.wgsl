#define_import_path tarsus::sdf3

#import tarsus::sdf2
#import tarsus::sdf_ops

// Solids with flat faces, and planes, triangles and quadrilaterals in space.
//
// Signed distances, negative inside, in the unit of the argument; y up. tarsus::sdf defines
// "exact" and "bound", and has the box. Solids stand upright around the origin; `triangle`
// and `quad` are surfaces without an inside: subtract half a thickness. Round solids are in
// tarsus::sdf3_round. The catalogue follows Inigo Quilez
// (https://iquilezles.org/articles/distfunctions/).

/// Half space below the plane at the distance `height` from the origin along the unit vector
/// `normal`. Exact.
fn plane(p: vec3f, normal: vec3f, height: f32) -> f32 {
    return dot(p, normal) - height;
}

/// Box with half edges `half_size` and edges rounded by `radius`, at most the smallest half
/// edge. Exact.
fn rounded_box(p: vec3f, half_size: vec3f, radius: f32) -> f32 {
    let q = abs(p) - half_size + radius;
    return length(max(q, vec3f(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0) - radius;
}

/// The twelve edges of a box with half edges `half_size`, as bars of width `width`, at most
/// the smallest half edge. Exact outside, bound inside.
fn box_frame(p: vec3f, half_size: vec3f, width: f32) -> f32 {
    let from_corner = abs(p) - half_size;
    // Across a bar, the distance is measured from its middle.
    let across = abs(from_corner + 0.5 * width) - 0.5 * width;
    let x = vec3f(from_corner.x, across.yz);
    let y = vec3f(across.x, from_corner.y, across.z);
    let z = vec3f(across.xy, from_corner.z);
    return min(from_box(x), min(from_box(y), from_box(z)));
}

/// Distance to a box from the distances to its three pairs of faces.
fn from_box(q: vec3f) -> f32 {
    return length(max(q, vec3f(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
}

// ---------------------------------------------------------------------------
// Prisms: their axis is y

/// Triangular prism: `sdf2::equilateral_triangle` seen from above, y from -`half_height` to
/// `half_height`. Exact.
fn triangular_prism(p: vec3f, apothem: f32, half_height: f32) -> f32 {
    let flat = sdf2::equilateral_triangle(vec2f(p.x, -p.z), apothem);
    return sdf_ops::extrude(flat, p.y, half_height);
}

/// Hexagonal prism: `sdf2::hexagon` seen from above, y from -`half_height` to `half_height`.
/// Exact.
fn hexagonal_prism(p: vec3f, apothem: f32, half_height: f32) -> f32 {
    return sdf_ops::extrude(sdf2::hexagon(p.xz, apothem), p.y, half_height);
}

/// Prism over a rhombus in the xz plane with corners at (±`half_diagonals.x`, 0) and (0,
/// ±`half_diagonals.y`), y from -`half_height` to `half_height`. Exact.
fn rhombic_prism(p: vec3f, half_diagonals: vec2f, half_height: f32) -> f32 {
    return sdf_ops::extrude(sdf2::rhombus(p.xz, half_diagonals), p.y, half_height);
}

// ---------------------------------------------------------------------------
// Octahedron and pyramid

/// Regular octahedron with its corners on the axes, `radius` from the origin. Exact.
fn octahedron(p: vec3f, radius: f32) -> f32 {
    let q = abs(p);
    let above = (q.x + q.y + q.z - radius) / 3.0;
    // Foot of the perpendicular on the plane of the face.
    let foot = q - above;
    let least = min(foot.x, min(foot.y, foot.z));
    if least >= 0.0 {
        return above * 1.7320508;
    }
    // Beyond an edge, the nearest point is on that edge, on the line of two coordinates.
    let on_edge = select(vec3f(1.0), vec3f(0.0), foot == vec3f(least));
    let beyond = (dot(q, on_edge) - radius) / max(dot(on_edge, on_edge), 1.0);
    let nearest = clamp((q - beyond) * on_edge, vec3f(0.0), vec3f(radius));
    return length(q - nearest);
}

/// `octahedron`, but cheaper. Bound: exact above the faces, less beyond edges and corners.
fn octahedron_bound(p: vec3f, radius: f32) -> f32 {
    let q = abs(p);
    return (q.x + q.y + q.z - radius) * 0.57735027;
}

/// Pyramid over the square with half edges `half_base` in the plane y = 0, apex at
/// (0, `height`, 0). Exact.
fn pyramid(p: vec3f, half_base: f32, height: f32) -> f32 {
    // The four sides are alike: x points to the nearest one.
    let q = vec3f(max(abs(p.x), abs(p.z)), p.y, min(abs(p.x), abs(p.z)));
    let slant = sqrt(half_base * half_base + height * height);
    let from_edge = vec2f(q.x - half_base, q.y);
    let up_side = dot(from_edge, vec2f(-half_base, height)) / slant;
    let outward = dot(from_edge, vec2f(height, half_base)) / slant;
    let beside = max(sdf2::isosceles_triangle(vec2f(q.z, up_side), half_base, slant), 0.0);
    let aside = max(vec2f(q.x, q.z) - half_base, vec2f(0.0));
    let squared = min(outward * outward + beside * beside, q.y * q.y + dot(aside, aside));
    return sdf2::with_sign(sqrt(squared), max(outward, -q.y));
}

// ---------------------------------------------------------------------------
// Triangles and quadrilaterals

/// Square of the distance from p to the segment from the origin to `edge`.
fn squared_from_edge(p: vec3f, edge: vec3f) -> f32 {
    let away = p - edge * clamp(dot(p, edge) / max(dot(edge, edge), 1e-20), 0.0, 1.0);
    return dot(away, away);
}

/// Triangle with the corners a, b and c; not signed. Exact.
fn triangle(p: vec3f, a: vec3f, b: vec3f, c: vec3f) -> f32 {
    let normal = cross(b - a, c - a);
    // Negative where p is on the inner side of an edge.
    let beyond = max(dot(cross(b - a, p - a), -normal),
        max(dot(cross(c - b, p - b), -normal), dot(cross(a - c, p - c), -normal)));
    if beyond < 0.0 {
        return abs(dot(p - a, normal)) * inverseSqrt(max(dot(normal, normal), 1e-30));
    }
    return sqrt(min(squared_from_edge(p - a, b - a),
        min(squared_from_edge(p - b, c - b), squared_from_edge(p - c, a - c))));
}

/// Flat convex quadrilateral with the corners a, b, c and d in order; not signed. Exact.
fn quad(p: vec3f, a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> f32 {
    return min(triangle(p, a, b, c), triangle(p, a, c, d));
}
