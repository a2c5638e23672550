#define_import_path tarsus::antennae

#import tarsus::bounds
#import tarsus::limb
#import tarsus::rays

// A pair of antennae as curves in body space: a part of the trunk of an animal (`walker`) that
// rays of the eye meet, and whose shadow has a closed form. A scene sets `left` and `right` at
// every pixel before rays meet them, and adds `distance_to` and `span` to its trunk's unless
// `rays::is_lighting`.

var<private> left: limb::Curve;
var<private> right: limb::Curve;

/// Radius of an antenna at its base (x) and at its tip (y).
virtual fn thickness() -> vec2f {
    return vec2f(0.02, 0.006);
}

/// Signed distance from p of body space to the nearer antenna; a bound.
fn distance_to(p: vec3f) -> f32 {
    let radius = thickness();
    return min(
        limb::curve_distance(p, left, radius.x, radius.y),
        limb::curve_distance(p, right, radius.x, radius.y),
    );
}

/// A span that contains all points of a ray within `margin` of the antennae.
fn span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let radius = 1.4 * thickness().x + margin;
    return bounds::hull(
        limb::curve_span(origin, direction, left, radius),
        limb::curve_span(origin, direction, right, radius),
    );
}

override fn rays::thin_shadow_clearance(
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
