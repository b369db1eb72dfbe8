//! Tests of the playground's engine as any program links it, and of the built page.
//!
//! The same engine in a browser is compared with the command in `tests/browser`.

mod answers;
mod page;
mod worlds;
