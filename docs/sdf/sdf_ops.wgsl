// What changes a shape. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf
#import tarsus::sdf2
#import tarsus::sdf2_curves
#import tarsus::sdf_ops

const CELLS: u32 = 16u;

// Leans to +x and +z.
fn leaning(p: vec3f) -> f32 {
    return 0.98 * sdf::tapered_capsule(
        p, vec3f(-0.06, -0.7, -0.06), vec3f(0.1, 0.4, 0.1), 0.2, 0.07);
}

// Each ball has a size of its own.
fn cells(p: vec3f) -> f32 {
    let number = clamp(sdf_ops::cell(p, vec3f(0.6, 0.0, 0.6)), vec3f(-1.0), vec3f(1.0));
    let size = 0.12 + 0.035 * (2.0 - number.x - number.z);
    return 0.8 * sdf::sphere(p - 0.6 * number + vec3f(0.0, 0.4, 0.0), size);
}

override fn sheet::solid_distance(cell: u32, p: vec3f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: { d = sdf_ops::round_edges(sdf::box(p, vec3f(0.5, 0.4, 0.4)), 0.25); }
        case 1u: {
            d = max(sdf_ops::onion(sdf_ops::onion(sdf::sphere(p, 0.72), 0.16), 0.06), p.z - 0.1);
        }
        case 2u: { d = sdf_ops::extrude(sdf2::star(p.xy, 5u, 0.95, 0.45), p.z, 0.3); }
        case 3u: {
            d = sdf_ops::displace(sdf::sphere(p, 0.75), 0.07 * sin(9.0 * p.x) * sin(9.0 * p.y) * sin(9.0 * p.z), 1.0);
        }
        case 4u: {
            d = min(sdf::torus(p + vec3f(0.0, 0.6, 0.0), 0.7, 0.25), sdf_ops::scale_distance(sdf::torus((p - vec3f(0.0, 0.1, 0.0)) / 0.55, 0.7, 0.25), 0.55));
        }
        case 5u: { d = sdf2_curves::heart(sdf_ops::revolve(p, 0.0) + vec2f(0.0, 0.85), 1.4); }
        case 6u: { d = sdf::torus(sdf_ops::elongate(p, vec3f(0.4, 0.25, 0.0)), 0.45, 0.22); }
        case 7u: { d = leaning(sdf_ops::mirror(p, vec3f(1.0, 0.0, 0.0)) - vec3f(0.5, 0.0, 0.0)); }
        case 8u: {
            d = leaning(sdf_ops::mirror_axes(p, vec3f(1.0, 0.0, 1.0)) - vec3f(0.5, 0.0, 0.5));
        }
        case 9u: { d = cells(p); }
        case 10u: {
            d = max(sdf::torus(sdf_ops::repeat(p + vec3f(0.0, 0.4, 0.0), vec3f(0.56, 0.0, 0.56)), 0.17, 0.07), length(p.xz) - 1.25);
        }
        case 11u: {
            d = sdf::sphere(sdf_ops::repeat_limited(p, vec3f(0.5, 0.5, 0.5), vec3f(-1.0), vec3f(1.0)), 0.2);
        }
        case 12u: {
            d = max(leaning(sdf_ops::repeat_mirrored(p, vec3f(0.6, 0.0, 0.0))), abs(p.x) - 1.2);
        }
        case 13u: {
            d = sdf::box(sdf_ops::repeat_rotational(p, 9u) - vec3f(0.8, 0.0, 0.0), vec3f(0.12, 0.3, 0.18)) - 0.04;
        }
        case 14u: {
            d = sdf_ops::twist_bound(1.6, 0.75) * sdf::box(sdf_ops::twist(p, 1.6), vec3f(0.5, 0.95, 0.5));
        }
        case 15u: {
            d = sdf_ops::bend_bound(0.7, 1.15) * sdf::box(sdf_ops::bend(p + vec3f(0.0, 0.1, 0.0), -0.7), vec3f(1.1, 0.22, 0.4));
        }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // round_edges
            return sheet::Label(vec4u(0x726f756eu, 0x645f6564u, 0x67657300u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 1u: { // onion
            return sheet::Label(vec4u(0x6f6e696fu, 0x6e000000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // extrude
            return sheet::Label(vec4u(0x65787472u, 0x75646500u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // displace
            return sheet::Label(vec4u(0x64697370u, 0x6c616365u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // scale_distance
            return sheet::Label(vec4u(0x7363616cu, 0x655f6469u, 0x7374616eu, 0x63650000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // revolve
            return sheet::Label(vec4u(0x7265766fu, 0x6c766500u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // elongate
            return sheet::Label(vec4u(0x656c6f6eu, 0x67617465u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // mirror
            return sheet::Label(vec4u(0x6d697272u, 0x6f720000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 8u: { // mirror_axes
            return sheet::Label(vec4u(0x6d697272u, 0x6f725f61u, 0x78657300u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // cell
            return sheet::Label(vec4u(0x63656c6cu, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 10u: { // repeat
            return sheet::Label(vec4u(0x72657065u, 0x61740000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 11u: { // repeat_limited
            return sheet::Label(vec4u(0x72657065u, 0x61745f6cu, 0x696d6974u, 0x65640000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 12u: { // repeat_mirrored
            return sheet::Label(vec4u(0x72657065u, 0x61745f6du, 0x6972726fu, 0x72656400u), vec4u(0u, 0u, 0u, 0u));
        }
        case 13u: { // repeat_rotational
            return sheet::Label(vec4u(0x72657065u, 0x61745f72u, 0x6f746174u, 0x696f6e61u), vec4u(0x6c000000u, 0u, 0u, 0u));
        }
        case 14u: { // twist
            return sheet::Label(vec4u(0x74776973u, 0x74000000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 15u: { // bend
            return sheet::Label(vec4u(0x62656e64u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::solid_sheet(frag_coord, CELLS);
}
