//! ozz-animation's two-bone job, written anew from its documentation: the mid joint turns
//! by a difference of angles from the law of cosines, then the start joint by the arc from
//! the end to the target, then about the line to bring the bend to the pole's plane.

use glam::{Quat, Vec3};

/// Mid and end joint, and both rotations, from a pose bent at a right angle.
pub(crate) fn ozz(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [(Vec3, Quat); 2] {
    let (first, second) = (Vec3::X * r1, Vec3::Y * r2);
    let end = first + second;
    let axis = Vec3::NEG_Z; // opens the angle between the bones
    let square = target.length_squared();
    let cos = |square: f32| ((r1 * r1 + r2 * r2 - square) / (2.0 * r1 * r2)).clamp(-1.0, 1.0);
    let open = cos(square).acos() - cos(end.length_squared()).acos();
    let mid_rotation = Quat::from_axis_angle(axis, open);

    let bent_end = first + mid_rotation * second;
    let to_target = arc(bent_end, target);
    // The plane of the bend turns about the line to that of the pole.
    let normal = to_target * bent_end.cross(first);
    let pole_normal = target.cross(pole);
    let cos = normal.dot(pole_normal) / (normal.length() * pole_normal.length());
    let sign = target.dot(normal.cross(pole_normal));
    let line = target.normalize();
    let line = if sign < 0.0 { -line } else { line };
    let to_pole = Quat::from_axis_angle(line, cos.clamp(-1.0, 1.0).acos());

    let start_rotation = to_pole * to_target;
    let mid = start_rotation * first;
    [(mid, start_rotation), (mid + start_rotation * (mid_rotation * second), mid_rotation)]
}

fn arc(from: Vec3, to: Vec3) -> Quat {
    Quat::from_rotation_arc(from.normalize(), to.normalize())
}
