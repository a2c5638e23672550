#define_import_path tarsus::members

#import tarsus::bounds
#import tarsus::raymarch

// Members: parts of one kind, of which a thing has several and a ray meets few,
// such as legs. The scene tells, by one bit each, which of them a ray can touch,
// and they are marched one after the other, each within its own bound. What no
// ray of a pixel's neighbourhood can touch costs nothing, also on adapters that
// run both sides of every branch: there only the rounds of a loop count.
//
// The scene supplies the members by importing this module and overriding its
// three virtual functions.

// Makes `member` the one that `span` and `map` speak of.
virtual fn pick(member: u32) {}

// The stretch of a ray that can be within `margin` of the member.
virtual fn span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return bounds::NOTHING;
}

// Distance to the member; a bound.
virtual fn map(p: vec3f) -> f32 {
    return 1e3;
}

struct March {
    met: raymarch::March,
    // The member that was met; any if none was.
    member: u32,
}

// Follows a ray as `raymarch::march` does, past the members of the set `touched`,
// from `near` to `far`. `margin` is the width of a pixel at the members.
fn march(
    origin: vec3f,
    direction: vec3f,
    touched: u32,
    near: f32,
    far: f32,
    pixel: f32,
    margin: f32,
) -> March {
    var best = March(raymarch::March(far, 0.0, -direction), 0u);
    for (var left = touched; left != 0u; left &= left - 1u) {
        let member = firstTrailingBit(left);
        pick(member);
        let within = span(origin, direction, margin);
        let end = select(far, best.met.distance, best.met.coverage >= 1.0);
        var ray = raymarch::start_ray(max(within.near, near), min(within.far, end), pixel);
        while raymarch::under_way(ray) {
            let p = origin + raymarch::along(ray) * direction + raymarch::beside(ray);
            ray = raymarch::stepped(ray, map(p));
        }
        let met = raymarch::ended(ray);
        if raymarch::goes_before(met, best.met) {
            best = March(met, member);
        }
    }
    return best;
}

// The least room that the members of the set `touched` leave on the way to a
// light, as in `raymarch::Room`.
fn light_room(p: vec3f, to_light: vec3f, touched: u32, angle: f32, margin: f32) -> f32 {
    var room = 1.0;
    for (var left = touched; left != 0u && room > -1.0; left &= left - 1u) {
        pick(firstTrailingBit(left));
        let within = span(p, to_light, margin);
        var ray = raymarch::start_light_ray(max(within.near, 0.02), within.far, angle);
        while raymarch::light_under_way(ray) {
            ray = raymarch::light_stepped(ray, map(p + ray.distance * to_light));
        }
        room = min(room, ray.room);
    }
    return room;
}
