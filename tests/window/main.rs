//! The window on a real (if invisible) screen: opened, dragged, typed at,
//! resized, closed, and judged by what stands on the screen.

mod common;

mod reload;
mod view;
