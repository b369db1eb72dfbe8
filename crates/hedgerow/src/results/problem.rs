//! What is wrong with a file of results.

use serde::Serialize;

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileProblem {
    /// The file, from the results folder on.
    pub file: String,
    /// What is wrong with it, and what follows.
    pub problem: String,
}
