//! Drawn maps with the numbers of rows and columns at their edges.

use hedgerow::env::{Cell, Layout};

/// The map, every cell drawn by `symbol`, with row numbers on the left and column numbers below.
pub fn draw(layout: &Layout, symbol: impl Fn(Cell) -> char) -> String {
    let width = (layout.rows().max(layout.columns()) - 1).to_string().len();
    let mut text = String::new();
    for (i, line) in layout.draw(symbol).lines().enumerate() {
        let row = layout.rows() - 1 - i;
        let cells: Vec<String> = line
            .split(' ')
            .map(|cell| format!("{cell:>width$}"))
            .collect();
        text.push_str(&format!("{row:>width$} | {}\n", cells.join(" ")));
    }
    let columns: Vec<String> = (0..layout.columns())
        .map(|c| format!("{c:>width$}"))
        .collect();
    let rule = "-".repeat((width + 1) * layout.columns());
    text.push_str(&format!("{:width$} +{rule}\n", ""));
    text.push_str(&format!("{:width$}   {}\n", "", columns.join(" ")));
    text
}
