//! The playground: one page in which the real engine runs.
//!
//! Compiled for `wasm32-unknown-unknown` this crate is the engine inside the page: [`world`] turns
//! drawn maps into environments, [`race`] runs strategies, [`answer`] gives verdicts, and
//! `bindings` hands all of it to scripts as JSON. Nothing is decided here: every number comes from
//! `hedgerow`, every word about a verdict from `hedgerow-report`, and so a seed gives the same bits
//! as on the command line.
//!
//! Compiled for anything else it is the page itself, as `hedgerow play` serves it:
//!
//! ```
//! assert!(hedgerow_web::PAGE.starts_with("<!doctype html>"));
//! ```
//!
//! `crates/hedgerow-web/build.sh` makes that page, and a test fails while it is older than what it
//! is made from.

pub mod answer;
#[cfg(target_arch = "wasm32")]
mod bindings;
pub mod race;
pub mod world;

/// The playground: one file that loads nothing.
#[cfg(not(target_arch = "wasm32"))]
pub const PAGE: &str = include_str!("../dist/playground.html");
