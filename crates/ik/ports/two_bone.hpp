// Two rigid bones in space, after tarsus-ik: no angles, one square root for the triangle.
// Points are relative to the start joint. In float, lengths and distances may be from 1e-9
// to 1e9; double has the same code and a wider range. Needs C++17.
#pragma once
#include <algorithm>
#include <cmath>

namespace two_bone {

template <typename T>
struct Vec {
    T x, y, z;
    friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec operator*(Vec a, T s) { return {a.x * s, a.y * s, a.z * s}; }
};

template <typename T>
T dot(Vec<T> a, Vec<T> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

template <typename T>
Vec<T> cross(Vec<T> a, Vec<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Some vector perpendicular to p: its cross product with the axis it is farthest from.
template <typename T>
Vec<T> any_perpendicular(Vec<T> p) {
    const T x = std::abs(p.x), y = std::abs(p.y), z = std::abs(p.z);
    if (x <= y && x <= z) return cross(p, Vec<T>{1, 0, 0});
    return cross(p, y <= z ? Vec<T>{0, 1, 0} : Vec<T>{0, 0, 1});
}

template <typename T>
struct Limb {
    Vec<T> mid, end;
    bool reached;
};

// Places mid and end joint of bones r1 and r2, bent toward the pole, a direction. Out of
// reach, the limb is straight or folded flat.
template <typename T>
Limb<T> solve(Vec<T> target, T r1, T r2, Vec<T> pole) {
    const T sum = r1 + r2, difference = r1 - r2;
    T h = dot(target, target);
    const bool apart = h > T(1e-30) * sum * sum;
    if (!apart) h = 0; // no line: fold along any axis
    const Vec<T> unit = apart ? target * (1 / std::sqrt(h)) : Vec<T>{1, 0, 0};
    const bool reached = h <= sum * sum && h >= difference * difference;
    const T within = std::clamp(h, difference * difference, sum * sum);

    // Position along the line and height across it. Both are products of sums and
    // differences (Heron), because r1*r1 - r2*r2 and 4*r1*r1*h - w*w cancel.
    const T d = std::sqrt(within);
    const T s = (sum * sum - within) * (within - difference * difference);
    const T along = d > 0 ? T(0.5) * (within + difference * sum) / d : T(0);
    const T height = d > 0 ? T(0.5) * std::sqrt(std::max(s, T(0))) / d : r1;

    // The pole's part across the line, by two cross products.
    Vec<T> normal = cross(unit, pole);
    if (dot(normal, normal) <= T(1e-12) * dot(pole, pole)) normal = any_perpendicular(unit);
    const Vec<T> across = cross(normal, unit) * (1 / std::sqrt(dot(normal, normal)));

    return {unit * along + across * height, reached ? target : unit * d, reached};
}

} // namespace two_bone
