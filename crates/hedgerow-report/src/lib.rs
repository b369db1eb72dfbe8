//! Figures and pages from a results folder, made from the saved files alone.
//!
//! [`hedgerow::sweep::Results`] reads the folder; [`figure`] draws the figures of a paper, [`page`]
//! writes one page to explore the results in. Strategies look the same everywhere: [`theme`].

pub mod curves;
pub mod estimates;
pub mod figure;
pub mod page;
pub mod theme;
pub mod verdicts;
