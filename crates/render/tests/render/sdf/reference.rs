//! Reference distances in f64: the nearest point is searched for on outlines and surfaces
//! made of parametric pieces. No distance formula is used.

use glam::{DVec2, DVec3};

/// A piece of an outline, parametrized over 0 to 1.
pub type Curve = Box<dyn Fn(f64) -> DVec2>;
/// A piece of a surface, parametrized over the unit square.
pub type Patch = Box<dyn Fn(f64, f64) -> DVec3>;
/// A curve in space, parametrized over 0 to 1.
pub type Path = Box<dyn Fn(f64) -> DVec3>;
/// Membership test: true for points inside.
pub type Inside = Box<dyn Fn(DVec3) -> bool>;

/// A shape that a distance is compared with.
pub enum Shape {
    /// The outline of a flat shape; closed if it has an inside.
    Flat(Vec<Curve>),
    /// The solid of revolution of a profile in x ≥ 0, moved so that its origin is the
    /// first vector and its y axis has the direction of the second.
    Revolved(Vec<Curve>, DVec3, DVec3),
    /// A flat shape in xz, extruded from y = -half to half.
    Prism(Vec<Curve>, f64),
    /// All points within a distance of a curve in space.
    Tube(Path, f64),
    /// Spheres of the same radius.
    Balls(Vec<DVec3>, f64),
    /// The surface of a solid and its membership test, which is always false for a mere
    /// surface. No patch may shrink to a point along a side.
    Solid(Vec<Patch>, Inside),
    /// Only a membership test: a bound must not exceed the distance to the surface along
    /// any ray.
    Members(Inside),
}

pub fn v2(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

pub fn v3(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

pub fn line(a: DVec2, b: DVec2) -> Curve {
    Box::new(move |t| a.lerp(b, t))
}

/// Arc of a circle between two angles from +x, in degrees.
pub fn arc(centre: DVec2, radius: f64, from: f64, to: f64) -> Curve {
    Box::new(move |t| {
        let angle = (from + t * (to - from)).to_radians();
        centre + radius * v2(angle.cos(), angle.sin())
    })
}

/// Closed chain of lines through `corners`.
pub fn polygon(corners: &[DVec2]) -> Vec<Curve> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| line(a, b)).collect()
}

/// Corners at alternating radii, counterclockwise from the angle `start` in degrees.
pub fn corners(count: u32, start: f64, radii: [f64; 2]) -> Vec<DVec2> {
    let corner = |i: u32| {
        let angle = (start + 360.0 * f64::from(i) / f64::from(count)).to_radians();
        radii[i as usize % 2] * v2(angle.cos(), angle.sin())
    };
    (0..count).map(corner).collect()
}

/// The curves and their mirror images across the y axis.
pub fn both_sides(right: Vec<Curve>) -> Vec<Curve> {
    let mirrored = |curve: Curve| -> [Curve; 2] {
        let curve = std::rc::Rc::new(curve);
        let other = curve.clone();
        let flip = v2(-1.0, 1.0);
        [Box::new(move |t| curve(t)), Box::new(move |t| flip * other(t))]
    };
    right.into_iter().flat_map(mirrored).collect()
}

/// The curves, rotated by `turn` degrees and then shifted.
pub fn moved(curves: Vec<Curve>, turn: f64, shift: DVec2) -> Vec<Curve> {
    let by = DVec2::from_angle(turn.to_radians());
    let place = |curve: Curve| -> Curve { Box::new(move |t| shift + by.rotate(curve(t))) };
    curves.into_iter().map(place).collect()
}

/// A triangle as a surface: three quadrilaterals around its centroid.
pub fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Vec<Patch> {
    let middle = (a + b + c) / 3.0;
    let around = |p: DVec3, q: DVec3, r: DVec3| -> Patch {
        let (beside, before) = (0.5 * (p + q), 0.5 * (p + r));
        Box::new(move |u, v| p.lerp(beside, u).lerp(before.lerp(middle, u), v))
    };
    vec![around(a, b, c), around(b, c, a), around(c, a, b)]
}

