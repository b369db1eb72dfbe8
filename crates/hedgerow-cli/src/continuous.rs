//! Mazes in commands that are not only about them; without the feature `continuous` there are none.

use hedgerow::Result;
use hedgerow::param::Parameter;
use hedgerow::sweep::{Experiment, Site};
use std::sync::Arc;

/// The default experiment.
#[cfg(feature = "continuous")]
pub fn experiment() -> Experiment {
    hedgerow_continuous::site::experiment()
}

/// The default experiment.
#[cfg(not(feature = "continuous"))]
pub fn experiment() -> Experiment {
    Experiment::default()
}

/// The maze called `source`, if it is one.
#[cfg(feature = "continuous")]
pub fn site(source: &str) -> Result<Option<Arc<dyn Site>>> {
    hedgerow_continuous::site::open(source)
}

/// The maze called `source`, if it is one.
#[cfg(not(feature = "continuous"))]
pub fn site(_: &str) -> Result<Option<Arc<dyn Site>>> {
    Ok(None)
}

/// The parameters of mazes.
#[cfg(feature = "continuous")]
pub fn parameters() -> Option<(&'static str, &'static [Parameter])> {
    use hedgerow_continuous::site::{PARAMETERS, TABLE};
    Some((TABLE, PARAMETERS))
}

/// The parameters of mazes.
#[cfg(not(feature = "continuous"))]
pub fn parameters() -> Option<(&'static str, &'static [Parameter])> {
    None
}

/// Names of the built-in mazes.
#[cfg(feature = "continuous")]
pub fn mazes() -> Vec<&'static str> {
    hedgerow_continuous::maze::builtin::NAMES.to_vec()
}

/// Names of the built-in mazes.
#[cfg(not(feature = "continuous"))]
pub fn mazes() -> Vec<&'static str> {
    Vec::new()
}

/// The maze called `source` as its file would be, if it is one.
#[cfg(feature = "continuous")]
pub fn drawn(source: &str) -> Result<Option<String>> {
    let maze = hedgerow_continuous::site::open_maze(source)?;
    Ok(maze.map(|m| m.design().to_toml()))
}

/// The maze called `source` as its file would be, if it is one.
#[cfg(not(feature = "continuous"))]
pub fn drawn(_: &str) -> Result<Option<String>> {
    Ok(None)
}

/// Refuses a maze where a command needs a finite world.
pub fn refuse_maze(source: &str) -> Result<()> {
    match drawn(source) {
        Ok(None) => Ok(()),
        _ => Err(hedgerow::Error::invalid(
            source,
            "this is a maze, a continuous world",
            "use it with `hedgerow run --env` or `hedgerow maze`; this command needs a finite environment",
        )),
    }
}
