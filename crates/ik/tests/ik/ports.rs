//! The listings in C and C++ compile, and solve as the crate does.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use glam::Vec3;
use tarsus_ik::TwoBone;

use super::random::Random;

/// A program around a listing that solves the limbs in its input, one a line.
const MAIN: &str = r#"
#include <stdio.h>
int main(void) {
    VEC t, p;
    float a, b;
    while (scanf("%f %f %f %f %f %f %f %f", &t.x, &t.y, &t.z, &a, &b, &p.x, &p.y, &p.z) == 8) {
        LIMB s = SOLVE(t, a, b, p);
        printf("%.9g %.9g %.9g %.9g %.9g %.9g %d\n",
            s.mid.x, s.mid.y, s.mid.z, s.end.x, s.end.y, s.end.z, s.reached);
    }
    return 0;
}
"#;

#[test]
fn c_listing_solves_as_crate() {
    check("two_bone.c", "cc", &["-std=c99", "-x", "c"], ["vec3", "limb", "solve_two_bone"]);
}

#[test]
fn cpp_listing_solves_as_crate() {
    let names = ["two_bone::Vec<float>", "two_bone::Limb<float>", "two_bone::solve<float>"];
    check("two_bone.hpp", "c++", &["-std=c++17", "-x", "c++"], names);
}

/// Compiles a listing and compares its solutions with the crate's. `names` are those of its
/// vector, its limb and its function.
fn check(listing: &str, compiler: &str, language: &[&str], names: [&str; 3]) {
    let folder = std::env::temp_dir().join(format!("tarsus-{listing}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("ports").join(listing);
    let listing = std::fs::read_to_string(listing).expect("the listing");
    let listing = listing.replace("#pragma once\n", "");
    let main = MAIN.replace("VEC", names[0]).replace("LIMB", names[1]).replace("SOLVE", names[2]);
    let (source, program) = (folder.join("port"), folder.join("program"));
    std::fs::write(&source, listing + &main).expect("writes");
    let compiled = Command::new(compiler)
        .args(language)
        .args(["-Wall", "-Werror", "-O1", "-ffp-contract=off", "-o"])
        .args([&program, &source])
        .arg("-lm")
        .status()
        .expect("a compiler");
    assert!(compiled.success());

    let mut random = Random(61);
    let narrow = |v: glam::DVec3| v.as_vec3();
    let limbs: Vec<_> = (0..20_000)
        .map(|_| {
            let (r1, r2) = (random.between(0.1, 2.0) as f32, random.between(0.1, 2.0) as f32);
            let distance = random.between(0.0, 1.3) * f64::from(r1 + r2);
            (narrow(random.direction() * distance), r1, r2, narrow(random.direction()))
        })
        .chain([(Vec3::ZERO, 1.0, 1.0, Vec3::Y), (Vec3::X, 1.0, 1.0, Vec3::X)])
        .chain([(Vec3::ZERO, 1e-9, 1e-9, Vec3::Y), (Vec3::ZERO, 2e-9, 1e-9, Vec3::Y)])
        .collect();
    let mut text = String::new();
    for (t, r1, r2, p) in &limbs {
        writeln!(text, "{} {} {} {r1} {r2} {} {} {}", t.x, t.y, t.z, p.x, p.y, p.z).expect("text");
    }
    let input = folder.join("limbs");
    std::fs::write(&input, text).expect("writes");
    let output = Command::new(&program)
        .stdin(std::fs::File::open(&input).expect("opens"))
        .stderr(Stdio::inherit())
        .output()
        .expect("runs");
    std::fs::remove_dir_all(&folder).expect("removes");

    let output = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.lines().count(), limbs.len());
    for (line, (target, r1, r2, pole)) in output.lines().zip(limbs) {
        let n: Vec<f32> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        let (mid, end) = (Vec3::from_slice(&n), Vec3::from_slice(&n[3..]));
        let limb = TwoBone::new(r1, r2).expect("valid");
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite");
        let bound = 16.0 * f32::EPSILON * (r1 + r2);
        assert!((mid.length() - r1).abs() <= bound, "{line}");
        assert!((end.distance(mid) - r2).abs() <= bound, "{line}");
        assert!(end.distance(solved.end) <= bound, "{line} {solved:?}");
        // The height, as the square root of the rounding of the square; a pole along the
        // line chooses any side.
        let sine = target.normalize_or_zero().cross(pole).length();
        if sine > 1e-2 {
            let off = mid.distance(solved.mid);
            let height = 4.0 * f32::EPSILON.sqrt() * (r1 + r2);
            assert!(off <= height + bound / sine, "{line} {solved:?}");
        }
        let boundary = (target.length() - limb.reach()).abs() <= bound
            || (target.length() - limb.hole()).abs() <= bound;
        assert!(boundary || (n[6] == 1.0) == solved.reached);
    }
}
