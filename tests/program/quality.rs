//! Supersampling and motion blur, compared with the average of many plain frames.

use crate::common::{MOVING, Workspace, decode, psnr};

const SIZE: &str = "--size 96x54 --fps 12";

fn decode_light(byte: u8) -> f64 {
    let c = f64::from(byte) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn encode_light(light: f64) -> u8 {
    let c =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * c).round() as u8
}

/// Averages groups of bytes in linear light.
fn average<'a>(groups: impl Iterator<Item = Vec<&'a u8>>) -> Vec<u8> {
    groups
        .map(|bytes| {
            let sum: f64 = bytes.iter().map(|&&byte| decode_light(byte)).sum();
            encode_light(sum / bytes.len() as f64)
        })
        .collect()
}

fn picture(workspace: &Workspace, scene: &str, arguments: &str) -> Vec<u8> {
    workspace.capture(scene, &format!("{arguments} -o a.png"));
    decode(&workspace.path("a.png")).rgb
}

#[test]
fn single_sample_equals_plain_frame() {
    let workspace = Workspace::new();
    let plain = picture(&workspace, MOVING, &format!("{SIZE} --frame 5"));
    for one in ["--ssaa 1", "--shutter 180 --shutter-samples 1", "--shutter 0 --shutter-samples 9"]
    {
        assert!(picture(&workspace, MOVING, &format!("{SIZE} --frame 5 {one}")) == plain, "{one}");
    }
}

#[test]
fn motion_blur_converges_to_shutter_average() {
    let workspace = Workspace::new();
    // Frame 3 at 12 fps with the shutter open for half of it: from 0.25 s to 0.25 + 1/24 s.
    // At 12 * 2 * 256 fps that interval has 256 frames, from number 1536.
    workspace.capture(MOVING, "--size 96x54 --fps 6144 --frames 1536..1792 -o many");
    let many: Vec<Vec<u8>> = (1536..1792)
        .map(|number| decode(&workspace.path(&format!("many/frame_{number:05}.png"))).rgb)
        .collect();
    let expected = average((0..many[0].len()).map(|at| many.iter().map(|rgb| &rgb[at]).collect()));
    let blurred = |samples: u32| {
        let run = format!("{SIZE} --frame 3 --shutter 180 --shutter-samples {samples}");
        psnr(&picture(&workspace, MOVING, &run), &expected)
    };
    let [one, four, sixty_four] = [1, 4, 64].map(blurred);
    assert!(sixty_four >= 45.0, "{sixty_four} dB");
    assert!(one < four && four < sixty_four, "{one} {four} {sixty_four} dB");
}

#[test]
fn reopened_picture_blurs_at_its_rate() {
    let workspace = Workspace::new();
    let run = "--size 96x54 --fps 12 --frame 3";
    workspace.capture(MOVING, &format!("{run} -o still.png"));
    let blurred = picture(&workspace, MOVING, &format!("{run} --shutter 180"));
    assert!(picture(&workspace, "still.png", "--shutter 180") == blurred);
}

#[test]
fn supersampling_converges_to_downscaled_frame() {
    let workspace = Workspace::new();
    let scene = workspace.path("edges.wgsl");
    // The same picture at every size, with edges finer than a pixel.
    let text = "#import tarsus::frame::frame
    fn main_image(at: vec2f) -> vec4f {
        let uv = at / frame.resolution;
        let disc = distance(uv * vec2f(16.0, 9.0), vec2f(8.0, 4.5)) < 3.0;
        let bar = fract(5.0 * uv.x + 3.0 * uv.y) < 0.5;
        return vec4f(select(vec3f(0.05, 0.1, 0.3), vec3f(0.9, 0.8, 0.6), disc != bar), 1.0);
    }";
    std::fs::write(&scene, text).expect("scene");
    let scene = scene.to_str().expect("a name");
    const BLOCK: usize = 24;
    let large = picture(&workspace, scene, "--size 2304x1296");
    let expected = average((0..96 * 54 * 3).map(|at| {
        let (pixel, channel) = (at / 3, at % 3);
        let (x, y) = (pixel % 96 * BLOCK, pixel / 96 * BLOCK);
        let inside = (0..BLOCK * BLOCK).map(|i| (x + i % BLOCK, y + i / BLOCK));
        inside.map(|(x, y)| &large[3 * (y * 2304 + x) + channel]).collect()
    }));
    let smooth = |samples: u32| {
        let run = format!("{SIZE} --ssaa {samples}");
        psnr(&picture(&workspace, scene, &run), &expected)
    };
    let [one, eight, many] = [1, 8, 512].map(smooth);
    assert!(many >= 45.0, "{many} dB");
    assert!(one < eight && eight < many, "{one} {eight} {many} dB");
}

#[test]
fn supersampling_and_blur_combine() {
    let workspace = Workspace::new();
    let both = picture(
        &workspace,
        MOVING,
        &format!("{SIZE} --frame 5 --ssaa 4 --shutter 180 --shutter-samples 4"),
    );
    let blur =
        picture(&workspace, MOVING, &format!("{SIZE} --frame 5 --shutter 180 --shutter-samples 4"));
    let smooth = picture(&workspace, MOVING, &format!("{SIZE} --frame 5 --ssaa 4"));
    assert!(both != blur && both != smooth);
}

#[test]
fn dither_matches_file_depth() {
    let workspace = Workspace::new();
    let scene = "#import tarsus::shading
fn main_image(p: vec2f) -> vec4f {
    return vec4f(vec3f(0.5 + shading::dither_gradient_noise(p)), 1.0);
}";
    std::fs::write(workspace.path("grey.wgsl"), scene).expect("a scene");
    let grey = workspace.path("grey.wgsl");
    let grey = grey.to_str().expect("a path");
    workspace.capture(grey, "--size 64x64 --frame 0 --depth 16 -o grey.png");
    let picture = decode(&workspace.path("grey.png"));
    assert_eq!(picture.rgb.len(), 64 * 64 * 6);
    let values = picture.rgb.as_chunks::<2>().0.iter().map(|&pair| u16::from_be_bytes(pair));
    let (least, most) = values.fold((u16::MAX, 0), |(low, high), v| (low.min(v), high.max(v)));
    // One half lies between two values; averaging samples may round to either side.
    assert!(
        (32766..=32769).contains(&least) && (32766..=32769).contains(&most),
        "{least} to {most}"
    );
}
