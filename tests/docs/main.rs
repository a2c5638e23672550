//! The documentation against the program: quoted scenes compose, generated pages are up
//! to date.

mod channel_page;
mod claims;
mod first_creature;
mod reference;
mod scenes;
