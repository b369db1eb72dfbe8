//! One self-contained page to explore the results in.
