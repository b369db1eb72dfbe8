//! The native module of the Python package: the library as Python sees it, and no logic.
//!
//! Vectors over pairs go in and out as arrays in the order of the model's pairs; the package turns
//! them into tables of states and actions. Long work runs in a thread of its own, while the calling
//! one listens to Ctrl-C and shows progress.

mod arrays;
mod command;
mod constraint;
mod continuous;
mod costset;
mod environment;
mod error;
mod explain;
mod infer;
mod learned;
mod maze;
mod metrics;
mod model;
mod online;
mod records;
mod report;
mod results;
mod run;
mod solve;
mod strategy;
mod sweep;
mod table;
mod theory;
mod work;
mod world;

use pyo3::prelude::*;

/// The native module of the package `hedgerow`.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Task>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<environment::Environment>()?;
    module.add_class::<online::OnlineWorld>()?;
    module.add_class::<strategy::Learner>()?;
    module.add_class::<constraint::Constraint>()?;
    module.add_class::<costset::CostSet>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<results::Results>()?;
    module.add_class::<maze::Maze>()?;
    module.add_class::<maze::MazeEnv>()?;
    module.add_class::<continuous::ContinuousWorld>()?;
    module.add_class::<learned::Learned>()?;
    for add in [
        command::add,
        solve::add,
        infer::add,
        learned::add,
        run::add,
        sweep::add,
        explain::add,
        records::add,
        metrics::add,
        theory::add,
        report::add,
        world::add,
    ] {
        add(module)?;
    }
    Ok(())
}
