//! What texts become, and what is said where they are wrong; without an adapter.

mod channel_page;
mod channels;
mod compose;
mod export;
mod first_creature;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(feature = "glsl")]
mod glsl_mistakes;
mod hostile;
mod mistakes;
mod packed_words;
mod reference;
mod warnings;
