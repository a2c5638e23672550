//! Prints the joints of a character's leg during one step:
//!
//!     cargo run -p tarsus-ik --example leg
//!
//! The character looks along +z, y is up, lengths are in metres.

use std::f32::consts::PI;

use tarsus_ik::glam::Vec3;
use tarsus_ik::{Error, TwoBone};

fn main() -> Result<(), Error> {
    // Beyond 85 cm the foot slows down, so that the knee does not snap straight.
    let leg = TwoBone::new(0.45, 0.42)?.with_soft_reach(0.85)?;
    let hip = Vec3::new(0.1, 0.86, 0.0);
    // The pole vector is the direction in which the knee bends.
    let pole = Vec3::Z;

    println!("  time       ankle (y, z)        knee (y, z)   knee angle");
    for frame in 0..=10 {
        // The ankle moves forward on an arc from 40 cm behind the hip to 40 cm ahead.
        let time = frame as f32 / 10.0;
        let target = Vec3::new(0.1, 0.08 + 0.12 * (PI * time).sin(), 0.8 * time - 0.4);
        let solved = leg.solve(hip, target, pole)?;
        let (ankle, knee) = (solved.end, solved.mid);
        let bend = solved.bend.angle();
        println!(
            "{time:6.1} {:10.3} {:8.3} {:10.3} {:8.3} {:10.0}°{}",
            ankle.y,
            ankle.z,
            knee.y,
            knee.z,
            bend.to_degrees(),
            if solved.reached { "" } else { "  eased" },
        );
    }
    Ok(())
}
