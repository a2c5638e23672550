// Round solids. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf3_round

const CELLS: u32 = 19u;

// Tilted toward the eye.
fn tilted(p: vec3f) -> vec3f {
    let q = vec3f(0.85 * p.x - 0.53 * p.z, p.y, 0.53 * p.x + 0.85 * p.z);
    return vec3f(q.x, 0.3 * q.y + 0.95 * q.z, 0.3 * q.z - 0.95 * q.y);
}

override fn sheet::solid_distance(cell: u32, p: vec3f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: { d = max(sdf3_round::infinite_cylinder(p, 0.5), abs(p.y) - 0.97); }
        case 1u: { d = sdf3_round::cylinder(p, 0.6, 0.75); }
        case 2u: {
            d = sdf3_round::cylinder_between(p, vec3f(-0.6, -0.6, 0.0), vec3f(0.6, 0.6, 0.0), 0.4);
        }
        case 3u: { d = sdf3_round::rounded_cylinder(p, 0.75, 0.55, 0.22); }
        case 4u: {
            d = max(sdf3_round::infinite_cone(p - vec3f(0.0, 0.85, 0.0), 0.45), -0.97 - p.y);
        }
        case 5u: { d = sdf3_round::cone(p + vec3f(0.0, 0.75, 0.0), 0.75, 1.55); }
        case 6u: { d = sdf3_round::capped_cone(p, 0.8, 0.4, 0.65); }
        case 7u: {
            d = sdf3_round::capped_cone_between(p, vec3f(-0.6, -0.5, 0.0), vec3f(0.6, 0.6, 0.0), 0.6, 0.2);
        }
        case 8u: { d = sdf3_round::round_cone(p + vec3f(0.0, 0.35, 0.0), 0.6, 0.25, 0.95); }
        case 9u: {
            d = sdf3_round::round_cone_between(p, vec3f(-0.5, -0.4, 0.0), vec3f(0.65, 0.65, 0.0), 0.55, 0.2);
        }
        case 10u: { d = sdf3_round::solid_angle(p + vec3f(0.0, 0.6, 0.0), 1.45, 0.6); }
        case 11u: { d = sdf3_round::cut_sphere(p, 0.95, -0.25); }
        case 12u: { d = sdf3_round::hollow_cut_sphere(p, 0.85, 0.3, 0.07); }
        case 13u: { d = sdf3_round::death_star(tilted(p), 0.92, 0.65, 0.95); }
        case 14u: {
            d = sdf3_round::vesica_between(p, vec3f(-0.7, -0.7, 0.0), vec3f(0.7, 0.75, 0.0), 0.4);
        }
        case 15u: { d = sdf3_round::ellipsoid(p, vec3f(1.0, 0.7, 0.5)); }
        case 16u: { d = sdf3_round::capped_torus(p + vec3f(0.0, 0.1, 0.0), 0.68, 0.2, 2.1); }
        case 17u: { d = sdf3_round::link(p, 0.35, 0.42, 0.15); }
        case 18u: {
            d = sdf3_round::bezier_tube(p, vec3f(-0.9, -0.75, 0.4), vec3f(-0.1, 1.9, 0.0), vec3f(0.8, -0.6, -0.2), 0.17);
        }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // infinite_cylinder
            return sheet::Label(vec4u(0x696e6669u, 0x6e697465u, 0x5f63796cu, 0x696e6465u), vec4u(0x72000000u, 0u, 0u, 0u));
        }
        case 1u: { // cylinder
            return sheet::Label(vec4u(0x63796c69u, 0x6e646572u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // cylinder_between
            return sheet::Label(vec4u(0x63796c69u, 0x6e646572u, 0x5f626574u, 0x7765656eu), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // rounded_cylinder
            return sheet::Label(vec4u(0x726f756eu, 0x6465645fu, 0x63796c69u, 0x6e646572u), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // infinite_cone
            return sheet::Label(vec4u(0x696e6669u, 0x6e697465u, 0x5f636f6eu, 0x65000000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // cone
            return sheet::Label(vec4u(0x636f6e65u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // capped_cone
            return sheet::Label(vec4u(0x63617070u, 0x65645f63u, 0x6f6e6500u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // capped_cone_between
            return sheet::Label(vec4u(0x63617070u, 0x65645f63u, 0x6f6e655fu, 0x62657477u), vec4u(0x65656e00u, 0u, 0u, 0u));
        }
        case 8u: { // round_cone
            return sheet::Label(vec4u(0x726f756eu, 0x645f636fu, 0x6e650000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // round_cone_between
            return sheet::Label(vec4u(0x726f756eu, 0x645f636fu, 0x6e655f62u, 0x65747765u), vec4u(0x656e0000u, 0u, 0u, 0u));
        }
        case 10u: { // solid_angle
            return sheet::Label(vec4u(0x736f6c69u, 0x645f616eu, 0x676c6500u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 11u: { // cut_sphere
            return sheet::Label(vec4u(0x6375745fu, 0x73706865u, 0x72650000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 12u: { // hollow_cut_sphere
            return sheet::Label(vec4u(0x686f6c6cu, 0x6f775f63u, 0x75745f73u, 0x70686572u), vec4u(0x65000000u, 0u, 0u, 0u));
        }
        case 13u: { // death_star
            return sheet::Label(vec4u(0x64656174u, 0x685f7374u, 0x61720000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 14u: { // vesica_between
            return sheet::Label(vec4u(0x76657369u, 0x63615f62u, 0x65747765u, 0x656e0000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 15u: { // ellipsoid
            return sheet::Label(vec4u(0x656c6c69u, 0x70736f69u, 0x64000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 16u: { // capped_torus
            return sheet::Label(vec4u(0x63617070u, 0x65645f74u, 0x6f727573u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 17u: { // link
            return sheet::Label(vec4u(0x6c696e6bu, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 18u: { // bezier_tube
            return sheet::Label(vec4u(0x62657a69u, 0x65725f74u, 0x75626500u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::solid_sheet(frag_coord, CELLS);
}
