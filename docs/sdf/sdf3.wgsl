// Solids with flat faces. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf3

const CELLS: u32 = 11u;

override fn sheet::solid_distance(cell: u32, p: vec3f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: {
            d = max(sdf3::plane(p, normalize(vec3f(0.2, 1.0, 0.35)), 0.1), length(p) - 1.0);
        }
        case 1u: { d = sdf3::rounded_box(p, vec3f(0.75, 0.6, 0.55), 0.2); }
        case 2u: { d = sdf3::box_frame(p, vec3f(0.75, 0.75, 0.75), 0.14); }
        case 3u: { d = sdf3::triangular_prism(p, 0.45, 0.6); }
        case 4u: { d = sdf3::hexagonal_prism(p, 0.75, 0.45); }
        case 5u: { d = sdf3::rhombic_prism(p, vec2f(1.0, 0.6), 0.4); }
        case 6u: { d = sdf3::octahedron(p, 0.98); }
        case 7u: { d = sdf3::octahedron_bound(p, 0.98); }
        case 8u: { d = sdf3::pyramid(p + vec3f(0.0, 0.75, 0.0), 0.75, 1.5); }
        case 9u: {
            d = sdf3::triangle(p, vec3f(-0.9, -0.5, 0.3), vec3f(0.9, -0.6, 0.4), vec3f(0.2, 0.9, -0.5)) - 0.03;
        }
        case 10u: {
            d = sdf3::quad(p, vec3f(-0.8, -0.6, 0.4), vec3f(0.8, -0.6, 0.4), vec3f(0.6, 0.7, -0.4), vec3f(-0.6, 0.7, -0.4)) - 0.03;
        }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // plane
            return sheet::Label(vec4u(0x706c616eu, 0x65000000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 1u: { // rounded_box
            return sheet::Label(vec4u(0x726f756eu, 0x6465645fu, 0x626f7800u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // box_frame
            return sheet::Label(vec4u(0x626f785fu, 0x6672616du, 0x65000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // triangular_prism
            return sheet::Label(vec4u(0x74726961u, 0x6e67756cu, 0x61725f70u, 0x7269736du), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // hexagonal_prism
            return sheet::Label(vec4u(0x68657861u, 0x676f6e61u, 0x6c5f7072u, 0x69736d00u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // rhombic_prism
            return sheet::Label(vec4u(0x72686f6du, 0x6269635fu, 0x70726973u, 0x6d000000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // octahedron
            return sheet::Label(vec4u(0x6f637461u, 0x68656472u, 0x6f6e0000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // octahedron_bound
            return sheet::Label(vec4u(0x6f637461u, 0x68656472u, 0x6f6e5f62u, 0x6f756e64u), vec4u(0u, 0u, 0u, 0u));
        }
        case 8u: { // pyramid
            return sheet::Label(vec4u(0x70797261u, 0x6d696400u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // triangle
            return sheet::Label(vec4u(0x74726961u, 0x6e676c65u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 10u: { // quad
            return sheet::Label(vec4u(0x71756164u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::solid_sheet(frag_coord, CELLS);
}
