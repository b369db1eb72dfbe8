//! Networks: a plain forward pass to act with, training through `candle` or in plain loops, and files.
//!
//! A network is a chain of layers `x -> W x + b` with a rectifier `max(x, 0)` after each but the
//! last. Acting takes one state at a time, where plain loops are several times faster than any
//! library; training takes batches, where its matrix products pay off in large networks and plain loops
//! in small ones.
//!
//! ```
//! use hedgerow::seed::Stream;
//! use hedgerow_continuous::net::{Mlp, Network, Scratch};
//!
//! let net = Mlp::random(&[2, 16, 3], 1.0, &mut Stream::new(7, "weights"))?;
//! let notes = [("seed".to_owned(), "7".to_owned())].into();
//! let bytes = Network { net: net.clone(), notes }.bytes()?;
//! let read = Network::from_bytes(&bytes)?;
//! assert_eq!(read.note::<u64>("seed")?, 7);
//! let mut scratch = Scratch::new(&net);
//! let outputs = net.forward(&[0.5, -0.5], &mut scratch).to_vec();
//! assert_eq!(read.net.forward(&[0.5, -0.5], &mut scratch), outputs);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

mod adam;
mod batch;
mod file;
mod mlp;
mod plain;
mod trainer;

pub use adam::Adam;
pub use batch::Frozen;
pub use file::Network;
pub use mlp::{Mlp, Scratch};
pub use plain::{BatchScratch, PlainTrainer};
pub use trainer::Trainer;
