// Everyday solids, and what joins two of them. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf

const CELLS: u32 = 20u;

// What is joined: a ball and a block that it comes out of.
fn ball(p: vec3f) -> f32 {
    return sdf::sphere(p - vec3f(0.2, 0.25, 0.3), 0.62);
}

fn block(p: vec3f) -> f32 {
    return sdf::box(p + vec3f(0.1, 0.35, 0.1), vec3f(0.75, 0.5, 0.6));
}

// The shape without its right front part, to be looked into.
fn cut(d: f32, p: vec3f) -> f32 {
    return max(d, p.z - 0.3);
}

override fn sheet::second_material(cell: u32, p: vec3f) -> f32 {
    let smooth_part = select(0.0, sdf::smooth_weight(block(p), ball(p), 0.6), cell == 18u);
    return select(smooth_part, sdf::cubic_weight(block(p), ball(p), 0.8), cell == 19u);
}

override fn sheet::solid_distance(cell: u32, p: vec3f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: { d = sdf::sphere(p, 0.85); }
        case 1u: { d = sdf::ellipsoid(p, vec3f(1.0, 0.7, 0.55)); }
        case 2u: { d = sdf::capsule(p, vec3f(-0.6, -0.6, 0.0), vec3f(0.5, 0.6, 0.0), 0.32); }
        case 3u: {
            d = sdf::tapered_capsule(p, vec3f(-0.55, -0.5, 0.0), vec3f(0.6, 0.7, 0.0), 0.45, 0.15);
        }
        case 4u: { d = sdf::torus(p, 0.75, 0.28); }
        case 5u: { d = sdf::box(p, vec3f(0.75, 0.6, 0.5)); }
        case 6u: { d = max(sdf::ground_plane(p + vec3f(0.0, 0.2, 0.0)), length(p.xz) - 1.0); }
        case 7u: { d = sdf::sharp_union(ball(p), block(p)); }
        case 8u: { d = sdf::sharp_difference(block(p), ball(p)); }
        case 9u: { d = sdf::sharp_intersection(ball(p), block(p)); }
        case 10u: { d = cut(sdf::sharp_xor(ball(p), block(p)), p); }
        case 11u: { d = sdf::smooth_union(ball(p), block(p), 0.4); }
        case 12u: { d = sdf::smooth_difference(block(p), ball(p), 0.25); }
        case 13u: { d = sdf::smooth_intersection(ball(p), block(p), 0.25); }
        case 14u: { d = cut(sdf::smooth_xor(ball(p), block(p), 0.12), p); }
        case 15u: { d = sdf::cubic_union(ball(p), block(p), 0.5); }
        case 16u: { d = sdf::cubic_difference(block(p), ball(p), 0.3); }
        case 17u: { d = sdf::cubic_intersection(ball(p), block(p), 0.3); }
        case 18u: { d = sdf::smooth_union(ball(p), block(p), 0.6); }
        case 19u: { d = sdf::cubic_union(ball(p), block(p), 0.8); }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // sphere
            return sheet::Label(vec4u(0x73706865u, 0x72650000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 1u: { // ellipsoid
            return sheet::Label(vec4u(0x656c6c69u, 0x70736f69u, 0x64000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // capsule
            return sheet::Label(vec4u(0x63617073u, 0x756c6500u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // tapered_capsule
            return sheet::Label(vec4u(0x74617065u, 0x7265645fu, 0x63617073u, 0x756c6500u), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // torus
            return sheet::Label(vec4u(0x746f7275u, 0x73000000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // box
            return sheet::Label(vec4u(0x626f7800u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // ground_plane
            return sheet::Label(vec4u(0x67726f75u, 0x6e645f70u, 0x6c616e65u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // sharp_union
            return sheet::Label(vec4u(0x73686172u, 0x705f756eu, 0x696f6e00u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 8u: { // sharp_difference
            return sheet::Label(vec4u(0x73686172u, 0x705f6469u, 0x66666572u, 0x656e6365u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // sharp_intersection
            return sheet::Label(vec4u(0x73686172u, 0x705f696eu, 0x74657273u, 0x65637469u), vec4u(0x6f6e0000u, 0u, 0u, 0u));
        }
        case 10u: { // sharp_xor
            return sheet::Label(vec4u(0x73686172u, 0x705f786fu, 0x72000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 11u: { // smooth_union
            return sheet::Label(vec4u(0x736d6f6fu, 0x74685f75u, 0x6e696f6eu, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 12u: { // smooth_difference
            return sheet::Label(vec4u(0x736d6f6fu, 0x74685f64u, 0x69666665u, 0x72656e63u), vec4u(0x65000000u, 0u, 0u, 0u));
        }
        case 13u: { // smooth_intersection
            return sheet::Label(vec4u(0x736d6f6fu, 0x74685f69u, 0x6e746572u, 0x73656374u), vec4u(0x696f6e00u, 0u, 0u, 0u));
        }
        case 14u: { // smooth_xor
            return sheet::Label(vec4u(0x736d6f6fu, 0x74685f78u, 0x6f720000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 15u: { // cubic_union
            return sheet::Label(vec4u(0x63756269u, 0x635f756eu, 0x696f6e00u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 16u: { // cubic_difference
            return sheet::Label(vec4u(0x63756269u, 0x635f6469u, 0x66666572u, 0x656e6365u), vec4u(0u, 0u, 0u, 0u));
        }
        case 17u: { // cubic_intersection
            return sheet::Label(vec4u(0x63756269u, 0x635f696eu, 0x74657273u, 0x65637469u), vec4u(0x6f6e0000u, 0u, 0u, 0u));
        }
        case 18u: { // smooth_weight
            return sheet::Label(vec4u(0x736d6f6fu, 0x74685f77u, 0x65696768u, 0x74000000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 19u: { // cubic_weight
            return sheet::Label(vec4u(0x63756269u, 0x635f7765u, 0x69676874u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::solid_sheet(frag_coord, CELLS);
}
