//! Helper functions for GLSL built-ins that WGSL lacks.

/// Source of helper `name` for values of type `ty` with `size` components.
pub(super) fn helper(name: &str, ty: &str, size: usize) -> String {
    let comment = |text: &str| format!("// {text}\n");
    if name.starts_with("modulo") {
        return comment("What is left of x after whole multiples of y, with the sign of y.")
            + &format!(
                "fn {name}(x: {ty}, y: {ty}) -> {ty} {{\n    return x - y * floor(x / y);\n}}\n"
            );
    }
    if name.starts_with("inverse") {
        return comment("The inverse of a matrix.") + &inverse(name, ty);
    }
    let (result, bits) = match size {
        1 => ("bool".to_owned(), "u32".to_owned()),
        size => (format!("vec{size}<bool>"), format!("vec{size}u")),
    };
    let (sign, about) = match name.starts_with("is_nan") {
        true => (">", "True for what is no number."),
        false => ("==", "True for an infinite number."),
    };
    comment(about)
        + &format!(
            "fn {name}(x: {ty}) -> {result} {{\n    \
             return (bitcast<{bits}>(x) & {bits}(0x7FFFFFFFu)) {sign} {bits}(0x7F800000u);\n}}\n"
        )
}

fn inverse(name: &str, ty: &str) -> String {
    let body = match ty {
        "mat2x2f" => {
            "    return mat2x2f(m[1].y, -m[0].y, -m[1].x, m[0].x) * (1.0 / determinant(m));\n"
        }
        "mat3x3f" => {
            "    let rows = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));\n    \
             return transpose(rows) * (1.0 / determinant(m));\n"
        }
        _ => {
            "    let a = m[0].xyz;\n    let b = m[1].xyz;\n    let c = m[2].xyz;\n    let d = m[3].xyz;\n    \
             let last = vec4f(m[0].w, m[1].w, m[2].w, m[3].w);\n    \
             let s = cross(a, b);\n    let t = cross(c, d);\n    \
             let u = a * last.y - b * last.x;\n    let v = c * last.w - d * last.z;\n    \
             let scale = 1.0 / (dot(s, v) + dot(t, u));\n    \
             let r0 = vec4f(cross(b, v) + t * last.y, -dot(b, t));\n    \
             let r1 = vec4f(cross(v, a) - t * last.x, dot(a, t));\n    \
             let r2 = vec4f(cross(d, u) + s * last.w, -dot(d, s));\n    \
             let r3 = vec4f(cross(u, c) - s * last.z, dot(c, s));\n    \
             return transpose(mat4x4f(r0, r1, r2, r3)) * scale;\n"
        }
    };
    format!("fn {name}(m: {ty}) -> {ty} {{\n{body}}}\n")
}
