//! A skinned glTF bird walks on uneven ground, its legs placed by `tarsus-ik`.
//!
//! ```sh
//! cargo run --release --example rig                  # a window
//! cargo run --release --example rig -- walk.png 2.5  # a picture at 2.5 seconds
//! ```
//!
//! `walk` is the part to read: from a time to the rotations of all joints. `model` reads
//! the glTF file, `graphics` draws it. `make_walker.py` wrote the file.

mod graphics;
mod model;
mod walk;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use graphics::{Gpu, Graphics};
use walk::Walker;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

fn main() -> Result<(), Box<dyn Error>> {
    let walker = Walker::new(model::Model::load()?)?;
    let mut args = std::env::args().skip(1);
    if let Some(file) = args.next() {
        let seconds = args.next().unwrap_or("0".to_owned()).parse()?;
        render(&walker, 1280, 720, seconds)?.save(file)?;
        return Ok(());
    }
    let mut app = App { walker, open: None };
    EventLoop::new()?.run_app(&mut app)?;
    Ok(())
}

/// A picture of the walk at a time, drawn without a window.
fn render(
    walker: &Walker,
    width: u32,
    height: u32,
    t: f32,
) -> Result<image::RgbaImage, Box<dyn Error>> {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let gpu = pollster::block_on(Gpu::new(&instance, None))?;
    let graphics =
        Graphics::new(&gpu, &walker.model, wgpu::TextureFormat::Rgba8Unorm, width, height);
    let pixels = graphics.draw_to_pixels(&gpu, &walker.pose(t)?)?;
    Ok(image::RgbaImage::from_raw(width, height, pixels).ok_or("too few pixels")?)
}

/// The application; `open` is `None` until the window opens.
struct App {
    walker: Walker,
    open: Option<Open>,
}

struct Open {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    graphics: Graphics,
    began: Instant,
}

impl Open {
    fn new(window: Window, walker: &Walker) -> Result<Self, Box<dyn Error>> {
        let window = Arc::new(window);
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let surface = instance.create_surface(Arc::clone(&window))?;
        let gpu = pollster::block_on(Gpu::new(&instance, Some(&surface)))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw to this window")?;
        // The shader returns display-ready colours, so the surface must not encode sRGB again.
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&gpu.device, &config);
        let graphics =
            Graphics::new(&gpu, &walker.model, config.format, config.width, config.height);
        Ok(Self { window, surface, config, gpu, graphics, began: Instant::now() })
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(&self.gpu.device, &self.config);
        self.graphics.resize(&self.gpu, self.config.width, self.config.height);
    }

    fn draw(&mut self, walker: &Walker) -> Result<(), tarsus_ik::Error> {
        let wgpu::CurrentSurfaceTexture::Success(frame) = self.surface.get_current_texture() else {
            self.resize(self.config.width, self.config.height);
            return Ok(());
        };
        let pose = walker.pose(self.began.elapsed().as_secs_f32())?;
        let view = frame.texture.create_view(&Default::default());
        let commands = self.graphics.draw(&self.gpu, &view, &pose);
        self.gpu.queue.submit([commands]);
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        self.window.request_redraw();
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let attributes = Window::default_attributes().with_title("a skinned walker");
        let opened = event_loop
            .create_window(attributes)
            .map_err(Box::<dyn Error>::from)
            .and_then(|window| Open::new(window, &self.walker));
        match opened {
            Ok(open) => self.open = Some(open),
            Err(error) => {
                eprintln!("cannot open the window: {error}");
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else {
            return;
        };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => open.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                if let Err(error) = open.draw(&self.walker) {
                    eprintln!("cannot solve the pose: {error}");
                    event_loop.exit();
                }
            }
            _ => {}
        }
    }
}

/// The picture shows the bird, the ground and a shadow.
#[test]
fn picture_shows_lit_bird_and_shadow() {
    let walker = Walker::new(model::Model::load().expect("a valid file")).expect("a valid rig");
    let picture = render(&walker, 320, 180, 1.0).expect("a GPU or a software renderer");
    let share = |is: fn([i32; 4]) -> bool| {
        let pixels = picture.pixels().filter(|pixel| is(pixel.0.map(i32::from)));
        pixels.count() as f32 / (320.0 * 180.0)
    };
    // Legs and beak are the only orange, the body the only dark blue.
    let orange = share(|[r, g, b, _]| r > 120 && r > 2 * b && r > g + 30);
    let blue = share(|[r, _, b, _]| b > r + 25 && b < 140);
    assert!((0.003..0.1).contains(&orange) && (0.01..0.2).contains(&blue), "{orange} {blue}");
}
