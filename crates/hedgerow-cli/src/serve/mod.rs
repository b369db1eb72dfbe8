//! Pages served to browsers on this machine: where, and as much of HTTP as that takes.

mod address;
mod http;

pub use address::Address;
pub use http::{Answer, serve};
