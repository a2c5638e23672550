//! The documentation against the program: quoted scenes compose, generated pages are up
//! to date.

mod channel_page;
mod first_creature;
mod reference;
mod scenes;
