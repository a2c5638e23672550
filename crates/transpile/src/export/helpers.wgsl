// x modulo y, with the sign of y.
fn modulo_TYPE(x: TYPE, y: TYPE) -> TYPE {
    return x - y * floor(x / y);
}

// True for NaN.
fn is_nan_TYPE(x: TYPE) -> BOOL {
    return (bitcast<BITS>(x) & BITS(0x7FFFFFFFu)) > BITS(0x7F800000u);
}

// True for an infinite number.
fn is_inf_TYPE(x: TYPE) -> BOOL {
    return (bitcast<BITS>(x) & BITS(0x7FFFFFFFu)) == BITS(0x7F800000u);
}

// The inverse of a matrix.
fn inverse_mat2x2f(m: mat2x2f) -> mat2x2f {
    return mat2x2f(m[1].y, -m[0].y, -m[1].x, m[0].x) * (1.0 / determinant(m));
}

// The inverse of a matrix.
fn inverse_mat3x3f(m: mat3x3f) -> mat3x3f {
    let rows = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    return transpose(rows) * (1.0 / determinant(m));
}

// The inverse of a matrix.
fn inverse_mat4x4f(m: mat4x4f) -> mat4x4f {
    let a = m[0].xyz;
    let b = m[1].xyz;
    let c = m[2].xyz;
    let d = m[3].xyz;
    let last = vec4f(m[0].w, m[1].w, m[2].w, m[3].w);
    let s = cross(a, b);
    let t = cross(c, d);
    let u = a * last.y - b * last.x;
    let v = c * last.w - d * last.z;
    let scale = 1.0 / (dot(s, v) + dot(t, u));
    let r0 = vec4f(cross(b, v) + t * last.y, -dot(b, t));
    let r1 = vec4f(cross(v, a) - t * last.x, dot(a, t));
    let r2 = vec4f(cross(d, u) + s * last.w, -dot(d, s));
    let r3 = vec4f(cross(u, c) - s * last.z, dot(c, s));
    return transpose(mat4x4f(r0, r1, r2, r3)) * scale;
}
