//! The window on a real (if invisible) screen: opened, dragged, typed at,
//! resized, closed, and judged by what stands on the screen.

mod screenshot;
mod viewer;
mod x11;

mod buffers;
mod channels;
mod live;
mod reload;
mod runaway;
mod view;
