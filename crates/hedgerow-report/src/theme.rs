//! How strategies look: the same colour, dash and marker in every figure and on the page.
