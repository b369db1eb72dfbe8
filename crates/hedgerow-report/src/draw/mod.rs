//! What figures are drawn with: sheets in points, text that fits, axes, maps, marks and legends.
//!
//! The figures of this crate and those that a [domain](crate::domain) adds use the same parts, so
//! that they look alike.
//!
//! ```
//! use hedgerow_report::draw::svg::{Anchor, Svg};
//! use hedgerow_report::draw::text::TITLE;
//! use hedgerow_report::draw::{Figure, legend};
//!
//! let (width, mut svg) = (252.0, Svg::default());
//! svg.text((width / 2.0, 12.0), "Nothing but a legend", TITLE, Anchor::Middle);
//! let entries = [legend::Entry::strategy("pcse"), legend::Entry::expert()];
//! let height = 18.0 + legend::draw(&mut svg, &entries, [5.0, width - 5.0], 18.0);
//! let figure = Figure {
//!     name: "example".to_owned(),
//!     title: "An example".to_owned(),
//!     caption: "A strategy and the expert.".to_owned(),
//!     svg: svg.finish(width, height, "An example", "A strategy and the expert."),
//! };
//! assert!(figure.svg.contains(">pcse</text>") && !figure.png()?.is_empty());
//! assert!(figure.outlined().contains("aria-label=\"pcse\"") && !figure.pdf()?.is_empty());
//! # Ok::<(), hedgerow::Error>(())
//! ```

pub mod atlas;
pub mod bar;
mod figure;
pub mod graph;
pub mod ground;
pub mod legend;
pub mod map;
pub mod marks;
pub mod moments;
mod outline;
pub mod panel;
mod pdf;
mod raster;
pub mod scale;
pub mod svg;
pub mod text;
pub mod thinned;

pub use figure::{Figure, WIDE, numbered, width_of};
pub use raster::DPI;
