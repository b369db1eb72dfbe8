//! Damaged and invented files for every reader: none may panic, hang, take much memory or answer
//! with anything but one line.
//!
//! Inputs are made from a corpus by changing bytes, words, lines and JSON values, with a seed; those
//! that get an answer of a new shape are changed further. Tools that follow the coverage of a
//! program need a nightly compiler or unsafe code; the answers of these readers name what they found
//! wrong, so their shapes say almost as well which way through the code an input took.
//!
//! | module | holds |
//! |---|---|
//! | [`input`] | an input: a file, or a small folder of files |
//! | [`mutate`] | how inputs are changed |
//! | [`seal`] | checksums put right after a change, so that readers look further |
//! | [`targets`] | the readers |
//! | [`worker`] | a process that tries inputs one after the other |
//! | [`limits`] | time and memory that an input may take |
//! | [`campaign`] | workers one after the other, and what they could not bear |

pub mod campaign;
pub mod input;
pub mod limits;
pub mod mutate;
pub mod seal;
pub mod targets;
pub mod worker;
