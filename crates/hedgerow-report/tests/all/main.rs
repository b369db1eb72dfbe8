//! Tests of figures and the page; one program, so that it is linked once.

mod common;
mod domains;
mod figures;
mod own_strategy;
mod page;
mod thin;
mod verdicts;