/// The surface of an ellipsoid: the six faces of a cube, projected onto it.
pub fn ellipsoid(radii: DVec3) -> Vec<Patch> {
    let face = |axis: usize, side: f64| -> Patch {
        Box::new(move |u, v| {
            let mut p = DVec3::splat(side);
            p[(axis + 1) % 3] = 2.0 * u - 1.0;
            p[(axis + 2) % 3] = 2.0 * v - 1.0;
            radii * p.normalize()
        })
    };
    let sides = [-1.0, 1.0].into_iter();
    sides.flat_map(|side| (0..3).map(move |axis| face(axis, side))).collect()
}

/// The convex solid with these triangular faces; `middle` is inside.
pub fn convex(faces: Vec<[DVec3; 3]>, middle: DVec3) -> Shape {
    let patches = faces.iter().flat_map(|&[a, b, c]| triangle(a, b, c)).collect();
    let inside = move |p: DVec3| {
        faces.iter().all(|&[a, b, c]| {
            let normal = (b - a).cross(c - a);
            normal.dot(p - a) * normal.dot(middle - a) > 0.0
        })
    };
    Shape::Solid(patches, Box::new(inside))
}

/// Triangular faces of a box with half extents `half` around `middle`.
pub fn box_faces(middle: DVec3, half: DVec3) -> Vec<[DVec3; 3]> {
    let mut faces = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let at = |u: f64, v: f64| {
                let mut p = DVec3::splat(0.0);
                p[axis] = side * half[axis];
                p[(axis + 1) % 3] = u * half[(axis + 1) % 3];
                p[(axis + 2) % 3] = v * half[(axis + 2) % 3];
                middle + p
            };
            faces.push([at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)]);
            faces.push([at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, 1.0)]);
        }
    }
    faces
}

/// Approximates every curve by a chain of short lines.
fn chains_of(curves: &[Curve]) -> Vec<Vec<DVec2>> {
    let chain = |curve: &Curve| (0..=200).map(|i| curve(f64::from(i) / 200.0)).collect();
    curves.iter().map(chain).collect()
}

/// True if a ray towards +x crosses the chains an odd number of times.
fn is_inside(chains: &[Vec<DVec2>], p: DVec2) -> bool {
    let crosses = |a: DVec2, b: DVec2| {
        (a.y > p.y) != (b.y > p.y) && a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) > p.x
    };
    let of_chain = |chain: &Vec<DVec2>| chain.windows(2).filter(|w| crosses(w[0], w[1])).count();
    chains.iter().map(of_chain).sum::<usize>() % 2 == 1
}

/// A shape with precomputed samples, for many queries.
pub struct ReferenceDistance<'a> {
    shape: &'a Shape,
    /// Points of the curves; empty for shapes without.
    chains: Vec<Vec<DVec2>>,
    samples: Vec<Vec<DVec3>>,
}

/// Number of steps of the sample grid along each side of a patch.
const GRID: u32 = 16;

impl<'a> ReferenceDistance<'a> {
    pub fn new(shape: &'a Shape) -> Self {
        let at = |i: u32| f64::from(i) / f64::from(GRID);
        let grid = |patch: &Patch| -> Vec<DVec3> {
            let points = (0..=GRID).flat_map(|i| (0..=GRID).map(move |j| (i, j)));
            points.map(|(i, j)| patch(at(i), at(j))).collect()
        };
        let (chains, samples) = match shape {
            Shape::Flat(curves) | Shape::Revolved(curves, ..) | Shape::Prism(curves, _) => {
                (chains_of(curves), Vec::new())
            }
            Shape::Tube(path, _) => {
                let points = (0..=400).map(|i| path(f64::from(i) / 400.0)).collect();
                (Vec::new(), vec![points])
            }
            Shape::Solid(patches, _) => (Vec::new(), patches.iter().map(grid).collect()),
            Shape::Balls(..) | Shape::Members(_) => (Vec::new(), Vec::new()),
        };
        Self { shape, chains, samples }
    }

