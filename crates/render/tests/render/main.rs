//! Tests that draw or compute on an adapter: the built-in scenes, the WGSL modules and
//! the renderer. Mesa's software renderer suffices.

mod common;

mod accumulate;
mod bloom;
mod buffers;
mod channels;
mod coverage;
mod creature_reach;
mod curves;
mod degenerate;
mod depth_of_field;
mod diagram;
mod drivers;
mod edited;
mod embed;
mod export;
mod fast_path;
mod gallery;
mod glsl;
mod herd;
mod hoisting;
mod ik_matches_f64;
mod ik_properties;
mod ik_rig;
mod import;
mod optimized;
mod pond;
mod random_programs;
mod round_trip;
mod sdf;
mod shading;
mod spider;
mod starter;
mod strandbeest;
mod strokes;
mod tracks;
mod walker;
mod waves;
