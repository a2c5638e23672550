//! Feet on slopes, in `f32` and `f64`.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec3:ident) => {
        mod $precision {
            use glam::$vec3;
            use tarsus_ik::{Foot, Footing, Turn};

            use crate::random::{Random, cases};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            /// The point rolled about is on the ground where the flat foot has it; the other
            /// one is above the ground by the sine of the roll; the toe points along the
            /// heading.
            #[test]
            fn rolled_foot_stands_on_its_pivot() {
                let mut random = Random(41);
                for _ in 0..cases() {
                    let vector =
                        |v: glam::DVec3| $vec3::new(v.x as $real, v.y as $real, v.z as $real);
                    let (up, normal) = (random.direction(), random.direction());
                    let forward = up.any_orthonormal_vector();
                    let height = random.between(0.05, 0.2);
                    let (back, front) = (random.between(0.02, 0.1), random.between(0.05, 0.2));
                    let foot = Foot {
                        heel: vector(up * -height - forward * back),
                        toe: vector(up * -height + forward * front),
                        up: vector(up),
                    };
                    let heading = random.direction();
                    if heading.cross(normal).length() < 0.1 {
                        continue;
                    }
                    let point = random.direction();
                    let footing = Footing {
                        point: vector(point),
                        normal: vector(normal),
                        heading: vector(heading),
                    };
                    let angle = random.between(-1.2, 1.2);
                    let place = |radians: f64| {
                        let roll = Turn::from_radians(radians as $real).expect("finite");
                        let placed = foot.place(&footing, roll).expect("finite");
                        let wide = |v: $vec3| {
                            let [x, y, z] = v.to_array().map(f64::from);
                            glam::DVec3::new(x, y, z)
                        };
                        [foot.heel, foot.toe].map(|p| wide(placed.ankle + placed.rotation * p))
                    };
                    let (flat, rolled) = (place(0.0), place(angle));
                    let bound = 128.0 * U;
                    let pivot = usize::from(angle >= 0.0);
                    assert!(flat[pivot].distance(rolled[pivot]) <= bound);
                    assert!((flat[pivot] - point).dot(normal).abs() <= bound);
                    let risen = (rolled[1 - pivot] - point).dot(normal);
                    let wanted = (back + front) * angle.abs().sin();
                    assert!((risen - wanted).abs() <= bound, "{risen} {wanted}");
                    let level = (heading - normal * heading.dot(normal)).normalize();
                    let off = (flat[1] - flat[0]).normalize() - level;
                    assert!(off.length() <= 20.0 * bound);
                }
            }
        }
    };
}

properties!(single, f32, Vec3);
properties!(double, f64, DVec3);