    /// About sixty points on or near the outline or surface.
    pub fn on_surface(&self) -> Vec<DVec3> {
        let mut all: Vec<DVec3> = self.samples.iter().flatten().copied().collect();
        let flat = self.chains.iter().flatten().enumerate();
        all.extend(flat.map(|(i, q)| match self.shape {
            Shape::Revolved(_, origin, axis) => {
                let (up, angle) = (axis.normalize(), 0.7 * i as f64);
                let side = up.any_orthonormal_vector();
                let turned = angle.cos() * side + angle.sin() * up.cross(side);
                *origin + q.y * up + q.x * turned
            }
            Shape::Prism(_, half) => v3(q.x, half * (i as f64 * 0.7).sin(), q.y),
            _ => q.extend(0.0),
        }));
        all.retain(|p| p.abs().max_element() < 1.7);
        let every = (all.len() / 60).max(1);
        all.into_iter().step_by(every).collect()
    }

    pub fn is_inside(&self, p: DVec3) -> bool {
        match self.shape {
            Shape::Flat(_) => is_inside(&self.chains, p.truncate()),
            Shape::Revolved(_, origin, axis) => {
                is_inside(&self.chains, in_profile(p, *origin, *axis))
            }
            Shape::Prism(_, half) => p.y.abs() < *half && is_inside(&self.chains, v2(p.x, p.z)),
            Shape::Tube(_, radius) | Shape::Balls(_, radius) => self.to_core(p) < *radius,
            Shape::Solid(_, inside) | Shape::Members(inside) => inside(p),
        }
    }

    /// Distance from p to the nearest point of the outline or surface. If only a
    /// membership test is known, the distance to the nearest change of membership along
    /// many rays.
    pub fn distance(&self, p: DVec3) -> f64 {
        match self.shape {
            Shape::Flat(curves) => self.to_curves(curves, p.truncate()),
            Shape::Revolved(profile, origin, axis) => {
                // By symmetry, the nearest point is in the plane of p and the axis.
                let q = in_profile(p, *origin, *axis);
                self.to_curves(profile, q).min(self.to_curves(profile, v2(-q.x, q.y)))
            }
            Shape::Prism(outline, half) => {
                let q = v2(p.x, p.z);
                let beyond = p.y.abs() - half;
                let side = self.to_curves(outline, q).hypot(beyond.max(0.0));
                let cap = if is_inside(&self.chains, q) { beyond.abs() } else { f64::MAX };
                side.min(cap)
            }
            Shape::Tube(_, radius) | Shape::Balls(_, radius) => (self.to_core(p) - radius).abs(),
            Shape::Solid(patches, _) => nearest_of_patches(patches, &self.samples, p),
            Shape::Members(inside) => nearest_boundary(inside, p),
        }
    }

    fn to_curves(&self, curves: &[Curve], p: DVec2) -> f64 {
        let of_curve = |(curve, chain): (&Curve, &Vec<DVec2>)| {
            let away: Vec<f64> = chain.iter().map(|q| q.distance_squared(p)).collect();
            nearest_of_curve(&away, |t| curve(t).distance(p))
        };
        let distances = curves.iter().zip(&self.chains).map(of_curve);
        distances.fold(f64::MAX, f64::min)
    }

    /// Distance from p to the centre line of a tube or to the nearest centre of a sphere.
    fn to_core(&self, p: DVec3) -> f64 {
        match self.shape {
            Shape::Tube(path, _) => {
                let away: Vec<f64> =
                    self.samples[0].iter().map(|q| q.distance_squared(p)).collect();
                nearest_of_curve(&away, |t| path(t).distance(p))
            }
            Shape::Balls(middles, _) => {
                middles.iter().map(|q| q.distance(p)).fold(f64::MAX, f64::min)
            }
            _ => f64::MAX,
        }
    }
}

