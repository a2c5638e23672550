//! Memory used by buffers, as the system reports it.

use crate::common::{Workspace, wait_until};

/// Four buffers, each of which reads itself and so needs two textures.
fn four_buffers() -> String {
    let buffer = |name: &str| {
        format!(
            "fn buffer_{name}(p: vec2f) -> vec4f {{ return buffers::{name}(vec2i(p)) + 1.0; }}\n"
        )
    };
    let buffers: String = ["a", "b", "c", "d"].map(buffer).concat();
    format!(
        "#import tarsus::buffers\n{buffers}
        fn main_image(p: vec2f) -> vec4f {{ return 1e-3 * buffers::d(vec2i(p)); }}\n"
    )
}

/// Peak memory of a run, in bytes.
fn peak(workspace: &Workspace, scene: &str, arguments: &str) -> u64 {
    let mut command = workspace.command(scene, &format!("{arguments} --threads 1"));
    let mut child = command.spawn().expect("starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    wait_until("it ends", || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(1024 * kibibytes.unwrap_or(0));
        child.try_wait().expect("status").is_some()
    });
    assert!(child.wait().expect("ended").success());
    peak
}

#[test]
fn buffers_use_memory_of_their_textures() {
    let workspace = Workspace::with_scene(&four_buffers());
    let plain = "fn main_image(p: vec2f) -> vec4f { return vec4f(p.x); }";
    std::fs::write(workspace.path("plain.wgsl"), plain).expect("scene");
    let growth = |scene: &str| {
        let of = |size| peak(&workspace, scene, &format!("--size {size} --frames 4 -o out"));
        of("1280x720") as f64 - of("64x36") as f64
    };
    // The pictures of that size need the same memory without buffers.
    let buffers = growth("s.wgsl") - growth("plain.wgsl");
    let textures = f64::from(4 * 2 * 16 * (1280 * 720 - 64 * 36));
    assert!((0.9..1.1).contains(&(buffers / textures)), "{buffers} of {textures}");
}

#[test]
fn memory_is_independent_of_frame_number() {
    let workspace = Workspace::with_scene(
        "#import tarsus::buffers
        fn buffer_a(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + 1.0; }
        fn main_image(p: vec2f) -> vec4f { return 1e-4 * buffers::a(vec2i(p)); }",
    );
    let of =
        |frame: u32| peak(&workspace, "s.wgsl", &format!("--size 16x9 --frame {frame} -o a.png"));
    let [short, long] = [999, 9_999].map(of);
    // One kilobyte per frame would add nine megabytes.
    assert!(long < short + (6 << 20), "{short} and {long} bytes");
}
