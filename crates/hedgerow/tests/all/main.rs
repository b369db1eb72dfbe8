//! Tests of the library through its public interface; one program, so that it is linked once.

mod bounds;
mod common;
mod constrained;
mod costset;
mod costset_examples;
mod costset_properties;
mod docs;
mod errata;
mod experiments;
mod explain;
mod files;
mod gridworlds;
mod learner;
mod no_leak;
mod offline;
mod promises;
mod records;
mod results;
mod run;
mod soft;
mod solvers;
mod strategies;
mod theory;
mod transfer;
mod verdicts;
mod verify;
