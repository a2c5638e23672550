// Flat shapes with straight edges, and the circle. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf2

const CELLS: u32 = 22u;

// A polygon, edge by edge.
fn five_corners(p: vec2f) -> f32 {
    var corners = array<vec2f, 5>(vec2f(-0.9, 0.7), vec2f(-0.55, -0.7), vec2f(0.1, 0.0),
        vec2f(0.8, -0.6), vec2f(0.6, 0.8));
    var outline = sdf2::no_edges();
    for (var i = 0u; i < 5u; i++) {
        outline = sdf2::add_edge(outline, p, corners[i], corners[(i + 1u) % 5u]);
    }
    return sdf2::outline_distance(outline);
}

override fn sheet::flat_distance(cell: u32, p: vec2f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: { d = sdf2::circle(p, 0.8); }
        case 1u: { d = sdf2::segment(p, vec2f(-0.8, -0.5), vec2f(0.7, 0.6)); }
        case 2u: { d = sdf2::box(p, vec2f(0.9, 0.55)); }
        case 3u: { d = sdf2::rounded_box(p, vec2f(0.9, 0.65), vec4f(0.6, 0.35, 0.0, 0.15)); }
        case 4u: { d = sdf2::chamfer_box(p, vec2f(0.9, 0.6), 0.3); }
        case 5u: { d = sdf2::oriented_box(p, vec2f(-0.7, -0.5), vec2f(0.7, 0.5), 0.5); }
        case 6u: { d = sdf2::rhombus(p, vec2f(1.0, 0.6)); }
        case 7u: { d = sdf2::trapezoid(p, 0.95, 0.45, 0.6); }
        case 8u: { d = sdf2::parallelogram(p, 0.65, 0.55, 0.35); }
        case 9u: { d = sdf2::triangle(p, vec2f(-0.95, -0.4), vec2f(0.9, -0.65), vec2f(0.3, 0.8)); }
        case 10u: { d = sdf2::equilateral_triangle(p + vec2f(0.0, 0.15), 0.5); }
        case 11u: { d = sdf2::isosceles_triangle(p + vec2f(0.0, 0.75), 0.5, 1.5); }
        case 12u: { d = five_corners(p); }
        case 13u: { d = sdf2::regular_polygon(p, 7u, 0.8); }
        case 14u: { d = sdf2::pentagon(p, 0.75); }
        case 15u: { d = sdf2::hexagon(p, 0.8); }
        case 16u: { d = sdf2::octagon(p, 0.8); }
        case 17u: { d = sdf2::star(p, 6u, 1.0, 0.6); }
        case 18u: { d = sdf2::pentagram(p, 1.0); }
        case 19u: { d = sdf2::hexagram(p, 1.0); }
        case 20u: { d = sdf2::cross_bars(p, 0.9, 0.3); }
        case 21u: { d = sdf2::stairs(p + vec2f(0.8, 0.7), vec2f(0.32, 0.28), 5u); }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // circle
            return sheet::Label(vec4u(0x63697263u, 0x6c650000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 1u: { // segment
            return sheet::Label(vec4u(0x7365676du, 0x656e7400u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // box
            return sheet::Label(vec4u(0x626f7800u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // rounded_box
            return sheet::Label(vec4u(0x726f756eu, 0x6465645fu, 0x626f7800u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // chamfer_box
            return sheet::Label(vec4u(0x6368616du, 0x6665725fu, 0x626f7800u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // oriented_box
            return sheet::Label(vec4u(0x6f726965u, 0x6e746564u, 0x5f626f78u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // rhombus
            return sheet::Label(vec4u(0x72686f6du, 0x62757300u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // trapezoid
            return sheet::Label(vec4u(0x74726170u, 0x657a6f69u, 0x64000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 8u: { // parallelogram
            return sheet::Label(vec4u(0x70617261u, 0x6c6c656cu, 0x6f677261u, 0x6d000000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // triangle
            return sheet::Label(vec4u(0x74726961u, 0x6e676c65u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 10u: { // equilateral_triangle
            return sheet::Label(vec4u(0x65717569u, 0x6c617465u, 0x72616c5fu, 0x74726961u), vec4u(0x6e676c65u, 0u, 0u, 0u));
        }
        case 11u: { // isosceles_triangle
            return sheet::Label(vec4u(0x69736f73u, 0x63656c65u, 0x735f7472u, 0x69616e67u), vec4u(0x6c650000u, 0u, 0u, 0u));
        }
        case 12u: { // outline_distance
            return sheet::Label(vec4u(0x6f75746cu, 0x696e655fu, 0x64697374u, 0x616e6365u), vec4u(0u, 0u, 0u, 0u));
        }
        case 13u: { // regular_polygon
            return sheet::Label(vec4u(0x72656775u, 0x6c61725fu, 0x706f6c79u, 0x676f6e00u), vec4u(0u, 0u, 0u, 0u));
        }
        case 14u: { // pentagon
            return sheet::Label(vec4u(0x70656e74u, 0x61676f6eu, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 15u: { // hexagon
            return sheet::Label(vec4u(0x68657861u, 0x676f6e00u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 16u: { // octagon
            return sheet::Label(vec4u(0x6f637461u, 0x676f6e00u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 17u: { // star
            return sheet::Label(vec4u(0x73746172u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 18u: { // pentagram
            return sheet::Label(vec4u(0x70656e74u, 0x61677261u, 0x6d000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 19u: { // hexagram
            return sheet::Label(vec4u(0x68657861u, 0x6772616du, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 20u: { // cross_bars
            return sheet::Label(vec4u(0x63726f73u, 0x735f6261u, 0x72730000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 21u: { // stairs
            return sheet::Label(vec4u(0x73746169u, 0x72730000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::flat_sheet(frag_coord, CELLS);
}
