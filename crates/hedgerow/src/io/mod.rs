//! Files: writing without half-written results.

pub mod atomic;

pub use atomic::write_atomic;

use crate::Result;
use crate::env::{Environment, builtin};

/// The environment called `name_or_path`.
pub fn open(name_or_path: &str) -> Result<Environment> {
    builtin::environment(name_or_path)
}