/// Converts p to its distance from the axis and its height over the origin.
fn in_profile(p: DVec3, origin: DVec3, axis: DVec3) -> DVec2 {
    let up = axis.normalize();
    let height = (p - origin).dot(up);
    v2((p - origin - height * up).length(), height)
}

/// Minimum of `distance` over 0 to 1, refined from the local minima of its squares
/// `away`, sampled at even steps.
fn nearest_of_curve(away: &[f64], distance: impl Fn(f64) -> f64) -> f64 {
    let last = away.len() - 1;
    let is_low =
        |&i: &usize| away[i] <= away[i.saturating_sub(1)] && away[i] <= away[(i + 1).min(last)];
    let refined = |i: usize| {
        let (mut t, mut step) = (i as f64 / last as f64, 1.0 / last as f64);
        let mut least = distance(t);
        while step > 1e-10 {
            let sides = [t - step, t + step].map(|s| s.clamp(0.0, 1.0));
            match sides.into_iter().map(|s| (distance(s), s)).find(|(d, _)| *d < least) {
                Some((d, s)) => (least, t) = (d, s),
                None => step *= 0.5,
            }
        }
        least
    };
    (0..=last).filter(is_low).map(refined).fold(f64::MAX, f64::min)
}

fn nearest_of_patches(patches: &[Patch], samples: &[Vec<DVec3>], p: DVec3) -> f64 {
    let mut starts: Vec<(f64, usize, usize)> = Vec::new();
    for (patch, points) in samples.iter().enumerate() {
        // The two nearest samples, which can lie in two different valleys.
        let mut two = [(f64::MAX, patch, 0); 2];
        for (i, q) in points.iter().enumerate() {
            let away = q.distance_squared(p);
            if away < two[0].0 {
                two = [(away, patch, i), two[0]];
            } else if away < two[1].0 {
                two[1] = (away, patch, i);
            }
        }
        starts.extend(two);
    }
    starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Samples are less than 0.4 apart: there is no nearer point around samples that are
    // farther away than this.
    let limit = starts[0].0.sqrt() + 0.4;
    let near = starts.iter().take_while(|start| start.0.sqrt() < limit).take(8);
    let refined = |&(_, patch, i): &(f64, usize, usize)| {
        let of = |u: f64, v: f64| patches[patch](u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)).distance(p);
        let side = (GRID + 1) as usize;
        let mut at = ((i / side) as f64 / f64::from(GRID), (i % side) as f64 / f64::from(GRID));
        let mut least = of(at.0, at.1);
        let mut step = 1.0 / f64::from(GRID);
        while step > 1e-7 {
            let around = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)];
            let better = around.into_iter().find_map(|(du, dv)| {
                let next = (
                    (at.0 + step * f64::from(du)).clamp(0.0, 1.0),
                    (at.1 + step * f64::from(dv)).clamp(0.0, 1.0),
                );
                let d = of(next.0, next.1);
                (d < least).then_some((d, next))
            });
            match better {
                Some((d, next)) => (least, at) = (d, next),
                None => step *= 0.5,
            }
        }
        least
    };
    near.map(refined).fold(f64::MAX, f64::min)
}

fn nearest_boundary(inside: &Inside, p: DVec3) -> f64 {
    let here = inside(p);
    let mut nearest = 4.0;
    for i in 0..100 {
        // A spiral from pole to pole: directions spread evenly over the sphere.
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 100.0;
        let angle = 2.399_963 * f64::from(i);
        let level = (1.0 - z * z).sqrt();
        let direction = v3(level * angle.cos(), z, level * angle.sin());
        let steps = (1..=80).map(|n| 0.05 * f64::from(n));
        let changed =
            steps.take_while(|&t| t < nearest + 0.05).find(|&t| inside(p + t * direction) != here);
        let Some(far) = changed else { continue };
        let (mut low, mut high) = (far - 0.05, far);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if inside(p + middle * direction) == here {
                low = middle;
            } else {
                high = middle;
            }
        }
        nearest = nearest.min(high);
    }
    nearest
}
