// Flat shapes with curved outlines. The example `sdf_sheets` makes the picture in docs/sdf.md.

#import sheet
#import tarsus::sdf2_curves

const CELLS: u32 = 20u;

override fn sheet::flat_distance(cell: u32, p: vec2f) -> f32 {
    var d = 1.0;
    switch cell {
        case 0u: { d = sdf2_curves::pie(p + vec2f(0.0, 0.45), 1.15, 0.7); }
        case 1u: { d = sdf2_curves::cut_disk(p + vec2f(0.0, 0.2), 0.95, -0.2); }
        case 2u: { d = sdf2_curves::arc(p + vec2f(0.0, 0.15), 0.75, 2.0, 0.16); }
        case 3u: { d = sdf2_curves::ring(p + vec2f(0.0, 0.15), 0.75, 1.7, 0.2); }
        case 4u: { d = sdf2_curves::horseshoe(p - vec2f(0.0, 0.2), 0.6, 1.75, 0.6, 0.18); }
        case 5u: { d = sdf2_curves::vesica(p, 1.1, 0.5); }
        case 6u: { d = sdf2_curves::vesica_segment(p, vec2f(-0.8, -0.6), vec2f(0.8, 0.6), 0.35); }
        case 7u: { d = sdf2_curves::moon(p - vec2f(0.1, 0.0), 0.9, 0.75, 0.5); }
        case 8u: { d = sdf2_curves::rounded_cross(p, vec2f(0.8, 0.8)) - 0.15; }
        case 9u: { d = sdf2_curves::rounded_x(p, 0.6, 0.22); }
        case 10u: { d = sdf2_curves::egg(p + vec2f(0.0, 0.3), 0.7, 0.22); }
        case 11u: { d = sdf2_curves::heart(p + vec2f(0.0, 0.85), 1.4); }
        case 12u: { d = sdf2_curves::uneven_capsule(p + vec2f(0.0, 0.4), 0.5, 0.25, 0.95); }
        case 13u: { d = sdf2_curves::tunnel(p - vec2f(0.0, 0.1), 0.65, 0.8); }
        case 14u: { d = sdf2_curves::circle_wave(p, 0.42, 1.15); }
        case 15u: { d = sdf2_curves::ellipse(p, vec2f(1.0, 0.55)); }
        case 16u: { d = sdf2_curves::parabola(p + vec2f(0.0, 0.7), 1.2); }
        case 17u: { d = sdf2_curves::parabola_segment(p + vec2f(0.0, 0.6), 0.9, 1.2); }
        case 18u: {
            d = sdf2_curves::quadratic_bezier(p, vec2f(-0.9, -0.6), vec2f(-0.2, 1.6), vec2f(0.9, -0.4));
        }
        case 19u: { d = sdf2_curves::hyperbola(p, 0.35); }
        default: {}
    }
    return d;
}

override fn sheet::label(cell: u32) -> sheet::Label {
    switch cell {
        case 0u: { // pie
            return sheet::Label(vec4u(0x70696500u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 1u: { // cut_disk
            return sheet::Label(vec4u(0x6375745fu, 0x6469736bu, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 2u: { // arc
            return sheet::Label(vec4u(0x61726300u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 3u: { // ring
            return sheet::Label(vec4u(0x72696e67u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 4u: { // horseshoe
            return sheet::Label(vec4u(0x686f7273u, 0x6573686fu, 0x65000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 5u: { // vesica
            return sheet::Label(vec4u(0x76657369u, 0x63610000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 6u: { // vesica_segment
            return sheet::Label(vec4u(0x76657369u, 0x63615f73u, 0x65676d65u, 0x6e740000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 7u: { // moon
            return sheet::Label(vec4u(0x6d6f6f6eu, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 8u: { // rounded_cross
            return sheet::Label(vec4u(0x726f756eu, 0x6465645fu, 0x63726f73u, 0x73000000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 9u: { // rounded_x
            return sheet::Label(vec4u(0x726f756eu, 0x6465645fu, 0x78000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 10u: { // egg
            return sheet::Label(vec4u(0x65676700u, 0u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 11u: { // heart
            return sheet::Label(vec4u(0x68656172u, 0x74000000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 12u: { // uneven_capsule
            return sheet::Label(vec4u(0x756e6576u, 0x656e5f63u, 0x61707375u, 0x6c650000u), vec4u(0u, 0u, 0u, 0u));
        }
        case 13u: { // tunnel
            return sheet::Label(vec4u(0x74756e6eu, 0x656c0000u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 14u: { // circle_wave
            return sheet::Label(vec4u(0x63697263u, 0x6c655f77u, 0x61766500u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 15u: { // ellipse
            return sheet::Label(vec4u(0x656c6c69u, 0x70736500u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 16u: { // parabola
            return sheet::Label(vec4u(0x70617261u, 0x626f6c61u, 0u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        case 17u: { // parabola_segment
            return sheet::Label(vec4u(0x70617261u, 0x626f6c61u, 0x5f736567u, 0x6d656e74u), vec4u(0u, 0u, 0u, 0u));
        }
        case 18u: { // quadratic_bezier
            return sheet::Label(vec4u(0x71756164u, 0x72617469u, 0x635f6265u, 0x7a696572u), vec4u(0u, 0u, 0u, 0u));
        }
        case 19u: { // hyperbola
            return sheet::Label(vec4u(0x68797065u, 0x72626f6cu, 0x61000000u, 0u), vec4u(0u, 0u, 0u, 0u));
        }
        default: { return sheet::Label(vec4u(0u), vec4u(0u)); }
    }
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return sheet::flat_sheet(frag_coord, CELLS);
}
