//! Figures for papers: SVG, and PNG made from the same drawing.
