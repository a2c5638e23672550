//! The `Frame` uniform in Rust and in WGSL.

use std::mem::offset_of;

use tarsus_render::{Frame, NEVER};

use crate::common::{compose, library};

#[test]
fn frame_has_the_same_layout_in_rust_and_wgsl() {
    let program = compose(
        "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f { return vec4f(frame::frame.time); }",
        "frame.wgsl",
        &[],
    );
    let module = &program.passes[0].module;
    let (size, members) = module
        .types
        .iter()
        .find_map(|(_, ty)| match &ty.inner {
            naga::TypeInner::Struct { members, span }
                if ty
                    .name
                    .as_deref()
                    .is_some_and(|name| name.starts_with("Frame")) =>
            {
                Some((*span, members))
            }
            _ => None,
        })
        .expect("struct Frame");
    let shader: Vec<(&str, u32)> = members
        .iter()
        .map(|member| (member.name.as_deref().expect("name"), member.offset))
        .collect();
    macro_rules! offsets {
        ($($field:ident),*) => {
            vec![$((stringify!($field), offset_of!(Frame, $field) as u32)),*]
        };
    }
    let rust = offsets![
        resolution,
        sample_offset,
        tile_origin,
        stride,
        lens,
        time,
        output_step,
        mouse,
        pointer,
        orbit,
        date,
        press_age,
        release_age,
        time_delta,
        frame_rate,
        index,
        part,
        unused
    ];
    assert_eq!(shader, rust);
    assert_eq!(size as usize, size_of::<Frame>());
}

#[test]
fn never_is_the_same_in_rust_and_wgsl() {
    let text = library().module_text("tarsus::frame").expect("frame");
    assert!(text.contains("const NEVER: f32 = 1e6;"));
    assert_eq!(NEVER, 1e6);
}
