//! Tests of continuous worlds through the public interface; one program, so that it is linked once.

mod agents;
mod car;
mod density;
mod docs;
mod domain;
mod expert;
pub mod general;
mod lattice;
mod learner;
mod mazes;
mod net;
mod physics;
mod plan;
#[cfg(feature = "report")]
mod report;
mod sample_file;
mod world;
