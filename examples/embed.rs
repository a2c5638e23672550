//! Embeds a tarsus scene in another program, with its own window, device and render pass.
//!
//! The left half of the window shows a tarsus scene, the right half a triangle drawn by
//! this program. Both are drawn in one render pass.
//!
//! ```sh
//! cargo run --release --example embed [SCENE]
//! ```

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use tarsus_render::{Frame, Inputs, Renderer};
use tarsus_shader::{Program, Scene};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

/// This program's own shader: a triangle that turns.
const SHADER: &str = "
struct Corner {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
}

@vertex
fn corners(@builtin(vertex_index) index: u32, @builtin(instance_index) turn: u32) -> Corner {
    let angle = f32(turn) * 0.02 + f32(index) * 2.0944;
    let color = 0.5 + 0.5 * cos(vec3f(0.0, 2.1, 4.2) + f32(index) * 2.0944);
    return Corner(vec4f(0.5 + 0.35 * cos(angle), 0.6 * sin(angle), 0.0, 1.0), color);
}

@fragment
fn pixels(corner: Corner) -> @location(0) vec4f {
    return vec4f(corner.color, 1.0);
}
";

/// Everything created on this program's device.
struct Graphics {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    /// Renderer of the scene.
    scene: Renderer,
    began: Instant,
    frames: u32,
}

impl Graphics {
    async fn new(window: Arc<Window>, program: &Program) -> Result<Self, Box<dyn Error>> {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                compatible_surface: Some(&surface),
                ..Default::default()
            })
            .await?;
        let (device, queue) = adapter.request_device(&Default::default()).await?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw to this window")?;
        // Scenes return display-ready colours, so the surface must not encode sRGB again.
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);
        Ok(Self {
            pipeline: pipeline(&device, config.format),
            scene: Renderer::new(&device, &queue, program, &[config.format]).await?,
            window,
            surface,
            config,
            device,
            queue,
            began: Instant::now(),
            frames: 0,
        })
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(&self.device, &self.config);
    }

    fn draw(&mut self) {
        use wgpu::CurrentSurfaceTexture as Current;
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            // Hidden; the system asks for the next frame.
            Current::Occluded => return,
            _ => {
                self.resize(self.config.width, self.config.height);
                return self.window.request_redraw();
            }
        };
        let (left, height) = (self.config.width.div_ceil(2), self.config.height);
        let time = self.began.elapsed().as_secs_f64();
        let inputs = Inputs::new(Frame::new((left, height), self.frames, 60.0).at_time(time));
        let mut encoder = self.device.create_command_encoder(&Default::default());
        // Only scenes with buffers, such as `pond`, have anything to advance.
        self.scene.advance(&mut encoder, &inputs);
        self.scene.prepare(&mut encoder, &inputs);

        let view = frame.texture.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        // Our own triangle, then the scene in the left half.
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, self.frames..self.frames + 1);
        pass.set_viewport(0.0, 0.0, left as f32, height as f32, 0.0, 1.0);
        let painted = self.scene.paint(&mut pass, self.config.format);
        painted.expect("the format is not an sRGB format");
        drop(pass);

        self.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        self.queue.present(frame);
        self.frames += 1;
        self.window.request_redraw();
    }
}

fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("own"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("own"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corners"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("pixels"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The application; `graphics` is `None` until the window opens.
struct App {
    program: Program,
    graphics: Option<Graphics>,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let attributes = Window::default_attributes().with_title("a triangle, and tarsus");
        let opened = event_loop
            .create_window(attributes)
            .map_err(Box::<dyn Error>::from)
            .and_then(|window| pollster::block_on(Graphics::new(Arc::new(window), &self.program)));
        match opened {
            Ok(graphics) => self.graphics = Some(graphics),
            Err(error) => {
                eprintln!("cannot open the window: {error}");
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(graphics) = &mut self.graphics else {
            return;
        };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => graphics.resize(size.width, size.height),
            WindowEvent::RedrawRequested => graphics.draw(),
            _ => {}
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let library = tarsus::library();
    let scene = Scene::find(name.as_deref().unwrap_or("line_walker"), &library)?;
    let program = tarsus_shader::compose(&scene, &library, &[])?;
    let mut app = App { program, graphics: None };
    EventLoop::new()?.run_app(&mut app)?;
    Ok(())
}
