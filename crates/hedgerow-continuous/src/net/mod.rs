//! Networks: a plain forward pass to act with, training through `candle`, and files.
//!
//! A network is a chain of layers `x -> W x + b` with a rectifier `max(x, 0)` after each but the
//! last. Acting takes one state at a time, where plain loops beat any library several times;
//! training takes batches, where its matrix products and derivatives are worth their overhead.

mod adam;
mod batch;
mod file;
mod mlp;
mod trainer;

pub use adam::Adam;
pub use batch::Frozen;
pub use file::Network;
pub(crate) use mlp::largest;
pub use mlp::{Mlp, Scratch};
pub use trainer::Trainer;
