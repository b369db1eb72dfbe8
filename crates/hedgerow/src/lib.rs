//! Infer the constraints an expert keeps to.

pub mod costset;
pub mod env;
pub mod error;
pub mod explore;
pub mod fingerprint;
pub mod index;
pub mod io;
pub mod learn;
pub mod metrics;
pub mod model;
pub mod param;
pub mod run;
pub mod seed;
pub mod solve;
pub mod sweep;

pub use error::{Error, Result};
