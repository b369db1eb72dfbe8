//! Tests of figures and the page; one program, so that it is linked once.

mod common;
mod figures;
mod maze;
mod page;
mod verdicts;
