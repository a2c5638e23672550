//! Tests of the window on a real, possibly invisible, display: open, drag, type, resize and
//! close it, and check the pixels on screen.

mod screenshot;
mod viewer;
mod x11;

mod buffers;
mod channels;
mod live;
mod reload;
mod runaway;
mod view;
