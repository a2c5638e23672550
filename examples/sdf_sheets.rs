//! Renders the pictures of docs/sdf.md, `captures/sdf/*.png`, from the scenes in
//! docs/sdf:
//!
//!     cargo run --release --example sdf_sheets
//!
//! Each scene is one sheet; `tarsus docs/sdf/sdf2.wgsl` shows it in a window.

use std::error::Error;
use std::path::Path;

use tarsus_render::{Frame, Gpu, GpuOptions, Inputs, Picture, Renderer};
use tarsus_shader::{Scene, compose};

/// The scenes, with their number of rows of cells.
const SHEETS: [(&str, u32); 6] =
    [("sdf", 4), ("sdf2", 5), ("sdf2_curves", 4), ("sdf3", 3), ("sdf3_round", 4), ("sdf_ops", 4)];

/// Width of a sheet, in pixels.
const WIDTH: u32 = 770;
const ROW: f64 = 154.0 * 1.16;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = tarsus::library().with_folder(root.join("shaders"));
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()))?;
    std::fs::create_dir_all(root.join("captures/sdf"))?;
    for (name, rows) in SHEETS {
        let scene = root.join(format!("docs/sdf/{name}.wgsl"));
        let scene = Scene::find(&scene.to_string_lossy(), &library)?;
        let program = compose(&scene, &library, &[])?;
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[tarsus_render::FORMAT]);
        let mut renderer = pollster::block_on(renderer)?;
        let size = (WIDTH, (ROW * f64::from(rows)).round() as u32);
        let inputs = Inputs::new(Frame::new(size, 0, 60.0));
        let picture = tarsus_render::render_picture(&gpu, &mut renderer, &inputs)?;
        let path = root.join(format!("captures/sdf/{name}.png"));
        write(&picture, &path)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Writes a picture as a PNG, as small as possible: these files are read more often than
/// written.
fn write(picture: &Picture, path: &Path) -> Result<(), Box<dyn Error>> {
    let packed = [png::Filter::NoFilter, png::Filter::Adaptive].map(|filter| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(filter);
        encoder.write_header()?.write_image_data(&picture.rgb())?;
        Ok::<_, png::EncodingError>(bytes)
    });
    let [plain, filtered] = packed;
    let (plain, filtered) = (plain?, filtered?);
    let smaller = if plain.len() < filtered.len() { plain } else { filtered };
    std::fs::write(path, smaller)?;
    Ok(())
}
