#define_import_path tarsus::antennae

#import tarsus::bounds
#import tarsus::limb
#import tarsus::rays

// A pair of antennae: curves in body space that are part of an animal's trunk (`walker`).
// Camera rays are traced against them; their shadow is computed in closed form. A scene
// sets `left` and `right` at every pixel before tracing rays, and includes `distance_to`
// and `span` in its trunk's distance and span except while `rays::is_secondary_ray`.

var<private> left: limb::Curve;
var<private> right: limb::Curve;

/// Radius of an antenna at its base (x) and its tip (y).
virtual fn thickness() -> vec2f {
    return vec2f(0.02, 0.006);
}

/// Signed distance from p (body space) to the nearer antenna. Bound.
fn distance_to(p: vec3f) -> f32 {
    let radius = thickness();
    return min(
        limb::curve_distance(p, left, radius.x, radius.y),
        limb::curve_distance(p, right, radius.x, radius.y),
    );
}

/// Span that contains every point of a ray within `margin` of the antennae.
fn span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let radius = 1.4 * thickness().x + margin;
    return bounds::hull(
        limb::curve_span(origin, direction, left, radius),
        limb::curve_span(origin, direction, right, radius),
    );
}

override fn rays::thin_parts_shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    t_far: f32,
    angle: f32,
) -> f32 {
    let radius = thickness();
    return min(
        limb::curve_shadow_clearance(p, to_light, left, radius.x, radius.y, t_far, angle),
        limb::curve_shadow_clearance(p, to_light, right, radius.x, radius.y, t_far, angle),
    );
}
